import { ownFormPartner } from "@/app/access";
import { consoleWords } from "@/components/console/words";
import { credentialPage, notAllowedPage, notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { createRehearsalLink } from "@/lib/connect";
import { ApiError, BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { endOldSecret, suspendPartner } from "@/lib/oauth";
import {
  beginSecretRotation,
  type ConsoleAction,
  canInConsole,
  createPartnerSecret,
  endAllSecrets,
  memberRoles,
  type Partner,
  removeMember,
  savePartnerSettings,
  setMemberRole,
} from "@/lib/partners";
import type { User } from "@/lib/users";
import { readBrandingForm, saveBrandingForm, type UploadedForm } from "../../../branding";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string; action: string }> };
/** `form` is undefined if the body is no form or too large. The branding form has a file, so it is an `upload`. */
type Sent = { form?: URLSearchParams; upload?: UploadedForm };
type Action = {
  /** Shows a secret, so the person must have signed in within the last minutes. */
  needsFreshSession?: true;
  run(partner: Partner, user: User, sent: Sent): Promise<Response>;
};

const toMembers = ({ clientId }: Partner, query: { [name: string]: string } = {}) =>
  goTo(`/console/${clientId}/members${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ""}`);
const toCredentials = ({ clientId }: Partner) => goTo(`/console/${clientId}/credentials`);

/** The actions on a partner; lib/partners/roles.ts says who may run them. The verbs they call write the audit log. */
const actions: { [name in ConsoleAction]: Action } = {
  rotate: {
    needsFreshSession: true,
    run: async (partner, user) => credentialPage(await createPartnerSecret(partner, user), partner.name),
  },
  retire: {
    async run(partner, user) {
      await beginSecretRotation(partner, user);
      return toCredentials(partner);
    },
  },
  "end-all": {
    async run(partner, user) {
      await endAllSecrets(partner, user);
      return toCredentials(partner);
    },
  },
  "end-old": {
    async run(partner, user) {
      await endOldSecret(partner.clientId, user);
      return toCredentials(partner);
    },
  },
  suspend: {
    async run(partner, user) {
      await suspendPartner(partner.clientId, true, user);
      return toCredentials(partner);
    },
  },
  resume: {
    async run(partner, user) {
      await suspendPartner(partner.clientId, false, user);
      return toCredentials(partner);
    },
  },
  settings: {
    async run(partner, user, { form }) {
      const isOn = (name: string) => form?.has(name) ?? false;
      if (form) await savePartnerSettings(partner.id, { interstitial: isOn("interstitial"), hold: isOn("hold") }, user);
      return goTo(`/console/${partner.clientId}/settings?saved=yes`);
    },
  },
  branding: { run: (partner, _, { upload }) => saveBrandingForm(partner, upload) },
  "set-role": {
    run: async (partner, user, { form }) =>
      changeMembers(partner, async () => {
        const role = memberRoles.find((one) => form && fieldOf(form, "role") === one);
        if (!form || !role) throw new BadRequest(consoleWords.members.unknownRole);
        await setMemberRole(partner.id, fieldOf(form, "member"), role, user);
      }),
  },
  "remove-member": {
    run: async (partner, user, { form }) =>
      changeMembers(partner, async () => {
        await removeMember(partner.id, form ? fieldOf(form, "member") : "", user);
      }),
  },
  leave: {
    run: (partner, user) => changeMembers(partner, () => removeMember(partner.id, user.id, user), goTo("/")),
  },
  rehearse: {
    async run(partner, _, { form }) {
      const field = (name: string) => (form ? fieldOf(form, name).trim() : "");
      const input = { link: field("link"), platform: field("platform"), redirectUri: field("redirectUri") };
      try {
        const address = await createRehearsalLink(partner, input);
        return new Response(null, { status: 303, headers: { Location: address, "Cache-Control": "no-store" } });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return goTo(`/console/${partner.clientId}/rehearsal?${new URLSearchParams({ problem: error.message })}`);
      }
    },
  },
};

/** Changes the members. A problem is shown on their page. */
async function changeMembers(
  partner: Partner,
  change: () => Promise<void>,
  done: Response = toMembers(partner),
): Promise<Response> {
  try {
    await change();
    return done;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return toMembers(partner, { problem: error.message });
  }
}

const isAction = (name: string): name is ConsoleAction => Object.hasOwn(actions, name);

export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { client, action: name } = await params;
  const isUpload = name === "branding";
  // An upload is much larger than other forms, so that of a stranger is not read.
  if (isUpload && !(await ownFormPartner(request, client))) return notFoundPage();
  // Read before the session, as in `ownForm`.
  const sent = isUpload ? { upload: await readBrandingForm(request) } : { form: await readForm(request) };
  const allowed = await ownFormPartner(request, client);
  if (!allowed || !isAction(name)) return notFoundPage();
  const { partner, session } = allowed;
  if (!canInConsole(partner, name)) return notAllowedPage(partner);
  const action = actions[name];
  if (action.needsFreshSession && !session.isFresh) {
    const callbackUrl = `/console/${partner.clientId}/credentials`;
    return goTo(`/sign-in/again?${new URLSearchParams({ callbackUrl })}`);
  }
  return action.run(partner, session.user, sent);
}

/** A reload or a bookmark of an action's address leads back to the credentials page. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { client } = await params;
  return goTo(`/console/${encodeURIComponent(client)}/credentials`);
}
