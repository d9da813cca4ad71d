import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { containerError, errors, isNotFound } from "./errors";

const graph = (code: number, error_subcode?: number, message = "m", more = {}) => ({
  error: { message, type: "OAuthException", code, error_subcode, ...more },
});
const from = (status: number, body: unknown) =>
  platformErrorFrom("Threads", errors, body, { status, headers: new Headers() });
const flat = (error_message: string) => ({ error_type: "OAuthException", code: 400, error_message });

describe("each error code", () => {
  test.each<[answer: string, body: unknown, status: number, kind: ErrorKind, says: string]>([
    ["an expired token", graph(190, 463), 401, "reconnect", "no longer accepts"],
    ["an expired token with status 400 and no subcode", graph(190), 400, "reconnect", "no longer accepts"],
    [
      "an expired token, only in the message",
      graph(1, undefined, "Error validating access token: x"),
      400,
      "reconnect",
      "no longer",
    ],
    [
      "exchanging a token from the dashboard",
      graph(452, undefined, "Session key invalid"),
      400,
      "reconnect",
      "no longer",
    ],
    ["a missing scope", graph(10), 403, "reconnect", "cover publishing"],
    ["a missing scope in the 200s", graph(299), 400, "reconnect", "cover publishing"],
    ["throttling of the application", graph(4), 400, "later", "slow down"],
    ["throttling of the user", graph(17), 400, "later", "slow down"],
    ["throttling of the page", graph(32), 400, "later", "slow down"],
    ["throttling of a custom type", graph(613, undefined, "m", { is_transient: true }), 400, "later", "slow down"],
    ["a container that is not ready or gone", graph(24, 4279009), 400, "later", "still preparing"],
    ["a topic that is not allowed", graph(100, 4279071), 400, "rejected", "does not allow this topic"],
    [
      "an account without a role on an app that is not reviewed",
      graph(100, 10, "You must submit for app review, or your user must be in the list of Threads testers."),
      400,
      "operator",
      "not approved",
    ],
    ["a link that is refused as an attachment", graph(-1, 4279047, "Fatal"), 400, "rejected", "refused the link"],
    ["a long text", graph(100, undefined, "Param text must be at most 500 characters long."), 400, "rejected", "500"],
    [
      "too many links, in the message",
      graph(100, undefined, "THREADS_API__LINK_LIMIT_EXCEEDED"),
      400,
      "rejected",
      "5 links",
    ],
    [
      "too many links, in the title",
      graph(100, 1, "m", { error_user_title: "THREADS_API__LINK_LIMIT_EXCEEDED" }),
      400,
      "rejected",
      "5 links",
    ],
    [
      "a feature that is not available",
      graph(100, 2, "THREADS_API__FEATURE_NOT_AVAILABLE"),
      400,
      "rejected",
      "countries",
    ],
    [
      "an invalid country",
      graph(100, 2, "THREADS_API__GEO_GATING_INVALID_COUNTRY_CODES"),
      400,
      "rejected",
      "countries",
    ],
    ["a file that could not be fetched", graph(9004, 2207052), 400, "later", "fetch"],
    [
      "the same, only in the message",
      graph(-1, undefined, "m", { error_user_msg: "could not be fetched from this URI" }),
      400,
      "later",
      "fetch",
    ],
    ["suspected spam, although it may be live", graph(4, 2207051), 400, "unknown", "spam"],
    ["a restricted account", graph(25, 4279013), 400, "rejected", "restricted"],
    ["the daily quota", graph(9, 2207042), 400, "later", "24 hours"],
    ["an object that does not exist yet", graph(100, 33), 400, "later", "cannot find"],
    ["an unknown error", graph(1), 500, "unknown", "internal error"],
    ["a service that is down", graph(2), 503, "unknown", "internal error"],
    ["a transient error", graph(99, 8, "m", { is_transient: true }), 400, "unknown", "internal error"],
    ["a gateway's page", undefined, 502, "unknown", "internal error"],
    ["an unknown parameter", graph(100, undefined, "Invalid parameter"), 400, "rejected", "Invalid parameter"],
    [
      "a used code, in the token endpoint's own format",
      flat("Matching code was not found or was already used"),
      400,
      "reconnect",
      "sign-in",
    ],
    ["a wrong secret", flat("Error validating client secret."), 400, "operator", "own credentials"],
  ])("%s", (_, body, status, kind, says) => {
    const error = from(status, body);
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
    expect(error.answer?.status).toBe(status);
  });

  test("distinguishes a missing container from a used-up quota", () => {
    expect([isNotFound(from(400, graph(24, 4279009))), isNotFound(from(400, graph(9, 2207042)))]).toEqual([
      true,
      false,
    ]);
  });
});

describe("each error_message of a failed container", () => {
  test.each([
    ["INVALID_ASPEC_RATIO", "rejected", "ratio"],
    ["INVALID_BIT_RATE", "rejected", "bit rate"],
    ["INVALID_DURATION", "rejected", "300 seconds"],
    ["INVALID_FRAME_RATE", "rejected", "23 to 60"],
    ["INVALID_AUDIO_CHANNELS", "rejected", "audio"],
    ["INVALID_AUDIO_CHANNEL_LAYOUT", "rejected", "audio channel layout"],
    ["INVALID_SOMETHING_NEW", "rejected", "refused the file"],
    ["FAILED_DOWNLOADING_VIDEO", "later", "fetch"],
    ["FAILED_PROCESSING_AUDIO", "later", "process"],
    ["FAILED_PROCESSING_VIDEO", "later", "process"],
    ["UNKNOWN", "later", "process"],
    [undefined, "later", "process"],
  ])("%s is %s", (message, kind, says) => {
    expect(containerError(message)).toMatchObject({ kind, message: expect.stringContaining(says) });
  });
});
