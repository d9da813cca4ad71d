import { z } from "zod";
import type { Answer } from "../core/network";
import { openId, type TikTokState } from "./state";
import { notify } from "./webhook";

const person = z.string().regex(/^[a-z0-9_]{1,15}$/);
const ChangedCreator = z.strictObject({
  account: person,
  isPrivate: z.boolean().optional(),
  commentDisabled: z.boolean().optional(),
  duetDisabled: z.boolean().optional(),
  stitchDisabled: z.boolean().optional(),
  maxSeconds: z.int().min(1).optional(),
  isBanned: z.boolean().optional(),
});
const ChangedRegistration = z.strictObject({
  isAudited: z.boolean().optional(),
  verifiedHosts: z.array(z.string()).optional(),
  webhookUrl: z.url().optional(),
});
const Removal = z.strictObject({ account: person, reason: z.int().min(0).max(5).default(1) });

/** What people do in the app and developers on TikTok's own pages, below `/_control/tiktok`. */
export function controls(state: TikTokState): Record<string, (body: unknown) => Answer> {
  return {
    creator(body) {
      const { account, ...changed } = ChangedCreator.parse(body);
      state.setCreator(account, changed);
      return new Response(null, { status: 204 });
    },
    app(body) {
      state.register(ChangedRegistration.parse(body));
      return new Response(null, { status: 204 });
    },
    /** Somebody takes the application's permission away: the tokens are dead before the webhook arrives. */
    remove(body) {
      const { account, reason } = Removal.parse(body);
      for (const { grant } of grantsOf(state, account)) state.grants.endTokens(grant);
      notify(state, "authorization.removed", account, { reason });
      return Response.json({ open_id: openId(account) });
    },
  };
}

function grantsOf(state: TikTokState, account: string): { grant: string }[] {
  return state.world
    .collection<{ id: string; account: string }>("tiktok.grants")
    .values()
    .filter((grant) => grant.account === account)
    .map(({ id }) => ({ grant: id }));
}
