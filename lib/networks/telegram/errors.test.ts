import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors, newChatId } from "./errors";

const errorFor = (description: string, status: number, parameters?: object) =>
  platformErrorFrom(
    "Telegram",
    errors,
    { ok: false, error_code: status, description, parameters },
    { status, headers: new Headers() },
  );

type Row = [description: string, status: number, kind: ErrorKind, says: string];
const bad = (text: string, kind: ErrorKind, says: string): Row => [`Bad Request: ${text}`, 400, kind, says];

/** The messages are those of the open-source Bot API server. */
describe("each documented error", () => {
  test.each<Row>([
    ["Too Many Requests: retry after 7", 429, "later", "slow down"],
    ["Unauthorized", 401, "operator", "own bot"],
    ["Unauthorized: invalid token specified", 401, "operator", "own bot"],
    ["Not Found", 404, "operator", "own bot"],
    ["Not Found: method not found", 404, "operator", "own bot"],
    ["Conflict: terminated by other getUpdates request", 409, "later", "Another process"],
    ...["channel", "supergroup", "group"].flatMap((kind): Row[] => [
      [`Forbidden: bot was kicked from the ${kind} chat`, 403, "rejected", "Add it again"],
      [`Forbidden: bot is not a member of the ${kind} chat`, 403, "rejected", "Add it again"],
    ]),
    ["Forbidden: bot was blocked by the user", 403, "rejected", "no longer exists"],
    ["Forbidden: user is deactivated", 403, "rejected", "no longer exists"],
    ["Forbidden: the group chat was deleted", 403, "rejected", "no longer exists"],
    bad("chat not found", "rejected", "Add it again"),
    bad("private chat not found", "rejected", "Add it again"),
    ...[
      "need administrator rights in the channel chat",
      "not enough rights to send text messages to the chat",
      "not enough rights to send photos to the chat",
      "not enough rights to send videos to the chat",
      "not enough rights to send animations to the chat",
      "have no write access to the chat",
      "CHAT_WRITE_FORBIDDEN",
      "CHAT_ADMIN_REQUIRED",
    ].map((text) => bad(text, "rejected", "right to post")),
    bad("message text is empty", "rejected", "without text"),
    bad("text must be non-empty", "rejected", "without text"),
    bad("message is too long", "rejected", "4,096"),
    bad("message caption is too long", "rejected", "1,024"),
    bad("can't parse entities: unsupported start tag", "rejected", "formatting"),
    ...[
      "wrong HTTP URL specified",
      "failed to get HTTP URL content",
      "wrong type of the web page content",
      "wrong file identifier/HTTP URL specified",
    ].map((text) => bad(text, "rejected", "could not fetch")),
    bad("PHOTO_INVALID_DIMENSIONS", "rejected", "dimensions"),
    bad("IMAGE_PROCESS_FAILED", "rejected", "could not read the image"),
    bad("PHOTO_SAVE_FILE_INVALID", "rejected", "could not read the image"),
    bad("file of size 1 bytes is too big for a photo; the maximum size is 10485760 bytes", "rejected", "10 MB"),
    bad("can't use the media of the specified type in the album", "rejected", "refused the album"),
    bad("group send failed", "later", "could not send the album"),
    bad(
      'failed to send message #1 with the error message "Too Many Requests: retry after 8"',
      "unknown",
      "only a part of the album",
    ),
    bad("document can't be mixed with other media types", "rejected", "refused the album"),
    bad("too many messages to send as an album", "rejected", "refused the album"),
    bad("message to be replied not found", "rejected", "no longer exists"),
    ["Request Entity Too Large", 413, "rejected", "too large"],
    ["Internal Server Error: restart", 500, "unknown", "internal error"],
    ["Bad Gateway", 502, "unknown", "internal error"],
  ])("%s", (description, status, kind, says) => {
    const error = errorFor(description, status);
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
    expect(error.answer).toMatchObject({ status, message: description });
  });

  test("reads the wait and the new chat ID from the parameters", () => {
    expect(errorFor("Too Many Requests: retry after 7", 429, { retry_after: 7 }).retryAfterSeconds).toBe(7);
    const moved = errorFor("Bad Request: group chat was upgraded to a supergroup chat", 400, {
      migrate_to_chat_id: -1001,
    });
    expect([moved.kind, newChatId(moved)]).toEqual(["rejected", "-1001"]);
  });
});
