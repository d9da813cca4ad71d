import { fingerprint } from "../core/ids";
import type { Call, FaultAnswers } from "../core/network";
import { tokenForm } from "../core/token-form";
import { credentialOf, rateHeaders, tooMany } from "./access";
import { expiredToken, internalError, OAuthRefusal, onError } from "./errors";
import type { BlueskyState } from "./state";

export function faultAnswers(state: BlueskyState): FaultAnswers {
  return {
    internalError,
    rateLimited(call, afterSeconds) {
      const resetAt = state.world.clock.now() + afterSeconds * 1000;
      rateHeaders(state, call, { limit: 3000, remaining: 0, resetAt, seconds: 300 });
      return onError(call, tooMany());
    },
    invalidGrant(call) {
      const isSession = new URL(call.req.url).pathname.includes("/xrpc/");
      return onError(
        call,
        isSession ? expiredToken("Token has been revoked") : new OAuthRefusal("invalid_grant", "Invalid refresh token"),
      );
    },
    async revokeToken(call: Call) {
      const presented = credentialOf(call).token || ((await tokenForm(call)).get("refresh_token") ?? "");
      const live = state.grants.look(presented, "access", "refresh");
      if (live) state.grants.endTokens(live.grant);
      const session = state.sessions.get(fingerprint(presented));
      if (session) state.endedFamilies.put(session.family, true);
      // An access token of a session outlives it; for the fault it ends at once.
      if (session?.kind === "access") state.sessions.put(fingerprint(presented), { ...session, expiresAt: 0 });
      return undefined;
    },
  };
}
