import { html } from "hono/html";
import { consentForm, formText, messagePage, readDecision } from "../core/consent";
import type { Call } from "../core/network";
import type { Html } from "../core/page";
import { isUserName, type SandboxUser } from "../core/users";
import { chatAddress } from "./chat-page";
import { presentBotMember, presentChat, presentUser } from "./chats";
import { findMessage } from "./deliver";
import { buttonsOf, pressButton } from "./keyboard";
import { BOT, type Chat, channelId, chatOf, keepChat, type TelegramState, userId } from "./state";
import { emitUpdate } from "./updates";

/** The action of a t.me link: what it asks the user for, and what the Telegram app then does. */
type LinkAction = {
  asks: string;
  extra: Html;
  /** Does it without the user's further steps in the app. Absent if there are none. */
  begin?(state: TelegramState, person: SandboxUser, code: string): void;
  run(state: TelegramState, person: SandboxUser, code: string, form: URLSearchParams): void;
};

const START: LinkAction = {
  asks: "post in the channels that you choose",
  extra: html`<p class="buttons"><button name="decision" value="start">Start</button></p>
      <p class="soft">Start opens your chat with the bot, which then asks you a question.</p>
      <h2>Or do everything at once</h2>
      <fieldset><legend>Make the bot an administrator of</legend>
      <label class="pick"><input type="checkbox" name="channel" value="public" checked>your public channel</label>
      <label class="pick"><input type="checkbox" name="channel" value="private" checked>your private channel</label></fieldset>
      <p class="soft">Allow presses Start, and Yes (the first button) if the bot then asks a question.</p>`,
  begin: sendStartMessage,
  run(state, person, code, form) {
    const channels = form.has("channel") ? form.getAll("channel").map(String) : ["public", "private"];
    state.agreements.put(person.name, [...(state.agreements.get(person.name) ?? []), { channels }]);
    sendStartMessage(state, person, code);
    makeAdministrator(state, person, channels);
  },
};

function makeAdministrator(state: TelegramState, person: SandboxUser, which: string[]): void {
  for (const [name, channel] of Object.entries(channelsOf(state, person))) {
    if (which.includes(name)) setBotMembership(state, channel, { bot: "administrator", canPost: true }, person.name);
  }
}

/**
 * After Allow, the user answers the bot's next message: presses its first button, and then saves the bot's rights in the
 * channels again, because a bot may only have learned from the answer whose channels these are.
 */
export function answerAsAgreed(state: TelegramState, owner: string, messageId: number): void {
  const [agreement, ...more] = state.agreements.get(owner) ?? [];
  const message = findMessage(state, userId(owner), messageId);
  const person = state.world.users.list("telegram").find(({ name }) => name === owner);
  if (!agreement || !message || !person) return;
  state.agreements.put(owner, more);
  const [first] = buttonsOf(message);
  if (!first || !pressButton(state, owner, messageId, first.callback_data)) return;
  makeAdministrator(state, person, agreement.channels);
}

const CHANNEL: LinkAction = {
  asks: "be an administrator of one of your channels",
  extra: html`<fieldset><legend>Channel</legend>
      <label class="pick"><input type="radio" name="channel" value="public" checked>your public channel</label>
      <label class="pick"><input type="radio" name="channel" value="private">your private channel</label></fieldset>
      <fieldset><legend>The bot may</legend>
      <label class="pick"><input type="radio" name="rights" value="post" checked>post messages</label>
      <label class="pick"><input type="radio" name="rights" value="none">not post messages</label></fieldset>`,
  run(state, person, _, form) {
    const channel = channelsOf(state, person)[form.get("channel") === "private" ? "private" : "public"];
    setBotMembership(state, channel, { bot: "administrator", canPost: form.get("rights") !== "none" }, person.name);
  },
};

const GROUP: LinkAction = {
  asks: "join one of your groups",
  extra: html`<p class="soft">The bot joins your group as a member who may post.</p>`,
  run(state, person, code) {
    const known = chatOf(state, groupId(person.name));
    const group = known && !known.movedTo ? known : createGroup(state, person.name, `${person.displayName}'s group`);
    setBotMembership(state, group, { bot: "member", canPost: true }, person.name);
    const text = `/start@${BOT.username}${code && ` ${code}`}`;
    const of = { message_id: 1, from: presentUser(person.name), date: Math.floor(state.world.clock.now() / 1000) };
    emitUpdate(state, "message", { ...of, chat: presentChat(group), text });
  },
};

function actionOf(call: Call): { errand: LinkAction; code: string } {
  const { start = "", startgroup, startchannel } = call.req.query();
  if (startchannel !== undefined) return { errand: CHANNEL, code: "" };
  return startgroup === undefined ? { errand: START, code: start } : { errand: GROUP, code: startgroup };
}

/**
 * `t.me/<bot>` and the Telegram app. `?start=<code>`: the user presses Start and makes the bot an administrator of the selected
 * channels. `?startgroup=<code>` adds the bot to a group, `?startchannel&admin=…` makes it an administrator of a channel.
 * Source: Bot features, deep linking.
 */
export async function startPage(state: TelegramState, call: Call): Promise<Response> {
  const { errand, code } = actionOf(call);
  if (!/^[A-Za-z0-9_-]{0,64}$/.test(code))
    return messagePage(
      call,
      "Telegram",
      "This link does not work",
      "The start code may have at most 64 characters: A–Z, a–z, 0–9, _ and -.",
      400,
    );
  const page = {
    network: "telegram",
    name: "Telegram",
    permissions: [`talk to you as @${BOT.username}`, errand.asks],
    extra: errand.extra,
  };
  if (call.req.method === "GET") return consentForm(call, page);
  const started = await readStart(state, call, errand);
  if (started) {
    state.world.transaction(() => errand.begin?.(state, started, code));
    return call.body(null, 303, { location: chatAddress(call, started.name) });
  }
  const decision = await readDecision(state.world, "telegram", call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });
  if (decision.decision === "deny")
    return messagePage(call, "Telegram", "Nothing was sent", "You can close this page.");
  call.get("entry").account = decision.person.name;
  state.world.transaction(() => errand.run(state, decision.person, code, decision.form));
  return messagePage(
    call,
    "Telegram",
    "Done, go back",
    `@${BOT.username} has received your message. You can close this page and go back.`,
  );
}

/** The user who pressed Start without Allow; undefined for every other decision. */
async function readStart(state: TelegramState, call: Call, errand: LinkAction): Promise<SandboxUser | undefined> {
  const form = new URLSearchParams(await formText(call));
  if (form.get("decision") !== "start" || !errand.begin) return undefined;
  const name =
    form
      .getAll("account")
      .findLast((value) => value.trim() !== "")
      ?.trim() ?? "";
  if (!isUserName(name)) return undefined;
  call.get("entry").account = name;
  return state.world.users.findOrCreate("telegram", name);
}

/** Sends `/start` from the user to the bot. */
function sendStartMessage(state: TelegramState, person: SandboxUser, code: string): void {
  const from = presentUser(person.name);
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
}

function groupId(owner: string): number {
  return -(userId(owner) % 1_000_000_000);
}

/** Creates a user's basic group. */
export function createGroup(state: TelegramState, owner: string, title: string): Chat {
  const blank = { type: "group", title, owner, bot: "none", canPost: false, lastMessageId: 0 } as const;
  return keepChat(state, { id: groupId(owner), ...blank });
}

/** The user's two channels, created on first use. */
function channelsOf(state: TelegramState, person: SandboxUser): Record<"public" | "private", Chat> {
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

/** Changes the bot's membership in a chat and sends the bot a `my_chat_member` update from that user. */
export function setBotMembership(
  state: TelegramState,
  chat: Chat,
  change: Pick<Chat, "bot" | "canPost">,
  by: string,
): void {
  const changed = keepChat(state, { ...chat, ...change });
  emitUpdate(state, "my_chat_member", {
    chat: presentChat(changed),
    from: presentUser(by),
    date: Math.floor(state.world.clock.now() / 1000),
    old_chat_member: presentBotMember(chat),
    new_chat_member: presentBotMember(changed),
  });
}
