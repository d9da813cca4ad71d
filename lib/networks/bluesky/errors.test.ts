import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors } from "./errors";

type Row = [
  what: string,
  status: number,
  body: unknown,
  kind: ErrorKind,
  says: string,
  headers?: { [name: string]: string },
];

const xrpc = (error: string, message = "m") => ({ error, message });
const from = (status: number, body: unknown, headers?: { [name: string]: string }) =>
  platformErrorFrom("Bluesky", errors, body, { status, headers: new Headers(headers) });
const invalid = (what: string) => xrpc("InvalidRequest", `Invalid app.bsky.feed.post record: ${what}`);

describe("each documented error code", () => {
  test.each<Row>([
    ["an ended token, status 400", 400, xrpc("ExpiredToken", "Token has expired"), "reconnect", "no longer accepts"],
    ["a revoked token", 400, xrpc("ExpiredToken", "Token has been revoked"), "reconnect", "revoked"],
    ["an invalid token", 400, xrpc("InvalidToken", "Malformed token"), "reconnect", "no longer accepts"],
    ["no token at all", 401, xrpc("AuthMissing"), "reconnect", "no longer accepts"],
    [
      "a wrong app password",
      401,
      xrpc("AuthenticationRequired", "Invalid identifier or password"),
      "reconnect",
      "app password",
    ],
    ["a main password", 401, xrpc("AuthFactorTokenRequired"), "reconnect", "Use an app password"],
    ["a takedown", 401, xrpc("AccountTakedown"), "reconnect", "taken this account down"],
    ["a deactivation", 401, xrpc("AccountDeactivated"), "reconnect", "deactivated"],
    [
      "an expired OAuth token",
      401,
      xrpc("invalid_token"),
      "reconnect",
      "no longer accepts",
      { "www-authenticate": 'DPoP error="invalid_token", error_description="x"' },
    ],
    [
      "a missing nonce",
      401,
      undefined,
      "later",
      "newer DPoP proof",
      { "www-authenticate": 'DPoP algs="ES256", error="use_dpop_nonce"' },
    ],
    [
      "a missing nonce at the token endpoint",
      400,
      { error: "use_dpop_nonce", error_description: "m" },
      "later",
      "newer DPoP proof",
    ],
    [
      "a used refresh token",
      400,
      { error: "invalid_grant", error_description: "Refresh token replayed" },
      "reconnect",
      "no longer accepts",
    ],
    ["our own key", 401, { error: "invalid_client" }, "operator", "client metadata or key"],
    [
      "a missing scope",
      403,
      xrpc("ScopeMissingError", 'Missing required scope "repo:x"'),
      "reconnect",
      "does not cover",
    ],
    [
      "too many graphemes",
      400,
      invalid("grapheme too big (maximum 300, got 301) at $.text"),
      "rejected",
      "text is too long",
    ],
    [
      "too many bytes",
      400,
      invalid("string too big (maximum 3000, got 3001) at $.text"),
      "rejected",
      "record is invalid",
    ],
    [
      "too many images",
      400,
      invalid("array too big (maximum 4, got 5) at $.embed.images"),
      "rejected",
      "record is invalid",
    ],
    [
      "a file that is too large",
      400,
      invalid("blob too big (maximum 1000000, got 2) at $.embed"),
      "rejected",
      "too large",
    ],
    ["a missing field", 400, invalid('Missing required key "alt" at $.embed'), "rejected", "record is invalid"],
    ["an invalid time", 400, invalid("Invalid datetime at $.createdAt"), "rejected", "record is invalid"],
    ["a deleted file", 400, xrpc("BlobNotFound", "Could not find blob: x"), "later", "no longer has a file"],
    ["a different record", 400, xrpc("InvalidSwap"), "rejected", "different post"],
    ["a missing record", 400, xrpc("RecordNotFound"), "rejected", "does not have this post"],
    ["an upload that is too large", 413, xrpc("PayloadTooLarge"), "rejected", "too large"],
    ["too many calls", 429, xrpc("RateLimitExceeded"), "later", "slow down"],
    ["an internal error, or a key that is taken", 500, xrpc("InternalServerError"), "unknown", "internal error"],
    ["an upstream failure", 502, xrpc("UpstreamFailure"), "unknown", "internal error"],
    ["an upstream timeout", 504, xrpc("UpstreamTimeout"), "unknown", "internal error"],
    ["no capacity", 503, xrpc("NotEnoughResources"), "unknown", "internal error"],
    ["a gateway's page", 502, undefined, "unknown", "internal error"],
    ["the daily video limit", 400, xrpc("DailyLimitExceeded"), "later", "today"],
    ["too many uploads", 400, xrpc("TooManyOpenUploads"), "later", "other video uploads"],
    ["an expired service token", 401, xrpc("JwtExpired"), "later", "did not accept the token"],
    ["a service token for another service", 401, xrpc("BadJwtAudience"), "later", "did not accept the token"],
    ["a video that is too large", 400, xrpc("VideoTooLarge"), "rejected", "maximum size"],
    ["a video that is too long", 400, xrpc("VideoTooLong"), "rejected", "too long"],
    ["a wrong aspect ratio", 400, xrpc("BadAspectRatio"), "rejected", "aspect ratio"],
    ["an unsupported type of file", 400, xrpc("UnsupportedContentType"), "rejected", "this type"],
    ["an unconfirmed email address", 403, xrpc("UploadForbidden"), "rejected", "does not let"],
    ["an overloaded service", 503, xrpc("ServiceOverloaded"), "later", "busy"],
    ["an expired upload", 400, xrpc("UploadExpired"), "later", "has lost the upload"],
    ["a missing part", 400, xrpc("MissingParts"), "later", "did not receive a part"],
  ])("%s", (_, status, body, kind, says, headers) => {
    const error = from(status, body, headers);
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
  });
});

test("only InvalidSwap shows that a post already exists", () => {
  expect(from(400, xrpc("InvalidSwap")).duplicate).toBe(true);
  expect(from(400, xrpc("BlobNotFound")).duplicate).toBe(false);
});

test("waits until the used-up rate limit resets", () => {
  const reset = String(Math.ceil(Date.now() / 1000) + 100);
  const { retryAfterSeconds } = from(429, xrpc("RateLimitExceeded"), {
    "ratelimit-remaining": "0",
    "ratelimit-reset": reset,
  });
  expect(retryAfterSeconds).toBeGreaterThan(90);
  expect(retryAfterSeconds).toBeLessThanOrEqual(101);
});
