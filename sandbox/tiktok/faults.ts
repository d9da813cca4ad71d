import type { Call, FaultAnswers } from "../core/network";
import { deadCode, deadToken, onError, refusals } from "./errors";
import { bearer } from "./session";
import type { TikTokState } from "./state";
import { bare } from "./token";

export function faultAnswers(state: TikTokState): FaultAnswers {
  return {
    internalError: (call) => onError(call, refusals.internal()),
    rateLimited: (call) => onError(call, refusals.throttled()),
    async invalidGrant(call) {
      if (!call.req.path.endsWith("/oauth/token/")) return onError(call, refusals.badToken());
      const form = new URLSearchParams(await call.req.text());
      return onError(call, form.get("grant_type") === "refresh_token" ? deadToken() : deadCode());
    },
    async revokeToken(call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.endTokens(grant);
      return undefined;
    },
  };
}

/** What a call presents: a token, or an upload address that goes back to one. */
async function grantOf(state: TikTokState, call: Call): Promise<string | undefined> {
  const uploadId = call.req.query("upload_id");
  const publish = uploadId ? state.byUpload(uploadId) : undefined;
  if (publish) {
    state.publishes.put(publish.id, { ...publish, failReason: "auth_removed" });
    return publish.grant;
  }
  const live = state.grants.look(bearer(call), "access");
  if (live || !call.req.path.endsWith("/oauth/token/")) return live?.grant;
  const form = new URLSearchParams(await call.req.text());
  return state.grants.look(bare(form.get("refresh_token") ?? "", "refresh"), "refresh")?.grant;
}
