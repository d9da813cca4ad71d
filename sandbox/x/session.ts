import type { Call } from "../core/network";
import type { Allowance } from "../core/rate-limits";
import { creditsDepleted, forbidden, tooManyRequests, unauthorized } from "./errors";
import { userId, type XState } from "./state";

export type XSession = { account: string; userId: string };

/** Calls per user in 15 minutes. Source: docs.x.com, rate limits. */
const LIMITS = {
  createPost: 100,
  deletePost: 50,
  upload: 500,
  uploadStatus: 1000,
  initialize: 1875,
  append: 1875,
  finalize: 1875,
  metadata: 500,
  me: 75,
  timeline: 900,
};

/** Authenticates a call: token, scopes and the endpoint's rate limit. Sets the three rate headers. */
export function sessionOf(state: XState, call: Call, endpoint: keyof typeof LIMITS, scopes: string[]): XSession {
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw unauthorized();
  call.get("entry").account = live.account;
  if (!state.switches.credits) throw creditsDepleted();
  if (!scopes.every((scope) => live.scopes.includes(scope))) {
    throw forbidden("Your client app is not configured with the appropriate oauth2 scopes for this endpoint.");
  }
  const allowance = state.windows.take(`${endpoint}/${live.account}`, LIMITS[endpoint], 900);
  rateHeaders(state, call, allowance);
  if (!allowance.isAllowed) throw tooManyRequests();
  return { account: live.account, userId: userId(live.account) };
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}

/** Sets `x-rate-limit-*`. The reset is in epoch seconds of the real clock, which the caller uses. */
export function rateHeaders(
  state: XState,
  call: Call,
  { limit, remaining, resetAt }: Omit<Allowance, "isAllowed">,
): void {
  const reset = Date.now() + resetAt - state.world.clock.now();
  call.header("x-rate-limit-limit", String(limit));
  call.header("x-rate-limit-remaining", String(remaining));
  call.header("x-rate-limit-reset", String(Math.ceil(reset / 1000)));
}
