import { env } from "@/lib/env";
import type { OAuthConnect } from "@/lib/networks";
import type { Platform } from "@/lib/platforms";
import { type Html, html, plainPage } from "../page";
import { plainWords } from "../words";
import { HEADERS } from "./pages";

export type AccountPage = {
  network: string;
  platform: Platform;
  account: NonNullable<OAuthConnect["account"]>;
  password: OAuthConnect["password"];
  /** What the page that sent the first form asked for, handed on as it came. */
  carried: { [name: string]: string };
  typed?: string;
  /** What is wrong with the name, or with name and password together. */
  wrong?: { field: "account" | "password"; says: string };
};

/** Whose servers they are is not known before a name is typed, and browsers hold a form's redirects to what its page named. */
const ANYWHERE = ["https:", ...(env.isLocal ? ["http:"] : [])];

/** Asks whose account it is, for a network whose accounts live on many servers; a password is the other way in. */
export function accountPage(page: AccountPage): Response {
  const { network, account, password, wrong, typed = "" } = page;
  const title = plainWords.connectAccount.connect(network);
  const name = (of: string) =>
    field({ id: of, name: "account", ...account, value: typed, wrong: wrong?.field === of ? wrong.says : undefined });
  const body = html`<h1>${title}</h1>
<p class="muted">${plainWords.connectAccount.yourServer}</p>
<form method="post" action="/accounts/name">
${hidden(page)}
${name("account")}
<button class="wide">${plainWords.connectAccount.goOn(network)}</button>
</form>
${
  password &&
  html`<h2>${plainWords.connectAccount.orWith(password.label.toLowerCase())}</h2>
<p class="hint">${plainWords.connectAccount.otherServers}</p>
<form method="post" action="/accounts/password" autocomplete="off">
${hidden(page)}
${name("password")}
${field({ id: "secret", name: "password", type: "password", label: password.label, hint: password.hint })}
<button class="quiet wide">${plainWords.connectAccount.connectWith(password.label.toLowerCase())}</button>
</form>`
}
<p class="hint after"><a href="/accounts">${plainWords.connectAccount.backToAccounts}</a></p>`;
  // Its forms have to say where they come from, which a browser does not where nothing may be told (Fetch, "append a request Origin").
  const headers = { ...HEADERS, "Referrer-Policy": "same-origin" };
  return plainPage({ title, body, status: wrong ? 400 : 200, headers, formTargets: ANYWHERE });
}

function hidden({ platform, carried }: AccountPage): Html[] {
  const fields = Object.entries({ platform, ...carried });
  return fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

type Field = { id: string; name: string; label: string; hint: string; type?: string; value?: string; wrong?: string };

function field({ id, name, label, hint, type = "text", value = "", wrong }: Field): Html {
  const notes = wrong ? `${id}-hint ${id}-wrong` : `${id}-hint`;
  return html`<div class="field">
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${hint}</p>
<input id="${id}" name="${name}" type="${type}" value="${value}" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${notes}"${
    wrong && html` aria-invalid="true" autofocus`
  }>
${wrong && html`<p class="wrong" id="${id}-wrong" role="alert">${wrong}</p>`}
</div>`;
}
