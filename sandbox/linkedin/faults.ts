import type { Call, FaultAnswers } from "../core/network";
import { deadGrant, duplicateOf, internalError, onError, tooManyRequests } from "./errors";
import { bearer } from "./session";
import { type LinkedInState, personUrn } from "./state";
import { tokenForm } from "./token";

export function faultAnswers(state: LinkedInState): FaultAnswers {
  return {
    internalError,
    /** LinkedIn tells nobody how long. */
    rateLimited: (call) => onError(call, tooManyRequests()),
    invalidGrant: (call) => onError(call, deadGrant()),
    duplicate(call) {
      const account = state.grants.look(bearer(call), "access")?.account ?? "";
      const last = state.recent.values().findLast(({ author }) => author === personUrn(account));
      return onError(call, duplicateOf(last?.urn ?? "urn:li:share:7429862475279511552"));
    },
    async revokeToken(call: Call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.endTokens(grant);
      return undefined;
    },
  };
}

/** What a call presents: a token, or an address for a part, which takes none and goes back to one. */
async function grantOf(state: LinkedInState, call: Call): Promise<string | undefined> {
  const asset = state.assets.get(call.req.param("urn") ?? "");
  if (asset && call.req.method === "PUT") return asset.grant;
  const presented = bearer(call) || ((await tokenForm(call)).get("refresh_token") ?? "");
  return state.grants.look(presented, "access", "refresh")?.grant;
}
