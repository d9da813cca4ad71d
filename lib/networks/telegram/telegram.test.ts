import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PlatformError } from "../errors";
import type { App, BotConnect, BotEvent, NetworkSession, OutgoingPost, Published } from "../network";
import { failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, submitConsent, type TestSandbox } from "../testing";
import { makeSession } from "../wire/fetch";
import { parseJson } from "../wire/json";
import { telegram } from ".";
import { canPost, eventOf } from "./connect";
import { permalinkOf, publishAlbum, publishFile, publishText } from "./publish";
import type { TelegramSettings } from "./settings";
import { described } from "./testing/described";

type Post = OutgoingPost<TelegramSettings>;

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
let bob: NetworkSession;
let channels: { [person: string]: string[] };
let offset = 0;
const connect = telegram.connect as BotConnect; // Telegram's own definition

async function connected(account: string): Promise<{ session: NetworkSession; chatIds: string[]; events: BotEvent[] }> {
  await submitConsent(await connect.startUrl(app, `code-of_${account}`), { account, decision: "allow" });
  const news = await connect.updates(app, offset, 0);
  offset = news.offset;
  const start = news.events.find((event) => event.kind === "start");
  if (!start) throw new Error("the bot was not started");
  const chatIds = news.events.flatMap((event) => (event.kind === "destination" ? event.destination.id : []));
  const session = makeSession(telegram, app, { ...start.profile, tokens: { accessToken: "" } });
  return { session, chatIds, events: news.events };
}

beforeAll(async () => {
  sandbox = await sandboxFor("telegram", { described });
  app = sandboxApp(telegram, sandbox.url, "telegram");
  const [a, b] = [await connected("alice"), await connected("bob")];
  [alice, bob] = [a.session, b.session];
  channels = { alice: a.chatIds, bob: b.chatIds };
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

const post = (content: string, more: Partial<Post> = {}): Post => ({
  content,
  media: [],
  settings: {},
  chatId: channels.alice?.[0],
  ...more,
});
/** Enough of an MP4 to be recognized as one: its `ftyp` box and an empty `mdat`. */
function smallVideo(): Uint8Array {
  const box = (type: string, content: string) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(8 + content.length);
    return Buffer.concat([size, Buffer.from(type + content, "latin1")]);
  };
  return Buffer.concat([box("ftyp", "isom\0\0\x02\0isomiso2avc1mp41"), box("mdat", "")]);
}
const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text === text);
const send = (
  publish: (post: Post, run: ReturnType<typeof memoryRun>) => Promise<Published>,
  sent: Post,
  memory = newMemory(),
  session = alice,
) => publish(sent, memoryRun(session, memory));

describe("connect", () => {
  test("the start link passes the code to the bot", async () => {
    expect(await connect.startUrl(app, "abc")).toBe(`${sandbox.url}/telegram/carillon_sandbox_bot?start=abc`);
  });

  test("reports the user's code and the chats that the bot was added to", async () => {
    const { events, session } = await connected("carol");
    expect(events[0]).toMatchObject({ kind: "start", code: "code-of_carol", profile: { username: "carol" } });
    const given = { kind: "destination", byAccountId: session.accountId };
    expect(events.slice(1)).toContainEqual({
      ...given,
      destination: { id: expect.stringMatching(/^-100\d+$/), title: expect.any(String), type: "channel" },
    });
  });

  test("returns links to add the bot to a channel or group, and reports missing rights", async () => {
    const { channel, group } = await connect.addUrls(app);
    const bot = `${sandbox.url}/telegram/carillon_sandbox_bot`;
    expect([channel, group]).toEqual([`${bot}?startchannel&admin=post_messages`, `${bot}?startgroup=add`]);
    const withoutRight = new URLSearchParams({ account: "carol", decision: "allow", rights: "none" });
    await fetch(channel, { method: "POST", body: withoutRight });
    await submitConsent(group, { account: "carol", decision: "allow" });
    const { events, offset: next } = await connect.updates(app, offset, 0);
    offset = next;
    expect(events).toMatchObject([
      { kind: "destination", destination: { title: "Carol's channel", type: "channel" }, problem: "NO_RIGHT" },
      { kind: "destination", destination: { title: "Carol's group", type: "group" }, problem: undefined },
    ]);
  });

  test("asks a person a question, reports the pressed button, and replaces the question by its result", async () => {
    const { session } = await connected("dora");
    const buttons = [{ label: "Yes", data: "yes:1" }];
    await connect.ask(app, session.accountId, "Connect?", buttons); // after Allow, the person presses the first button
    const { events, offset: next } = await connect.updates(app, offset, 0);
    offset = next;
    const [answer] = events;
    expect(answer).toMatchObject({ kind: "answer", data: "yes:1", profile: { accountId: session.accountId } });
    if (answer?.kind !== "answer") throw new Error("no answer");
    await connect.conclude(app, answer, "Done");
    const chat = await (await fetch(`${sandbox.url}/telegram/carillon_sandbox_bot/chat?account=dora`)).text();
    expect([chat.includes("Done"), chat.includes("Connect?"), chat.includes("<button")]).toEqual([true, false, false]);
  });

  test("does not return updates twice", async () => {
    expect(await connect.updates(app, offset, 0)).toEqual({ events: [], offset });
  });

  test("reads the account", async () => {
    expect(await telegram.profile(alice)).toEqual({
      accountId: alice.accountId,
      username: "alice",
      displayName: "Alice",
    });
  });
});

describe("updates", () => {
  const from = { id: "7", is_bot: false, first_name: "Ann", last_name: "Lee" };
  const chat = { id: "7", type: "private" };
  const start = (text: string, more = {}) => eventOf({ update_id: 1, message: { chat, from, text, ...more } });

  test("accept a start code only from a user in a private chat", () => {
    const profile = { accountId: "7", username: "7", displayName: "Ann Lee" };
    expect(start("/start a-B_9")).toEqual({ kind: "start", code: "a-B_9", profile });
    expect(start("/start")).toBeUndefined();
    expect(start("/start two words")).toBeUndefined();
    expect(start(`/start ${"a".repeat(65)}`)).toBeUndefined();
    expect(start("/start code", { chat: { id: "-1", type: "group" } })).toBeUndefined();
    expect(start("/start code", { from: { ...from, is_bot: true } })).toBeUndefined();
  });

  test("accept a pressed button only from the person's own chat with the bot", () => {
    const message = { message_id: "5", chat };
    const pressed = (more: object) =>
      eventOf({ update_id: 1, callback_query: { id: "9", from, message, data: "yes:a", ...more } });
    const profile = { accountId: "7", username: "7", displayName: "Ann Lee" };
    expect(pressed({})).toEqual({ kind: "answer", id: "9", data: "yes:a", profile, messageId: "5" });
    expect(pressed({ message: { message_id: "5", chat: { id: "-1", type: "group" } } })).toBeUndefined();
    expect(pressed({ message: undefined })).toBeUndefined();
    expect(pressed({ data: undefined })).toBeUndefined();
    expect(pressed({ from: { ...from, is_bot: true } })).toBeUndefined();
  });

  test.each([
    ["channel", { status: "administrator", can_post_messages: true }, true],
    ["channel", { status: "administrator", can_post_messages: false }, false],
    ["channel", { status: "administrator" }, false],
    ["channel", { status: "member" }, false],
    ["channel", { status: "kicked" }, false],
    ["supergroup", { status: "member" }, true],
    ["supergroup", { status: "restricted", is_member: true, can_send_messages: false }, false],
    ["supergroup", { status: "restricted", is_member: false, can_send_messages: true }, false],
    ["group", { status: "left" }, false],
    ["group", { status: "creator" }, true],
  ])("in a %s as %j: %s", (type, member, usable) => {
    expect(canPost({ type }, member)).toBe(usable);
  });

  test("ignore other types", () => {
    expect(eventOf({ update_id: 1 })).toBeUndefined();
  });
});

describe("publish", () => {
  test("sends a text with its permalink", async () => {
    const published = await send(publishText, post("Good morning"));
    expect(await held("Good morning")).toMatchObject([
      { id: published.id, chatId: channels.alice?.[0], permalink: published.permalink },
    ]);
    expect(published.permalink).toMatch(/^https:\/\/t\.me\/alice_\w+\/\d+$/);
  });

  test("sends to a private channel", async () => {
    const chatId = channels.alice?.[1];
    const published = await send(publishText, post("Among ourselves", { chatId }));
    expect(published.permalink).toBe(`https://t.me/c/${chatId?.slice(4)}/${published.id}`);
  });

  test("sends an image with a caption", async () => {
    const image = await sandbox.image();
    await send(publishFile, post("One image", { media: [image] }));
    expect((await held("One image"))[0]?.media).toMatchObject([{ sizeBytes: image.sizeBytes }]);
  });

  test("sends an album, represented by its first message", async () => {
    const media = await Promise.all([30, 90, 150].map((shade) => sandbox.image({ format: "png", shade })));
    const published = await send(publishAlbum, post("Three images", { media }));
    const [first] = await held("Three images");
    expect(published).toEqual({ id: first?.id, permalink: first?.permalink });
  });

  test("sends a video and a mixed album", async () => {
    const film = { kind: "video", contentType: "video/mp4", filename: "film.mp4", width: 64, height: 48 } as const;
    const video = { ...sandbox.file(smallVideo(), film), ...film, durationSeconds: 1.4 };
    await send(publishFile, post("A film", { media: [video] }));
    expect((await held("A film"))[0]?.media).toMatchObject([{ type: "video/mp4", sizeBytes: video.sizeBytes }]);
    await send(publishAlbum, post("Both", { media: [video, await sandbox.image()] }));
    expect(await held("Both")).toHaveLength(1);
  });

  test("sends the message options with texts, files and albums; a preview exists only below a text", async () => {
    const settings = { disableNotification: true, protectContent: true, disableLinkPreview: true };
    const media = await Promise.all([40, 100].map((shade) => sandbox.image({ shade })));
    await send(publishText, post("Quiet text", { settings }));
    await send(publishFile, post("Quiet image", { settings, media: media.slice(0, 1) }));
    await send(publishAlbum, post("Quiet album", { settings, media }));
    const quiet = { disable_notification: true, protect_content: true };
    const settingsOf = async (text: string) => (await held(text))[0]?.settings;
    expect(await settingsOf("Quiet text")).toEqual({ ...quiet, link_preview_options: { is_disabled: true } });
    expect(await settingsOf("Quiet image")).toEqual(quiet);
    expect(await settingsOf("Quiet album")).toEqual(quiet);
  });

  test("sends no field for an option that is off", async () => {
    await send(publishText, post("Loud", { settings: { disableNotification: false, protectContent: false } }));
    expect((await held("Loud"))[0]?.settings).toEqual({});
  });

  test("sends the text without its markup, and the formatted ranges", async () => {
    const settings = { parseMode: "HTML" } as const;
    const media = await Promise.all([50, 110].map((shade) => sandbox.image({ shade })));
    const link = '<a href="https://example.com/?a=1&amp;b=2">here</a>';
    await send(publishText, post(`👋 <b>Bold</b> &lt; ${link}`, { settings }));
    await send(publishFile, post("<i>One</i> formatted", { settings, media: media.slice(0, 1) }));
    await send(publishAlbum, post("<u>Two</u> formatted", { settings, media }));
    const entitiesOf = async (text: string) => (await held(text))[0]?.settings.entities;
    expect(await entitiesOf("👋 Bold < here")).toEqual([
      { type: "bold", offset: 3, length: 4 },
      { type: "text_link", offset: 10, length: 4, url: "https://example.com/?a=1&b=2" },
    ]);
    expect(await entitiesOf("One formatted")).toEqual([{ type: "italic", offset: 0, length: 3 }]);
    expect(await entitiesOf("Two formatted")).toEqual([{ type: "underline", offset: 0, length: 3 }]);
  });

  test("sends markup as it is written if no formatting is chosen", async () => {
    await send(publishText, post("1 < 2 <b>plain</b>"));
    expect((await held("1 < 2 <b>plain</b>"))[0]?.settings).toEqual({});
  });

  test("rejects a text with wrong markup before anything is sent", async () => {
    const sent = post("<b>Open", { settings: { parseMode: "HTML" } });
    expect(await failureOf(send(publishText, sent))).toMatchObject({
      kind: "rejected",
      message: "The markup of this text cannot be read: <b> is never closed",
    });
    expect(await held("Open")).toEqual([]);
  });

  test("builds permalinks of public, private and basic chats", () => {
    const link = (id: string, username?: string) => permalinkOf({ message_id: "5", chat: { id, username, type: "" } });
    expect([link("-1001", "news"), link("-1001234"), link("-99"), link("7")]).toEqual([
      "https://t.me/news/5",
      "https://t.me/c/1234/5",
      undefined,
      undefined,
    ]);
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body", "refuse", "http_500", "http_502_html"])(
    "%s: unknown, and never sent again",
    async (fault) => {
      const memory = newMemory();
      const sent = post(`Lost by ${fault}`);
      await sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(send(publishText, sent, memory))).toMatchObject({ kind: "unknown", refused: false });
      const before = await held(sent.content);
      expect(await failureOf(send(publishText, sent, memory))).toMatchObject({ kind: "unknown" });
      expect(await held(sent.content)).toEqual(before);
    },
  );
});

describe("errors", () => {
  test("rejects a channel of another user", async () => {
    const error = await failureOf(send(publishText, post("Not mine"), newMemory(), bob));
    expect(error).toMatchObject({ kind: "rejected", refused: true });
    expect(await held("Not mine")).toEqual([]);
  });

  test("rejects an unknown chat", async () => {
    const error = await failureOf(send(publishText, post("Nowhere", { chatId: "-1009999999999" })));
    expect(error).toMatchObject({
      kind: "rejected",
      message: "Telegram's bot is no longer in this chat. Add it again as an administrator",
    });
  });

  test("rejects a text of spaces", async () => {
    expect(await failureOf(send(publishText, post("   ")))).toMatchObject({
      kind: "rejected",
      message: "Telegram accepts no message without text",
    });
  });

  test("rejects too much text with an image", async () => {
    const sent = post("a".repeat(1025), { media: [await sandbox.image()] });
    expect(await failureOf(send(publishFile, sent))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("1,024"),
    });
  });

  test("waits as long as Telegram says after too many messages", async () => {
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 7 });
    expect(await failureOf(send(publishText, post("Too fast")))).toMatchObject({ kind: "later", retryAfterSeconds: 7 });
  });

  test("an invalid bot token is an operator problem, and the token is never shown", async () => {
    const other = makeSession(telegram, { ...app, clientSecret: "1000000001:wrong" }, alice);
    const error = await failureOf(telegram.profile(other));
    expect(error).toMatchObject({ kind: "operator", message: "Telegram does not accept this service's own bot" });
    expect(JSON.stringify(error)).not.toContain("wrong");
  });
});

test("sends once to the new ID of a group that became a supergroup", async () => {
  const sent: string[] = [];
  const moving: NetworkSession = {
    ...alice,
    app: {
      ...app,
      async fetch(path, call) {
        if (!path.endsWith("/sendMessage")) return app.fetch(path, call);
        const { chat_id } = parseJson(String(call?.body)) as { chat_id: string };
        sent.push(chat_id);
        if (chat_id !== "-1002")
          throw new PlatformError("rejected", "moved", { answer: { status: 400, code: "migrated to -1002" } });
        return Response.json({ ok: true, result: { message_id: 3, chat: { id: -1002, type: "supergroup" } } });
      },
    },
  };
  expect(await send(publishText, post("Moved"), newMemory(), moving)).toMatchObject({ id: "3" });
  expect(sent).toEqual([channels.alice?.[0], "-1002"]);
});
