import { createHash } from "node:crypto";
import { html } from "hono/html";
import { handleConsent, isAllowedRedirectUri, messagePage } from "../core/consent";
import { fingerprint } from "../core/ids";
import { type Answer, type Call, tokenForm } from "../core/network";
import type { CodeBinding, Grant } from "../core/oauth";
import { bearer, invalidCode, invalidRefreshToken, SCOPES, TokenError } from "./request";
import type { YouTubeState } from "./state";

const CLIENT = { id: "sandbox-youtube", secret: "sandbox-youtube-secret" };
const CODE_SECONDS = 600;

/** `GET` and `POST /o/oauth2/v2/auth`. Source: developers.google.com/identity/protocols/oauth2/web-server. */
export async function authorize(state: YouTubeState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(" ").filter(Boolean);
  const wrong = findErrorCode(query, scopes);
  if (wrong) return errorPage(call, wrong);
  const permissions = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "youtube", name: "YouTube", permissions, extra: toggles(scopes) };
  return handleConsent(state.world, call, {
    page,
    denied: { error: "access_denied" },
    allow(account, form) {
      const refused = form.getAll("without");
      const granted = scopes.filter((scope) => !refused.includes(scope));
      const {
        redirect_uri: redirectUri = "",
        code_challenge: challenge,
        code_challenge_method: challengeMethod,
      } = query;
      const facts = { account, clientId: CLIENT.id, redirectUri, scopes: granted, challenge, challengeMethod };
      const code = `4/${state.codes.issue(facts, CODE_SECONDS)}`;
      state.offline.put(fingerprint(code), isRefreshable(state, account, query));
      state.consents.put(account, true);
      return { code, scope: granted.join(" ") };
    },
  });
}

/** Whether a refresh token is issued: with `access_type=offline`, at the first consent or if consent is forced. */
function isRefreshable(state: YouTubeState, account: string, query: Record<string, string>): boolean {
  const isForced = (query.prompt ?? "").split(" ").includes("consent");
  return query.access_type === "offline" && (isForced || !state.consents.get(account));
}

/** The scopes that a user can decline. */
function toggles(scopes: string[]) {
  return html`<fieldset><legend>Select what the application can access</legend>
    ${scopes.map((scope) => html`<label class="pick"><input type="checkbox" name="without" value="${scope}"> not: ${SCOPES[scope]}</label>`)}
  </fieldset>`;
}

function findErrorCode(query: Record<string, string>, scopes: string[]): string | undefined {
  if (query.client_id !== CLIENT.id) return "invalid_client";
  if (!isAllowedRedirectUri(query.redirect_uri ?? "")) return "redirect_uri_mismatch";
  if (query.response_type !== "code") return "unsupported_response_type";
  if (scopes.length === 0 || scopes.some((scope) => !Object.hasOwn(SCOPES, scope))) return "invalid_scope";
  const prompts = (query.prompt ?? "").split(" ").filter(Boolean);
  if (prompts.some((prompt) => !["none", "consent", "select_account"].includes(prompt))) return "invalid_request";
  const method = query.code_challenge_method ?? "S256";
  return query.code_challenge && !["S256", "plain"].includes(method) ? "invalid_request" : undefined;
}

/** Google shows its own error page for a bad request instead of redirecting. */
function errorPage(call: Call, code: string): Answer {
  return messagePage(call, "YouTube", "Access blocked: This app’s request is invalid", `Error 400: ${code}`, 400);
}

const ACCESS_SECONDS = 3599;
/** A refresh token expires after six months without use. */
const REFRESH_SECONDS = 183 * 86_400;

/** `POST /token` of oauth2.googleapis.com. */
export async function token(state: YouTubeState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  if (form.get("client_id") !== CLIENT.id)
    throw new TokenError("invalid_client", "The OAuth client was not found.", 401);
  if (form.get("client_secret") !== CLIENT.secret) throw new TokenError("invalid_client", "Unauthorized", 401);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new TokenError("unsupported_grant_type", `Invalid grant_type: ${form.get("grant_type") ?? ""}`);
  }
}

/** `POST /revoke`: either token revokes the grant; unknown tokens are rejected. */
export async function revoke(state: YouTubeState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  const live = state.grants.findToken((form.get("token") ?? "").replace(/^1\/\//, ""), "access", "refresh");
  if (!live) throw new TokenError("invalid_token", "Token expired or revoked");
  call.get("entry").account = live.account;
  state.grants.revokeTokens(live.grant);
  state.consents.delete(live.account);
  return call.json({});
}

/** `POST /tokeninfo`, as Google's own library calls it: describes the bearer token. */
export function tokenInfo(state: YouTubeState, call: Call): Response {
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw new TokenError("invalid_token", "Invalid Value");
  call.get("entry").account = live.account;
  const seconds = Math.floor((live.expiresAt - state.world.clock.now()) / 1000);
  const of = { azp: CLIENT.id, aud: CLIENT.id, scope: live.scopes.join(" "), access_type: "offline" };
  return call.json({ ...of, exp: String(Math.floor(live.expiresAt / 1000)), expires_in: String(seconds) });
}

function redeemCode(state: YouTubeState, call: Call, form: URLSearchParams): Response {
  const code = form.get("code") ?? "";
  const facts = code.startsWith("4/") ? state.codes.redeem(code.slice(2)) : undefined;
  if (!facts) throw invalidCode();
  if (form.get("redirect_uri") !== facts.redirectUri) throw new TokenError("redirect_uri_mismatch", "Bad Request");
  if (state.switches.verifiesPkce && !isVerified(facts, form.get("code_verifier") ?? ""))
    throw new TokenError("invalid_grant", "Invalid code verifier.");
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  const isOffline = state.offline.get(fingerprint(code)) ?? false;
  const answer = state.world.transaction(() => {
    const grant = state.grants.create({ account, clientId, scopes });
    const refresh_token = isOffline ? `1//${state.grants.issue(grant, "refresh", REFRESH_SECONDS)}` : undefined;
    return { ...accessOf(state, grant), ...(refresh_token ? { refresh_token } : {}) };
  });
  return call.json(answer);
}

/** Checks the PKCE verifier if the request had a challenge (RFC 7636, section 4.6). */
function isVerified({ challenge, challengeMethod }: CodeBinding, verifier: string): boolean {
  if (!challenge) return true;
  const hashed = createHash("sha256").update(verifier).digest("base64url");
  return challenge === (challengeMethod === "plain" ? verifier : hashed);
}

/** Issues an access token; the refresh token stays valid. */
function refresh(state: YouTubeState, call: Call, form: URLSearchParams): Response {
  const presented = form.get("refresh_token") ?? "";
  const live = presented.startsWith("1//") ? state.grants.findToken(presented.slice(3), "refresh") : undefined;
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw invalidRefreshToken();
  call.get("entry").account = grant.account;
  return call.json(accessOf(state, grant));
}

function accessOf(state: YouTubeState, grant: Grant) {
  return {
    access_token: state.grants.issue(grant, "access", ACCESS_SECONDS),
    expires_in: ACCESS_SECONDS,
    scope: grant.scopes.join(" "),
    token_type: "Bearer",
  };
}
