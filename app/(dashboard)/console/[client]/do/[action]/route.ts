import { ownFormPartner } from "@/app/access";
import { credentialPage, notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { createRehearsalLink } from "@/lib/connect";
import { ApiError } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { endOldSecret, rotatePartnerSecret, suspendPartner } from "@/lib/oauth";
import { type Partner, savePartnerSettings } from "@/lib/partners";
import type { User } from "@/lib/users";
import { saveBrandingForm } from "../../../branding";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string; action: string }> };
type Action = { staffOnly?: true; run(partner: Partner, user: User, request: Request): Promise<Response> };

const toCredentials = ({ clientId }: Partner) => goTo(`/console/${clientId}/credentials`);

/** The actions on a partner. The verbs they call write the audit log. */
const actions: { [name: string]: Action } = {
  rotate: { run: async ({ clientId, name }, user) => credentialPage(await rotatePartnerSecret(clientId, user), name) },
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
    staffOnly: true,
    async run(partner, user) {
      await suspendPartner(partner.clientId, false, user);
      return toCredentials(partner);
    },
  },
  settings: {
    async run(partner, user, request) {
      const form = await readForm(request);
      const isOn = (name: string) => form?.has(name) ?? false;
      if (form) await savePartnerSettings(partner.id, { interstitial: isOn("interstitial"), hold: isOn("hold") }, user);
      return goTo(`/console/${partner.clientId}/settings?saved=yes`);
    },
  },
  branding: { run: (partner, _, request) => saveBrandingForm(partner, request) },
  rehearse: {
    async run(partner, _, request) {
      const form = await readForm(request);
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

export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { client, action: name } = await params;
  const allowed = await ownFormPartner(request, client);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!allowed || !action || (action.staffOnly && allowed.user.role !== "staff")) return notFoundPage();
  return action.run(allowed.partner, allowed.user, request);
}

/** A reload or a bookmark of an action's address leads back to the credentials page. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { client } = await params;
  return goTo(`/console/${encodeURIComponent(client)}/credentials`);
}
