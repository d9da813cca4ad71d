import type { Call, FaultAnswers } from "../core/network";
import { deadGrant, internalError, onError, tooManyRequests } from "./errors";
import { rateHeaders } from "./rates";
import { bearer } from "./session";
import type { PinterestState } from "./state";
import { tokenForm } from "./token";
import { uploadOf } from "./uploads";

/** Pinterest knows no refusal of duplicates. */
export function faultAnswers(state: PinterestState): FaultAnswers {
  return {
    internalError,
    rateLimited(call, afterSeconds) {
      const resetAt = state.world.clock.now() + afterSeconds * 1000;
      rateHeaders(state, call, "org_write", 60, { limit: 100, remaining: 0, resetAt });
      return onError(call, tooManyRequests());
    },
    invalidGrant: (call) => onError(call, deadGrant()),
    async revokeToken(call: Call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.endTokens(grant);
      return undefined;
    },
  };
}

/** What a call presents: a token, or the parameters of an upload, which goes back to one. */
async function grantOf(state: PinterestState, call: Call): Promise<string | undefined> {
  if (call.req.path.endsWith("/media-upload/")) return uploadOf(state, (await call.req.formData()).get("key"))?.grant;
  const presented = bearer(call) || ((await tokenForm(call)).get("refresh_token") ?? "");
  return state.grants.look(presented, "access", "refresh")?.grant;
}
