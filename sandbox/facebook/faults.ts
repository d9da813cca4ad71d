import type { Call, FaultAnswers } from "../core/network";
import { parametersOf } from "../meta/parameters";
import { onError, refusals } from "./errors";
import { tokenIn } from "./session";
import type { FacebookState } from "./state";

export function faultAnswers(state: FacebookState): FaultAnswers {
  return {
    internalError: (call) => onError(call, refusals.internal()),
    rateLimited(call, afterSeconds) {
      usageHeader(call, 100, Math.ceil(afterSeconds / 60));
      return onError(call, refusals.throttled());
    },
    invalidGrant: (call) => onError(call, call.req.query("code") ? refusals.usedCode() : refusals.dead(463)),
    duplicate: (call) => onError(call, refusals.duplicate()),
    async revokeToken(call) {
      const token = tokenIn(call, await parametersOf(call));
      const live = state.grants.look(token, "short", "long", "page");
      if (!live) return undefined;
      state.deaths.put(live.grant, 458);
      return onError(call, refusals.dead(458));
    },
  };
}

/** `X-Business-Use-Case-Usage`, by which Meta tells how long to stay away; minutes. */
export function usageHeader(call: Call, percent: number, minutes: number): void {
  const use = {
    type: "pages",
    call_count: percent,
    total_cputime: 1,
    total_time: 1,
    estimated_time_to_regain_access: minutes,
  };
  call.header("X-Business-Use-Case-Usage", JSON.stringify({ "100000000000001": [use] }));
}
