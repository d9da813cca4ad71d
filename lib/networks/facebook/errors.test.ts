import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors, hasErrorCode, processingError, uploadOffsets } from "./errors";

const graph = (code: number, error_subcode?: number, message = "m", more = {}) => ({
  error: { message, type: "OAuthException", code, error_subcode, ...more },
});
const from = (status: number, body: unknown, headers = {}) =>
  platformErrorFrom("Facebook", errors, body, { status, headers: new Headers(headers) });
const upload = (type: string, retriable = false) => ({ debug_info: { type, retriable, message: "m" } });
const transient = { is_transient: true };

describe("each error code", () => {
  test.each<[answer: string, body: unknown, status: number, kind: ErrorKind, says: string]>([
    ["a removed application", graph(190, 458), 400, "reconnect", "no longer accepts"],
    ["a checkpoint", graph(190, 459), 400, "reconnect", "sign in at facebook.com"],
    ["a changed password", graph(190, 460), 401, "reconnect", "no longer accepts"],
    ["an expired token", graph(190, 463), 400, "reconnect", "no longer accepts"],
    ["an unconfirmed user", graph(190, 464), 400, "reconnect", "no longer accepts"],
    ["an invalidated session", graph(190, 467), 400, "reconnect", "no longer accepts"],
    ["a token without a reason", graph(190), 400, "reconnect", "no longer accepts"],
    ["an expired session", graph(102), 400, "reconnect", "no longer accepts"],
    [
      "a lost role on the Page: the account stays connected",
      graph(190, 492),
      400,
      "rejected",
      "no longer post to this Page",
    ],
    [
      "a refused video of a Page",
      graph(100, undefined, "(#100) No permission to publish the video"),
      400,
      "rejected",
      "Ask the Page's owner for full access",
    ],
    ["a missing scope", graph(10), 403, "reconnect", "does not cover"],
    ["a missing permission", graph(200), 403, "reconnect", "does not cover"],
    ["a missing capability", graph(3), 400, "operator", "has not approved"],
    ["a blocked app", graph(200, undefined, "API access blocked."), 400, "operator", "has blocked"],
    [
      "a permission that the app does not have, with a server error: the post may exist",
      graph(10, undefined, "(#10) Application does not have permission for this action"),
      500,
      "unknown",
      "internal error",
    ],
    [
      "a permission that the app does not have",
      graph(10, undefined, "(#10) Application does not have permission for this action"),
      403,
      "operator",
      "has not approved",
    ],
    ["a missing permission for Pages", graph(283), 400, "reconnect", "does not cover"],
    ["the last of the 200s", graph(299), 400, "reconnect", "does not cover"],
    ...[4, 17, 32, 341, 613, 80001, 80002].map(
      (code) =>
        [`throttling ${code}`, graph(code), 400, "later", "slow down"] as [string, unknown, number, ErrorKind, string],
    ),
    ["a duplicate", graph(506), 400, "rejected", "just published the same"],
    ["photos that were already posted", graph(100, 1366051), 400, "rejected", "just published the same"],
    ["a block", graph(368), 403, "later", "too often"],
    ["posting too often", graph(368, 1390008), 403, "later", "too often"],
    ["limited access", graph(1, 1404112), 400, "later", "too often"],
    ["a Page without authorization", graph(200, 1404078), 403, "rejected", "Page Publishing Authorization"],
    ["an identity to confirm", graph(200, 4854002), 403, "rejected", "confirm their identity"],
    ["a security check", graph(200, 1404006), 403, "rejected", "security check"],
    ["an invalid parameter", graph(100, undefined, "(#100) Bad"), 400, "rejected", "Bad"],
    ["an invalid image", graph(324, 2069019), 400, "rejected", "image"],
    ["a link that cannot be read", graph(100, 1609005), 400, "rejected", "cannot read the page"],
    ["a link to facebook.com", graph(100, 1609008), 400, "rejected", "no preview card"],
    ["an invalid address", graph(100, 2061006), 400, "rejected", "a link in it"],
    ["a violation of the rules", graph(368, 1346003), 403, "rejected", "rules"],
    ["a violation of the rules, by another code", graph(100, 1404102), 400, "rejected", "rules"],
    ["a photo's size or type", graph(1, 1366046), 400, "rejected", "size or type"],
    ["an invalid file", graph(100, 2069019), 400, "rejected", "refused the file"],
    ["a video's ratio", graph(100, 1363040), 400, "rejected", "ratio"],
    ["a video's resolution", graph(100, 1363127), 400, "rejected", "resolution"],
    ["a video's duration", graph(100, 1363128), 400, "rejected", "duration"],
    ["a video's frame rate", graph(100, 1363129), 400, "rejected", "frame rate"],
    ["a small video file", graph(6000, 1363022), 400, "rejected", "too small"],
    ["a large video file", graph(6000, 1363023), 400, "rejected", "too large"],
    ["a small video", graph(382), 400, "rejected", "too small"],
    ["a video's format", graph(352), 400, "rejected", "format"],
    [
      "a different offset",
      graph(6001, 1363037, "m", { ...transient, error_data: { start_offset: "5", end_offset: "9" } }),
      400,
      "later",
      "different part",
    ],
    ["a video file that Facebook refuses", graph(6000, 1363045), 400, "rejected", "refused the video file"],
    ["an upload that took too long", graph(6000, 1363030), 400, "later", "lost the upload"],
    ["an upload that was lost", graph(6000, 1363019), 400, "later", "lost the upload"],
    ["an upload that failed", graph(6000), 400, "later", "lost the upload"],
    ["an unknown error", graph(1), 500, "unknown", "internal error"],
    ["a service that is down", graph(2), 503, "unknown", "internal error"],
    ["a transient error", graph(99, 8, "m", transient), 400, "unknown", "internal error"],
    ["an address that could not be fetched", graph(100, 389), 400, "later", "fetch"],
    ["an error of the video service", graph(6000, 1363047), 500, "later", "lost the upload"],
    ["an error of the card service", graph(1, 1609010), 400, "unknown", "internal error"],
    ["an object that does not exist yet", graph(100, 33), 400, "later", "cannot find"],
    ["an error in the answer's fields after the work was done", graph(20, 1772107), 400, "unknown", "internal error"],
    ["a used code", graph(100, 36009, "This authorization code has been used."), 400, "reconnect", "sign-in"],
    ["an expired code", graph(100, 36007, "This authorization code has expired."), 400, "reconnect", "sign-in"],
    [
      "a different redirect address",
      graph(100, 36008, "Error validating verification code."),
      400,
      "reconnect",
      "sign-in",
    ],
    ["a wrong secret", graph(1, undefined, "Error validating client secret."), 400, "operator", "own credentials"],
    ["a wrong application", graph(101, undefined, "Error validating application."), 400, "operator", "own credentials"],
    [
      "a missing proof",
      graph(100, undefined, "API calls from the server require an appsecret_proof argument"),
      400,
      "operator",
      "own credentials",
    ],
    [
      "a wrong proof",
      graph(100, undefined, "Invalid appsecret_proof provided in the API argument"),
      400,
      "operator",
      "own credentials",
    ],
    ["the upload host: different offset", upload("OffsetInvalidError"), 400, "later", "different part"],
    ["the upload host: partial data", upload("PartialRequestError"), 400, "later", "only a part of the video"],
    ["the upload host: rejected file", upload("ProcessingFailedError"), 400, "rejected", "refused the video"],
    ["the upload host: transient error", upload("ProcessingFailedError", true), 400, "later", "internal error"],
    ["a gateway's page", undefined, 502, "unknown", "internal error"],
  ])("%s", (_, body, status, kind, says) => {
    const error = from(status, body);
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
    expect(error.answer?.status).toBe(status);
  });

  test("a duplicate after an unknown outcome shows that the post exists", () => {
    expect([from(400, graph(506)).duplicate, from(400, graph(100, 1366051)).duplicate]).toEqual([true, true]);
  });

  test("reads the wait from a header in minutes", () => {
    const use = (minutes: number) => [{ type: "pages", call_count: 100, estimated_time_to_regain_access: minutes }];
    const headers = { "x-business-use-case-usage": JSON.stringify({ "1": use(0), "2": use(12) }) };
    expect(from(403, graph(32), headers).retryAfterSeconds).toBe(720);
    expect(from(403, graph(32)).retryAfterSeconds).toBeUndefined();
    expect(from(403, graph(32), { "x-business-use-case-usage": "{" }).retryAfterSeconds).toBeUndefined();
  });
});

test("reads an upload's offsets from the error", () => {
  const error = from(400, graph(6001, 1363037, "m", { error_data: { start_offset: 262144, end_offset: "524288" } }));
  expect(uploadOffsets(error)).toEqual({ start: 262_144, end: 524_288 });
  expect(uploadOffsets(from(400, graph(6001, 1363037)))).toBeUndefined();
  expect([
    hasErrorCode(error, "1363037"),
    hasErrorCode(error, "1363019|6000"),
    hasErrorCode(new Error("no"), "6001"),
  ]).toEqual([true, false, false]);
});

test.each([
  [{ code: 1363128, message: "x" }, "Facebook refused the video because of its duration"],
  [{ message: "Resolution too low." }, "Facebook refused the video: Resolution too low."],
  [undefined, "Facebook could not process the video"],
])("a failed processing: %j", (found, says) => {
  expect(processingError(found)).toMatchObject({ kind: "rejected", message: says });
});
