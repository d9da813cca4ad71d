import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { PlatformError } from "../errors";
import type { App, FormatName, NetworkSession, OutgoingPost } from "../network";
import { networkFormat } from "../network";
import { connectedTo, failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../testing";
import { instagram } from ".";
import { type InstagramSettings, settings } from "./settings";
import { described } from "./testing/described";

const DAY = 86_400;
let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
beforeAll(async () => {
  sandbox = await sandboxFor("instagram", { described });
  app = sandboxApp(instagram, sandbox.url, "instagram");
  alice = await connectedTo(instagram, app, "alice");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sandbox.clearFaults();
});
afterAll(() => sandbox.close());

type Sent = Pick<OutgoingPost<InstagramSettings>, "content" | "media">;
function publish(format: FormatName, post: Sent, memory = newMemory(), by = alice) {
  const sent = { settings: settings.parse({}), ...post };
  const run = memoryRun(by, memory, () => sandbox.advance(20));
  const found = networkFormat(instagram, sent.settings, format);
  if (!found) throw new Error("Instagram has no such format");
  return found.publish(sent, run);
}
const held = async (content: string) => (await sandbox.posts()).filter((one) => one.text === content);
const images = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => sandbox.image({ shade: 20 * index })));

test("creates a carousel and its items again after waiting for more than a day", async () => {
  const memory = newMemory();
  const post = { content: "Waited", media: await images(2) };
  await sandbox.fault({ operation: "publish", fault: "rate_limit" });
  expect(await failureOf(publish("carousel", post, memory))).toMatchObject({ kind: "later" });
  for (const [name, kept] of memory.done) {
    if (typeof kept === "object" && kept !== null && "at" in kept) memory.done.set(name, { ...kept, at: 0 });
  }
  await sandbox.advance(DAY + 60);
  await publish("carousel", post, memory);
  expect((await held("Waited")).map(({ media }) => media.length)).toEqual([2]);
});

test("looks up a post that is already published instead of failing, and does not send it again", async () => {
  const twice: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      if (path.endsWith("/media_publish")) await alice.fetch(path, call);
      return alice.fetch(path, call);
    },
  };
  const memory = newMemory();
  const post = { content: "Out already", media: await images(1) };
  expect(await failureOf(publish("image", post, memory, twice))).toMatchObject({ kind: "unknown" });
  const { id } = await publish("image", post, memory);
  expect((await held("Out already")).map((one) => one.id)).toEqual([id]);
});

test("retries a container that is not found; creates a new one after two minutes", async () => {
  const answer = { status: 400, code: "24/2207008" };
  const made: string[] = [];
  const mislaid: NetworkSession = {
    ...alice,
    fetch(path, call) {
      if (path.endsWith("/media")) made.push(path);
      if (!path.endsWith("/media_publish")) return alice.fetch(path, call);
      return Promise.reject(new PlatformError("later", "not found", { answer }));
    },
  };
  const memory = newMemory();
  const post = { content: "Mislaid", media: await images(1) };
  const now = Date.now();
  for (const [seconds, containers] of [
    [0, 1],
    [60, 1],
    [121, 2],
  ] as const) {
    vi.spyOn(Date, "now").mockReturnValue(now + seconds * 1000);
    expect(await failureOf(publish("image", post, memory, mislaid))).toMatchObject({ kind: "later" });
    expect(made).toHaveLength(containers);
  }
  await publish("image", post, memory);
  expect(await held("Mislaid")).toHaveLength(1);
});

test("makes no new container if the second look at the first one finds it published", async () => {
  let stale: Response | undefined;
  let isOut = false;
  const lagging: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      if (path.endsWith("/media_publish")) {
        if (isOut) await alice.fetch(path, call).catch(() => {});
        throw new PlatformError("later", "not found", { answer: { status: 400, code: "24/2207008" } });
      }
      const answer = await alice.fetch(path, call);
      if (!path.includes("fields=status_code%2Cstatus")) return answer;
      if (!isOut) stale = answer.clone();
      const shown = (isOut && stale) || answer; // what it was before, once
      if (isOut) stale = undefined;
      return shown;
    },
  };
  const memory = newMemory();
  const post = { content: "Reported late", media: await images(1) };
  await failureOf(publish("image", post, memory, lagging));
  isOut = true;
  const later = Date.now() + 121_000;
  vi.spyOn(Date, "now").mockReturnValue(later);
  const error = await failureOf(publish("image", post, memory, lagging));
  expect(await held("Reported late")).toHaveLength(1);
  expect(error).toMatchObject({ message: "not found" }); // the next attempt finds it published at the first look
});

test("never publishes an abandoned container, even if it reappears while the next one's outcome is unknown", async () => {
  const mislaid = new PlatformError("later", "not found", { answer: { status: 400, code: "24/2207008" } });
  const asked: string[] = [];
  const losing: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      if (!path.endsWith("/media_publish")) return alice.fetch(path, call);
      asked.push(String(call?.body));
      if (asked.length <= 2) throw mislaid;
      await alice.fetch(path, call);
      throw new PlatformError("unknown", "lost");
    },
  };
  const memory = newMemory();
  const post = { content: "Given up", media: await images(1) };
  await failureOf(publish("image", post, memory, losing));
  const later = Date.now() + 121_000;
  vi.spyOn(Date, "now").mockReturnValue(later);
  expect(await failureOf(publish("image", post, memory, losing))).toMatchObject({ message: "lost" });
  vi.restoreAllMocks();
  const { id } = await publish("image", post, memory);
  expect((await held("Given up")).map((one) => one.id)).toEqual([id]);
  expect(new Set(asked).size).toBe(2);
});

test("fails after three failed containers", async () => {
  await sandbox.fault({ operation: "prepare", fault: "processing_fails", times: 3 });
  const error = await failureOf(publish("image", { content: "Thrice", media: await images(1) }));
  expect(error).toMatchObject({
    kind: "rejected",
    message: "Instagram could not process the file, 3 times. Check that it opens, or export it again, and try again",
  });
});

test("looks up again a published post that is not listed yet or whose list cannot be read", async () => {
  const memory = newMemory();
  const post = { content: "Listed late", media: await images(1) };
  await sandbox.fault({ operation: "publish", fault: "drop_response" });
  await failureOf(publish("image", post, memory));
  const seeing = (list: () => Promise<Response>): NetworkSession => ({
    ...alice,
    fetch: (path, call) => (path.includes("/media?") ? list() : alice.fetch(path, call)),
  });
  const unlisted = seeing(async () => Response.json({ data: [] }));
  const unread = seeing(() => Promise.reject(new PlatformError("unknown", "no list")));
  for (const by of [unlisted, unread])
    expect(await failureOf(publish("image", post, memory, by))).toBeInstanceOf(PlatformError);
  const { id } = await publish("image", post, memory);
  expect((await held("Listed late")).map((one) => one.id)).toEqual([id]);
});

test("builds the permalink from the short code if Instagram returns none", async () => {
  const flagged: NetworkSession = {
    ...alice,
    fetch: (path, call) =>
      path.includes("shortcode")
        ? Promise.resolve(Response.json({ id: "1", shortcode: "Abc-1", media_product_type: "FEED" }))
        : alice.fetch(path, call),
  };
  const published = await publish("image", { content: "Flagged", media: await images(1) }, newMemory(), flagged);
  expect(published.permalink).toBe("https://www.instagram.com/p/Abc-1/");
});

test("a comment on a post that is only known by its container fails at once, with the reason", async () => {
  const memory = newMemory();
  const { id } = await publish("image", { content: "Commented", media: await images(1) }, memory);
  const container = memory.done.get("image, container 1") as { id: string };
  const comment = (on: string) =>
    instagram.comment?.publish({ text: "First", settings: {}, on: { id: on } }, memoryRun(alice, newMemory()));
  expect(await failureOf(Promise.resolve(comment(container.id)))).toMatchObject({
    kind: "rejected",
    message: expect.stringContaining("did not report the post's ID"),
  });
  expect(await comment(id)).toEqual({ id: expect.stringMatching(/^\d+$/) });
});
