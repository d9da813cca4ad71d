import type { App, BotConnect, BotEvent, DestinationProblem, Profile, Session } from "../network";
import { type Chat, getChat, getMe, getUpdates, type Member, type Update, type User } from "./api";

/** core.telegram.org/bots/features#deep-linking: pressing Start sends `/start CODE` from the person who pressed it. */
export const connect: BotConnect = {
  kind: "bot",
  async startUrl(app: App, code: string) {
    const { username } = await getMe(app);
    return `${app.url(`/${username}`, "web")}?start=${code}`;
  },
  /** Same page: `startchannel` carries no code and needs none; a group's members are let post unless they are kept from it. */
  async addUrls(app) {
    const bot = app.url(`/${(await getMe(app)).username}`, "web");
    return { channel: `${bot}?startchannel&admin=post_messages`, group: `${bot}?startgroup=add` };
  },
  async updates(app, offset, waitSeconds) {
    const updates = await getUpdates(app, offset, Math.min(waitSeconds, 50));
    return {
      events: updates.flatMap((update) => eventOf(update) ?? []),
      offset: Math.max(offset, ...updates.map(({ update_id }) => update_id + 1)),
    };
  },
};

/** What an update means to us; most mean nothing. */
export function eventOf(update: Update): BotEvent | undefined {
  const { message, my_chat_member: member } = update;
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

function problemOf(chat: Chat, member: Member): DestinationProblem | undefined {
  if (canPost(chat, member)) return undefined;
  const isOut = member.status === "left" || member.status === "kicked" || member.is_member === false;
  return isOut ? "REMOVED" : "NO_RIGHT";
}

/** Whether a member may post: in a channel only with that very right, in a group unless it was taken away. */
export function canPost(chat: Pick<Chat, "type">, member: Member): boolean {
  if (member.status === "creator") return true;
  if (chat.type === "channel") return member.status === "administrator" && member.can_post_messages === true;
  if (member.status === "restricted") return member.is_member === true && member.can_send_messages === true;
  return member.status === "administrator" || member.status === "member";
}

/** A person may have no user name; the id stands in for it. The photo's address would hold the bot's token: left out. */
export function profileOf(user: Pick<User, "id" | "username" | "last_name"> & { first_name?: string }): Profile {
  const displayName = [user.first_name, user.last_name].filter(Boolean).join(" ");
  const username = user.username ?? user.id;
  return { accountId: user.id, username, displayName: displayName || username };
}

/** The person as the bot sees them: their private chat has their own id. */
export async function profile(session: Session): Promise<Profile> {
  return profileOf(await getChat(session.app, session.accountId));
}
