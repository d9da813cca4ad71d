import { grantedScopes, handleConsent, isAllowedRedirectUri, messagePage, permissionChoices } from "../core/consent";
import type { Call } from "../core/network";
import { parametersOf } from "../meta/graph";
import { errors, FlatError, invalidCode, tokenIn } from "./request";
import { appScopedId, type InstagramState } from "./state";

const CLIENT = { id: "sandbox-instagram", secret: "sandbox-instagram-secret" };
const CODE_SECONDS = 3600;

const SCOPES: Record<string, string> = {
  instagram_business_basic: "see your profile and media",
  instagram_business_content_publish: "post for you",
  instagram_business_manage_comments: "read and write comments",
  instagram_business_manage_messages: "read and write messages",
  instagram_business_manage_insights: "see your insights",
};

/** `GET` and `POST /oauth/authorize`. Source: Instagram Platform, business login. */
export async function authorize(state: InstagramState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(/[ ,]+/).filter(Boolean);
  if (query.client_id !== CLIENT.id)
    return messagePage(
      call,
      "Instagram",
      "Invalid platform app",
      "Invalid Request: Request parameters are invalid: Invalid platform app",
      400,
    );
  if (!isAllowedRedirectUri(query.redirect_uri ?? "")) return errorPage(call, "Invalid redirect_uri");
  if (query.response_type !== "code") return errorPage(call, "Invalid response_type");
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (scopes.length === 0 || unknown) return errorPage(call, `Invalid Scopes: ${unknown ?? "none"}`);
  const permissions = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "instagram", name: "Instagram", permissions, extra: permissionChoices(scopes) };
  return handleConsent(state.world, call, {
    page,
    denied: {
      error: "access_denied",
      error_reason: "user_denied",
      error_description: "The user denied your request",
    },
    allow: (account, form) => ({
      code: state.codes.issue(
        { account, clientId: CLIENT.id, redirectUri: query.redirect_uri ?? "", scopes: grantedScopes(scopes, form) },
        CODE_SECONDS,
      ),
    }),
    fragment: "#_",
  });
}

function errorPage(call: Call, reason: string) {
  return messagePage(
    call,
    "Instagram",
    "Sorry, this page isn’t available",
    `Invalid Request: Request parameters are invalid: ${reason}`,
    400,
  );
}

const SHORT_SECONDS = 3600;
const LONG_SECONDS = 60 * 86_400;
const YOUNGEST_REFRESH_SECONDS = 86_400;

/** `POST /oauth/access_token` of api.instagram.com: exchanges a code for a token of one hour. */
export async function redeemCode(state: InstagramState, call: Call): Promise<Response> {
  const form = await parametersOf(call);
  if (form.client_id !== CLIENT.id) throw new FlatError("Invalid Client ID");
  if (form.client_secret !== CLIENT.secret) throw new FlatError("Error validating client secret.");
  if (form.grant_type !== "authorization_code") throw new FlatError("Invalid grant_type");
  const facts = state.codes.redeem(form.code ?? "");
  if (!facts) throw invalidCode();
  if (form.redirect_uri !== facts.redirectUri) {
    throw new FlatError(
      "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request",
    );
  }
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  const token = state.world.transaction(() =>
    state.grants.issue(state.grants.create({ account, clientId, scopes }), "short", SHORT_SECONDS),
  );
  // In the real response `user_id` is a JSON number above 2^53, so the JSON is built as text.
  const body = `{"access_token":${JSON.stringify(token)},"user_id":${appScopedId(account)},"permissions":${JSON.stringify(scopes)}}`;
  return call.body(body, 200, { "content-type": "application/json" });
}

/** `GET /access_token`: exchanges a valid short-lived token for one of 60 days. */
export function exchange(state: InstagramState, call: Call): Response {
  if (call.req.query("grant_type") !== "ig_exchange_token") throw errors.parameter("Invalid grant_type");
  if (call.req.query("client_secret") !== CLIENT.secret) throw errors.parameter("Error validating client secret.");
  return longLived(state, call, "short");
}

/** `GET /refresh_access_token`: the token must be at least 24 hours old, not expired, and have the basic permission. */
export function refresh(state: InstagramState, call: Call): Response {
  if (call.req.query("grant_type") !== "ig_refresh_token") throw errors.parameter("Invalid grant_type");
  const live = state.grants.findToken(tokenIn(call), "long");
  if (live && live.issuedAt > state.world.clock.now() - YOUNGEST_REFRESH_SECONDS * 1000) {
    throw errors.parameter("The access token must be at least 24 hours old to be refreshed.");
  }
  return longLived(state, call, "long");
}

function longLived(state: InstagramState, call: Call, kind: "short" | "long"): Response {
  const live = state.grants.findToken(tokenIn(call), kind);
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw errors.invalidToken(463);
  if (!grant.scopes.includes("instagram_business_basic")) throw errors.noPermission("instagram_business_basic");
  call.get("entry").account = grant.account;
  const token = state.world.transaction(() => state.grants.issue(grant, "long", LONG_SECONDS));
  return call.json({
    access_token: token,
    token_type: "bearer",
    expires_in: LONG_SECONDS,
    permissions: grant.scopes.join(","),
  });
}
