import { fingerprint, randomToken } from "../core/ids";
import type { Call } from "../core/network";
import { verifyProof } from "./dpop";
import { authRequired, expiredToken, invalidRequest, proofError, XrpcError } from "./errors";
import { assertDataServer, didOf } from "./identity";
import type { BlueskyState, ServiceToken } from "./state";

const PERMISSIONS: [pattern: RegExp, ask: string][] = [
  [/^atproto$/, "see who you are"],
  [/^transition:generic$/, "do everything that an app password can do"],
  [/^repo:/, "write posts for you"],
  [/^blob:/, "upload pictures and videos for you"],
  [/^rpc:com\.atproto\.repo\.uploadBlob\?/, "let services store files on your server"],
  [/^rpc:/, "call services on your behalf"],
];

/** The scope forms that this sandbox accepts, a subset of atproto.com/specs/permission. */
export function isKnownScope(scope: string): boolean {
  return /^(atproto|transition:generic|repo:[\w.*-]+(\?action=\w+(&action=\w+)*)?|blob:[\w.*/-]+|rpc:[\w.]+\?aud=\S+)$/.test(
    scope,
  );
}

export function permissionsOf(scopes: string[]): string[] {
  const asks = scopes.map((scope) => PERMISSIONS.find(([pattern]) => pattern.test(scope))?.[1] ?? scope);
  return [...new Set(asks)];
}

export function assertRepo(scopes: string[], collection: string, action: "create" | "update" | "delete"): void {
  const isAllowed = scopes.some((scope) => {
    const [, target = "", query] = /^repo:([^?]+)(?:\?(.*))?$/.exec(scope) ?? [];
    const actions = new URLSearchParams(query).getAll("action");
    return (target === "*" || target === collection) && (actions.length === 0 || actions.includes(action));
  });
  assertScope(scopes, isAllowed, `repo:${collection}?action=${action}`);
}

export function assertBlob(scopes: string[], mimeType: string): void {
  const isAllowed = scopes.some((scope) => {
    const [, accept = ""] = /^blob:(.+)$/.exec(scope) ?? [];
    return (
      accept === "*/*" || accept === mimeType || (accept.endsWith("/*") && mimeType.startsWith(accept.slice(0, -1)))
    );
  });
  assertScope(scopes, isAllowed, `blob:${mimeType}`);
}

function assertRpc(scopes: string[], lxm: string, aud: string): void {
  const isAllowed = scopes.some((scope) => {
    const [, method, audience] = /^rpc:([\w.*]+)\?aud=(.+)$/.exec(scope) ?? [];
    return (method === "*" || method === lxm) && (audience === "*" || audience === aud);
  });
  assertScope(scopes, isAllowed, `rpc:${lxm}?aud=${aud}`);
}

function assertScope(scopes: string[], isAllowed: boolean, missing: string): void {
  if (isAllowed || scopes.includes("transition:generic")) return;
  throw new XrpcError(403, "ScopeMissingError", `Missing required scope "${missing}"`);
}

/** The caller. `scopes` is set for OAuth only; an app password may do everything that this sandbox supports. */
export type Access = { account: string; did: string; scopes?: string[] };

export function credentialOf(call: Call): { scheme: string; token: string } {
  const [scheme = "", token = ""] = (call.req.header("authorization") ?? "").split(" ");
  return { scheme: scheme.toLowerCase(), token };
}

/** Authenticates a call to the data server by a DPoP-bound token or an app-password session. */
export async function authenticate(state: BlueskyState, call: Call): Promise<Access> {
  const { scheme, token } = credentialOf(call);
  if (!token) throw authRequired("Authentication Required", "AuthMissing");
  const access = scheme === "dpop" ? await byProof(state, call, token) : bySession(state, token, "access");
  call.get("entry").account = access.account;
  assertActive(state, access.account);
  return access;
}

async function byProof(state: BlueskyState, call: Call, token: string): Promise<Access> {
  const jkt = await verifyProof(state, "data", call, token);
  const live = state.grants.findToken(token, "access");
  if (!live) throw proofError("invalid_token", "Token is expired or was revoked");
  if (state.bindings.get(live.grant)?.jkt !== jkt) throw proofError("invalid_token", "Invalid DPoP key binding");
  return { account: live.account, did: didOf(live.account), scopes: live.scopes };
}

/** Authenticates an app-password session. Its access token stays valid after the app password is revoked. */
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

/** Write points of an account: create 3, update 2, delete 1 (docs.bsky.app/docs/advanced-guides/rate-limits). */
const WINDOWS = [
  { name: "hour", limit: 5000, seconds: 3600 },
  { name: "day", limit: 35_000, seconds: 86_400 },
];

export function takePoints(state: BlueskyState, call: Call, did: string, points: number): void {
  for (const { name, limit, seconds } of WINDOWS) {
    for (let point = 0; point < points; point++) {
      const allowance = state.windows.take(`${name}/${did}`, limit, seconds);
      if (point === points - 1 || !allowance.isAllowed) rateHeaders(state, call, { ...allowance, seconds });
      if (!allowance.isAllowed) throw rateLimitExceeded();
    }
  }
}

export function rateLimitExceeded(): XrpcError {
  return new XrpcError(429, "RateLimitExceeded", "Rate Limit Exceeded");
}

type Rate = { limit: number; remaining: number; resetAt: number; seconds: number };

/** Sets `ratelimit-*`. The reset is in epoch seconds of the real clock, which the caller uses. */
export function rateHeaders(state: BlueskyState, call: Call, { limit, remaining, resetAt, seconds }: Rate): void {
  const reset = Date.now() + resetAt - state.world.clock.now();
  call.header("ratelimit-limit", String(limit));
  call.header("ratelimit-remaining", String(remaining));
  call.header("ratelimit-reset", String(Math.ceil(reset / 1000)));
  call.header("ratelimit-policy", `${limit};w=${seconds}`);
}

/** Counts a call against the limit of `key`: each call against the caller's IP address, sign-ins also against the account. */
export function takeCall(state: BlueskyState, call: Call, key: string, limit: number, seconds: number): void {
  const allowance = state.windows.take(key, limit, seconds);
  rateHeaders(state, call, { ...allowance, seconds });
  if (!allowance.isAllowed) throw rateLimitExceeded();
}

const HOUR = 3600;

/** `com.atproto.server.getServiceAuth`: issues a token for one method of another service. */
export async function getServiceAuth(state: BlueskyState, call: Call): Promise<Response> {
  const access = await authenticate(state, call);
  assertDataServer(call, access.did);
  const { aud = "", lxm, exp } = call.req.query();
  if (!/^did:[a-z]+:[\w.:%#-]+$/.test(aud)) throw invalidRequest("Error: aud must be a valid did");
  if (access.scopes) assertRpc(access.scopes, lxm ?? "*", aud);
  const seconds = exp === undefined ? 60 : Number(exp) - Date.now() / 1000; // by the real clock, which the caller uses
  if (!(seconds > 0)) throw invalidRequest("expiration is in past", "BadExpiration");
  if (seconds > HOUR)
    throw invalidRequest("cannot request a token with an expiration more than an hour in the future", "BadExpiration");
  if (!lxm && seconds > 60)
    throw invalidRequest(
      "cannot request a method-less token with an expiration more than a minute in the future",
      "BadExpiration",
    );
  const token = `svc.${randomToken(24)}`;
  const expiresAt = state.world.clock.now() + seconds * 1000;
  state.serviceTokens.put(fingerprint(token), { did: access.did, aud, lxm, expiresAt });
  return call.json({ token });
}

/** Authenticates a call to a service by a service token for this audience and method. */
export function serviceCaller(state: BlueskyState, call: Call, aud: string, lxm: string): ServiceToken {
  const { scheme, token } = credentialOf(call);
  const known = scheme === "bearer" ? state.serviceTokens.get(fingerprint(token)) : undefined;
  if (!known) throw authRequired("jwt is missing or could not be verified", "BadJwt");
  if (known.expiresAt <= state.world.clock.now()) throw authRequired("jwt expired", "JwtExpired");
  if (known.aud !== aud) throw authRequired("jwt audience does not match service did", "BadJwtAudience");
  if (known.lxm !== lxm)
    throw authRequired(`bad jwt lexicon method ("lxm"). must match: ${lxm}`, "BadJwtLexiconMethod");
  return known;
}
