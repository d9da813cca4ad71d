import type { Call, FaultAnswers } from "../core/network";
import { tokenForm } from "../core/token-form";
import { deadCode, deadToken, onError, refusals } from "./errors";
import { bearer } from "./session";
import type { YouTubeState } from "./state";

export function faultAnswers(state: YouTubeState): FaultAnswers {
  return {
    internalError: (call) => onError(call, refusals.internal()),
    rateLimited: (call) => onError(call, refusals.rateLimit()),
    async invalidGrant(call) {
      if (!call.req.path.endsWith("/youtube/token")) return onError(call, refusals.badToken());
      const form = await tokenForm(call);
      return onError(call, form.get("grant_type") === "refresh_token" ? deadToken() : deadCode());
    },
    async revokeToken(call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.endTokens(grant);
      // A session's address is enough to send bytes to it, so that its call would not notice.
      return call.req.method === "PUT" ? onError(call, refusals.badToken()) : undefined;
    },
  };
}

async function grantOf(state: YouTubeState, call: Call): Promise<string | undefined> {
  const live = state.grants.look(bearer(call), "access");
  if (live || !call.req.path.endsWith("/youtube/token")) return live?.grant;
  const presented = (await tokenForm(call)).get("refresh_token") ?? "";
  return state.grants.look(presented.replace(/^1\/\//, ""), "refresh")?.grant;
}
