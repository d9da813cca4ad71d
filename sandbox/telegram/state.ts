import * as z from "zod";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { StoredMedia } from "../core/posts";
import { type SlidingWindows, slidingWindows } from "../core/rate-limits";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";
import type { BotError } from "./request";

export const BOT = {
  token: "1000000001:sandbox-telegram-bot",
  id: 1_000_000_001,
  username: "carillon_sandbox_bot",
  name: "Carillon Sandbox",
};

/** Behaviour that is not documented, set by `/_control/telegram/switches`. */
const NewSwitches = z.strictObject({
  /** Whether a bot gets its own posts in a channel as updates. It never gets its own messages in other chats. */
  sendsOwnPosts: z.boolean().default(false),
});

export type Chat = {
  id: number;
  type: "private" | "channel" | "group" | "supergroup";
  title?: string;
  username?: string;
  /** The user who owns the chat. */
  owner: string;
  /** The bot's status in the chat; `none` if it never met the chat. */
  bot: "none" | "member" | "administrator" | "left" | "kicked";
  canPost: boolean;
  /** What the bot may not send in a restricting group. */
  denied?: string[];
  /** The id of the supergroup that replaced this basic group. */
  movedTo?: number;
  lastMessageId: number;
};

export type BotFile = StoredMedia & {
  kind: "photo" | "video" | "animation" | "document";
  width: number;
  height: number;
  duration: number;
  name: string;
};

export type Message = { chatId: number; id: number; album?: string; result: Record<string, unknown> };

/** A pressed button. `answer` is the text of `answerCallbackQuery`, once the bot has called it. */
export type BotQuery = { person: string; messageId: number; answer?: string };
/** Questions of the bot that a user will answer with the first button, each with the channels to add the bot to then. */
export type Agreement = { channels: string[] };

export type UpdateType =
  | "message"
  | "my_chat_member"
  | "callback_query"
  | "channel_post"
  | "chat_member"
  | (string & {});
export type Poll = { wake(refusal?: BotError): void };
export type Webhook = { url: string; secret?: string };
export type BotSettings = { allowed?: UpdateType[]; webhook?: Webhook; nextUpdate: number };
export type Update = { update_id: number; date: number; body: Record<string, unknown> };

export type TelegramState = {
  world: World;
  chats: Collection<Chat>;
  messages: Collection<Message>;
  files: Collection<BotFile>;
  updates: Collection<Update>;
  queries: Collection<BotQuery>;
  agreements: Collection<Agreement[]>;
  settings: Collection<BotSettings>;
  limits: SlidingWindows;
  switches: Switches<z.output<typeof NewSwitches>>;
  /** The long poll that is waiting. */
  poll?: Poll;
  /** Starts webhook delivery. */
  wakeWebhook(): void;
};

export function openState(world: World): TelegramState {
  return {
    world,
    chats: world.collection("telegram.chats"),
    messages: world.collection("telegram.messages"),
    files: world.collection("telegram.files"),
    updates: world.collection("telegram.updates"),
    queries: world.collection("telegram.queries"),
    agreements: world.collection("telegram.agreements"),
    settings: world.collection("telegram.settings"),
    limits: slidingWindows(world.clock.now),
    switches: createSwitches(NewSwitches),
    wakeWebhook() {},
  };
}

export function botSettings(state: TelegramState): BotSettings {
  return state.settings.get("bot") ?? { nextUpdate: 100_000_001 };
}

/** Telegram's ids fit in 52 bits. */
export function userId(name: string): number {
  return Number(stableId(["telegram", name], 5_000_000_000n, 2_000_000_000n));
}

export function isOwner(chat: Chat, id: number): boolean {
  return userId(chat.owner) === id;
}

/** The id of a channel or supergroup, which starts with -100. */
export function channelId(name: string, which: "public" | "private"): number {
  return Number(`-100${stableId(["telegram", which, name], 1_000_000_000n, 2_900_000_000n)}`);
}

export function chatOf(state: TelegramState, id: number): Chat | undefined {
  return state.chats.get(String(id));
}

export function keepChat(state: TelegramState, chat: Chat): Chat {
  return state.chats.put(String(chat.id), chat);
}
