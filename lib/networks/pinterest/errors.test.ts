import { expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors } from "./errors";

const from = (body: unknown, status: number, headers: { [name: string]: string } = {}) =>
  platformErrorFrom("Pinterest", errors, body, { status, headers: new Headers(headers) });
const said = (code: number, message: string, more = {}) => ({ code, message, ...more });

test.each<[answer: string, body: unknown, status: number, kind: ErrorKind, says: string]>([
  ["an invalid token", said(2, "Authentication failed."), 401, "reconnect", "no longer accepts"],
  [
    "an application that is not activated",
    said(3, "Your application consumer type is not supported"),
    401,
    "operator",
    "not activated",
  ],
  [
    "the same with status 400",
    said(3, "Your application consumer type is not supported"),
    400,
    "operator",
    "not activated",
  ],
  [
    "a restricted feature",
    said(3, "Your application does not have access to this restricted feature."),
    403,
    "operator",
    "not enabled this feature",
  ],
  ["a used code or refresh token", said(283, "The authorization grant is invalid"), 401, "reconnect", "sign-in"],
  ["a missing scope", said(29, "You are not permitted to access that resource."), 403, "reconnect", "does not cover"],
  ["no access to the account", said(403, "Not authorized to access the user account."), 403, "reconnect", "cover"],
  ["an unknown board", said(404, "Board not found."), 404, "rejected", "did not find this board"],
  ["an unknown section", said(404, "Board or section not found."), 404, "rejected", "section"],
  ["an invalid ID", said(1, "'abc' does not match '^\\d+$'"), 400, "rejected", "'abc' does not match"],
  [
    "a carousel that is refused",
    said(1, "Carousels are not supported"),
    400,
    "rejected",
    "Carousels are not supported",
  ],
  [
    "a video without a cover",
    said(1, "Missing required field: cover_image_url or cover_image_content_type"),
    400,
    "rejected",
    "thumbnailPath",
  ],
  [
    "a file that cannot be fetched",
    said(1, "Sorry! Unable to reach the URL https://a."),
    400,
    "later",
    "could not fetch",
  ],
  ["an unsupported image format", said(1, "The format of the image is not supported"), 400, "rejected", "JPEG and PNG"],
  ["a video that is not ready", said(1, "The media has not been processed yet"), 400, "later", "still processing"],
  ["a video that is still processing", said(1, "The media is still processing"), 400, "later", "still processing"],
  ["an image that failed", said(1, "There was an error processing the image"), 400, "rejected", "error processing"],
  ["a rate limit", said(8, "You have exceeded your rate limit."), 429, "later", "slow down"],
  ["spam", said(9, "Blocked", { message_detail: "This looks like spam" }), 429, "later", "considers this spam"],
  [
    "a block against spam",
    said(9, "You've hit a block (Pins) we have in place to combat spam."),
    403,
    "later",
    "hours",
  ],
  [
    "a link that may lead to spam",
    said(1, "We blocked this link because it may lead to spam."),
    400,
    "rejected",
    "link",
  ],
  ["an internal error that is named", said(2787, "Something went wrong on our end."), 400, "unknown", "internal error"],
  ["an image that cannot be fetched", said(1, "Sorry we could not fetch the image."), 400, "later", "could not fetch"],
  ["an internal error", said(0, "Something went wrong"), 500, "unknown", "internal error"],
  ["a gateway's page", undefined, 502, "unknown", "internal error"],
])("%s", (_, body, status, kind, says) => {
  const error = from(body, status);
  expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
});

test("keeps both of the network's messages", () => {
  const { answer } = from(said(9, "Blocked", { message_detail: "This looks like spam" }), 429);
  expect(answer).toEqual({ status: 429, code: "9", message: "Blocked This looks like spam" });
});

test.each([
  ["seconds", "90", 90],
  ["the first of a list", '120, 120;w=60;name="org_write"', 120],
  ["at least a minute", "3", 60],
  ["a Unix time", String(Math.floor(Date.now() / 1000) + 600), 600],
  ["nothing", undefined, undefined],
])("reads how long to wait: %s", (_, reset, seconds) => {
  const { retryAfterSeconds } = from(said(8, "Slow"), 429, reset === undefined ? {} : { "x-ratelimit-reset": reset });
  if (seconds === undefined) expect(retryAfterSeconds).toBeUndefined();
  else expect(Math.abs((retryAfterSeconds ?? 0) - seconds)).toBeLessThanOrEqual(2);
});

test("waits hours for suspected spam, whatever the window says", () => {
  const { retryAfterSeconds } = from(said(9, "spam"), 429, { "x-ratelimit-reset": "3" });
  expect(retryAfterSeconds).toBe(4 * 3600);
});
