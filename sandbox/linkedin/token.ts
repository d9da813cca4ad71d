import type { Grant } from "../core/grants";
import { fingerprint } from "../core/ids";
import type { Call } from "../core/network";
import { tokenForm } from "../core/token-form";
import { CLIENT } from "./authorize";
import { deadGrant, LinkedInTokenRefusal } from "./errors";
import { type LinkedInState, openGrant } from "./state";

const DAY = 86_400;
const ACCESS_SECONDS = 60 * DAY;
/** Counted from the consent, and never made longer. */
const REFRESH_SECONDS = 365 * DAY;

/** `POST /oauth/v2/accessToken`: id and secret stand in the body. */
export async function token(state: LinkedInState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  for (const name of ["grant_type", "client_id", "client_secret"]) required(form, name);
  if (form.get("client_id") !== CLIENT.id || form.get("client_secret") !== CLIENT.secret) {
    throw new LinkedInTokenRefusal(401, "invalid_client", "Client authentication failed");
  }
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new LinkedInTokenRefusal(400, "invalid_request", "The grant type is not supported");
  }
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value) return value;
  throw new LinkedInTokenRefusal(400, "invalid_request", `A required parameter "${name}" is missing`);
}

function redeemCode(state: LinkedInState, call: Call, form: URLSearchParams): Response {
  const code = required(form, "code");
  if (state.codes.isTooOld(code)) throw mismatch();
  const facts = state.codes.redeem(code);
  if (!facts) {
    throw new LinkedInTokenRefusal(
      401,
      "invalid_request",
      "Unable to retrieve access token: authorization code not found",
    );
  }
  if (required(form, "redirect_uri") !== facts.redirectUri) throw mismatch();
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(
    state.world.together(() => {
      const grant = openGrant(state, { account, clientId, scopes });
      const refreshToken = state.switches.refreshTokens
        ? state.grants.issue(grant, "refresh", REFRESH_SECONDS)
        : undefined;
      return tokensOf(state, grant, refreshToken, REFRESH_SECONDS);
    }),
  );
}

/** One answer for another address and for a code that is older than half an hour. */
function mismatch(): LinkedInTokenRefusal {
  const says = "appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.";
  return new LinkedInTokenRefusal(400, "invalid_redirect_uri", `Unable to retrieve access token: ${says}`);
}

/** A new access token; the refresh token stays, with what is left of its year. */
function refresh(state: LinkedInState, call: Call, form: URLSearchParams): Response {
  const refreshToken = required(form, "refresh_token");
  const live = state.grants.look(refreshToken, "refresh");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw deadGrant();
  call.get("entry").account = grant.account;
  const secondsLeft = Math.floor((live.expiresAt - state.world.clock.now()) / 1000);
  return call.json(state.world.together(() => tokensOf(state, grant, refreshToken, secondsLeft)));
}

function tokensOf(state: LinkedInState, grant: Grant, refreshToken: string | undefined, secondsLeft: number) {
  const accessToken = state.grants.issue(grant, "access", ACCESS_SECONDS);
  state.issued.put(fingerprint(accessToken), state.world.clock.now() + ACCESS_SECONDS * 1000);
  return {
    access_token: accessToken,
    expires_in: ACCESS_SECONDS,
    ...(refreshToken ? { refresh_token: refreshToken, refresh_token_expires_in: secondsLeft } : {}),
    scope: grant.scopes.join(","),
    token_type: "Bearer",
  };
}
