import { AccessDenied, BadRequest, NotFound } from "@/lib/errors";
import {
  createOwnApplication,
  createOwnToken,
  deleteOwnApplication,
  endOldApplicationSecret,
  revokePersonalToken,
  rotateApplicationSecret,
  updateOwnApplication,
} from "@/lib/oauth";
import type { Session } from "@/lib/users";
import { notFoundPage } from "../plain/console";
import { filled, html, plainPage } from "../plain/page";
import { fieldOf, goTo } from "../session/requests";
import { developerWords } from "./words";

type Action = {
  /** Renders the page with the form, where a problem is shown. */
  page(form: URLSearchParams): string;
  /** Shows a secret, so the person must have signed in within the last minutes. */
  needsFreshSession?: true;
  run(session: Session, form: URLSearchParams): Promise<Response>;
};

const LIST = "/developers/applications";
const TOKENS = "/developers/tokens";
const pageOf = (form: URLSearchParams) => `${LIST}/${encodeURIComponent(fieldOf(form, "client"))}`;

/** The actions on a user's own applications and tokens. The functions they call write the audit log. */
const actions: { [name: string]: Action } = {
  "create-application": {
    page: () => LIST,
    needsFreshSession: true,
    async run({ user: { id, sessionEpoch } }, form) {
      const input = { ...wishOf(form), isPublic: form.has("isPublic") };
      const made = await createOwnApplication(id, input, sessionEpoch);
      if (made.clientSecret === undefined) return goTo(`${LIST}/${made.clientId}`);
      return secretPage(made.clientId, made.clientSecret);
    },
  },
  "change-application": {
    page: pageOf,
    async run({ user: { id } }, form) {
      await updateOwnApplication(id, fieldOf(form, "client"), wishOf(form));
      return goTo(`${pageOf(form)}?saved=yes`);
    },
  },
  rotate: {
    page: pageOf,
    needsFreshSession: true,
    async run({ user: { id } }, form) {
      const { clientId, clientSecret } = await rotateApplicationSecret(id, fieldOf(form, "client"));
      return secretPage(clientId, clientSecret);
    },
  },
  "end-old": {
    page: pageOf,
    async run({ user: { id } }, form) {
      await endOldApplicationSecret(id, fieldOf(form, "client"));
      return goTo(pageOf(form));
    },
  },
  "delete-application": {
    page: pageOf,
    async run({ user: { id } }, form) {
      await deleteOwnApplication(id, fieldOf(form, "client"));
      return goTo(LIST);
    },
  },
  "create-token": {
    page: () => TOKENS,
    needsFreshSession: true,
    async run({ user: { id, sessionEpoch } }, form) {
      const input = { name: fieldOf(form, "name"), scopes: form.getAll("scope"), days: Number(fieldOf(form, "days")) };
      return tokenPage((await createOwnToken(id, input, sessionEpoch)).token);
    },
  },
  "revoke-token": {
    page: () => TOKENS,
    async run({ user: { id } }, form) {
      await revokePersonalToken(id, fieldOf(form, "token"));
      return goTo(TOKENS);
    },
  },
};

/** Runs a form's action. A problem is shown next to the form with the values that were typed. */
export async function act(name: string, session: Session, form: URLSearchParams): Promise<Response> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) return notFoundPage();
  if (action.needsFreshSession && !session.isFresh) {
    return goTo(`/sign-in/again?${new URLSearchParams({ callbackUrl: pageWith(action, form) })}`);
  }
  try {
    return await action.run(session, form);
  } catch (error) {
    if (error instanceof NotFound) return notFoundPage();
    if (!(error instanceof BadRequest || error instanceof AccessDenied)) throw error;
    return goTo(pageWith(action, form, { problem: error.message }));
  }
}

/** The page with the form, which shows the values that were typed. */
function pageWith(action: Action, form: URLSearchParams, more: { [name: string]: string } = {}): string {
  const typed = {
    name: fieldOf(form, "name").slice(0, 200),
    redirectUris: fieldOf(form, "redirectUris").slice(0, 2_000),
  };
  return `${action.page(form)}?${new URLSearchParams({ ...more, ...typed })}`;
}

function wishOf(form: URLSearchParams) {
  const redirectUris = fieldOf(form, "redirectUris").split(/\s+/).filter(Boolean);
  return { name: fieldOf(form, "name"), redirectUris };
}

/** Shows an application's credential once; the secret is not stored. */
function secretPage(clientId: string, clientSecret: string): Response {
  const body = html`<h1>${developerWords.copySecret}</h1>
<p>${developerWords.secretMeans}</p>
<dl class="facts"><dt>${developerWords.clientId}</dt><dd><span class="code">${clientId}</span></dd>
<dt>${developerWords.clientSecret}</dt><dd><span class="code">${clientSecret}</span></dd></dl>
<div class="row"><a class="button" href="/developers/applications/${clientId}">${developerWords.copied}</a></div>`;
  return plainPage({ title: developerWords.copySecret, body });
}

/** Shows a personal token once, in a field that is easy to select. */
function tokenPage(token: string): Response {
  const header = html`<span class="code">Authorization: Bearer …</span>`;
  const body = html`<h1>${developerWords.copyToken}</h1>
<p>${developerWords.tokenMeans}</p>
<div class="field"><label for="token">${developerWords.token}</label><input id="token" readonly value="${token}" autocomplete="off"></div>
<p class="hint">${filled(developerWords.sendItAs, { header })}</p>
<div class="row"><a class="button" href="/developers/tokens">${developerWords.copied}</a></div>`;
  return plainPage({ title: developerWords.copyToken, body });
}
