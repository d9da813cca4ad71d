import { createHash } from "node:crypto";
import { grantedScopes, handleConsent, isAllowedRedirectUri, messagePage, permissionChoices } from "../core/consent";
import { type Answer, type Call, type Operation, tokenForm } from "../core/network";
import type { CodeBinding, Grant } from "../core/oauth";
import { invalidCode, invalidToken, XTokenError } from "./request";
import type { XState } from "./state";

const CLIENT = { id: "sandbox-x", secret: "sandbox-x-secret" };
const CODE_SECONDS = 30;

const SCOPES: Record<string, string> = {
  "tweet.read": "see posts that you can see",
  "tweet.write": "post for you",
  "users.read": "see your profile",
  "media.write": "upload pictures and videos for you",
  "offline.access": "stay connected until you withdraw it",
  "tweet.moderate.write": "hide replies",
  "follows.read": "see whom you follow",
  "follows.write": "follow for you",
  "like.read": "see your likes",
  "like.write": "like for you",
  "list.read": "see your lists",
  "list.write": "change your lists",
  "bookmark.read": "see your bookmarks",
  "bookmark.write": "change your bookmarks",
  "space.read": "see Spaces",
  "mute.read": "see whom you muted",
  "mute.write": "mute for you",
  "block.read": "see whom you blocked",
  "block.write": "block for you",
  "dm.read": "see your messages",
  "dm.write": "send messages for you",
};

/** `GET` and `POST /i/oauth2/authorize`. Source: docs.x.com, OAuth 2.0 authorization code flow with PKCE. */
export async function authorize(state: XState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(" ").filter(Boolean);
  if (!isWellFormed(query, scopes)) return errorPage(call);
  const permissions = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "x", name: "X", permissions, extra: permissionChoices(scopes) };
  const { redirect_uri: redirectUri = "", code_challenge: challenge } = query;
  const challengeMethod = query.code_challenge_method ?? "plain";
  return handleConsent(state.world, call, {
    page,
    denied: state.switches.denialHasError ? { error: "access_denied" } : {},
    allow(account, form) {
      const granted = grantedScopes(scopes, form);
      const facts = { account, clientId: CLIENT.id, redirectUri, scopes: granted, challenge, challengeMethod };
      return { code: state.codes.issue(facts, CODE_SECONDS) };
    },
  });
}

function isWellFormed(query: Record<string, string>, scopes: string[]): boolean {
  const method = query.code_challenge_method ?? "plain";
  const challenge = query.code_challenge ?? "";
  return (
    query.response_type === "code" &&
    query.client_id === CLIENT.id &&
    isAllowedRedirectUri(query.redirect_uri ?? "") &&
    scopes.length > 0 &&
    scopes.every((scope) => Object.hasOwn(SCOPES, scope)) &&
    !!query.state &&
    query.state.length <= 500 &&
    ((method === "S256" && /^[\w-]{43}$/.test(challenge)) ||
      (method === "plain" && /^[\w.~-]{43,128}$/.test(challenge)))
  );
}

/** X shows its own error page for a bad request instead of redirecting. */
function errorPage(call: Call): Answer {
  const text = "You weren’t able to give access to the App. Go back and try logging in again.";
  return messagePage(call, "X", "Something went wrong", text, 400);
}

const ACCESS_SECONDS = 7200;

/** `POST /2/oauth2/token`. Source: docs.x.com, OAuth 2.0, user access token. */
export async function token(state: XState, call: Call): Promise<Response> {
  const form = await tokenFields(call);
  assertClient(call);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new XTokenError("unsupported_grant_type", "The grant type is not supported.");
  }
}

/** `POST /2/oauth2/revoke`: succeeds for unknown tokens too (RFC 7009, section 2.2). */
export async function revoke(state: XState, call: Call): Promise<Response> {
  const form = await tokenFields(call);
  assertClient(call);
  const live = state.grants.findToken(form.get("token") ?? "", "access", "refresh");
  if (live) state.grants.revokeTokens(live.grant);
  return state.switches.revocationHasBody ? call.json({ revoked: true }) : call.body(null, 200);
}

/** The fields of a token call, which X accepts as a form and as JSON. */
async function tokenFields(call: Call): Promise<URLSearchParams> {
  if (!call.req.header("content-type")?.startsWith("application/json")) return tokenForm(call);
  const body: Record<string, unknown> = await call.req.json().catch(() => ({}));
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

export async function tokenOperation(call: Call): Promise<Operation> {
  return (await tokenFields(call)).get("grant_type") === "refresh_token" ? "refresh" : "token";
}

/** Requires HTTP Basic; credentials in the body are ignored. */
function assertClient(call: Call): void {
  const [scheme, credentials] = (call.req.header("authorization") ?? "").split(" ");
  const expected = [`${CLIENT.id}:${CLIENT.secret}`, [CLIENT.id, CLIENT.secret].map(encodeURIComponent).join(":")];
  const given = Buffer.from(credentials ?? "", "base64").toString();
  if (scheme?.toLowerCase() !== "basic" || !expected.includes(given)) {
    throw new XTokenError("unauthorized_client", "Missing valid authorization header", 401);
  }
}

function redeemCode(state: XState, call: Call, form: URLSearchParams): Response {
  const facts = state.codes.redeem(form.get("code") ?? "");
  if (!facts) throw invalidCode();
  if (form.get("redirect_uri") !== facts.redirectUri) {
    throw new XTokenError(
      "invalid_request",
      "Value passed for the redirect uri did not match the uri of the authorization code.",
    );
  }
  if (!isVerifierOf(facts, form.get("code_verifier") ?? "")) {
    throw new XTokenError("invalid_request", "Value passed for the code verifier did not match the code challenge.");
  }
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(state.world.transaction(() => tokensOf(state, state.grants.create({ account, clientId, scopes }))));
}

/** Checks the PKCE verifier (RFC 7636, section 4.6). */
function isVerifierOf({ challenge, challengeMethod }: CodeBinding, verifier: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return (
    challenge === (challengeMethod === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier)
  );
}

/** Replaces both tokens and revokes the old ones at once, so one of two concurrent refreshes fails. */
function refresh(state: XState, call: Call, form: URLSearchParams): Response {
  const live = state.grants.findToken(form.get("refresh_token") ?? "", "refresh");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw invalidToken();
  call.get("entry").account = grant.account;
  return call.json(
    state.world.transaction(() => {
      state.grants.revokeTokens(grant.id);
      return tokensOf(state, grant);
    }),
  );
}

function tokensOf(state: XState, grant: Grant) {
  const scope = grant.scopes.join(" ");
  const answer = {
    token_type: "bearer",
    expires_in: ACCESS_SECONDS,
    access_token: state.grants.issue(grant, "access", ACCESS_SECONDS),
    scope,
  };
  if (!grant.scopes.includes("offline.access")) return answer;
  return { ...answer, refresh_token: state.grants.issue(grant, "refresh", state.switches.refreshSeconds) };
}
