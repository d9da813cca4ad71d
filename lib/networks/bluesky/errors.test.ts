import { describe, expect, test } from "vitest";
import { type ErrorKind, errorOf } from "../errors";
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
  errorOf("Bluesky", errors, body, { status, headers: new Headers(headers) });
const invalid = (what: string) => xrpc("InvalidRequest", `Invalid app.bsky.feed.post record: ${what}`);

describe("each answer of the sheet's table", () => {
  test.each<Row>([
    ["an ended token, status 400", 400, xrpc("ExpiredToken", "Token has expired"), "reconnect", "no longer accepts"],
    ["one taken back", 400, xrpc("ExpiredToken", "Token has been revoked"), "reconnect", "taken back"],
    ["no token of ours", 400, xrpc("InvalidToken", "Malformed token"), "reconnect", "no longer accepts"],
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
      "a dead OAuth token",
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
      "newer proof",
      { "www-authenticate": 'DPoP algs="ES256", error="use_dpop_nonce"' },
    ],
    [
      "a missing nonce at the token endpoint",
      400,
      { error: "use_dpop_nonce", error_description: "m" },
      "later",
      "newer proof",
    ],
    [
      "a spent refresh token",
      400,
      { error: "invalid_grant", error_description: "Refresh token replayed" },
      "reconnect",
      "no longer accepts",
    ],
    ["our own key", 401, { error: "invalid_client" }, "later", "the service's own"],
    [
      "a missing right",
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
    ["too many bytes", 400, invalid("string too big (maximum 3000, got 3001) at $.text"), "rejected", "its form"],
    ["too many images", 400, invalid("array too big (maximum 4, got 5) at $.embed.images"), "rejected", "its form"],
    ["too large a file", 400, invalid("blob too big (maximum 1000000, got 2) at $.embed"), "rejected", "too large"],
    ["a missing field", 400, invalid('Missing required key "alt" at $.embed'), "rejected", "its form"],
    ["a wrong time", 400, invalid("Invalid datetime at $.createdAt"), "rejected", "its form"],
    ["a dropped file", 400, xrpc("BlobNotFound", "Could not find blob: x"), "later", "no longer has a file"],
    ["another record", 400, xrpc("InvalidSwap"), "rejected", "another post"],
    ["no record", 400, xrpc("RecordNotFound"), "rejected", "does not have this post"],
    ["too large an upload", 413, xrpc("PayloadTooLarge"), "rejected", "too large"],
    ["too many calls", 429, xrpc("RateLimitExceeded"), "later", "slow down"],
    ["a fault, or a key that is taken", 500, xrpc("InternalServerError"), "unknown", "fault of its own"],
    ["a fault behind it", 502, xrpc("UpstreamFailure"), "unknown", "fault of its own"],
    ["a fault behind it that took too long", 504, xrpc("UpstreamTimeout"), "unknown", "fault of its own"],
    ["no room", 503, xrpc("NotEnoughResources"), "unknown", "fault of its own"],
    ["a gateway's page", 502, undefined, "unknown", "fault of its own"],
    ["the day's videos", 400, xrpc("DailyLimitExceeded"), "later", "today"],
    ["too many uploads", 400, xrpc("TooManyOpenUploads"), "later", "other videos"],
    ["a service's token that ended", 401, xrpc("JwtExpired"), "later", "did not accept the word"],
    ["a service's token for another", 401, xrpc("BadJwtAudience"), "later", "did not accept the word"],
    ["too large a video", 400, xrpc("VideoTooLarge"), "rejected", "too large"],
    ["too long a video", 400, xrpc("VideoTooLong"), "rejected", "too long"],
    ["a shape", 400, xrpc("BadAspectRatio"), "rejected", "shape"],
    ["another kind of file", 400, xrpc("UnsupportedContentType"), "rejected", "this kind"],
    ["no confirmed e-mail", 403, xrpc("UploadForbidden"), "rejected", "does not let"],
    ["a busy service", 503, xrpc("ServiceOverloaded"), "later", "busy"],
    ["an upload that ended", 400, xrpc("UploadExpired"), "later", "no longer knows"],
    ["a part that is missing", 400, xrpc("MissingParts"), "later", "misses a part"],
  ])("%s", (_, status, body, kind, says, headers) => {
    const error = from(status, body, headers);
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
  });
});

test("only another record under our key is evidence of a post", () => {
  expect(from(400, xrpc("InvalidSwap")).duplicate).toBe(true);
  expect(from(400, xrpc("BlobNotFound")).duplicate).toBe(false);
});

test("the wait lasts until the window that is used up opens", () => {
  const reset = String(Math.ceil(Date.now() / 1000) + 100);
  const { retryAfterSeconds } = from(429, xrpc("RateLimitExceeded"), {
    "ratelimit-remaining": "0",
    "ratelimit-reset": reset,
  });
  expect(retryAfterSeconds).toBeGreaterThan(90);
  expect(retryAfterSeconds).toBeLessThanOrEqual(101);
});
