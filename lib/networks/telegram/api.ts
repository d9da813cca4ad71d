import { z } from "zod";
import type { App, NetworkCall } from "../network";
import type { Entity } from "../text/markup";
import { idSchema, readAnswer } from "../wire/json";
import { type FilePart, multipart } from "../wire/request-body";

/** Calls a bot method; the path contains the bot's token (core.telegram.org/bots/api#making-requests). */
async function call<T>(app: App, method: string, result: z.ZodType<T>, request: NetworkCall): Promise<T> {
  const path = `/bot${app.clientSecret}/${method}`;
  const response = await app.fetch(path, { method: "POST", ...request });
  return (await readAnswer("Telegram", z.object({ ok: z.literal(true), result }), response)).result;
}

function json(fields: object): NetworkCall {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) };
}

/** What members may do (…#chatpermissions, …#chatmemberrestricted). Servers of older versions leave out the newer ones. */
const permissionsSchema = z.object({
  can_send_messages: z.boolean().optional(),
  can_send_photos: z.boolean().optional(),
  can_send_videos: z.boolean().optional(),
  can_send_other_messages: z.boolean().optional(),
});
const chatSchema = z.object({
  id: idSchema,
  type: z.string(),
  title: z.string().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  /** Only `getChat` sends them, for groups: what members may do who are not administrators. */
  permissions: permissionsSchema.optional(),
});
const messageSchema = z.object({ message_id: idSchema, chat: chatSchema });

export type TelegramChat = z.output<typeof chatSchema>;
export type TelegramMessage = z.output<typeof messageSchema>;

const botSchema = z.object({ id: idSchema, username: z.string(), can_join_groups: z.boolean().default(true) });

/** core.telegram.org/bots/api#getme */
export function getMe(app: App) {
  return call(app, "getMe", botSchema, { method: "GET" });
}

/** core.telegram.org/bots/api#getwebhookinfo: `url` is empty if the bot has no webhook. */
export function getWebhookInfo(app: App) {
  return call(app, "getWebhookInfo", z.object({ url: z.string() }), { method: "GET" });
}

/** core.telegram.org/bots/api#getchat */
export function getChat(app: App, chatId: string) {
  return call(app, "getChat", chatSchema, json({ chat_id: chatId }));
}

/** What every message can have. Fields that are off are omitted. */
export type MessageOptions = { disable_notification?: true; protect_content?: true };

/** A text, and the ranges in it that are formatted. */
export type FormattedText = { text: string; entities?: Entity[] };

type TextOptions = MessageOptions & {
  link_preview_options?: { is_disabled: true };
  /** One row of an inline keyboard; `data` has at most 64 bytes (#inlinekeyboardbutton). */
  buttons?: { label: string; data: string }[];
};

/** core.telegram.org/bots/api#sendmessage; without `parse_mode`, the text needs no escaping. */
export function sendMessage(
  app: App,
  chatId: string,
  text: FormattedText,
  { buttons, ...options }: TextOptions = {},
): Promise<TelegramMessage> {
  const row = buttons?.map(({ label, data }) => ({ text: label, callback_data: data }));
  const keyboard = row ? { reply_markup: { inline_keyboard: [row] } } : {};
  const fields = { chat_id: chatId, ...text, ...options, ...keyboard };
  return call(app, "sendMessage", messageSchema, { ...json(fields), timeoutSeconds: 60 });
}

/** core.telegram.org/bots/api#editmessagetext; without `reply_markup`, the message loses its buttons. */
export function editMessageText(app: App, chatId: string, messageId: string, text: string): Promise<TelegramMessage> {
  return call(app, "editMessageText", messageSchema, json({ chat_id: chatId, message_id: Number(messageId), text }));
}

/** core.telegram.org/bots/api#answercallbackquery: ends the waiting state of a pressed button. */
export function answerCallbackQuery(app: App, queryId: string): Promise<boolean> {
  return call(app, "answerCallbackQuery", z.boolean(), json({ callback_query_id: queryId }));
}

export type TelegramFile = FilePart & {
  kind: "photo" | "animation" | "video";
  width?: number;
  height?: number;
  durationSeconds?: number;
};

/** Telegram takes minutes for large files, and an upload whose answer is lost cannot be looked up. */
const UPLOAD_TIMEOUT_SECONDS = 300;

const SENT_AS = { photo: "sendPhoto", animation: "sendAnimation", video: "sendVideo" };

/** core.telegram.org/bots/api#sendphoto, #sendanimation and #sendvideo; only videos can have a cover. */
export function sendSingleFile(
  app: App,
  chatId: string,
  { text, entities }: FormattedText,
  file: TelegramFile,
  { cover, ...options }: MessageOptions & { cover?: FilePart },
): Promise<TelegramMessage> {
  const form = multipart({
    chat_id: chatId,
    caption: text || undefined,
    caption_entities: entities && JSON.stringify(entities),
    ...textFields(options),
    ...(file.kind === "video" ? textFields(videoFacts(file)) : {}),
    ...(cover ? { cover: "attach://cover_file" } : {}),
    [file.kind]: file,
    cover_file: cover,
  });
  return call(app, SENT_AS[file.kind], messageSchema, { ...form, timeoutSeconds: UPLOAD_TIMEOUT_SECONDS });
}

/** core.telegram.org/bots/api#sendmediagroup; the first item's caption is shown as the album's caption. */
export function sendMediaGroup(
  app: App,
  chatId: string,
  { text, entities }: FormattedText,
  files: TelegramFile[],
  options: MessageOptions,
): Promise<TelegramMessage[]> {
  const media = files.map((file, index) => ({
    type: file.kind,
    media: `attach://file${index}`,
    ...(index === 0 && text ? { caption: text, caption_entities: entities } : {}),
    ...(file.kind === "video" ? videoFacts(file) : {}),
  }));
  const attached = Object.fromEntries(files.map((file, index) => [`file${index}`, file]));
  const form = multipart({ chat_id: chatId, media: JSON.stringify(media), ...textFields(options), ...attached });
  return call(app, "sendMediaGroup", z.array(messageSchema).min(1), {
    ...form,
    timeoutSeconds: UPLOAD_TIMEOUT_SECONDS,
  });
}

function videoFacts({ width, height, durationSeconds }: TelegramFile) {
  const duration = durationSeconds === undefined ? undefined : Math.round(durationSeconds);
  return { width, height, duration, supports_streaming: true };
}

function textFields(fields: { [name: string]: number | boolean | undefined }): { [name: string]: string | undefined } {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );
}

const userSchema = z.object({
  id: idSchema,
  is_bot: z.boolean().default(false),
  first_name: z.string().default(""),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const memberSchema = permissionsSchema.extend({
  status: z.string(),
  can_post_messages: z.boolean().optional(),
  is_member: z.boolean().optional(),
});
const updateSchema = z.object({
  update_id: z.number(),
  message: z
    .object({
      chat: chatSchema,
      from: userSchema.optional(),
      text: z.string().optional(),
      migrate_to_chat_id: idSchema.optional(),
    })
    .optional()
    .catch(undefined),
  /** #callbackquery: a pressed button. The message may be too old to be shown, but keeps its chat and id. */
  callback_query: z
    .object({
      id: idSchema,
      from: userSchema,
      message: messageSchema.optional(),
      data: z.string().optional(),
    })
    .optional()
    .catch(undefined),
  my_chat_member: z
    .object({ chat: chatSchema, from: userSchema, new_chat_member: memberSchema })
    .optional()
    .catch(undefined),
});

export type ChatPermissions = z.output<typeof permissionsSchema>;
export type TelegramUser = z.output<typeof userSchema>;
export type ChatMember = z.output<typeof memberSchema>;
export type Update = z.output<typeof updateSchema>;

/** core.telegram.org/bots/api#getupdates: requesting an offset acknowledges all earlier updates. */
export function getUpdates(app: App, offset: number, waitSeconds: number): Promise<Update[]> {
  const request = json({
    offset,
    timeout: waitSeconds,
    limit: 100,
    allowed_updates: ["message", "callback_query", "my_chat_member", "channel_post"],
  });
  return call(app, "getUpdates", z.array(updateSchema), { ...request, timeoutSeconds: waitSeconds + 15 });
}

/** core.telegram.org/bots/api#getchatmember */
export function getChatMember(app: App, chatId: string, userId: string): Promise<ChatMember> {
  return call(app, "getChatMember", memberSchema, json({ chat_id: chatId, user_id: Number(userId) }));
}

/**
 * core.telegram.org/bots/api#uploadstickerfile: stores a file for the sticker sets of a person who uses the bot. It is in no set
 * and in no chat, so nobody sees it.
 */
export async function uploadStickerFile(app: App, personId: string, sticker: FilePart): Promise<void> {
  const form = multipart({ user_id: personId, sticker_format: "static", sticker });
  await call(app, "uploadStickerFile", z.object({ file_id: z.string() }), form);
}
