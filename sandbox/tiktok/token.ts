import { createHash } from "node:crypto";
import type { CodeFacts } from "../core/codes";
import type { Grant } from "../core/grants";
import type { Call } from "../core/network";
import { tokenForm } from "../core/token-form";
import { CLIENT, CODE_TAIL, isDesktop } from "./authorize";
import { deadCode, deadToken, logId, TokenRefusal } from "./errors";
import { tokenPrefix } from "./session";
import { openId, type TikTokState } from "./state";
import { notify } from "./webhook";

const ACCESS_SECONDS = 7200;
const REFRESH_SECONDS = 180 * 86_400;

/** `POST /v2/oauth/token/`; source: developers.tiktok.com, manage user access tokens (2026-11-02). */
export async function token(state: TikTokState, call: Call): Promise<Response> {
  const form = await formOf(call);
  assertClient(form);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new TokenRefusal("unsupported_grant_type", "The grant type is not supported.");
  }
}

/** `POST /v2/oauth/revoke/`: takes the access token, ends the grant, and tells the application. */
export async function revoke(state: TikTokState, call: Call): Promise<Response> {
  const form = await formOf(call);
  assertClient(form);
  const live = state.grants.look(bare(form.get("token") ?? "", "access"), "access");
  if (!live) throw new TokenRefusal("invalid_request", "The access token is invalid.");
  call.get("entry").account = live.account;
  state.grants.endTokens(live.grant);
  notify(state, "authorization.removed", live.account, { reason: 5 });
  return call.json({});
}

async function formOf(call: Call): Promise<URLSearchParams> {
  const isForm = call.req.header("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (!isForm) throw new TokenRefusal("invalid_request", "Only `application/x-www-form-urlencoded` is supported.");
  return tokenForm(call);
}

function assertClient(form: URLSearchParams): void {
  if (form.get("client_key") !== CLIENT.key || form.get("client_secret") !== CLIENT.secret)
    throw new TokenRefusal("invalid_client", "Client key or secret is incorrect.", 401);
}

function redeemCode(state: TikTokState, call: Call, form: URLSearchParams): Response {
  const code = form.get("code") ?? "";
  const facts = code.endsWith(CODE_TAIL) ? state.codes.redeem(code.slice(0, -CODE_TAIL.length)) : undefined;
  if (!facts) throw deadCode();
  if (form.get("redirect_uri") !== facts.redirectUri) {
    throw new TokenRefusal("invalid_request", "Redirect_uri is not matched with the uri when requesting code.");
  }
  if (!isVerified(facts, form.get("code_verifier") ?? ""))
    throw new TokenRefusal("invalid_request", "Code verifier or code challenge is invalid.");
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(state.world.together(() => tokensOf(state, state.grants.open({ account, clientId, scopes }))));
}

/** The challenge of a desktop application is the verifier's SHA-256 in lower-case hex, not base64url. */
function isVerified({ challenge, redirectUri }: CodeFacts, verifier: string): boolean {
  if (!challenge || !isDesktop(redirectUri)) return true;
  return challenge === createHash("sha256").update(verifier).digest("hex");
}

/** The presented refresh token dies at once. */
function refresh(state: TikTokState, call: Call, form: URLSearchParams): Response {
  const live = state.grants.look(bare(form.get("refresh_token") ?? "", "refresh"), "refresh");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw deadToken();
  call.get("entry").account = grant.account;
  return call.json(
    state.world.together(() => {
      state.grants.endTokens(grant.id);
      return tokensOf(state, grant);
    }),
  );
}

/** A token without the prefix of its kind; nothing where it has another. */
export function bare(token: string, kind: keyof typeof tokenPrefix): string {
  return token.startsWith(tokenPrefix[kind]) ? token.slice(tokenPrefix[kind].length) : "";
}

function tokensOf(state: TikTokState, grant: Grant) {
  return {
    access_token: `${tokenPrefix.access}${state.grants.issue(grant, "access", ACCESS_SECONDS)}`,
    expires_in: ACCESS_SECONDS,
    open_id: openId(grant.account),
    refresh_expires_in: REFRESH_SECONDS,
    refresh_token: `${tokenPrefix.refresh}${state.grants.issue(grant, "refresh", REFRESH_SECONDS)}`,
    scope: grant.scopes.join(","),
    token_type: "Bearer",
    log_id: logId(),
  };
}
