import { PlatformError } from "../errors";
import type { NetworkSession, OutgoingMedia, OutgoingPost, Published, Run } from "../network";
import { readMarkup } from "../text/markup";
import {
  type FormattedText,
  getChat,
  getChatMember,
  type MessageOptions,
  sendMediaGroup,
  sendMessage,
  sendSingleFile,
  type TelegramFile,
  type TelegramMessage,
} from "./api";
import { canPost } from "./connect";
import { newChatId } from "./errors";
import type { TelegramSettings } from "./settings";

type Post = OutgoingPost<TelegramSettings>;

export function publishText(post: Post, run: Run): Promise<Published> {
  const preview = post.settings.disableLinkPreview ? { link_preview_options: { is_disabled: true } as const } : {};
  const options = { ...optionsOf(post), ...preview };
  return publish(post, run, (chatId) => sendMessage(run.app, chatId, formattedText(post), options));
}

export function publishFile(post: Post, run: Run): Promise<Published> {
  const [media] = post.media;
  if (!media) throw new PlatformError("rejected", "This Telegram message needs an image or a video");
  const cover = media.kind === "video" ? post.thumbnail : undefined;
  const options = { ...optionsOf(post), cover: cover && { ...cover, open: () => cover.open() } };
  const file = telegramFile(media);
  return publish(post, run, (chatId) => sendSingleFile(run.app, chatId, formattedText(post), file, options));
}

/** Publishes an album in one call, so all or nothing is sent. The first message represents it. */
export function publishAlbum(post: Post, run: Run): Promise<Published> {
  return publish(post, run, async (chatId) => {
    const files = post.media.map(telegramFile);
    const [first] = await sendMediaGroup(run.app, chatId, formattedText(post), files, optionsOf(post));
    if (!first) throw new PlatformError("unknown", "Telegram answered without a message");
    return first;
  });
}

function optionsOf({ settings }: Post): MessageOptions {
  return {
    ...(settings.disableNotification ? { disable_notification: true } : {}),
    ...(settings.protectContent ? { protect_content: true } : {}),
  };
}

/** Reads the markup here, so that Telegram never refuses a text for it. */
function formattedText({ content, settings }: Post): FormattedText {
  if (!settings.parseMode) return { text: content };
  const { text, entities, problem } = readMarkup(content);
  if (problem) throw new PlatformError("rejected", `The markup of this text cannot be read: ${problem}`);
  return entities.length > 0 ? { text, entities } : { text };
}

/** Bots cannot read a chat's history, so there is no recovery after a lost answer. */
async function publish(post: Post, run: Run, send: (chatId: string) => Promise<TelegramMessage>): Promise<Published> {
  const { chatId } = post;
  if (!chatId) throw new PlatformError("rejected", "A Telegram post needs a channel or chat");
  await run.step("rights", async () => assertMayPost(run, chatId).then(() => true));
  const message = await run.commit("send", () => sendToCurrentId(chatId, send));
  const permalink = permalinkOf(message);
  return permalink ? { id: message.message_id, permalink } : { id: message.message_id };
}

/** If a group has become a supergroup, Telegram sends nothing and returns the new ID, which is then used. */
async function sendToCurrentId(
  chatId: string,
  send: (chatId: string) => Promise<TelegramMessage>,
): Promise<TelegramMessage> {
  try {
    return await send(chatId);
  } catch (error) {
    const moved = error instanceof PlatformError ? newChatId(error) : undefined;
    if (!moved) throw error;
    return send(moved);
  }
}

/**
 * Returns the message's address: by name for public chats, by ID for members of private ones. Basic groups have no addresses,
 * and neither do videos that Telegram is still processing (`message_id` 0).
 */
export function permalinkOf({ message_id, chat }: TelegramMessage): string | undefined {
  if (message_id === "0") return undefined;
  if (chat.username) return `https://t.me/${chat.username}/${message_id}`;
  const inner = chat.id.match(/^-100(\d+)$/)?.[1];
  return inner && `https://t.me/c/${inner}/${message_id}`;
}

function telegramFile(media: OutgoingMedia): TelegramFile {
  const kind = media.kind === "video" ? "video" : (media.frames ?? 1) > 1 ? "animation" : "photo";
  return { ...media, kind, open: () => media.open() };
}

/**
 * Checks that the user may still post in the chat. The bot can post wherever it was added, and Telegram does not notify us when
 * a user loses the right (core.telegram.org/bots/api#getchatmember).
 * @throws PlatformError `rejected` if the user may not post there (any more)
 */
async function assertMayPost(session: NetworkSession, chatId: string): Promise<void> {
  const chat = await getChat(session.app, chatId).catch(ignoreIfMoved);
  // A basic group has no member rights, and a migrated one no longer reports its members.
  if (!chat || chat.type === "group") return;
  const allowed = chat.type === "private" ? chat.id === session.accountId : await isAllowed(session, chat.type, chatId);
  if (!allowed)
    throw new PlatformError("rejected", "You may no longer post in this Telegram chat. Ask its owner for the right");
}

async function isAllowed(session: NetworkSession, type: string, chatId: string): Promise<boolean> {
  try {
    return canPost({ type }, await getChatMember(session.app, chatId, session.accountId));
  } catch (error) {
    // In groups, Telegram reports other members only to bots that are administrators.
    if (type === "channel" || !(error instanceof PlatformError) || error.kind !== "rejected") throw error;
    return true;
  }
}

function ignoreIfMoved(error: unknown): undefined {
  if (!(error instanceof PlatformError) || !newChatId(error)) throw error;
}
