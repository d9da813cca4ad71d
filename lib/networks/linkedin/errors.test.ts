import { expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors } from "./errors";

const from = (body: unknown, status: number) =>
  platformErrorFrom("LinkedIn", errors, body, { status, headers: new Headers() });
const said = (status: number, message: string, code?: string, serviceErrorCode?: number) => ({
  status,
  serviceErrorCode,
  code,
  message,
});
const oauth = (error: string, error_description: string) => ({ error, error_description });
const DUPLICATE = "Content is a duplicate of urn:li:share:7429862475279511552";
const DAY = "Resource level throttle APPLICATION DAY limit for calls to this resource is reached.";

test.each<[answer: string, body: unknown, status: number, kind: ErrorKind, says: string]>([
  [
    "an expired token",
    said(401, "The token used in the request has expired", "EXPIRED_ACCESS_TOKEN", 65602),
    401,
    "reconnect",
    "no longer accepts",
  ],
  [
    "a revoked token",
    said(401, "The token has been revoked", "REVOKED_ACCESS_TOKEN", 65601),
    401,
    "reconnect",
    "no longer",
  ],
  [
    "an invalid token",
    said(401, "Invalid access token", "INVALID_ACCESS_TOKEN"),
    401,
    "reconnect",
    "no longer accepts",
  ],
  ["any other 401", undefined, 401, "reconnect", "no longer accepts"],
  [
    "an app without the product",
    said(403, "Not enough permissions to access: posts.CREATE.20260900", "ACCESS_DENIED", 100),
    403,
    "operator",
    "does not let this service's app",
  ],
  [
    "an uploaded video that is not known yet",
    said(403, "Accessing this video resource is forbidden"),
    403,
    "later",
    "the uploaded file yet",
  ],
  [
    "an uploaded image that is not known yet",
    said(403, "Accessing this image resource is forbidden"),
    403,
    "later",
    "the uploaded file yet",
  ],
  ["a duplicate", said(422, DUPLICATE), 422, "rejected", "same content was posted"],
  ["a duplicate with a code", said(422, "Duplicate", "DUPLICATE_POST"), 422, "rejected", "same content was posted"],
  ["an old-style duplicate", said(409, DUPLICATE), 409, "rejected", "same content was posted"],
  ["a missing field", said(422, "ERROR :: /author :: field is required but not found"), 422, "rejected", "/author"],
  [
    "invalid JSON",
    said(400, "Request body could not be converted to data map", "ILLEGAL_ARGUMENT"),
    400,
    "rejected",
    "data map",
  ],
  ["an invalid value", said(400, "Bad", "INVALID_VALUE_FOR_FIELD"), 400, "rejected", "Bad"],
  ["an invalid URN", said(400, "Bad URN", "INVALID_URN_ID"), 400, "rejected", "Bad URN"],
  ["a text that is too long", said(400, "Too long", "FIELD_LENGTH_TOO_LONG"), 400, "rejected", "too long"],
  ["media that are not ready", said(400, "Wait", "MEDIA_ASSET_WAITING_UPLOAD"), 400, "later", "still processing"],
  [
    "the same, named only in the message",
    said(400, "Bad: MEDIA_ASSET_WAITING_UPLOAD"),
    400,
    "later",
    "still processing",
  ],
  ["media that failed", said(400, "Failed", "MEDIA_ASSET_PROCESSING_FAILED"), 400, "rejected", "could not process"],
  ["an update that failed", said(400, "Failed", "UPDATING_ASSET_FAILED"), 400, "rejected", "could not process"],
  ["an expired upload address", said(400, "Expired", "EXPIRED_UPLOAD_URL"), 400, "later", "right now"],
  ["a file that is too large", said(413, "Large", "REQUEST_ENTITY_TOO_LARGE"), 413, "rejected", "too large"],
  ["a file of another type", said(415, "Type", "UNSUPPORTED_MEDIA_TYPE"), 415, "rejected", "JPEG, PNG, GIF"],
  ["an ended API version", said(426, "Not active", "NONEXISTENT_VERSION"), 426, "operator", "version"],
  ["a missing version", said(400, "A version must be present", "VERSION_MISSING"), 400, "operator", "version"],
  ["a conflict", said(409, "Conflict", "CONFLICT"), 409, "later", "already processing"],
  ["a daily limit of the app", said(429, DAY, "TOO_MANY_REQUESTS", 101), 429, "operator", "midnight UTC"],
  ["a daily limit of the member", said(429, DAY.replace("APPLICATION", "MEMBER")), 429, "later", "midnight UTC"],
  ["another limit", said(429, "Too many requests", "TOO_MANY_REQUESTS", 101), 429, "later", "slow down"],
  ["an internal error", said(500, "Internal Server Error"), 500, "unknown", "internal error"],
  ["a gateway's page", undefined, 504, "unknown", "internal error"],
  [
    "a used code",
    oauth("invalid_request", "Unable to retrieve access token: authorization code not found"),
    401,
    "reconnect",
    "sign-in",
  ],
  ["an expired code", oauth("invalid_redirect_uri", "Or authorization code expired."), 400, "reconnect", "sign-in"],
  [
    "an invalid refresh token",
    oauth("invalid_request", "The provided authorization grant or refresh token is invalid, expired or revoked"),
    400,
    "reconnect",
    "no longer accepts",
  ],
  ["a wrong secret", oauth("invalid_client", "Client authentication failed"), 401, "operator", "own credentials"],
])("%s", (_, body, status, kind, says) => {
  const error = from(body, status);
  expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
});

test("marks a duplicate, whose answer names the first post", () => {
  expect(from(said(422, DUPLICATE), 422)).toMatchObject({ duplicate: true, answer: { message: DUPLICATE } });
});

test("waits until midnight UTC for a daily limit, and a default time for others", () => {
  const seconds = from(said(429, DAY), 429).retryAfterSeconds ?? 0;
  const end = new Date(Date.now() + seconds * 1000);
  expect(Math.abs(end.getTime() - Math.round(end.getTime() / 86_400_000) * 86_400_000)).toBeLessThan(3_000);
  expect(from(said(429, "Too many requests"), 429).retryAfterSeconds).toBeUndefined();
});

test("an activity that LinkedIn cannot obtain: the post may exist", () => {
  const body = said(403, "Unable to obtain activity for urn:li:share:1");
  const error = platformErrorFrom("LinkedIn", errors, body, { status: 403, headers: new Headers() });
  expect(error).toMatchObject({ kind: "later", refused: false });
});
