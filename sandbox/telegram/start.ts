import { html } from "hono/html";
import { consentForm, notice, readDecision } from "../core/consent";
import type { Call } from "../core/network";
import type { Person } from "../core/people";
import { personUser, presentBotMember, presentChat } from "./people";
import { BOT, type Chat, channelId, chatOf, keepChat, type TelegramState, userId } from "./state";
import { emitUpdate } from "./updates";

/**
 * `t.me/<bot>?start=<code>` with the Telegram application behind it: the person presses Start and makes the bot
 * administrator of the ticked channels. Source: Bot features, deep linking.
 */
export async function startPage(state: TelegramState, call: Call): Promise<Response> {
  const code = call.req.query("start") ?? "";
  if (!/^[A-Za-z0-9_-]{0,64}$/.test(code))
    return notice(
      call,
      "Telegram",
      "This link does not work",
      "The start code may have 64 characters of A–Z, a–z, 0–9, _ and -.",
      400,
    );
  const page = {
    network: "telegram",
    name: "Telegram",
    asks: [`talk to you as @${BOT.username}`, "post in the channels that you choose"],
    extra: html`<fieldset><legend>Make it an administrator of</legend>
      <label class="pick"><input type="checkbox" name="channel" value="public" checked>your public channel</label>
      <label class="pick"><input type="checkbox" name="channel" value="private" checked>your private channel</label></fieldset>`,
  };
  if (call.req.method === "GET") return consentForm(call, page);
  const decision = await readDecision(state.world, "telegram", call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });
  if (decision.decision === "deny") return notice(call, "Telegram", "Nothing was sent", "You can close this page.");
  call.get("entry").account = decision.person.name;
  const ticked = decision.form.has("channel") ? decision.form.getAll("channel") : ["public", "private"];
  state.world.together(() => start(state, decision.person, code, ticked));
  return notice(
    call,
    "Telegram",
    "Done, go back",
    `@${BOT.username} has got your message. You can close this page and go back.`,
  );
}

function start(state: TelegramState, person: Person, code: string, ticked: string[]): void {
  const from = personUser(person.name);
  const date = Math.floor(state.world.clock.now() / 1000);
  const known = chatOf(state, from.id) ?? {
    id: from.id,
    type: "private",
    owner: person.name,
    bot: "member",
    canPost: true,
    lastMessageId: 0,
  };
  const chat = keepChat(state, { ...known, lastMessageId: known.lastMessageId + 1 });
  const text = code ? `/start ${code}` : "/start";
  const entities = [{ offset: 0, length: 6, type: "bot_command" }];
  emitUpdate(state, "message", { message_id: chat.lastMessageId, from, chat: presentChat(chat), date, text, entities });

  for (const [which, channel] of Object.entries(channelsOf(state, person))) {
    if (!ticked.includes(which)) continue;
    setBotIn(state, channel, { bot: "administrator", canPost: true }, person.name);
  }
}

/** The person's own two channels, made on first use. */
function channelsOf(state: TelegramState, person: Person): Record<"public" | "private", Chat> {
  const blank = { type: "channel", owner: person.name, bot: "none", canPost: false, lastMessageId: 1 } as const;
  const ids = { public: channelId(person.name, "public"), private: channelId(person.name, "private") };
  const owner = person.displayName;
  return {
    public:
      chatOf(state, ids.public) ??
      keepChat(state, { ...blank, id: ids.public, title: `${owner}'s channel`, username: `${person.name}_news` }),
    private:
      chatOf(state, ids.private) ?? keepChat(state, { ...blank, id: ids.private, title: `${owner}'s private channel` }),
  };
}

/** Changes what the bot is in a chat; the bot hears of it as `my_chat_member` from that person. */
export function setBotIn(state: TelegramState, chat: Chat, change: Pick<Chat, "bot" | "canPost">, by: string): void {
  const changed = keepChat(state, { ...chat, ...change });
  emitUpdate(state, "my_chat_member", {
    chat: presentChat(changed),
    from: personUser(by),
    date: Math.floor(state.world.clock.now() / 1000),
    old_chat_member: presentBotMember(chat),
    new_chat_member: presentBotMember(changed),
  });
}

export function isOwner(chat: Chat, id: number): boolean {
  return userId(chat.owner) === id;
}
