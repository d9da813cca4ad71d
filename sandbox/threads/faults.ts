import type { FaultAnswers } from "../core/network";
import { parametersOf } from "../meta/parameters";
import { deadCode, onError, refusals } from "./errors";
import { publish } from "./publish";
import { tokenIn } from "./session";
import type { ThreadsState } from "./state";

export function faultAnswers(state: ThreadsState): FaultAnswers {
  return {
    internalError: (call) => onError(call, refusals.internal()),
    // Meta tells no wait here: status 400, and usage headers are unconfirmed on these hosts.
    rateLimited: (call) => onError(call, refusals.throttled()),
    invalidGrant: (call) =>
      onError(call, call.req.path.endsWith("/oauth/access_token") ? deadCode() : refusals.expired()),
    /** Threads knows no duplicates; the nearest is its refusal of what looks like spam, though the post may be live. */
    async duplicate(call) {
      if (call.req.path.endsWith("/threads_publish")) await publish(state, call);
      return onError(call, refusals.actionBlocked());
    },
    async revokeToken(call) {
      const live = state.grants.look(tokenIn(call, await parametersOf(call)), "short", "long");
      if (!live) return undefined;
      state.grants.endTokens(live.grant);
      return onError(call, refusals.withdrawn());
    },
  };
}
