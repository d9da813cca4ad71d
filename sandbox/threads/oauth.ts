import { grantedScopes, handleConsent, isAllowedRedirectUri, messagePage, permissionChoices } from "../core/consent";
import type { Call } from "../core/network";
import { parametersOf } from "../meta/graph";
import { errors, FlatError, invalidCode, tokenIn } from "./request";
import { type ThreadsState, userId } from "./state";

/** A Meta app has a separate id and secret for Threads. */
const CLIENT = { id: "sandbox-threads", secret: "sandbox-threads-secret" };
const CODE_SECONDS = 3600;

const SCOPES: Record<string, string> = {
  threads_basic: "see your profile and posts",
  threads_content_publish: "post for you",
  threads_manage_replies: "reply for you and manage replies",
  threads_read_replies: "read replies",
  threads_delete: "delete your posts",
  threads_manage_insights: "see your insights",
  threads_location_tagging: "tag places",
  threads_manage_mentions: "read posts that mention you",
  threads_keyword_search: "search posts",
  threads_profile_discovery: "read public profiles",
  threads_share_to_instagram: "share your posts to Instagram",
};

/** `GET` and `POST /oauth/authorize`. Source: Threads, get access tokens and permissions. */
export async function authorize(state: ThreadsState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(/[ ,]+/).filter(Boolean);
  if (query.client_id !== CLIENT.id) return errorPage(call, "An unknown error has occurred: invalid client_id");
  if (!isAllowedRedirectUri(query.redirect_uri ?? "")) return errorPage(call, "Invalid redirect_uri");
  if (query.response_type !== "code") return errorPage(call, "Invalid response_type");
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (scopes.length === 0 || unknown) return errorPage(call, `Invalid scopes: ${unknown ?? "none"}`);
  const permissions = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "threads", name: "Threads", permissions, extra: permissionChoices(scopes) };
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
  return messagePage(call, "Threads", "Sorry, something went wrong", reason, 400);
}

const SHORT_SECONDS = 3600;
const LONG_SECONDS = 60 * 86_400;
const YOUNGEST_REFRESH_SECONDS = 86_400;

/** `POST /oauth/access_token`: exchanges a code for a token of one hour. */
export async function redeemCode(state: ThreadsState, call: Call): Promise<Response> {
  const form = await parametersOf(call);
  if (form.client_id !== CLIENT.id) throw new FlatError("Invalid Client ID");
  if (form.client_secret !== CLIENT.secret) throw new FlatError("Error validating client secret.");
  if (form.grant_type !== "authorization_code") throw new FlatError("Invalid grant_type");
  const facts = state.codes.redeem(form.code ?? "");
  if (!facts) throw invalidCode();
  if (form.redirect_uri !== facts.redirectUri)
    throw new FlatError("Error validating verification code: redirect_uri is not the one of the authorization");
  const { account, clientId, scopes } = facts;
  call.get("entry").account = account;
  const token = state.world.transaction(() =>
    state.grants.issue(state.grants.create({ account, clientId, scopes }), "short", SHORT_SECONDS),
  );
  // In the real response `user_id` is a JSON number above 2^53, so the JSON is built as text.
  const body = `{"access_token":${JSON.stringify(token)},"user_id":${userId(account)}}`;
  return call.body(body, 200, { "content-type": "application/json" });
}

/** `GET /access_token`: exchanges a valid short-lived token for one of 60 days. */
export function exchange(state: ThreadsState, call: Call): Response {
  if (call.req.query("grant_type") !== "th_exchange_token") throw errors.parameter("Invalid grant_type");
  if (call.req.query("client_secret") !== CLIENT.secret) throw errors.parameter("Error validating client secret.");
  if (state.grants.findToken(tokenIn(call), "long")) throw errors.sessionKey();
  return longLived(state, call, "short");
}

/** `GET /refresh_access_token`: the token must be at least 24 hours old and not expired. */
export function refresh(state: ThreadsState, call: Call): Response {
  if (call.req.query("grant_type") !== "th_refresh_token") throw errors.parameter("Invalid grant_type");
  const live = state.grants.findToken(tokenIn(call), "long");
  if (live && live.issuedAt > state.world.clock.now() - YOUNGEST_REFRESH_SECONDS * 1000)
    throw errors.parameter("The access token must be at least 24 hours old to be refreshed.");
  return longLived(state, call, "long");
}

function longLived(state: ThreadsState, call: Call, kind: "short" | "long"): Response {
  const live = state.grants.findToken(tokenIn(call), kind);
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw errors.expired();
  if (!grant.scopes.includes("threads_basic")) throw errors.noPermission("threads_basic");
  call.get("entry").account = grant.account;
  const token = state.world.transaction(() => state.grants.issue(grant, "long", LONG_SECONDS));
  return call.json({ access_token: token, token_type: "bearer", expires_in: LONG_SECONDS });
}

/** `GET /debug_token`: describes a token to a caller with a token of the same application. */
export function inspect(state: ThreadsState, call: Call): Response {
  if (!state.grants.findToken(tokenIn(call), "short", "long")) throw errors.badToken();
  const live = state.grants.findToken(call.req.query("input_token") ?? "", "short", "long");
  if (!live) return call.json({ data: { is_valid: false, scopes: [] } });
  const seconds = (time: number) => Math.floor(time / 1000);
  return call.json({
    data: {
      type: "USER",
      application: "Sandbox",
      is_valid: true,
      issued_at: seconds(live.issuedAt),
      expires_at: seconds(live.expiresAt),
      data_access_expires_at: seconds(live.issuedAt + 90 * 86_400_000),
      scopes: live.scopes,
      user_id: userId(live.account),
    },
  });
}
