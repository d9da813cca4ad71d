import { PlatformError } from "../errors";
import type { Session } from "../network";
import { getChat, getChatMember } from "./api";
import { canPost } from "./connect";
import { newChatId } from "./errors";

/**
 * Checks that the user may still post in the chat. The bot can post wherever it was added, and Telegram does not notify us when
 * a user loses the right (core.telegram.org/bots/api#getchatmember).
 * @throws PlatformError `rejected` if the user may not post there (any more)
 */
export async function assertMayPost(session: Session, chatId: string): Promise<void> {
  const chat = await getChat(session.app, chatId).catch(whereMoved);
  // A basic group has no member rights, and a migrated one no longer reports its members.
  if (!chat || chat.type === "group") return;
  const allowed = chat.type === "private" ? chat.id === session.accountId : await isAllowed(session, chat.type, chatId);
  if (!allowed)
    throw new PlatformError("rejected", "You may no longer post in this Telegram chat. Ask its owner for the right");
}

async function isAllowed(session: Session, type: string, chatId: string): Promise<boolean> {
  try {
    return canPost({ type }, await getChatMember(session.app, chatId, session.accountId));
  } catch (error) {
    // In groups, Telegram reports other members only to bots that are administrators.
    if (type === "channel" || !(error instanceof PlatformError) || error.kind !== "rejected") throw error;
    return true;
  }
}

function whereMoved(error: unknown): undefined {
  if (!(error instanceof PlatformError) || !newChatId(error)) throw error;
}
