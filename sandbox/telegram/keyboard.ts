import * as z from "zod";
import { presentUser } from "./chats";
import { editedMessage, findMessage, keepMessage } from "./deliver";
import { formatted } from "./formatting";
import { BotError, badRequest, jsonParameter } from "./request";
import { type BotQuery, type Message, type TelegramState, userId } from "./state";
import { emitUpdate } from "./updates";

type Text = Record<string, string>;

const MAX_DATA_BYTES = 64;
const MAX_ANSWER = 200;

const Keyboard = z.object({
  inline_keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string().optional() }))),
});
type Button = { text: string; callback_data: string };

/**
 * Reads `reply_markup`. Only inline keyboards with `callback_data` are simulated. Source: Bot API, InlineKeyboardButton.
 * @throws BotError
 */
export function inlineKeyboard(text: Text): { inline_keyboard: Button[][] } | undefined {
  const value = jsonParameter(text, "reply_markup");
  if (value === undefined) return undefined;
  const parsed = Keyboard.safeParse(value);
  if (!parsed.success) throw badRequest("object expected as reply markup");
  return { inline_keyboard: parsed.data.inline_keyboard.map((row) => row.map(checkedButton)) };
}

function checkedButton({ text, callback_data: data }: { text: string; callback_data?: string }): Button {
  if (text === "") throw badRequest("can't parse inline keyboard button: text buttons must be non-empty");
  if (data === undefined) throw badRequest("can't parse inline keyboard button: text buttons are unallowed");
  const bytes = Buffer.byteLength(data);
  if (bytes === 0 || bytes > MAX_DATA_BYTES) throw badRequest("BUTTON_DATA_INVALID");
  return { text, callback_data: data };
}

/** The buttons of a message, row by row. */
export function buttonsOf({ result }: Message): Button[] {
  const parsed = Keyboard.safeParse(result.reply_markup);
  return parsed.success ? parsed.data.inline_keyboard.flat().map(checkedButton) : [];
}

/** The user presses a button: the bot gets a `callback_query` update. Returns false if the message has no such button. */
export function pressButton(state: TelegramState, person: string, messageId: number, data: string): boolean {
  const message = findMessage(state, userId(person), messageId);
  if (!message || !buttonsOf(message).some((button) => button.callback_data === data)) return false;
  const id = `${userId(person)}${messageId}${state.queries.values().length + 1}`;
  state.queries.put(id, { person, messageId });
  const query = { id, from: presentUser(person), message: message.result, chat_instance: `-${userId(person)}`, data };
  emitUpdate(state, "callback_query", query);
  return true;
}

/** `answerCallbackQuery`: ends the waiting state of a pressed button and may show a short text. */
export function answerCallbackQuery(state: TelegramState, text: Text): boolean {
  const id = text.callback_query_id ?? "";
  const query = state.queries.get(id);
  if (!query) throw badRequest("query is too old and response timeout expired or query ID is invalid");
  if ([...(text.text ?? "")].length > MAX_ANSWER) throw badRequest("MESSAGE_TOO_LONG");
  state.queries.put(id, { ...query, answer: text.text ?? "" });
  return true;
}

/** The last pressed button of a user's chat. */
export function lastQuery(state: TelegramState, person: string): BotQuery | undefined {
  return state.queries.values().findLast((query) => query.person === person);
}

/** `editMessageText`: replaces text and keyboard; without `reply_markup`, the keyboard is removed. */
export function editMessageText(state: TelegramState, text: Text) {
  const words = formatted(text, "text", "entities");
  if (words.text === "") throw badRequest("message text is empty");
  const entities = words.entities.length > 0 ? { entities: words.entities } : {};
  return edit(state, text, ({ text: _, entities: __, ...rest }) => ({ ...rest, text: words.text, ...entities }));
}

/** `editMessageReplyMarkup`: replaces or removes the keyboard. */
export function editMessageReplyMarkup(state: TelegramState, text: Text) {
  return edit(state, text, (result) => result);
}

function edit(state: TelegramState, text: Text, change: (result: Message["result"]) => Message["result"]) {
  const message = editedMessage(state, text);
  const { reply_markup: before, edit_date: _, ...kept } = message.result;
  const keyboard = inlineKeyboard(text);
  const changed = { ...change(kept), ...(keyboard ? { reply_markup: keyboard } : {}) };
  const unchanged = { ...kept, ...(before ? { reply_markup: before } : {}) };
  if (JSON.stringify(sorted(changed)) === JSON.stringify(sorted(unchanged)))
    throw new BotError(
      400,
      "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  const result = { ...changed, edit_date: Math.floor(state.world.clock.now() / 1000) };
  keepMessage(state, { ...message, result });
  return result;
}

function sorted(fields: Record<string, unknown>): [string, unknown][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
}
