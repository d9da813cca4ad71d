import type { StoredMedia } from "../core/posts";
import { BOT_USER, presentChat, writableChat } from "./chats";
import { isSettable } from "./formatting";
import type { Entity } from "./parse-modes";
import { badRequest, isTrue, jsonParameter, tooManyRequests } from "./request";
import { type Chat, chatOf, keepChat, type Message, type TelegramState } from "./state";
import { emitUpdate } from "./updates";

type Text = Record<string, string>;
export type Content = { fields: Record<string, unknown>; file?: StoredMedia };
export type MessageText = { text: string; entities: Entity[] };

/** Limits as users report them; Telegram publishes none. Each album item counts as a message. */
const PER_CHANNEL = { count: 20, seconds: 60 };
const PER_BOT = { count: 30, seconds: 1 };

/** The chat to send to. Counts the messages against the limits of the chat and the bot. */
export function chatForSending(
  state: TelegramState,
  call: { account(name: string): void },
  text: Text,
  count: number,
  what: string[],
): Chat {
  const chat = writableChat(state, text.chat_id, what);
  call.account(chat.owner);
  const wait =
    (chat.type !== "private"
      ? state.limits.take(`chat/${chat.id}`, count, PER_CHANNEL.count, PER_CHANNEL.seconds)
      : 0) || state.limits.take("bot", count, PER_BOT.count, PER_BOT.seconds);
  if (wait > 0) throw tooManyRequests(wait);
  return chat;
}

/** Stores the messages of one call (several for an album) and adds one post. */
export function deliver(
  state: TelegramState,
  to: Chat,
  text: Text,
  contents: Content[],
  words: MessageText,
): Record<string, unknown>[] {
  const replyTo = repliedMessage(state, to, text);
  return state.world.transaction(() => {
    const chat = chatOf(state, to.id) ?? to;
    const first = chat.lastMessageId + 1;
    keepChat(state, { ...chat, lastMessageId: chat.lastMessageId + contents.length });
    const album =
      contents.length > 1 ? `${1_300_000_000_000 + first}${String(Math.abs(chat.id)).slice(-5)}` : undefined;
    const now = state.world.clock.now();
    const results = contents.map(({ fields }, index) => {
      const result = {
        message_id: first + index,
        ...(chat.type === "channel" ? { sender_chat: presentChat(chat) } : { from: BOT_USER }),
        chat: presentChat(chat),
        date: Math.floor(now / 1000),
        ...(replyTo ? { reply_to_message: replyTo.result } : {}),
        ...(album ? { media_group_id: album } : {}),
        ...(isTrue(text.protect_content) ? { has_protected_content: true } : {}),
        ...fields,
      };
      const { reply_to_message: _, ...kept } = result as Record<string, unknown>;
      keepMessage(state, { chatId: chat.id, id: first + index, album: album && String(first), result: kept });
      if (chat.type === "channel" && state.switches.sendsOwnPosts) emitUpdate(state, "channel_post", result);
      return result;
    });
    // A conversation with the bot is not a post.
    if (chat.type !== "private")
      state.world.posts.add({
        id: String(first),
        network: "telegram",
        account: chat.owner,
        text: words.text,
        media: contents.flatMap(({ file }) => file ?? []),
        chatId: String(chat.id),
        ...(replyTo ? { replyTo: String(replyTo.id) } : {}),
        settings: settingsOf(text, words),
        permalink: permalinkOf(chat, first),
        receivedTime: new Date(now).toISOString(),
      });
    return results;
  });
}

function permalinkOf(chat: Chat, messageId: number): string {
  const where =
    chat.username ??
    (chat.type === "channel" || chat.type === "supergroup"
      ? `c/${String(chat.id).replace(/^-100/, "")}`
      : `u/${chat.owner}`);
  return `https://t.me/${where}/${messageId}`;
}

const SETTINGS = [
  "disable_notification",
  "protect_content",
  "supports_streaming",
  "show_caption_above_media",
  "has_spoiler",
  "parse_mode",
  "cover",
];

/** The parameters of a post. `entities`: the formatting that the bot asked for, without what Telegram found itself. */
function settingsOf(text: Text, words: MessageText): Record<string, unknown> {
  const flags = SETTINGS.flatMap((name) =>
    text[name] === undefined ? [] : [[name, ["parse_mode", "cover"].includes(name) ? text[name] : isTrue(text[name])]],
  );
  const preview = linkPreview(text);
  const entities = words.entities.filter(isSettable);
  return {
    ...Object.fromEntries(flags),
    ...(preview === undefined ? {} : { link_preview_options: preview }),
    ...(entities.length > 0 ? { entities } : {}),
  };
}

/** `link_preview_options` of a text. Source: Bot API, LinkPreviewOptions. */
function linkPreview(text: Text): unknown {
  const options = jsonParameter(text, "link_preview_options");
  if (options !== undefined && (typeof options !== "object" || options === null || Array.isArray(options)))
    throw badRequest("object expected as link preview options");
  return options;
}

function repliedMessage(state: TelegramState, chat: Chat, text: Text): Message | undefined {
  const parameters = jsonParameter(text, "reply_parameters");
  const { message_id: id = text.reply_to_message_id, allow_sending_without_reply: mayBeMissing = false } =
    (parameters ?? {}) as Record<string, unknown>;
  if (id === undefined) return undefined;
  const message = findMessage(state, chat.id, Number(id));
  if (!message && mayBeMissing !== true) throw badRequest("message to be replied not found");
  return message;
}

/**
 * The bot's message that an edit names.
 * @throws BotError
 */
export function editedMessage(state: TelegramState, text: Text): Message {
  const chat = writableChat(state, text.chat_id);
  const message = findMessage(state, chat.id, Number(text.message_id));
  if (!message) throw badRequest("message to edit not found");
  return message;
}

export function findMessage(state: TelegramState, chatId: number, id: number): Message | undefined {
  return state.messages.get(`${chatId}/${id}`);
}

export function keepMessage(state: TelegramState, message: Message): void {
  state.messages.put(`${message.chatId}/${message.id}`, message);
}

/** `deleteMessage`. Deleting the first or only message also removes the post. */
export function deleteMessage(state: TelegramState, text: Text): boolean {
  const chat = writableChat(state, text.chat_id);
  const message = findMessage(state, chat.id, Number(text.message_id));
  if (!message) throw badRequest("message to delete not found");
  state.world.transaction(() => {
    state.messages.delete(`${chat.id}/${message.id}`);
    state.world.posts.remove("telegram", String(message.id), String(chat.id));
  });
  return true;
}
