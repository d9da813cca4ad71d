import type { Call, FaultAnswers } from "../core/network";
import { tokenForm } from "../core/token-form";
import { DUPLICATE } from "./create-post";
import { deadToken, forbidden, internalError, onError, tooManyRequests } from "./errors";
import { bearer, rateHeaders } from "./session";
import type { XState } from "./state";

export function faultAnswers(state: XState): FaultAnswers {
  return {
    internalError,
    rateLimited(call, afterSeconds) {
      rateHeaders(state, call, { limit: 100, remaining: 0, resetAt: state.world.clock.now() + afterSeconds * 1000 });
      return onError(call, tooManyRequests());
    },
    invalidGrant: (call) => onError(call, deadToken()),
    duplicate: (call) => onError(call, forbidden(DUPLICATE)),
    async revokeToken(call: Call) {
      const presented = bearer(call) || ((await tokenForm(call)).get("refresh_token") ?? "");
      const live = state.grants.look(presented, "access", "refresh");
      if (live) state.grants.endTokens(live.grant);
      return undefined;
    },
  };
}
