import type { Call, FaultAnswers } from "../core/network";
import { deadGrant, internalError, onError, tooManyRequests } from "./errors";
import { rateHeaders } from "./rates";
import { bearer } from "./session";
import type { PinterestState } from "./state";
import { tokenForm } from "./token";

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
      const presented = bearer(call) || ((await tokenForm(call)).get("refresh_token") ?? "");
      const live = state.grants.look(presented, "access", "refresh");
      if (live) state.grants.endTokens(live.grant);
      return undefined;
    },
  };
}
