import {
  grantedScopes,
  handleConsent,
  isAllowedRedirectUri,
  messagePage,
  permissionChoices,
  redirectBack,
} from "../core/consent";
import { fingerprint } from "../core/ids";
import { type Call, tokenForm } from "../core/network";
import type { Grant } from "../core/oauth";
import { avatarPath } from "../core/users";
import { invalidGrantError, LinkedInTokenError, noPermission, requireToken } from "./request";
import { type LinkedInState, openGrant, subOf } from "./state";

const CLIENT = { id: "sandbox-linkedin", secret: "sandbox-linkedin-secret" };
const CODE_SECONDS = 1800;

/** The scopes of LinkedIn's two self-serve products, and those of the Community Management API. */
const SCOPES: Record<string, string> = {
  openid: "know who you are",
  profile: "see your name and photo",
  email: "see your email address",
  w_member_social: "post, comment and react for you",
  w_organization_social: "post, comment and react for your organizations",
  rw_organization_admin: "manage your organizations' pages",
};

/** `GET` and `POST /oauth/v2/authorization`. Source: learn.microsoft.com, authorization code flow. */
export async function authorize(state: LinkedInState, call: Call): Promise<Response> {
  const query = call.req.query();
  const { redirect_uri: redirectUri = "" } = query;
  const scopes = (query.scope ?? "").split(" ").filter(Boolean);
  if (query.client_id !== CLIENT.id)
    return messagePage(call, "LinkedIn", "Bummer, something went wrong", "Client_id doesn't match.", 400);
  if (!isAllowedRedirectUri(redirectUri) || redirectUri.includes("#")) {
    return messagePage(
      call,
      "LinkedIn",
      "Bummer, something went wrong",
      "Redirect_uri doesn't match the registered value.",
      400,
    );
  }
  const foreign = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (query.response_type !== "code")
    return redirectBack(call, error("invalid_request", "The response type must be code"));
  if (foreign !== undefined || scopes.length === 0) {
    return redirectBack(
      call,
      error("unauthorized_scope_error", `Scope "${foreign ?? ""}" is not authorized for your application`),
    );
  }
  const permissions = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "linkedin", name: "LinkedIn", permissions, extra: permissionChoices(scopes) };
  return handleConsent(state.world, call, {
    page,
    denied: error("user_cancelled_authorize", "The user cancelled the authorization"),
    allow: (account, form) => ({
      code: state.codes.issue(
        { account, clientId: CLIENT.id, redirectUri, scopes: grantedScopes(scopes, form) },
        CODE_SECONDS,
      ),
    }),
  });
}

const error = (name: string, description: string) => ({ error: name, error_description: description });

const DAY = 86_400;
const ACCESS_SECONDS = 60 * DAY;
/** Counted from the consent and never extended. */
const REFRESH_SECONDS = 365 * DAY;

/** `POST /oauth/v2/accessToken`, with the client credentials in the body. */
export async function token(state: LinkedInState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  for (const name of ["grant_type", "client_id", "client_secret"]) required(form, name);
  if (form.get("client_id") !== CLIENT.id || form.get("client_secret") !== CLIENT.secret) {
    throw new LinkedInTokenError(401, "invalid_client", state.switches.clientRefusal);
  }
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw new LinkedInTokenError(400, "invalid_request", "The grant type is not supported");
  }
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value) return value;
  throw new LinkedInTokenError(400, "invalid_request", `A required parameter "${name}" is missing`);
}

function redeemCode(state: LinkedInState, call: Call, form: URLSearchParams): Response {
  const code = required(form, "code");
  if (state.codes.isExpired(code)) throw mismatch();
  const facts = state.codes.redeem(code);
  if (!facts) {
    throw new LinkedInTokenError(
      401,
      "invalid_request",
      "Unable to retrieve access token: authorization code not found",
    );
  }
  if (required(form, "redirect_uri") !== facts.redirectUri) throw mismatch();
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(
    state.world.transaction(() => {
      const grant = openGrant(state, { account, clientId, scopes });
      const refreshToken = state.switches.refreshTokens
        ? state.grants.issue(grant, "refresh", REFRESH_SECONDS)
        : undefined;
      return tokensOf(state, grant, refreshToken, REFRESH_SECONDS);
    }),
  );
}

/** The same error for another redirect URI and for a code older than half an hour. */
function mismatch(): LinkedInTokenError {
  const says = "appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.";
  return new LinkedInTokenError(400, "invalid_redirect_uri", `Unable to retrieve access token: ${says}`);
}

/** Issues an access token. The refresh token stays valid for the rest of its year. */
function refresh(state: LinkedInState, call: Call, form: URLSearchParams): Response {
  const refreshToken = required(form, "refresh_token");
  const live = state.grants.findToken(refreshToken, "refresh");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw invalidGrantError();
  call.get("entry").account = grant.account;
  const secondsLeft = Math.floor((live.expiresAt - state.world.clock.now()) / 1000);
  return call.json(state.world.transaction(() => tokensOf(state, grant, refreshToken, secondsLeft)));
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

/** `POST /oauth/v2/introspectToken`. Source: learn.microsoft.com, token introspection. */
export async function introspect(state: LinkedInState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  for (const name of ["client_id", "client_secret", "token"]) required(form, name);
  if (form.get("client_id") !== CLIENT.id || form.get("client_secret") !== CLIENT.secret) {
    throw new LinkedInTokenError(401, "invalid_client", state.switches.clientRefusal);
  }
  const live = state.grants.findToken(required(form, "token"), "access");
  if (!live) return call.json({ active: false });
  call.get("entry").account = live.account;
  const { scopes, expiresAt } = live;
  return call.json({
    active: true,
    client_id: CLIENT.id,
    status: "active",
    expires_at: Math.floor(expiresAt / 1000),
    scope: scopes.join(","),
    auth_type: "3L",
  });
}

/** `GET /v2/userinfo`, which is not versioned. Source: learn.microsoft.com, sign in with LinkedIn using OpenID Connect. */
export function userinfo(state: LinkedInState, call: Call): Response {
  const { account, scopes } = requireToken(state, call);
  if (!scopes.includes("openid") || !scopes.includes("profile")) throw noPermission("userinfo.GET");
  const person = state.world.users.findOrCreate("linkedin", account);
  return call.json({
    sub: subOf(account),
    name: `${person.displayName} Sandbox`,
    given_name: person.displayName,
    family_name: "Sandbox",
    picture: new URL(avatarPath("linkedin", person.name), call.req.url).href,
    locale: { country: "US", language: "en" },
  });
}
