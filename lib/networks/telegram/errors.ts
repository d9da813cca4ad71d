import { z } from "zod";
import type { ErrorFacts, ErrorTable, PlatformError } from "../errors";

const body = z.object({
  description: z.string().optional(),
  parameters: z
    .object({
      retry_after: z.number().optional(),
      migrate_to_chat_id: z.union([z.string(), z.number()]).optional(),
    })
    .optional(),
});

const MIGRATED = "migrated to ";

function read(answer: unknown): ErrorFacts {
  const { description, parameters } = body.safeParse(answer).data ?? {};
  const id = parameters?.migrate_to_chat_id;
  return {
    code: id === undefined ? undefined : `${MIGRATED}${id}`,
    message: description,
    retryAfterSeconds: parameters?.retry_after,
  };
}

/** Returns the new ID of a group that became a supergroup, if that is why Telegram refused the call. */
export function newChatId({ answer }: PlatformError): string | undefined {
  return answer?.code?.startsWith(MIGRATED) ? answer.code.slice(MIGRATED.length) : undefined;
}

const OPERATOR = "Telegram does not accept this service's own bot";
const TOKEN = "Compare TELEGRAM_BOT_TOKEN with the token that @BotFather shows under /mybots";
const LOST = "Telegram's bot is no longer in this chat. Add it again as an administrator";
const RIGHTS = "Telegram's bot may not post here. Give it the right to post messages";

/** core.telegram.org/bots/api#making-requests; the messages are those of the open-source Bot API server. */
export const errors: ErrorTable = {
  read,
  rules: [
    // The only token belongs to the service, so an invalid one is not about an account.
    { when: { status: 401 }, kind: "operator", message: OPERATOR, fix: TOKEN },
    { when: { status: 404 }, kind: "operator", message: OPERATOR, fix: TOKEN },
    {
      when: { status: 409 },
      kind: "later",
      message: "Another process is already receiving this bot's updates from Telegram",
    },
    { when: { status: 413 }, kind: "rejected", message: "Telegram refused the file because it is too large" },
    { when: { status: 429 }, kind: "later", message: "Telegram asks us to slow down" },
    // Seen after other files of the album had been sent (github.com/rubenlagus/TelegramBots/issues/1520).
    {
      when: { message: /failed to send message #\d+ .*too many requests/i },
      kind: "unknown",
      message: "Telegram may have sent only a part of the album",
    },
    // The server sent no message of the album, and a later try succeeds (github.com/tdlib/td/issues/1990).
    { when: { message: /group send failed/i }, kind: "later", message: "Telegram could not send the album right now" },
    {
      when: { code: new RegExp(`^${MIGRATED}`) },
      kind: "rejected",
      message: "This Telegram group has become a supergroup with a new ID. Choose it again as the destination",
    },
    { when: { message: /bot was kicked|bot is not a member/i }, kind: "rejected", message: LOST },
    {
      when: { message: /group chat was deleted|user is deactivated|bot was blocked/i },
      kind: "rejected",
      message: "This Telegram chat no longer exists or has blocked the bot",
    },
    { when: { message: /chat not found/i }, kind: "rejected", message: LOST },
    {
      when: {
        message:
          /need administrator rights|not enough rights|have no write access|CHAT_WRITE_FORBIDDEN|CHAT_ADMIN_REQUIRED/,
      },
      kind: "rejected",
      message: RIGHTS,
    },
    {
      when: { message: /message text is empty|text must be non-empty/i },
      kind: "rejected",
      message: "Telegram accepts no message without text",
    },
    {
      when: { message: /message is too long/i },
      kind: "rejected",
      message: "Telegram refused the message because its text is longer than 4,096 characters",
    },
    {
      when: { message: /caption is too long/i },
      kind: "rejected",
      message: "Telegram refused the message because a text with pictures or videos may have at most 1,024 characters",
    },
    {
      when: { message: /can't parse entities/i },
      kind: "rejected",
      message: "Telegram could not parse the formatting of the text",
    },
    {
      when: { message: /HTTP URL|wrong type of the web page content|wrong file identifier/i },
      kind: "rejected",
      message: "Telegram could not fetch the file",
    },
    {
      when: { message: /in the album|can't be mixed with other media types|as an album/i },
      kind: "rejected",
      message: "Telegram refused the album: it must have 2 to 10 images and videos",
    },
    {
      when: { message: /message to be replied not found/i },
      kind: "rejected",
      message: "The message that this one replies to no longer exists",
    },
    {
      when: { message: /PHOTO_INVALID_DIMENSIONS/ },
      kind: "rejected",
      message: "Telegram refused the image because of its dimensions",
    },
    {
      when: { message: /IMAGE_PROCESS_FAILED|PHOTO_SAVE_FILE_INVALID/ },
      kind: "rejected",
      message: "Telegram could not read the image",
    },
    {
      when: { message: /too big for a photo/i },
      kind: "rejected",
      message: "Telegram refused the image because it is larger than 10 MB",
    },
    {
      when: { message: /is too big/i },
      kind: "rejected",
      message: "Telegram refused the file because it is too large",
    },
  ],
};
