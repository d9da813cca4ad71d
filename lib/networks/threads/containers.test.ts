import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { PlatformError } from "../errors";
import type { App, FormatName, NetworkSession, OutgoingPost } from "../network";
import { networkFormat } from "../network";
import { connectedTo, failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../testing";
import { threads } from ".";
import { settings, type ThreadsSettings } from "./settings";
import { described } from "./testing/described";

const DAY = 86_400;
let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
beforeAll(async () => {
  sandbox = await sandboxFor("threads", { described });
  app = sandboxApp(threads, sandbox.url, "threads");
  alice = await connectedTo(threads, app, "alice");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sandbox.clearFaults();
});
afterAll(() => sandbox.close());

function publish(format: FormatName, post: Partial<OutgoingPost<ThreadsSettings>>, memory = newMemory(), by = alice) {
  const sent = { content: "", media: [], settings: settings.parse({}), ...post };
  const run = memoryRun(by, memory, () => sandbox.advance(20));
  const found = networkFormat(threads, sent.settings, format);
  if (!found) throw new Error("Threads has no such format");
  return found.publish(sent, run);
}
const held = async (content: string) => (await sandbox.posts()).filter((one) => one.text === content);

test("creates a carousel and its items again after waiting for more than a day", async () => {
  const memory = newMemory();
  const post = { content: "Waited", media: await Promise.all([1, 2].map((shade) => sandbox.image({ shade }))) };
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
      if (path.endsWith("/threads_publish")) await alice.fetch(path, call);
      return alice.fetch(path, call);
    },
  };
  const memory = newMemory();
  expect(await failureOf(publish("text", { content: "Out already" }, memory, twice))).toMatchObject({
    kind: "unknown",
    answer: { code: "24/4279009" },
  });
  const { id } = await publish("text", { content: "Out already" }, memory);
  expect((await held("Out already")).map((post) => post.id)).toEqual([id]);
});

const notFound = () =>
  Promise.reject(new PlatformError("later", "not found", { answer: { status: 400, code: "24/4279009" } }));

test("retries a finished container that is not found; creates a new one after two minutes", async () => {
  const made: string[] = [];
  const mislaid: NetworkSession = {
    ...alice,
    fetch(path, call) {
      if (path.endsWith("/threads")) made.push(path);
      return path.endsWith("/threads_publish") ? notFound() : alice.fetch(path, call);
    },
  };
  const memory = newMemory();
  const post = { content: "Mislaid" };
  const now = Date.now();
  for (const [seconds, containers] of [
    [0, 1],
    [60, 1],
    [121, 2],
  ] as const) {
    vi.spyOn(Date, "now").mockReturnValue(now + seconds * 1000);
    expect(await failureOf(publish("text", post, memory, mislaid))).toMatchObject({ kind: "later" });
    expect(made).toHaveLength(containers);
  }
  await publish("text", post, memory);
  expect(await held("Mislaid")).toHaveLength(1);
});

test("makes no new container if the second look at the first one finds it published", async () => {
  let stale: Response | undefined;
  let isOut = false;
  const lagging: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      if (path.endsWith("/threads_publish")) {
        if (isOut) await alice.fetch(path, call).catch(() => {});
        throw new PlatformError("later", "not found", { answer: { status: 400, code: "24/4279009" } });
      }
      const answer = await alice.fetch(path, call);
      if (!path.includes("fields=status%2Cerror_message")) return answer;
      if (!isOut) stale = answer.clone();
      const shown = (isOut && stale) || answer; // what it was before, once
      if (isOut) stale = undefined;
      return shown;
    },
  };
  const memory = newMemory();
  const post = { content: "Reported late" };
  await failureOf(publish("text", post, memory, lagging));
  isOut = true;
  const later = Date.now() + 121_000;
  vi.spyOn(Date, "now").mockReturnValue(later);
  const error = await failureOf(publish("text", post, memory, lagging));
  expect(await held("Reported late")).toHaveLength(1);
  expect(error).toMatchObject({ message: "not found" }); // the next attempt finds it published at the first look
});

test("never publishes an abandoned container, even if it reappears while the next one's outcome is unknown", async () => {
  const asked: string[] = [];
  const losing: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      if (!path.endsWith("/threads_publish")) return alice.fetch(path, call);
      asked.push(String(call?.body));
      if (asked.length <= 2) return notFound();
      await alice.fetch(path, call);
      throw new PlatformError("unknown", "lost");
    },
  };
  const memory = newMemory();
  const post = { content: "Given up" };
  await failureOf(publish("text", post, memory, losing));
  const later = Date.now() + 121_000;
  vi.spyOn(Date, "now").mockReturnValue(later);
  expect(await failureOf(publish("text", post, memory, losing))).toMatchObject({ message: "lost" });
  vi.restoreAllMocks();
  const { id } = await publish("text", post, memory);
  expect((await held("Given up")).map((one) => one.id)).toEqual([id]);
  expect(new Set(asked).size).toBe(2);
});

test("looks up only the second container after a lost answer: the refused first one is not published again", async () => {
  const memory = newMemory();
  const post = { content: "Second container" };
  await sandbox.fault({ operation: "publish", fault: "rate_limit" });
  await failureOf(publish("text", post, memory));
  await sandbox.advance(DAY + 60);
  const asked: string[] = [];
  const losing: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      const answer = alice.fetch(path, call);
      if (!path.endsWith("/threads_publish")) return answer;
      asked.push(String(call?.body));
      await answer;
      throw new PlatformError("unknown", "lost");
    },
  };
  expect(await failureOf(publish("text", post, memory, losing))).toMatchObject({ message: "lost" });
  const [first, second] = asked;
  const { id } = await publish("text", post, memory, losing);
  expect(asked).toEqual([first, second]);
  expect((await held("Second container")).map((one) => one.id)).toEqual([id]);
});
