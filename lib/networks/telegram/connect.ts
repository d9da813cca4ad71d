import type { App, BotConnect, BotEvent, DestinationProblem, NetworkSession, Profile } from "../network";
import {
  answerCallbackQuery,
  type ChatMember,
  type ChatPermissions,
  editMessageText,
  getChat,
  getChatMember,
  getMe,
  getUpdates,
  sendMessage,
  type TelegramChat,
  type TelegramUser,
  type Update,
} from "./api";

/** core.telegram.org/bots/features#deep-linking: when a user presses Start, their client sends `/start CODE`. */
export const connect: BotConnect = {
  kind: "bot",
  missingRights,
  rights:
    "Open the chat in Telegram. In a channel, Administrators: the bot must be listed with the right to post messages. In a group, make the bot an administrator, or let members send messages, photos, videos and GIFs under Permissions",
  async startUrl(app: App, code: string) {
    const { username } = await getMe(app);
    return `${app.url(`/${username}`, "web")}?start=${code}`;
  },
  /** See the same page. `startchannel` carries no code and needs none; in groups, members may post unless restricted. */
  async addUrls(app) {
    const bot = app.url(`/${(await getMe(app)).username}`, "web");
    return { channel: `${bot}?startchannel&admin=post_messages`, group: `${bot}?startgroup=add` };
  },
  async ask(app, personId, text, buttons) {
    await sendMessage(app, personId, { text }, { buttons });
  },
  async tell(app, personId, text) {
    await sendMessage(app, personId, { text });
  },
  /** Telegram shows a pressed button as waiting until the query is answered. */
  async conclude(app, { id, profile, messageId }, text) {
    try {
      await editMessageText(app, profile.accountId, messageId, text);
    } finally {
      await answerCallbackQuery(app, id); // also if the message is gone, or was changed by the first of two presses
    }
  },
  async updates(app, offset, waitSeconds) {
    const updates = await getUpdates(app, offset, Math.min(waitSeconds, 50));
    return {
      events: updates.flatMap((update) => eventOf(update) ?? []),
      offset: Math.max(offset, ...updates.map(({ update_id }) => update_id + 1)),
    };
  },
};

/** Returns the event of an update; most updates have none. */
export function eventOf(update: Update): BotEvent | undefined {
  const { message, my_chat_member: member, callback_query: query } = update;
  // A question is only asked in the private chat, whose id is the person's own id.
  if (query?.message && query.data && query.message.chat.id === query.from.id && !query.from.is_bot) {
    const { id, data, from } = query;
    return { kind: "answer", id, data, profile: profileOf(from), messageId: query.message.message_id };
  }
  if (message?.migrate_to_chat_id) return { kind: "moved", from: message.chat.id, to: message.migrate_to_chat_id };
  if (message?.text && message.from && !message.from.is_bot && message.chat.type === "private") {
    const code = message.text.match(/^\/start(?:@\w+)?\s+([A-Za-z0-9_-]{1,64})\s*$/)?.[1];
    return code ? { kind: "start", code, profile: profileOf(message.from) } : undefined;
  }
  if (member && ["channel", "supergroup", "group"].includes(member.chat.type)) {
    const { chat, from } = member;
    return {
      kind: "destination",
      byAccountId: from.id,
      destination: { id: chat.id, title: chat.title ?? chat.id, type: chat.type },
      problem: problemOf(chat, member.new_chat_member),
    };
  }
  return undefined;
}

function problemOf(chat: TelegramChat, member: ChatMember): DestinationProblem | undefined {
  if (canPost(chat, member)) return undefined;
  const isOut = member.status === "left" || member.status === "kicked" || member.is_member === false;
  return isOut ? "REMOVED" : "NO_RIGHT";
}

/** Whether a member may post: in a channel only with the explicit right, in a group unless restricted. */
export function canPost(chat: Pick<TelegramChat, "type">, member: ChatMember): boolean {
  if (member.status === "creator") return true;
  if (chat.type === "channel") return member.status === "administrator" && member.can_post_messages === true;
  if (member.status === "restricted") return member.is_member === true && member.can_send_messages === true;
  return member.status === "administrator" || member.status === "member";
}

const KINDS = [
  ["can_send_messages", "send texts"],
  ["can_send_photos", "send images"],
  ["can_send_videos", "send videos"],
  ["can_send_other_messages", "send animations"],
] as const;

/** In a group, a member needs both the group's permissions and its own; administrators need none. */
async function missingRights(app: App, chatId: string): Promise<string[]> {
  const [{ id: botId }, chat] = [await getMe(app), await getChat(app, chatId)];
  const member = await getChatMember(app, chatId, botId);
  if (chat.type === "channel" || problemOf(chat, member) === "REMOVED")
    return canPost(chat, member) ? [] : ["post messages"];
  if (member.status === "creator" || member.status === "administrator") return [];
  const given: (ChatPermissions | undefined)[] = [chat.permissions, member];
  return KINDS.filter(([right]) => given.some((rights) => rights?.[right] === false)).map(([, what]) => what);
}

/** Users without a user name get their ID instead. The photo is left out because its address would contain the bot's token. */
export function profileOf(
  user: Pick<TelegramUser, "id" | "username" | "last_name"> & { first_name?: string },
): Profile {
  const displayName = [user.first_name, user.last_name].filter(Boolean).join(" ");
  const username = user.username ?? user.id;
  return { accountId: user.id, username, displayName: displayName || username };
}

/** Reads the user; the ID of their private chat is their own ID. */
export async function profile(session: NetworkSession): Promise<Profile> {
  return profileOf(await getChat(session.app, session.accountId));
}
