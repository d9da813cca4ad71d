import { z } from "zod";
import type { Answer } from "../core/network";
import { personUser, presentChat } from "./people";
import { newGroup, setBotIn } from "./start";
import { channelId, chatOf, keepChat, type TelegramState } from "./state";
import { emitUpdate } from "./updates";

/** `POST /_control/telegram/make-group`: a person makes a basic group and takes the bot in. */
export function makeGroup(state: TelegramState, body: unknown): Answer {
  const { person, title } = z.strictObject({ person: z.string(), title: z.string() }).parse(body);
  const chat = newGroup(state, person, title);
  state.world.together(() => setBotIn(state, chat, { bot: "member", canPost: true }, person));
  return Response.json({ chatId: String(chat.id) });
}

/**
 * `POST /_control/telegram/upgrade-group`: the basic group becomes a supergroup with an id of its own, and the bot hears of
 * it as a service message of either chat. Source: Bot API, `migrate_to_chat_id`.
 */
export function upgradeGroup(state: TelegramState, body: unknown): Answer {
  const { chatId } = z.strictObject({ chatId: z.string() }).parse(body);
  const group = chatOf(state, Number(chatId));
  if (group?.type !== "group") return Response.json({ error: `Unknown group: ${chatId}` }, { status: 404 });
  const upgraded = { ...group, id: channelId(`${group.owner} ${group.id}`, "private"), type: "supergroup" as const };
  state.world.together(() => {
    keepChat(state, { ...group, movedTo: upgraded.id });
    keepChat(state, upgraded);
    const of = { message_id: 1, from: personUser(group.owner), date: Math.floor(state.world.clock.now() / 1000) };
    emitUpdate(state, "message", { ...of, chat: presentChat(group), migrate_to_chat_id: upgraded.id });
    emitUpdate(state, "message", { ...of, chat: presentChat(upgraded), migrate_from_chat_id: group.id });
  });
  return Response.json({ chatId: String(upgraded.id) });
}

/** `POST /_control/telegram/restrict-bot`: what it may not send from now on (`photos`, `videos`, `text messages`). */
export function restrictBot(state: TelegramState, body: unknown): Answer {
  const { chatId, denied } = z.strictObject({ chatId: z.string(), denied: z.array(z.string()) }).parse(body);
  const chat = chatOf(state, Number(chatId));
  if (!chat) return Response.json({ error: `Unknown chat: ${chatId}` }, { status: 404 });
  keepChat(state, { ...chat, denied });
  return new Response(null, { status: 204 });
}
