import { fingerprint } from "../core/ids";
import type { Call } from "../core/network";
import { provenKey } from "./dpop";
import { authRequired, expiredToken, invalidRequest, proofRefused, XrpcRefusal } from "./errors";
import { didOf } from "./identity";
import type { BlueskyState } from "./state";

/** Who calls; `scopes` only by OAuth, an app password may do all that this sandbox knows. */
export type Access = { account: string; did: string; scopes?: string[] };

export function credentialOf(call: Call): { scheme: string; token: string } {
  const [scheme = "", token = ""] = (call.req.header("authorization") ?? "").split(" ");
  return { scheme: scheme.toLowerCase(), token };
}

/** The account behind a call to its server: a token bound to a key, or an app password's session. */
export async function accessOf(state: BlueskyState, call: Call): Promise<Access> {
  const { scheme, token } = credentialOf(call);
  if (!token) throw authRequired("Authentication Required", "AuthMissing");
  const access = scheme === "dpop" ? await byProof(state, call, token) : bySession(state, token, "access");
  call.get("entry").account = access.account;
  assertActive(state, access.account);
  return access;
}

async function byProof(state: BlueskyState, call: Call, token: string): Promise<Access> {
  const jkt = await provenKey(state, "data", call, token);
  const live = state.grants.look(token, "access");
  if (!live) throw proofRefused("invalid_token", "Token is expired or was revoked");
  if (state.bindings.get(live.grant)?.jkt !== jkt) throw proofRefused("invalid_token", "Invalid DPoP key binding");
  return { account: live.account, did: didOf(live.account), scopes: live.scopes };
}

/** A token of the session kind; an access token outlives the app password that it came from. */
export function bySession(state: BlueskyState, token: string, kind: "access" | "refresh"): Access & { family: string } {
  const session = state.sessions.get(fingerprint(token));
  if (!session) throw invalidRequest("Malformed token", "InvalidToken");
  if (session.kind !== kind) throw invalidRequest("Invalid token type", "InvalidToken");
  if (session.expiresAt <= state.world.clock.now()) throw expiredToken();
  if (kind === "refresh" && state.endedFamilies.get(session.family)) throw expiredToken("Token has been revoked");
  return { account: session.account, did: didOf(session.account), family: session.family };
}

function assertActive(state: BlueskyState, account: string): void {
  const status = state.accounts.get(account)?.status;
  if (status === "takendown") throw authRequired("Account has been taken down", "AccountTakedown");
  if (status === "deactivated") throw authRequired("Account is deactivated", "AccountDeactivated");
}

/** Calls and points of an account (docs.bsky.app/docs/advanced-guides/rate-limits): create 3, update 2, delete 1. */
const WINDOWS = [
  { name: "hour", limit: 5000, seconds: 3600 },
  { name: "day", limit: 35_000, seconds: 86_400 },
];

export function takePoints(state: BlueskyState, call: Call, did: string, points: number): void {
  for (const { name, limit, seconds } of WINDOWS) {
    for (let point = 0; point < points; point++) {
      const allowance = state.windows.take(`${name}/${did}`, limit, seconds);
      if (point === points - 1 || !allowance.isAllowed) rateHeaders(state, call, { ...allowance, seconds });
      if (!allowance.isAllowed) throw tooMany();
    }
  }
}

export function tooMany(): XrpcRefusal {
  return new XrpcRefusal(429, "RateLimitExceeded", "Rate Limit Exceeded");
}

type Rate = { limit: number; remaining: number; resetAt: number; seconds: number };

/** `ratelimit-*`; the reset in epoch seconds of the caller's clock, which nobody has moved. */
export function rateHeaders(state: BlueskyState, call: Call, { limit, remaining, resetAt, seconds }: Rate): void {
  const reset = Date.now() + resetAt - state.world.clock.now();
  call.header("ratelimit-limit", String(limit));
  call.header("ratelimit-remaining", String(remaining));
  call.header("ratelimit-reset", String(Math.ceil(reset / 1000)));
  call.header("ratelimit-policy", `${limit};w=${seconds}`);
}

/** Every call counts for the caller's address; a sign-in for the account besides. */
export function takeCall(state: BlueskyState, call: Call, key: string, limit: number, seconds: number): void {
  const allowance = state.windows.take(key, limit, seconds);
  rateHeaders(state, call, { ...allowance, seconds });
  if (!allowance.isAllowed) throw tooMany();
}
