import { html } from "hono/html";
import type { Call } from "../core/network";
import { PAGE_HEADERS, page } from "../core/page";
import { isUserName } from "../core/users";
import { buttonsOf, lastQuery, pressButton } from "./keyboard";
import { BOT, type TelegramState, userId } from "./state";

/** The address of a user's chat with the bot, relative to this network. */
export const CHAT_PATH = `/${BOT.username}/chat`;

/**
 * A user's private chat with the bot: its messages and their buttons. GET with `account` shows it; POST with `account`,
 * `message` and `data` presses a button. The page loads itself again while the bot's answer is due.
 */
export async function chatPage(state: TelegramState, call: Call): Promise<Response> {
  const form = call.req.method === "POST" ? new URLSearchParams(await call.req.text()) : undefined;
  const account = (form?.get("account") ?? call.req.query("account") ?? "").trim();
  if (!isUserName(account)) return call.text("account must be a user's name", 400);
  if (!form) return showChat(state, call, account);
  const [message, data] = [Number(form.get("message")), form.get("data") ?? ""];
  call.get("entry").account = account;
  const isPressed = state.world.transaction(() => pressButton(state, account, message, data));
  if (!isPressed) return call.text("This message has no such button any more", 400);
  return call.body(null, 303, { location: chatAddress(call, account) });
}

/** The address of the chat page, from any page of this network. */
export function chatAddress(call: Call, account: string): string {
  const { pathname } = new URL(call.req.url);
  const base = pathname.slice(0, pathname.indexOf(`/${BOT.username}`));
  return `${base}${CHAT_PATH}?account=${account}`;
}

function showChat(state: TelegramState, call: Call, account: string): Response | Promise<Response> {
  const messages = state.messages.values().filter(({ chatId }) => chatId === userId(account));
  const query = lastQuery(state, account);
  const isWaiting = messages.length === 0 || (query && query.answer === undefined);
  const body = html`<h1>Sandbox Telegram</h1>
<p class="soft">${account}’s chat with @${BOT.username}. This is not Telegram. It is a simulation, for testing.</p>
${query?.answer ? html`<p role="status"><strong>${query.answer}</strong></p>` : ""}
${messages.map(
  (message) => html`<form class="card" method="post" action="${new URL(call.req.url).pathname}">
  <p class="text">${String(message.result.text ?? "A file")}</p>
  <input type="hidden" name="account" value="${account}"><input type="hidden" name="message" value="${message.id}">
  <div class="buttons">${buttonsOf(message).map(
    ({ text, callback_data }) => html`<button name="data" value="${callback_data}">${text}</button>`,
  )}</div>
</form>`,
)}
${isWaiting ? html`<p class="soft">Waiting for the bot…</p>` : ""}
<p><a href="${chatAddress(call, account)}">Look again</a></p>`;
  return call.html(page("Sandbox Telegram: chat with the bot", body, "narrow"), 200, {
    ...PAGE_HEADERS,
    ...(isWaiting ? { refresh: "1" } : {}),
  });
}
