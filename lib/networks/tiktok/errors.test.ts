import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors, failure } from "./errors";

const from = (status: number, body: unknown) =>
  platformErrorFrom("TikTok", errors, body, { status, headers: new Headers() });
const envelope = (code: string, message = "m") => ({ data: {}, error: { code, message, log_id: "L1" } });
const flat = (error: string, error_description = "d") => ({ error, error_description, log_id: "L1" });

describe("token endpoint", () => {
  test.each<[string, number, unknown, ErrorKind, string]>([
    [
      "an invalid refresh token, with status 200",
      200,
      flat("invalid_grant", "Refresh token is invalid"),
      "reconnect",
      "permission",
    ],
    ["an invalid refresh token", 400, flat("invalid_grant", "Refresh token is invalid"), "reconnect", "permission"],
    ["a used code", 400, flat("invalid_grant", "Authorization code is expired."), "reconnect", "sign-in"],
    ["access_denied", 400, flat("access_denied"), "reconnect", "permission"],
    ["invalid_client", 401, flat("invalid_client"), "operator", "own credentials"],
    ["unauthorized_client", 400, flat("unauthorized_client"), "operator", "own credentials"],
    ["invalid_request", 400, flat("invalid_request", "redirect_uri"), "rejected", "redirect_uri"],
    ["invalid_scope", 400, flat("invalid_scope"), "rejected", "refused"],
    ["unsupported_grant_type", 400, flat("unsupported_grant_type"), "rejected", "refused"],
    ["unsupported_response_type", 400, flat("unsupported_response_type"), "rejected", "refused"],
    ["server_error", 500, flat("server_error"), "later", "right now"],
    ["temporarily_unavailable", 503, flat("temporarily_unavailable"), "later", "right now"],
  ])("%s", (_, status, body, kind, says) => {
    expect(from(status, body)).toMatchObject({
      kind,
      refused: kind !== "unknown",
      message: expect.stringContaining(says),
    });
  });
});

describe("API errors", () => {
  test.each<[string, number, ErrorKind, string, number?]>([
    ["access_token_invalid", 401, "reconnect", "no longer accepts"],
    ["scope_not_authorized", 401, "reconnect", "does not cover"],
    ["scope_permission_missed", 401, "operator", "has not approved"],
    ["invalid_param", 400, "rejected", "TikTok refused: m"],
    ["invalid_params", 400, "rejected", "TikTok refused: m"],
    ["app_version_check_failed", 400, "rejected", "newer TikTok app"],
    ["invalid_publish_id", 400, "rejected", "has lost this upload"],
    ["token_not_authorized_for_specified_publish_id", 400, "rejected", "has lost this upload"],
    ["publish_not_cancellable", 400, "rejected", "has lost this upload"],
    ["invalid_file_upload", 400, "rejected", "refused the file"],
    ["privacy_level_option_mismatch", 403, "rejected", "privacyLevel"],
    ["spam_risk_too_many_posts", 403, "later", "24 hours", 3600],
    ["spam_risk_too_many_posts", 200, "later", "24 hours", 3600],
    ["spam_risk_too_many_pending_share", 403, "later", "drafts", 3600],
    ["spam_risk_user_banned_from_posting", 403, "rejected", "does not let"],
    ["reached_active_user_cap", 403, "operator", "posting users"],
    ["unaudited_client_can_only_post_to_private_accounts", 403, "operator", "audited"],
    ["url_ownership_unverified", 403, "operator", "media address"],
    ["rate_limit_exceeded", 429, "later", "slow down", 60],
    ["internal_error", 500, "unknown", "internal error"],
  ])("%s (%i)", (code, status, kind, says, wait) => {
    const error = from(status, envelope(code));
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
    expect(error.retryAfterSeconds).toBe(wait);
    expect(error.answer).toEqual({ status, code, message: "m (log_id L1)" });
  });

  test("decides by the status for unknown codes and answers that are not JSON", () => {
    expect(from(400, envelope("new_code"))).toMatchObject({
      kind: "rejected",
      message: "TikTok refused: m (log_id L1)",
    });
    expect(from(502, undefined)).toMatchObject({ kind: "unknown", answer: { status: 502 } });
    expect(from(200, envelope("new_code"))).toMatchObject({ kind: "unknown", refused: false });
  });
});

describe("fail_reason", () => {
  test.each<[string, ErrorKind, string]>([
    ["file_format_check_failed", "rejected", "format"],
    ["duration_check_failed", "rejected", "duration"],
    ["frame_rate_check_failed", "rejected", "frame rate"],
    ["picture_size_check_failed", "rejected", "width or height"],
    ["internal", "later", "right now"],
    ["video_pull_failed", "later", "fetch the video"],
    ["photo_pull_failed", "later", "fetch the photos"],
    ["publish_cancelled", "rejected", "cancelled"],
    ["auth_removed", "reconnect", "no longer accepts"],
    ["spam_risk_too_many_posts", "later", "24 hours"],
    ["spam_risk_user_banned_from_posting", "rejected", "does not let"],
    ["spam_risk_text", "rejected", "the text"],
    ["spam_risk", "rejected", "spam"],
    ["something_new", "rejected", "something_new"],
  ])("%s", (reason, kind, says) => {
    expect(failure(reason)).toMatchObject({
      kind,
      refused: true,
      undone: true,
      message: expect.stringContaining(says),
      answer: { code: reason },
    });
  });
});
