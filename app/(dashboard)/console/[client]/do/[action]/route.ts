import { actorAndPartner, credentialPage, nothingHere } from "@/components/console/answers";
import { storeBranding } from "@/components/console/branding-action";
import { fieldOf, goTo } from "@/components/session/requests";
import { type Partner, savePartnerSettings, startRehearsal } from "@/lib/connect";
import { BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { endOldSecret, rotatePartnerSecret, suspendPartner } from "@/lib/oauth";
import type { User } from "@/lib/users";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string; action: string }> };
type Action = { isStaffs?: true; run(partner: Partner, user: User, request: Request): Promise<Response> };

const backTo = ({ clientId }: Partner) => goTo(`/console/${clientId}/credentials`);

/** What a person can do to a partner; each is written into the audit log by what it calls. */
const actions: { [name: string]: Action } = {
  rotate: { run: async ({ clientId, name }, user) => credentialPage(await rotatePartnerSecret(clientId, user), name) },
  "end-old": {
    async run(partner, user) {
      await endOldSecret(partner.clientId, user);
      return backTo(partner);
    },
  },
  suspend: {
    async run(partner, user) {
      await suspendPartner(partner.clientId, true, user);
      return backTo(partner);
    },
  },
  resume: {
    isStaffs: true,
    async run(partner, user) {
      await suspendPartner(partner.clientId, false, user);
      return backTo(partner);
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
  branding: { run: (partner, _, request) => storeBranding(partner, request) },
  rehearse: {
    async run(partner, _, request) {
      const form = await readForm(request);
      const field = (name: string) => (form ? fieldOf(form, name).trim() : "");
      const wish = { way: field("way"), platform: field("platform"), redirectUri: field("redirectUri") };
      try {
        const address = await startRehearsal(partner, wish);
        return new Response(null, { status: 303, headers: { Location: address, "Cache-Control": "no-store" } });
      } catch (error) {
        if (!(error instanceof BadRequest)) throw error;
        return goTo(`/console/${partner.clientId}/rehearsal?${new URLSearchParams({ problem: error.message })}`);
      }
    },
  },
};

export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { client, action: name } = await params;
  const found = await actorAndPartner(request, client);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!found || !action || (action.isStaffs && found.user.role !== "staff")) return nothingHere();
  return action.run(found.partner, found.user, request);
}

/** A reload or a bookmark of an answer leads back to where the forms are. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { client } = await params;
  return goTo(`/console/${encodeURIComponent(client)}/credentials`);
}
