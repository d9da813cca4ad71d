import { randomBytes } from "node:crypto";
import type { Call } from "../core/network";
import type { TikTokState } from "./state";

/** An error in the envelope of all APIs except the token endpoint. Source: developers.tiktok.com, error handling. */
export class TikTokError extends Error {
  constructor(
    /** 200 is intentional for the limits in `creator_info/query`. */
    readonly status: 200 | 400 | 401 | 403 | 404 | 416 | 429 | 500,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export const errors = {
  badToken: () =>
    new TikTokError(401, "access_token_invalid", "The access token is invalid or not found in the request."),
  noScope: (scope: string) =>
    new TikTokError(401, "scope_not_authorized", `The user did not authorize the scope required: ${scope}`),
  notApproved: (status: 401 | 403) =>
    new TikTokError(status, "scope_permission_missed", "The application is not approved for the scope required."),
  invalid: (message: string) => new TikTokError(400, "invalid_params", message),
  throttled: () =>
    new TikTokError(429, "rate_limit_exceeded", "The API rate limit was exceeded. Please try again later."),
  privacyMismatch: () =>
    new TikTokError(403, "privacy_level_option_mismatch", "Please use the privacy level options returned by the API."),
  unaudited: () =>
    new TikTokError(
      403,
      "unaudited_client_can_only_post_to_private_accounts",
      "Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/",
    ),
  userCap: (status: 200 | 403) =>
    new TikTokError(status, "reached_active_user_cap", "The daily quota for active publishing users is reached."),
  tooManyPosts: (status: 200 | 403) =>
    new TikTokError(status, "spam_risk_too_many_posts", "The daily post cap from the API is reached."),
  tooManyDrafts: () =>
    new TikTokError(403, "spam_risk_too_many_pending_share", "There are too many pending shares in the last 24 hours."),
  banned: (status: 200 | 403) =>
    new TikTokError(status, "spam_risk_user_banned_from_posting", "The user is banned from making new posts."),
  unverifiedUrl: () =>
    new TikTokError(403, "url_ownership_unverified", "Please verify the ownership of the URL prefix or domain."),
  noPublish: () => new TikTokError(400, "invalid_publish_id", "The publish_id does not exist."),
  foreignPublish: () =>
    new TikTokError(
      400,
      "token_not_authorized_for_specified_publish_id",
      "The access_token does not match the publish_id.",
    ),
  internal: () => new TikTokError(500, "internal_error", "Something went wrong on our side. Please try again later."),
};

/** An error of the token endpoint, in its flat format. It has been observed with HTTP 200 too. */
export class TokenError extends Error {
  constructor(
    readonly error: string,
    readonly description: string,
    readonly status: 200 | 400 | 401 | 500 = 400,
  ) {
    super(description);
  }
}

/** An invalid refresh token, as TikTok's own sandbox reports it: with HTTP 200. */
export function invalidRefreshToken(): TokenError {
  return new TokenError("invalid_grant", "Refresh token is invalid or expired.", 200);
}

export function invalidCode(): TokenError {
  return new TokenError("invalid_grant", "Authorization code is expired.");
}

/** A log id, which every response carries for TikTok's support. */
export function logId(): string {
  return `20261120${randomBytes(12).toString("hex").toUpperCase()}`;
}

/** A successful response, with `error.code` `ok`. Values like `int64:…` become JSON integers above 2^53. */
export function ok(call: Call, data: unknown): Response {
  const body = JSON.stringify({ data, error: { code: "ok", message: "", log_id: logId() } });
  return call.body(body.replace(/"int64:(\d+)"/g, "$1"), 200, { "content-type": "application/json; charset=utf-8" });
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof TokenError) {
    const { error: code, description, status } = error;
    return call.json({ error: code, error_description: description, log_id: logId() }, status);
  }
  if (error instanceof TikTokError) return envelope(call, error);
  process.stderr.write(`${error.stack}\n`);
  return envelope(call, errors.internal());
}

function envelope(call: Call, { status, code, message }: TikTokError): Response {
  return call.json({ data: {}, error: { code, message, log_id: logId() } }, status);
}

export type TikTokSession = { account: string; grant: string; scopes: string[] };

/** Calls per minute and user. Source: the reference page of each call. */
const LIMITS = { creatorInfo: 20, init: 6, status: 30, profile: 600, videos: 600 };

/**
 * Authenticates a call: token, scope and rate limit.
 * @param scopes the scope that the call needs, or several of which one is enough
 */
export function sessionOf(
  state: TikTokState,
  call: Call,
  endpoint: keyof typeof LIMITS,
  scopes: string | string[],
): TikTokSession {
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw errors.badToken();
  call.get("entry").account = live.account;
  const wanted = [scopes].flat();
  if (!wanted.some((scope) => live.scopes.includes(scope))) throw errors.noScope(wanted.join(" or "));
  if (state.windows.take(`${endpoint}/${live.account}`, 1, LIMITS[endpoint], 60) > 0) throw errors.throttled();
  return { account: live.account, grant: live.grant, scopes: live.scopes };
}

/** Prefixes that tell the kind of a token. Tokens are stored without them. */
export const tokenPrefix = { access: "act.", refresh: "rft." };

export function bearer(call: Call): string {
  const [scheme, token = ""] = (call.req.header("authorization") ?? "").split(" ");
  return scheme === "Bearer" && token.startsWith(tokenPrefix.access) ? token.slice(tokenPrefix.access.length) : "";
}
