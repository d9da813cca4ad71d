import { createHash } from "node:crypto";
import type { CodeFacts } from "../core/codes";
import type { Grant } from "../core/grants";
import { fingerprint } from "../core/ids";
import type { Call } from "../core/network";
import { tokenForm } from "../core/token-form";
import { CLIENT } from "./authorize";
import { deadCode, deadToken, TokenRefusal } from "./errors";
import type { YouTubeState } from "./state";

const ACCESS_SECONDS = 3599;
/** A refresh token that is not used for six months is dead. */
const REFRESH_SECONDS = 183 * 86_400;

/** `POST /token` of oauth2.googleapis.com. */
export async function token(state: YouTubeState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  if (form.get("client_id") !== CLIENT.id)
    throw new TokenRefusal("invalid_client", "The OAuth client was not found.", 401);
  if (form.get("client_secret") !== CLIENT.secret) throw new TokenRefusal("invalid_client", "Unauthorized", 401);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new TokenRefusal("unsupported_grant_type", `Invalid grant_type: ${form.get("grant_type") ?? ""}`);
  }
}

/** `POST /revoke`: either token ends the grant; an unknown one is refused. */
export async function revoke(state: YouTubeState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  const live = state.grants.look((form.get("token") ?? "").replace(/^1\/\//, ""), "access", "refresh");
  if (!live) throw new TokenRefusal("invalid_token", "Token expired or revoked");
  call.get("entry").account = live.account;
  state.grants.endTokens(live.grant);
  state.consents.delete(live.account);
  return call.json({});
}

function redeemCode(state: YouTubeState, call: Call, form: URLSearchParams): Response {
  const code = form.get("code") ?? "";
  const facts = code.startsWith("4/") ? state.codes.redeem(code.slice(2)) : undefined;
  if (!facts) throw deadCode();
  if (form.get("redirect_uri") !== facts.redirectUri) throw new TokenRefusal("redirect_uri_mismatch", "Bad Request");
  if (!isVerified(facts, form.get("code_verifier") ?? ""))
    throw new TokenRefusal("invalid_grant", "Invalid code verifier.");
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  const isOffline = state.offline.get(fingerprint(code)) ?? false;
  const answer = state.world.together(() => {
    const grant = state.grants.open({ account, clientId, scopes });
    const refresh_token = isOffline ? `1//${state.grants.issue(grant, "refresh", REFRESH_SECONDS)}` : undefined;
    return { ...accessOf(state, grant), ...(refresh_token ? { refresh_token } : {}) };
  });
  return call.json(answer);
}

/** RFC 7636, 4.6; nothing is asked of who sent no challenge. */
function isVerified({ challenge, challengeMethod }: CodeFacts, verifier: string): boolean {
  if (!challenge) return true;
  const hashed = createHash("sha256").update(verifier).digest("base64url");
  return challenge === (challengeMethod === "plain" ? verifier : hashed);
}

/** The refresh token stays what it is. */
function refresh(state: YouTubeState, call: Call, form: URLSearchParams): Response {
  const presented = form.get("refresh_token") ?? "";
  const live = presented.startsWith("1//") ? state.grants.look(presented.slice(3), "refresh") : undefined;
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw deadToken();
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
