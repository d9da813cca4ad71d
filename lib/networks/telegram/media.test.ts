import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { gif } from "../../../sandbox/testing/media";
import type { App, BotConnect, BotEvent, FormatName, NetworkSession, OutgoingPost, Published } from "../network";
import { networkFormat } from "../network";
import { failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, submitConsent, type TestSandbox } from "../testing";
import { makeSession } from "../wire/fetch";
import { telegram, uploadLimit } from ".";
import type { TelegramSettings } from "./settings";
import { described } from "./testing/described";

const MB = 1_048_576;

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
let channel: string;
let offset = 0;
const connect = telegram.connect as BotConnect; // Telegram's own definition

async function news(): Promise<BotEvent[]> {
  const { events, offset: next } = await connect.updates(app, offset, 0);
  offset = next;
  return events;
}

beforeAll(async () => {
  sandbox = await sandboxFor("telegram", { described });
  app = sandboxApp(telegram, sandbox.url, "telegram");
  await submitConsent(await connect.startUrl(app, "code"), { account: "alice", decision: "allow" });
  const events = await news();
  const start = events.find((event) => event.kind === "start");
  const given = events.find((event) => event.kind === "destination");
  if (!start || !given) throw new Error("the bot was not started");
  alice = makeSession(telegram, app, { ...start.profile, tokens: { accessToken: "" } });
  channel = given.destination.id;
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.advance(60); // a channel accepts twenty messages per minute
});
afterAll(() => sandbox.close());

type Post = OutgoingPost<TelegramSettings>;
const post = (content: string, media: Post["media"] = [], more: Partial<Post> = {}): Post => ({
  content,
  media,
  settings: {},
  chatId: channel,
  ...more,
});
function publish(format: FormatName, sent: Post, memory = newMemory()): Promise<Published> {
  const found = networkFormat(telegram, {}, format);
  if (!found) throw new Error("Telegram has no such format");
  return found.publish(sent, memoryRun(alice, memory));
}
const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text === text);
const lastCall = async () => (await sandbox.calls()).at(-1)?.path.split("/").at(-1);

describe("each type of file has its own method", () => {
  test("sends a video with its cover", async () => {
    const thumbnail = await sandbox.image({ width: 320, height: 180 });
    const { id, permalink } = await publish("video", post("Covered", [sandbox.video()], { thumbnail }));
    expect(await held("Covered")).toMatchObject([
      {
        id,
        permalink,
        media: [{ type: "video/mp4" }],
        settings: { cover: "attach://cover_file", supports_streaming: true },
      },
    ]);
    expect(await lastCall()).toBe("sendVideo");
  });

  test("sends an animation, which albums do not accept", async () => {
    const facts = { kind: "image", contentType: "image/gif", filename: "a.gif" } as const;
    await publish("image", post("It moves", [{ ...sandbox.file(await gif(), facts), frames: 2 }]));
    expect(await held("It moves")).toMatchObject([{ media: [{ type: "image/gif" }] }]);
    expect(await lastCall()).toBe("sendAnimation");
    expect(networkFormat(telegram, {}, "carousel")?.limits.animation).toBeUndefined();
    expect(networkFormat(telegram, {}, "carousel")?.limits.image?.types).not.toContain("image/gif");
  });

  test("sends a mixed album of ten with its text on the first item", async () => {
    const images = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((shade) => sandbox.image({ shade })));
    const media = [sandbox.video(), ...images, sandbox.video()];
    const { id } = await publish("carousel", post("Ten of them", media));
    const [album, ...more] = await held("Ten of them");
    expect(more).toEqual([]);
    expect(album?.id).toBe(id);
    expect(album?.media.map(({ type }) => type.split("/")[0])).toEqual(["video", ...Array(8).fill("image"), "video"]);
  });

  test("Telegram also rejects an album of eleven", async () => {
    const media = Array.from({ length: 11 }, () => sandbox.video());
    expect(await failureOf(publish("carousel", post("Eleven", media)))).toMatchObject({
      kind: "rejected",
      message: "Telegram refused the album: it must have 2 to 10 images and videos",
    });
  });

  test("a video that is still processed has no permalink", async () => {
    await sandbox.fault({ operation: "publish", fault: "processing_fails" });
    expect(await publish("video", post("Not ready", [sandbox.video()]))).toEqual({ id: "0" });
  });
});

describe("limits", () => {
  test("counts a text in code points up to 4,096", async () => {
    const { chatId } = post("");
    await publish("text", post("🫶".repeat(4096), [], { chatId }));
    expect(await failureOf(publish("text", post("🫶".repeat(4097))))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("4,096"),
    });
  });

  test("counts a text with media up to 1,024", async () => {
    await publish("image", post("あ".repeat(1024), [await sandbox.image()]));
    expect(await failureOf(publish("image", post("あ".repeat(1025), [await sandbox.image()])))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("1,024"),
    });
  });

  test("accepts a file of 50 MB and rejects a larger one", async () => {
    await publish("video", post("As large as may be", [sandbox.video({ sizeBytes: 50 * MB })]));
    expect(await held("As large as may be")).toHaveLength(1);
    const larger = post("Larger", [sandbox.video({ sizeBytes: 50 * MB + 1 })]);
    expect(await failureOf(publish("video", larger))).toMatchObject({
      kind: "rejected",
      message: "Telegram refused the file because it is too large",
    });
  });

  test("of files are 50 MB, and 2,000 MB on a self-hosted server", () => {
    const real = { mode: "real", clientId: "1", clientSecret: "1:a" } as const;
    expect(uploadLimit(real)).toBe(50 * MB);
    expect(uploadLimit({ ...real, apiUrl: "https://bots.example.com" })).toBe(2000 * MB);
    expect(uploadLimit({ ...real, apiUrl: "http://localhost:3010/telegram" })).toBe(50 * MB);
    expect(uploadLimit({ mode: "off" })).toBe(50 * MB);
  });

  test("accepts an image with sides of 20 to 1", async () => {
    await publish("image", post("Long", [await sandbox.image({ width: 400, height: 20 })]));
    const longer = post("Longer", [await sandbox.image({ width: 420, height: 20 })]);
    expect(await failureOf(publish("image", longer))).toMatchObject({
      kind: "rejected",
      message: "Telegram refused the image because of its dimensions",
    });
  });
});

describe("groups", () => {
  const made = async (): Promise<string> => {
    return (await sandbox.control("telegram/make-group", { person: "alice", title: "Friends" })).chatId;
  };

  test("reports a group that became a supergroup and sends to its new ID", async () => {
    const chatId = await made();
    expect(await news()).toContainEqual({
      kind: "destination",
      byAccountId: alice.accountId,
      destination: { id: chatId, title: "Friends", type: "group" },
    });
    await publish("text", post("Before", [], { chatId }));
    const moved = (await sandbox.control("telegram/upgrade-group", { chatId })).chatId;
    expect(await news()).toContainEqual({ kind: "moved", from: chatId, to: moved });
    const { permalink } = await publish("text", post("After", [], { chatId }));
    expect(await held("After")).toMatchObject([{ chatId: moved, permalink }]);
  });

  test("checks the rights for each type of file", async () => {
    const chatId = await made();
    await sandbox.control("telegram/restrict-bot", { chatId, denied: ["photos"] });
    await publish("text", post("Only words", [], { chatId }));
    expect(await failureOf(publish("image", post("A photo", [await sandbox.image()], { chatId })))).toMatchObject({
      kind: "rejected",
      message: "Telegram's bot may not post here. Give it the right to post messages",
    });
  });

  test("names what the bot may not do there: a group restricts all members, a supergroup also the bot alone", async () => {
    const chatId = await made();
    expect(await connect.missingRights(app, chatId)).toEqual([]);
    const denied = ["text messages", "photos", "videos", "animations"];
    await sandbox.control("telegram/restrict-bot", { chatId, denied: denied.slice(1) });
    expect(await connect.missingRights(app, chatId)).toEqual(["send images", "send videos", "send animations"]);
    const moved = (await sandbox.control("telegram/upgrade-group", { chatId })).chatId;
    await sandbox.control("telegram/restrict-bot", { chatId: moved, denied });
    expect(await connect.missingRights(app, moved)).toHaveLength(denied.length);
    expect(await connect.missingRights(app, channel)).toEqual([]);
  });

  test("rejects a post to a group that removed the bot", async () => {
    const chatId = await made();
    await sandbox.control("telegram/remove-bot", { chatId });
    expect(await news()).toContainEqual(expect.objectContaining({ kind: "destination", problem: "REMOVED" }));
    expect(await failureOf(publish("text", post("Gone", [], { chatId })))).toMatchObject({ kind: "rejected" });
  });
});

test("an upload that is not used: a file for stickers of the person, in no chat", async () => {
  const { upload } = telegram.live;
  if (!("run" in upload)) throw new Error("no call checks this");
  const before = await sandbox.posts();
  expect(await upload.run(alice)).toContain("in no sticker set");
  expect(await lastCall()).toBe("uploadStickerFile");
  expect(await sandbox.posts()).toEqual(before);
  expect(await failureOf(upload.run({ ...alice, accountId: "1" }))).toMatchObject({ kind: "rejected" });
});

describe("lost answers", () => {
  test.each([
    ["a video", "video" as const, () => [sandbox.video()]],
    ["an album", "carousel" as const, () => [sandbox.video(), sandbox.video()]],
  ])("%s: unknown, and never sent again", async (name, format, media) => {
    const memory = newMemory();
    const sent = post(`Lost: ${name}`, media());
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish(format, sent, memory))).toMatchObject({ kind: "unknown", refused: false });
    expect(await failureOf(publish(format, sent, memory))).toMatchObject({ kind: "unknown" });
    expect(await held(sent.content)).toHaveLength(1);
  });

  test("while rights are checked: nothing was sent, and the next attempt completes it", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "destinations", fault: "drop_response" });
    expect(await failureOf(publish("text", post("Asked twice"), memory))).toMatchObject({ kind: "unknown" });
    await publish("text", post("Asked twice"), memory);
    expect(await held("Asked twice")).toHaveLength(1);
  });
});
