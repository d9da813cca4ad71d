import { createHash } from "node:crypto";
import { html } from "hono/html";
import { handleConsent, isAllowedRedirectUri, isLoopback, messagePage } from "../core/consent";
import { type Answer, type Call, tokenForm } from "../core/network";
import type { CodeBinding, Grant } from "../core/oauth";
import { invalidCode, invalidRefreshToken, logId, TokenError, tokenPrefix } from "./request";
import { CLIENT, openId, type TikTokState } from "./state";
import { notify } from "./webhook";

const CODE_SECONDS = 600;
/** TikTok's codes contain characters that must be encoded in a query. */
const CODE_TAIL = "*0!5005.sb1";

const SCOPES: Record<string, string> = {
  "user.info.basic": "read your profile (open id, avatar, display name)",
  "user.info.profile": "read access to your profile information, such as your username",
  "user.info.stats": "read your profile engagement statistics",
  "video.publish": "post content to TikTok",
  "video.upload": "share content to your account as a draft",
  "video.list": "read your public posts on TikTok",
};

/** `GET` and `POST /v2/auth/authorize/`. Source: developers.tiktok.com, Login Kit for Web. */
export async function authorize(state: TikTokState, call: Call): Promise<Response> {
  const query = call.req.query();
  const requested = (query.scope ?? "").split(",").filter(Boolean);
  const wrong = findInvalidParameter(query, requested);
  if (wrong) return errorPage(call, wrong);
  const scopes = [...new Set(["user.info.basic", ...requested])];
  const permissions = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "tiktok", name: "TikTok", permissions, extra: toggles(scopes) };
  return handleConsent(state.world, call, {
    page,
    denied: {
      error: "access_denied",
      error_description: "User canceled the authorization",
      ...(state.switches.denialHasErrCode ? { errCode: "-2", error_type: "access_denied" } : {}),
    },
    allow(account, form) {
      const refused = form.getAll("without");
      const granted = scopes.filter((scope) => scope === "user.info.basic" || !refused.includes(scope));
      const { redirect_uri: redirectUri = "", code_challenge: challenge } = query;
      const facts = { account, clientId: CLIENT.key, redirectUri, scopes: granted, challenge };
      return { code: `${state.codes.issue(facts, CODE_SECONDS)}${CODE_TAIL}`, scopes: granted.join(",") };
    },
  });
}

/** The permissions that a user can switch off. */
function toggles(scopes: string[]) {
  return html`<fieldset><legend>Edit access</legend>
    ${scopes
      .filter((scope) => scope !== "user.info.basic")
      .map(
        (scope) =>
          html`<label class="pick"><input type="checkbox" name="without" value="${scope}"> not: ${SCOPES[scope]}</label>`,
      )}
  </fieldset>`;
}

function findInvalidParameter(query: Record<string, string>, scopes: string[]): string | undefined {
  if (query.client_key !== CLIENT.key) return "client_key";
  if (query.response_type !== "code") return "response_type";
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (scopes.length === 0 || unknown) return "scope";
  if (!isRegistrable(query.redirect_uri ?? "")) return "redirect_uri";
  return query.code_challenge && query.code_challenge_method !== "S256" ? "code_challenge_method" : undefined;
}

/** Redirect URIs must be absolute, without query or fragment, and shorter than 512 characters. */
function isRegistrable(redirectUri: string): boolean {
  return isAllowedRedirectUri(redirectUri) && redirectUri.length < 512 && !/[?#]/.test(redirectUri);
}

/** Whether the redirect URI belongs to a desktop application. Only those use PKCE. */
function isDesktop(redirectUri: string): boolean {
  const { hostname, port } = new URL(redirectUri);
  return isLoopback(hostname) && port !== "";
}

function errorPage(call: Call, parameter: string): Answer {
  const text = `We couldn’t log in with TikTok. This may be due to specific app settings. Errors for developers: ${parameter}`;
  return messagePage(call, "TikTok", "Something went wrong", text, 400);
}

const REFRESH_SECONDS = 180 * 86_400;

/** `POST /v2/oauth/token/`. Source: developers.tiktok.com, manage user access tokens (2026-11-02). */
export async function token(state: TikTokState, call: Call): Promise<Response> {
  const form = await formOf(call);
  assertClient(form);
  const { tokenTrouble } = state.switches;
  if (tokenTrouble) throw new TokenError(tokenTrouble, "The server cannot answer right now.", 500);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new TokenError("unsupported_grant_type", "The grant type is not supported.");
  }
}

/** `POST /v2/oauth/revoke/`: takes an access token, revokes the grant and sends the webhook. */
export async function revoke(state: TikTokState, call: Call): Promise<Response> {
  const form = await formOf(call);
  assertClient(form);
  const live = state.grants.findToken(withoutPrefix(form.get("token") ?? "", "access"), "access");
  if (!live) throw new TokenError("invalid_request", "The access token is invalid.");
  call.get("entry").account = live.account;
  state.grants.revokeTokens(live.grant);
  notify(state, "authorization.removed", live.account, { reason: 5 });
  return call.json({});
}

async function formOf(call: Call): Promise<URLSearchParams> {
  const isForm = call.req.header("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (!isForm) throw new TokenError("invalid_request", "Only `application/x-www-form-urlencoded` is supported.");
  return tokenForm(call);
}

function assertClient(form: URLSearchParams): void {
  if (form.get("client_key") !== CLIENT.key || form.get("client_secret") !== CLIENT.secret)
    throw new TokenError("invalid_client", "Client key or secret is incorrect.", 401);
}

function redeemCode(state: TikTokState, call: Call, form: URLSearchParams): Response {
  const code = form.get("code") ?? "";
  const facts = code.endsWith(CODE_TAIL) ? state.codes.redeem(code.slice(0, -CODE_TAIL.length)) : undefined;
  if (!facts) throw invalidCode();
  if (form.get("redirect_uri") !== facts.redirectUri) {
    throw new TokenError("invalid_request", "Redirect_uri is not matched with the uri when requesting code.");
  }
  if (!isVerified(facts, form.get("code_verifier") ?? ""))
    throw new TokenError("invalid_request", "Code verifier or code challenge is invalid.");
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(state.world.transaction(() => tokensOf(state, state.grants.create({ account, clientId, scopes }))));
}

/** For desktop applications the challenge is the verifier's SHA-256 in lower-case hex, not base64url. */
function isVerified({ challenge, redirectUri }: CodeBinding, verifier: string): boolean {
  if (!challenge || !isDesktop(redirectUri)) return true;
  return challenge === createHash("sha256").update(verifier).digest("hex");
}

/** Replaces both tokens; the old ones are revoked at once. */
function refresh(state: TikTokState, call: Call, form: URLSearchParams): Response {
  const live = state.grants.findToken(withoutPrefix(form.get("refresh_token") ?? "", "refresh"), "refresh");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw invalidRefreshToken();
  call.get("entry").account = grant.account;
  return call.json(
    state.world.transaction(() => {
      state.grants.revokeTokens(grant.id);
      return tokensOf(state, grant);
    }),
  );
}

/** The token without its prefix, or an empty string if the prefix is another. */
export function withoutPrefix(token: string, kind: keyof typeof tokenPrefix): string {
  return token.startsWith(tokenPrefix[kind]) ? token.slice(tokenPrefix[kind].length) : "";
}

function tokensOf(state: TikTokState, grant: Grant) {
  const { accessSeconds } = state.switches;
  return {
    access_token: `${tokenPrefix.access}${state.grants.issue(grant, "access", accessSeconds)}`,
    expires_in: accessSeconds,
    open_id: openId(grant.account),
    refresh_expires_in: REFRESH_SECONDS,
    refresh_token: `${tokenPrefix.refresh}${state.grants.issue(grant, "refresh", REFRESH_SECONDS)}`,
    scope: grant.scopes.join(","),
    token_type: "Bearer",
    log_id: logId(),
  };
}
