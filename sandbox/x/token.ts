import { createHash } from "node:crypto";
import type { CodeFacts } from "../core/codes";
import type { Grant } from "../core/grants";
import type { Call } from "../core/network";
import { tokenForm } from "../core/token-form";
import { CLIENT } from "./authorize";
import { deadCode, deadToken, XTokenRefusal } from "./errors";
import type { XState } from "./state";

const ACCESS_SECONDS = 7200;
/** X documents no end of a refresh token; ten years stand for it. */
const REFRESH_SECONDS = 10 * 365 * 86_400;

/** `POST /2/oauth2/token`; source: docs.x.com, OAuth 2.0, user access token. */
export async function token(state: XState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  assertClient(call);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new XTokenRefusal("unsupported_grant_type", "The grant type is not supported.");
  }
}

/** `POST /2/oauth2/revoke`: an unknown token is as good as revoked (RFC 7009, 2.2). */
export async function revoke(state: XState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  assertClient(call);
  const live = state.grants.look(form.get("token") ?? "", "access", "refresh");
  if (live) state.grants.endTokens(live.grant);
  return call.json({ revoked: true });
}

/** A confidential client shows itself by HTTP Basic; in the body it does not count. */
function assertClient(call: Call): void {
  const [scheme, credentials] = (call.req.header("authorization") ?? "").split(" ");
  const expected = [`${CLIENT.id}:${CLIENT.secret}`, [CLIENT.id, CLIENT.secret].map(encodeURIComponent).join(":")];
  const given = Buffer.from(credentials ?? "", "base64").toString();
  if (scheme?.toLowerCase() !== "basic" || !expected.includes(given)) {
    throw new XTokenRefusal("unauthorized_client", "Missing valid authorization header", 401);
  }
}

function redeemCode(state: XState, call: Call, form: URLSearchParams): Response {
  const facts = state.codes.redeem(form.get("code") ?? "");
  if (!facts) throw deadCode();
  if (form.get("redirect_uri") !== facts.redirectUri) {
    throw new XTokenRefusal(
      "invalid_request",
      "Value passed for the redirect uri did not match the uri of the authorization code.",
    );
  }
  if (!isVerifierOf(facts, form.get("code_verifier") ?? "")) {
    throw new XTokenRefusal("invalid_request", "Value passed for the code verifier did not match the code challenge.");
  }
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(state.world.together(() => tokensOf(state, state.grants.open({ account, clientId, scopes }))));
}

/** RFC 7636, 4.6. */
function isVerifierOf({ challenge, challengeMethod }: CodeFacts, verifier: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return (
    challenge === (challengeMethod === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier)
  );
}

/** The presented pair dies at once, so of two refreshes at the same time one is refused. */
function refresh(state: XState, call: Call, form: URLSearchParams): Response {
  const live = state.grants.look(form.get("refresh_token") ?? "", "refresh");
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

function tokensOf(state: XState, grant: Grant) {
  const scope = grant.scopes.join(" ");
  const answer = {
    token_type: "bearer",
    expires_in: ACCESS_SECONDS,
    access_token: state.grants.issue(grant, "access", ACCESS_SECONDS),
    scope,
  };
  if (!grant.scopes.includes("offline.access")) return answer;
  return { ...answer, refresh_token: state.grants.issue(grant, "refresh", REFRESH_SECONDS) };
}
