import type { Call, FaultAnswers } from "../core/network";
import { parametersOf } from "../meta/parameters";
import { deadCode, onError, refusals } from "./errors";
import { publish } from "./publish";
import { tokenIn } from "./session";
import type { InstagramState } from "./state";

export function faultAnswers(state: InstagramState): FaultAnswers {
  return {
    internalError: (call) => onError(call, refusals.internal()),
    rateLimited(call, afterSeconds) {
      usageHeader(call, 100, Math.ceil(afterSeconds / 60));
      return onError(call, refusals.throttled());
    },
    invalidGrant: (call) =>
      onError(call, call.req.path.endsWith("/oauth/access_token") ? deadCode() : refusals.deadToken(463)),
    /** Instagram knows no duplicates; the nearest is its refusal of what looks like spam, though the post may be live. */
    async duplicate(call) {
      if (call.req.path.endsWith("/media_publish")) await publish(state, call);
      return onError(call, refusals.actionBlocked());
    },
    async revokeToken(call) {
      const live = state.grants.look(tokenIn(call, await parametersOf(call)), "short", "long");
      if (!live) return undefined;
      state.grants.endTokens(live.grant);
      return onError(call, refusals.deadToken(458));
    },
  };
}

/** `X-Business-Use-Case-Usage`, by which Meta tells how long to stay away; minutes. */
export function usageHeader(call: Call, percent: number, minutes: number): void {
  const usage = {
    type: "instagram",
    call_count: percent,
    total_cputime: 1,
    total_time: 1,
    estimated_time_to_regain_access: minutes,
  };
  call.header("X-Business-Use-Case-Usage", JSON.stringify({ "17841400000000000": [usage] }));
}
