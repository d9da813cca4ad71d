import { PlatformError } from "../errors";
import type { Session } from "../network";
import { getChat, getChatMember } from "./api";
import { canPost } from "./connect";
import { newChatId } from "./errors";

/**
 * The bot may post wherever anybody let it in, so a post needs its person to have that right still: Telegram doesn't
 * tell when somebody loses it (core.telegram.org/bots/api#getchatmember).
 * @throws PlatformError `rejected` where the person may not post there, or not any more
 */
export async function assertMayPost(session: Session, chatId: string): Promise<void> {
  const chat = await getChat(session.app, chatId).catch(whereMoved);
  // A basic group has no rights of its own, and one that moved answers for its members no more.
  if (!chat || chat.type === "group") return;
  const allowed = chat.type === "private" ? chat.id === session.accountId : await isAllowed(session, chat.type, chatId);
  if (!allowed)
    throw new PlatformError("rejected", "You may not post in this Telegram chat any more. Ask its owner for the right");
}

async function isAllowed(session: Session, type: string, chatId: string): Promise<boolean> {
  try {
    return canPost({ type }, await getChatMember(session.app, chatId, session.accountId));
  } catch (error) {
    // In a group Telegram answers about others only to a bot that is an administrator there.
    if (type === "channel" || !(error instanceof PlatformError) || error.kind !== "rejected") throw error;
    return true;
  }
}

function whereMoved(error: unknown): undefined {
  if (!(error instanceof PlatformError) || !newChatId(error)) throw error;
}
