import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors, rejectionMessage, untilPacificMidnight } from "./errors";

const from = (status: number, body: unknown, headers = {}) =>
  platformErrorFrom("YouTube", errors, body, { status, headers: new Headers(headers) });
const envelope = (code: number, reason: string, domain = "global") => ({
  error: { code, message: "m", errors: [{ domain, reason, message: "m" }] },
});

describe("token endpoint", () => {
  test.each<[string, number, string, string, ErrorKind, string]>([
    ["an invalid refresh token", 400, "invalid_grant", "Token has been expired or revoked.", "reconnect", "permission"],
    ["a used code", 400, "invalid_grant", "Malformed auth code.", "reconnect", "sign-in"],
    ["invalid_client", 401, "invalid_client", "Unauthorized", "operator", "own credentials"],
    ["unauthorized_client", 401, "unauthorized_client", "Unauthorized", "operator", "own credentials"],
    ["redirect_uri_mismatch", 400, "redirect_uri_mismatch", "Bad Request", "operator", "own credentials"],
    ["admin_policy_enforced", 400, "admin_policy_enforced", "Denied", "reconnect", "administrator"],
    ["invalid_request", 400, "invalid_request", "Missing parameter", "rejected", "Missing parameter"],
    ["unsupported_grant_type", 400, "unsupported_grant_type", "Bad", "rejected", "Bad"],
  ])("%s", (_, status, error, error_description, kind, says) => {
    expect(from(status, { error, error_description })).toMatchObject({
      kind,
      message: expect.stringContaining(says),
    });
  });
});

describe("API errors by reason", () => {
  test.each<[number, string, ErrorKind, string]>([
    [401, "authError", "reconnect", "no longer accepts"],
    [401, "authorizationRequired", "reconnect", "no longer accepts"],
    [401, "youtubeSignupRequired", "rejected", "no YouTube channel"],
    [403, "insufficientPermissions", "reconnect", "does not cover"],
    [403, "forbidden", "rejected", "Reconnect with an account that may manage the channel"],
    [403, "channelForbidden", "rejected", "does not allow"],
    [403, "accountDelegationForbidden", "rejected", "does not allow"],
    [403, "authenticatedUserAccountClosed", "rejected", "closed or suspended"],
    [403, "authenticatedUserAccountSuspended", "rejected", "closed or suspended"],
    [403, "channelClosed", "rejected", "closed or suspended"],
    [403, "channelSuspended", "rejected", "closed or suspended"],
    [403, "quotaExceeded", "operator", "midnight in California"],
    [403, "dailyLimitExceeded", "operator", "midnight in California"],
    [403, "rateLimitExceeded", "later", "slow down"],
    [429, "rateLimitExceeded", "later", "slow down"],
    [403, "userRateLimitExceeded", "later", "slow down"],
    [403, "accessNotConfigured", "operator", "not enabled"],
    [400, "uploadLimitExceeded", "later", "24 hours"],
    [403, "uploadLimitExceeded", "later", "24 hours"],
    [400, "invalidTitle", "rejected", "title"],
    [400, "invalidDescription", "rejected", "description"],
    [400, "invalidTags", "rejected", "tags"],
    [400, "invalidCategoryId", "rejected", "category"],
    [400, "invalidPublishAt", "rejected", "time of publication"],
    [400, "invalidVideoMetadata", "rejected", "title, description or category"],
    [400, "invalidRecordingDetails", "rejected", "recording"],
    [400, "invalidVideoGameRating", "rejected", "game rating"],
    [400, "defaultLanguageNotSet", "rejected", "language"],
    [400, "invalidFilename", "rejected", "name"],
    [400, "mediaBodyRequired", "rejected", "no video"],
    [403, "forbiddenPrivacySetting", "rejected", "privacyStatus"],
    [403, "forbiddenLicenseSetting", "rejected", "licence"],
    [404, "videoNotFound", "rejected", "no longer find"],
    [400, "invalidImage", "rejected", "cover"],
    [429, "uploadRateLimitExceeded", "later", "slow down"],
    [409, "alreadyExists", "later", "did not open the upload"],
    [413, "uploadTooLarge", "rejected", "too large"],
    [500, "backendError", "unknown", "internal error"],
    [503, "backendError", "unknown", "internal error"],
    [502, "badGateway", "unknown", "internal error"],
    [504, "gatewayTimeout", "unknown", "internal error"],
  ])("%i %s", (status, reason, kind, says) => {
    const error = from(status, envelope(status, reason));
    expect(error).toMatchObject({
      kind,
      refused: kind !== "unknown",
      message: expect.stringContaining(says),
      answer: { status, code: reason, message: "m" },
    });
  });

  test("decides by the status for a 401 without body and unknown reasons", () => {
    expect(from(401, undefined)).toMatchObject({ kind: "reconnect" });
    expect(from(400, envelope(400, "somethingNew"))).toMatchObject({ kind: "rejected", message: "YouTube refused: m" });
    expect(from(502, undefined)).toMatchObject({ kind: "unknown", refused: false });
  });

  test("waits for the next day in California only if the quota is used up", () => {
    const { retryAfterSeconds } = from(403, envelope(403, "quotaExceeded", "youtube.quota"));
    expect(retryAfterSeconds).toBeGreaterThan(60);
    expect(from(429, envelope(429, "rateLimitExceeded")).retryAfterSeconds).toBeUndefined();
  });
});

test.each<[string, string, number]>([
  ["in summer", "2026-07-01T06:00:00Z", 3600 + 60],
  ["in winter", "2026-12-01T07:59:00Z", 60 + 60],
  ["right after", "2026-12-01T08:00:00Z", 86_400 + 60],
  ["on the day of 23 hours", "2026-03-08T08:30:00Z", 22.5 * 3600 + 60],
  ["later on the day of 23 hours", "2026-03-08T10:00:00Z", 21 * 3600 + 60],
  ["on the day of 25 hours", "2026-11-01T07:30:00Z", 24.5 * 3600 + 60],
  ["later on the day of 25 hours", "2026-11-01T09:30:00Z", 22.5 * 3600 + 60],
])("midnight in California %s", (_, now, seconds) => {
  expect(untilPacificMidnight(new Date(now))).toBe(seconds);
});

describe("each reason of a rejected video", () => {
  test.each([
    ["codec", "codec"],
    ["conversion", "convert"],
    ["emptyFile", "empty"],
    ["invalidFile", "as a video"],
    ["tooSmall", "too small"],
    ["uploadAborted", "aborted"],
    ["claim", "claims"],
    ["copyright", "copyright"],
    ["duplicate", "already has the same one"],
    ["inappropriate", "inappropriate"],
    ["legal", "legal"],
    ["length", "too long"],
    ["termsOfUse", "terms of use"],
    ["trademark", "trademark"],
    ["uploaderAccountClosed", "closed or suspended"],
    ["uploaderAccountSuspended", "closed or suspended"],
    ["deleted", "deleted"],
    ["somethingNew", "somethingNew"],
  ])("%s", (reason, says) => {
    expect(rejectionMessage(reason)).toContain(says);
  });
});
