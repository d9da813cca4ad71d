import * as z from "zod";
import type { Answer, Call, NetworkDefinition, Operation, Route } from "../core/network";
import { switchesControl } from "../core/switches";
import { CHAT_PATH, chatPage } from "./chat-page";
import { presentChat, presentUser } from "./chats";
import { methodNamed } from "./methods";
import { BotError, onError, type Parameters, parametersOf, tooManyRequests, unauthorized } from "./request";
import { createGroup, setBotMembership, startPage } from "./start";
import { BOT, type Chat, channelId, chatOf, keepChat, openState, type TelegramState } from "./state";
import { emitUpdate, runWebhook } from "./updates";

/** Telegram's Bot API 10.3, with a page in place of t.me and the Telegram app. */
export const telegram: NetworkDefinition = {
  id: "telegram",
  name: "Telegram",
  open(world) {
    const state = openState(world);
    const webhook = runWebhook(state);
    const botMethod = (method: "GET" | "POST"): Route => ({
      method,
      path: "/:bot{bot[^/]+}/:method",
      operation: operationOf,
      isBackground: (call) => call.req.param("method")?.toLowerCase() === "getupdates",
      handle: (call) => answerMethod(state, call),
    });
    return {
      routes: [
        { method: "GET", path: `/${BOT.username}`, operation: "authorize", handle: (call) => startPage(state, call) },
        { method: "POST", path: `/${BOT.username}`, operation: "authorize", handle: (call) => startPage(state, call) },
        { method: "GET", path: CHAT_PATH, operation: "authorize", handle: (call) => chatPage(state, call) },
        { method: "POST", path: CHAT_PATH, operation: "authorize", handle: (call) => chatPage(state, call) },
        {
          method: "GET",
          path: "/file/:bot{bot[^/]+}/:folder/:file",
          operation: "profile",
          handle: (call) => download(state, call),
        },
        botMethod("GET"),
        botMethod("POST"),
      ],
      faults: {
        internalError: (call) => onError(call, new BotError(500, "Internal Server Error: restart")),
        rateLimited: (call, afterSeconds) => onError(call, tooManyRequests(Math.max(1, Math.ceil(afterSeconds)))),
        invalidGrant: (call) => onError(call, unauthorized()),
        operator: (call) => onError(call, unauthorized()),
        // All users share the bot's token, so it counts as revoked for this call only.
        revokeToken: async (call) => onError(call, unauthorized()),
      },
      notFound: (call) => onError(call, new BotError(404, "Not Found")),
      onError,
      accountOf: (call) => ownerOf(state, call),
      reset() {
        state.messages.clear();
        state.limits.clear();
        state.switches.reset();
      },
      control: {
        ...switchesControl(state.switches),
        "remove-bot": (body) => removeBot(state, body),
        "make-group": (body) => makeGroup(state, body),
        "upgrade-group": (body) => upgradeGroup(state, body),
        "restrict-bot": (body) => restrictBot(state, body),
      },
      close: webhook.close,
    };
  },
};

const NO_PARAMETERS: Parameters = { text: {}, files: new Map() };

/** What a call does; for some methods this depends on the parameters. */
async function operationOf(call: Call): Promise<Operation> {
  const { operation = "other" } = methodNamed(call.req.param("method")) ?? {};
  return typeof operation === "string" ? operation : operation(await parametersOf(call).catch(() => NO_PARAMETERS)); // the handler reports it
}

/** The owner of the chat that a call is about: all users share the bot's token. */
async function ownerOf(state: TelegramState, call: Call): Promise<string | undefined> {
  const { text } = await parametersOf(call).catch(() => NO_PARAMETERS);
  const named = text.chat_id?.startsWith("@") ? text.chat_id.slice(1).toLowerCase() : undefined;
  const isMeant = ({ id, username }: Chat) =>
    named === undefined ? String(id) === text.chat_id : username?.toLowerCase() === named;
  return state.chats.values().find(isMeant)?.owner;
}

async function answerMethod(state: TelegramState, call: Call): Promise<Response> {
  assertToken(call);
  const method = methodNamed(call.req.param("method"));
  if (!method) throw new BotError(404, "Not Found: method not found");
  const result = await method.run(state, call, await parametersOf(call));
  return call.json({ ok: true, result });
}

/** A malformed token is 404, like any wrong path. A well-formed unknown token is 401. */
function assertToken(call: Call): void {
  const token = decodeURIComponent(call.req.param("bot") ?? "").slice("bot".length);
  if (!/^\d+:[\w-]+$/.test(token)) throw new BotError(404, "Not Found");
  if (token !== BOT.token) throw unauthorized();
}

function download(state: TelegramState, call: Call): Response {
  assertToken(call);
  const sha256 = (call.req.param("file") ?? "").split(".")[0] ?? "";
  const bytes = state.world.blobs.read(sha256);
  if (!bytes) throw new BotError(404, "Not Found");
  return call.body(new Uint8Array(bytes), 200, { "content-type": "application/octet-stream" });
}

const RemoveBot = z.strictObject({
  chatId: z.union([z.string(), z.number()]),
  status: z.enum(["kicked", "left"]).default("kicked"),
});

/** `POST /_control/telegram/remove-bot`: the owner removes the bot from a chat. */
function removeBot(state: TelegramState, body: unknown): Answer {
  const parsed = RemoveBot.safeParse(body);
  if (!parsed.success) return Response.json({ error: "chatId must be the id of a chat" }, { status: 400 });
  const chat = chatOf(state, Number(parsed.data.chatId));
  if (!chat) return Response.json({ error: `Unknown chat: ${parsed.data.chatId}` }, { status: 404 });
  state.world.transaction(() => setBotMembership(state, chat, { bot: parsed.data.status, canPost: false }, chat.owner));
  return new Response(null, { status: 204 });
}

/** `POST /_control/telegram/make-group`: a user creates a basic group and adds the bot. */
function makeGroup(state: TelegramState, body: unknown): Answer {
  const { person, title } = z.strictObject({ person: z.string(), title: z.string() }).parse(body);
  const chat = createGroup(state, person, title);
  state.world.transaction(() => setBotMembership(state, chat, { bot: "member", canPost: true }, person));
  return Response.json({ chatId: String(chat.id) });
}

/**
 * `POST /_control/telegram/upgrade-group`: turns a basic group into a supergroup with a new id. The bot gets a service message
 * in both chats. Source: Bot API, `migrate_to_chat_id`.
 */
function upgradeGroup(state: TelegramState, body: unknown): Answer {
  const { chatId } = z.strictObject({ chatId: z.string() }).parse(body);
  const group = chatOf(state, Number(chatId));
  if (group?.type !== "group") return Response.json({ error: `Unknown group: ${chatId}` }, { status: 404 });
  const upgraded = { ...group, id: channelId(`${group.owner} ${group.id}`, "private"), type: "supergroup" as const };
  state.world.transaction(() => {
    keepChat(state, { ...group, movedTo: upgraded.id });
    keepChat(state, upgraded);
    const of = { message_id: 1, from: presentUser(group.owner), date: Math.floor(state.world.clock.now() / 1000) };
    emitUpdate(state, "message", { ...of, chat: presentChat(group), migrate_to_chat_id: upgraded.id });
    emitUpdate(state, "message", { ...of, chat: presentChat(upgraded), migrate_from_chat_id: group.id });
  });
  return Response.json({ chatId: String(upgraded.id) });
}

/** `POST /_control/telegram/restrict-bot`: sets what the bot may not send (`photos`, `videos`, `text messages`). */
function restrictBot(state: TelegramState, body: unknown): Answer {
  const { chatId, denied } = z.strictObject({ chatId: z.string(), denied: z.array(z.string()) }).parse(body);
  const chat = chatOf(state, Number(chatId));
  if (!chat) return Response.json({ error: `Unknown chat: ${chatId}` }, { status: 404 });
  keepChat(state, { ...chat, denied });
  return new Response(null, { status: 204 });
}
