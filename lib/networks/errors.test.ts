import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "./errors";
import { containerError, errors as instagram, isContainerGone } from "./instagram/errors";
import type { Network } from "./network";
import { newChatId, errors as telegram } from "./telegram/errors";
import { errors as x } from "./x/errors";

type Answer = { status: number; body?: unknown; headers?: { [name: string]: string } };
type Row = [answer: string, body: unknown, status: number, kind: ErrorKind, says: string];

const from = (name: string, table: Network["errors"], { status, body, headers }: Answer) =>
  platformErrorFrom(name, table, body, { status, headers: new Headers(headers) });

describe("X", () => {
  const problem = (status: number, detail: string, type = "about:blank") => ({ title: "T", detail, type, status });
  const duplicate = "You are not allowed to create a Tweet with duplicate content.";
  test.each<Row>([
    [
      "a used refresh token",
      { error: "invalid_request", error_description: "Value passed for the token was invalid." },
      400,
      "reconnect",
      "permission",
    ],
    [
      "a used code",
      { error: "invalid_request", error_description: "Value passed for the authorization code was invalid." },
      400,
      "reconnect",
      "sign-in",
    ],
    [
      "a missing Basic header",
      { error: "unauthorized_client", error_description: "Missing valid authorization header" },
      401,
      "operator",
      "own credentials",
    ],
    ["an expired token", problem(401, "Unauthorized"), 401, "reconnect", "no longer accepts"],
    ["a duplicate", problem(403, duplicate), 403, "rejected", "already posted"],
    [
      "an old-style duplicate",
      { errors: [{ code: 187, message: "Status is a duplicate." }] },
      403,
      "rejected",
      "already",
    ],
    [
      "a reply that is not allowed",
      problem(403, "Reply to this conversation is not allowed because you have not been mentioned"),
      403,
      "rejected",
      "reply",
    ],
    ["a text that is too long", { errors: [{ message: "Your Tweet text is too long." }] }, 400, "rejected", "too long"],
    [
      "unknown media",
      { errors: [{ message: "Your media IDs are invalid.", parameters: { "media.media_ids": ["1"] } }] },
      400,
      "rejected",
      "no longer has the files",
    ],
    [
      "no credits",
      problem(402, "Your enrolled account [..] does not have any credits", "https://api.x.com/2/problems/credits"),
      402,
      "operator",
      "credits",
    ],
    ["a cap", problem(429, "Cap", "https://api.twitter.com/2/problems/usage-capped"), 429, "operator", "credits"],
    ["a rate limit", problem(429, "Too Many Requests"), 429, "later", "slow down"],
    ["an old-style rate limit", { errors: [{ code: 88, message: "Rate limit exceeded" }] }, 429, "later", "slow down"],
    [
      "a suspension",
      problem(403, "Suspended", "https://api.x.com/2/problems/user-suspended"),
      403,
      "reconnect",
      "locked",
    ],
    [
      "an error without a reason",
      problem(403, "You are not permitted to perform this action."),
      403,
      "rejected",
      "You are not permitted",
    ],
    ["a gateway's page", undefined, 502, "unknown", "internal error"],
  ])("%s", (_, body, status, kind, says) => {
    const error = from("X", x, { status, body });
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
  });

  test("waits until the latest reset of all used-up windows", () => {
    const soon = Math.ceil(Date.now() / 1000);
    const headers = {
      "x-rate-limit-remaining": "0",
      "x-rate-limit-reset": String(soon + 100),
      "x-user-limit-24hour-remaining": "0",
      "x-user-limit-24hour-reset": String(soon + 5000),
      "x-app-limit-24hour-remaining": "7",
      "x-app-limit-24hour-reset": String(soon + 9000),
    };
    const { retryAfterSeconds } = from("X", x, { status: 429, headers });
    expect(retryAfterSeconds).toBeGreaterThan(4990);
    expect(retryAfterSeconds).toBeLessThanOrEqual(5001);
  });
});

describe("statuses without a rule", () => {
  test.each<[status: number, kind: ErrorKind, refused: boolean]>([
    [302, "unknown", false],
    [400, "rejected", true],
    [401, "reconnect", true],
    [408, "unknown", false],
    [425, "later", true],
    [429, "later", true],
    [451, "rejected", true],
    [503, "unknown", false],
  ])("%d is %s", (status, kind, refused) => {
    expect(from("X", { ...x, rules: [] }, { status })).toMatchObject({ kind, refused });
  });
});

describe("Instagram", () => {
  const graph = (code: number, error_subcode?: number, message = "m", more = {}) => ({
    error: { message, type: "OAuthException", code, error_subcode, ...more },
  });
  test.each<Row>([
    ["an expired token", graph(190, 463), 400, "reconnect", "permission"],
    ["an expired token without a subcode", graph(190), 401, "reconnect", "permission"],
    ["a missing scope", graph(10), 403, "reconnect", "cover publishing"],
    ["a missing scope in the 200s", graph(200), 400, "reconnect", "cover publishing"],
    ["a restricted account", graph(25, 2207050), 400, "rejected", "restricted"],
    [
      "a personal account",
      graph(100, undefined, "The user is not an Instagram Business"),
      400,
      "reconnect",
      "professional",
    ],
    ["the daily quota", graph(9, 2207042), 400, "later", "24 hours"],
    ["suspected spam, although it may be live", graph(4, 2207051), 400, "unknown", "spam"],
    ["throttling with status 400", graph(80002, 2446079), 400, "later", "slow down"],
    ["throttling", graph(4), 400, "later", "slow down"],
    ["a container that is not ready", graph(9007, 2207027), 400, "later", "still preparing"],
    ["an expired container", graph(24, 2207008), 400, "later", "could not prepare"],
    ["a file that could not be fetched", graph(9004, 2207052), 400, "later", "fetch"],
    ["a failed creation", graph(-1, 2207032), 400, "unknown", "could not prepare"],
    ["an image that is too large", graph(36000, 2207004), 400, "rejected", "8 MB"],
    ["an image of another format", graph(36001, 2207005), 400, "rejected", "JPEG"],
    ["a caption that is too long", graph(36004, 2207010), 400, "rejected", "caption"],
    ["a transient error", graph(2, undefined, "m", { is_transient: true }), 500, "unknown", "internal error"],
    ["an unknown parameter", graph(100, undefined, "Invalid parameter"), 400, "rejected", "Invalid parameter"],
    [
      "a used code, in the token endpoint's own format",
      { error_type: "OAuthException", code: 400, error_message: "Matching code was not found or was already used" },
      400,
      "reconnect",
      "sign-in",
    ],
  ])("%s", (_, body, status, kind, says) => {
    const error = from("Instagram", instagram, { status, body });
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
  });

  test("creates a new container for an expired one, but not for a rejected one", () => {
    const gone = (code: number, subcode: number) =>
      isContainerGone(from("Instagram", instagram, { status: 400, body: graph(code, subcode) }));
    expect([gone(24, 2207008), gone(-2, 2207020), gone(9, 2207042)]).toEqual([true, true, false]);
  });

  test("reads the subcode from a container's status text", () => {
    expect(containerError("Error: Media upload has failed with error code 2207026").kind).toBe("rejected");
    expect(containerError("Error: 2207082").kind).toBe("later");
    expect(containerError(undefined).kind).toBe("later");
  });
});

describe("Telegram", () => {
  test.each<[description: string, status: number, kind: ErrorKind, says: string]>([
    ["Unauthorized", 401, "operator", "own bot"],
    ["Not Found", 404, "operator", "own bot"],
    ["Conflict: terminated by other getUpdates request", 409, "later", "Another process"],
    ["Forbidden: bot was kicked from the channel chat", 403, "rejected", "Add it again"],
    ["Forbidden: bot is not a member of the channel chat", 403, "rejected", "Add it again"],
    ["Bad Request: chat not found", 400, "rejected", "Add it again"],
    ["Forbidden: the group chat was deleted", 403, "rejected", "no longer exists"],
    ["Bad Request: need administrator rights in the channel chat", 400, "rejected", "right to post"],
    ["Bad Request: not enough rights to send photos to the chat", 400, "rejected", "right to post"],
    ["Bad Request: CHAT_WRITE_FORBIDDEN", 400, "rejected", "right to post"],
    ["Bad Request: message is too long", 400, "rejected", "4,096"],
    ["Bad Request: message caption is too long", 400, "rejected", "1,024"],
    ["Bad Request: PHOTO_INVALID_DIMENSIONS", 400, "rejected", "dimensions"],
    ["Request Entity Too Large", 413, "rejected", "too large"],
    ["Bad Request: something new", 400, "rejected", "something new"],
    ["Internal Server Error: restart", 500, "unknown", "internal error"],
  ])("%s", (description, status, kind, says) => {
    const error = from("Telegram", telegram, { status, body: { ok: false, error_code: status, description } });
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
  });

  test("reads the wait and a group's new ID from the parameters", () => {
    const body = (parameters: object) => ({ ok: false, description: "d", parameters });
    expect(from("Telegram", telegram, { status: 429, body: body({ retry_after: 7 }) }).retryAfterSeconds).toBe(7);
    const moved = from("Telegram", telegram, { status: 400, body: body({ migrate_to_chat_id: -1001 }) });
    expect([moved.kind, newChatId(moved)]).toEqual(["rejected", "-1001"]);
  });
});
