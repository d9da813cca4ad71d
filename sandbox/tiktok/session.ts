import type { Call } from "../core/network";
import { errors } from "./errors";
import type { TikTokState } from "./state";

export type TikTokSession = { account: string; grant: string; scopes: string[] };

/** Calls per minute and user. Source: the reference page of each call. */
const LIMITS = { creatorInfo: 20, init: 6, status: 30, profile: 600, videos: 600 };

/**
 * Authenticates a call: token, scope and rate limit.
 * @param scopes the scope that the call needs, or several of which one is enough
 */
export function sessionOf(
  state: TikTokState,
  call: Call,
  endpoint: keyof typeof LIMITS,
  scopes: string | string[],
): TikTokSession {
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw errors.badToken();
  call.get("entry").account = live.account;
  const wanted = [scopes].flat();
  if (!wanted.some((scope) => live.scopes.includes(scope))) throw errors.noScope(wanted.join(" or "));
  if (state.windows.take(`${endpoint}/${live.account}`, 1, LIMITS[endpoint], 60) > 0) throw errors.throttled();
  return { account: live.account, grant: live.grant, scopes: live.scopes };
}

/** Prefixes that tell the kind of a token. Tokens are stored without them. */
export const tokenPrefix = { access: "act.", refresh: "rft." };

export function bearer(call: Call): string {
  const [scheme, token = ""] = (call.req.header("authorization") ?? "").split(" ");
  return scheme === "Bearer" && token.startsWith(tokenPrefix.access) ? token.slice(tokenPrefix.access.length) : "";
}
