import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { gif } from "../../../sandbox/testing/media";
import { platformErrorFrom } from "../errors";
import type { App, NetworkSession, OutgoingMedia, OutgoingPost, PlannedMedia, Published } from "../network";
import { networkFormat } from "../network";
import { connectedTo, failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../testing";
import { x } from ".";
import { errors } from "./errors";
import { publishPost } from "./publish";
import type { XSettings } from "./settings";
import { described } from "./testing/described";

const MiB = 1_048_576;

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
let moving: OutgoingMedia;

beforeAll(async () => {
  sandbox = await sandboxFor("x", { described });
  app = sandboxApp(x, sandbox.url, "x");
  alice = await connectedTo(x, app, "alice");
  const facts = { kind: "image", contentType: "image/gif", filename: "a.gif" } as const;
  moving = { ...sandbox.file(await gif(), facts), frames: 2 };
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

const post = (content: string, ...media: OutgoingMedia[]) => ({ content, media, settings: {} });
const publish = (sent: OutgoingPost<XSettings>, memory = newMemory(), session = alice): Promise<Published> =>
  publishPost(sent, memoryRun(session, memory));
const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text.includes(text));
const calls = async (ending: string) => (await sandbox.calls()).filter(({ path }) => path.endsWith(ending)).length;

/** X's gateway, which refuses some bodies for their size before X sees them: with an empty answer. */
const gateway = (status: number, refuses: (path: string, bytes: number) => boolean): NetworkSession => ({
  ...alice,
  fetch(path, call) {
    if (!refuses(path, Number(call?.headers?.["content-length"] ?? 0))) return alice.fetch(path, call);
    return Promise.reject(platformErrorFrom("X", errors, undefined, { status, headers: new Headers() }));
  },
});

describe("video", () => {
  test("is uploaded in parts of 4 MiB and posted when X is ready", async () => {
    const before = await calls("/append");
    const video = sandbox.video({ sizeBytes: 8 * MiB + 1 });
    const published = await publish(post("A video of three parts", video));
    const [one, ...more] = await held("A video of three parts");
    expect(more).toEqual([]);
    expect(one).toMatchObject({ id: published.id, media: [{ type: "video/mp4", sizeBytes: 8 * MiB + 1 }] });
    expect((await calls("/append")) - before).toBe(3);
  });

  test.each([413, 431])("is uploaded in parts of 1 MiB if a larger one is refused with %i", async (status) => {
    const before = await calls("/append");
    const video = sandbox.video({ sizeBytes: 5 * MiB + 1 });
    const strict = gateway(status, (_, bytes) => bytes > 2 * MiB);
    await publish(post(`Smaller parts after ${status}`, video), newMemory(), strict);
    expect(await held(`Smaller parts after ${status}`)).toMatchObject([{ media: [{ sizeBytes: 5 * MiB + 1 }] }]);
    expect((await calls("/append")) - before).toBe(6);
  });

  test("whose smallest parts are refused, too, is refused with the reason", async () => {
    const strict = gateway(413, (path) => path.endsWith("/append"));
    expect(await failureOf(publish(post("No part", sandbox.video()), newMemory(), strict))).toMatchObject({
      kind: "rejected",
      message: "X refused the file because it is too large",
    });
  });

  test("continues an interrupted upload", async () => {
    const memory = newMemory();
    const sent = post("A video that was cut", sandbox.video({ sizeBytes: 9 * MiB }));
    await sandbox.fault({ operation: "upload", fault: "slow", afterSeconds: 0 });
    await sandbox.fault({ operation: "upload", fault: "drop_response" });
    const before = await calls("/append");
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown" });
    expect((await calls("/append")) - before).toBe(2);
    await publish(sent, memory);
    expect((await calls("/append")) - before).toBe(4);
    expect(await held("A video that was cut")).toMatchObject([{ media: [{ sizeBytes: 9 * MiB }] }]);
  });

  test("is uploaded again if it expired while waiting", async () => {
    const memory = newMemory();
    memory.done.set("video 1, start", { id: "1", until: Date.now() - 1 });
    await publish(post("A video of yesterday", sandbox.video()), memory);
    expect(await held("A video of yesterday")).toHaveLength(1);
  });

  test("that X cannot process is rejected with X's reason", async () => {
    await sandbox.fault({ operation: "status", fault: "processing_fails" });
    expect(await failureOf(publish(post("Not processed", sandbox.video())))).toMatchObject({
      kind: "rejected",
      message: "X could not process the file: The media could not be processed.",
    });
    expect(await held("Not processed")).toEqual([]);
  });

  test("longer than 140 seconds is also rejected by X", async () => {
    const long = sandbox.video({ seconds: 141, fps: 10 });
    expect(await failureOf(publish(post("Too long", long)))).toMatchObject({ kind: "rejected" });
  });

  test("in a thread is found after a lost answer", async () => {
    const first = await publish(post("Before the video"));
    const memory = newMemory();
    const sent = { ...post("A lost video", sandbox.video()), after: first };
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown" });
    const { id } = await publish(sent, memory);
    expect(await held("A lost video")).toMatchObject([{ id, replyTo: first.id }]);
  });

  test.each(["prepare", "upload", "status"])(
    "drop_response on %s: nothing is public, and the next attempt completes it",
    async (at) => {
      const memory = newMemory();
      const sent = post(`Dropped at ${at}`, sandbox.video());
      await sandbox.fault({ operation: at, fault: "drop_response" });
      expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown" });
      expect(await held(`Dropped at ${at}`)).toEqual([]);
      await publish(sent, memory);
      expect(await held(`Dropped at ${at}`)).toHaveLength(1);
    },
  );
});

describe("images", () => {
  test("animated ones are uploaded in parts, still GIFs in one request", async () => {
    const [started, uploadInOneRequest] = [await calls("/initialize"), await calls("/media/upload")];
    await publish(post("It moves", moving));
    expect(await held("It moves")).toMatchObject([{ media: [{ type: "image/gif" }] }]);
    expect([(await calls("/initialize")) - started]).toEqual([1]);
    expect(await calls("/media/upload")).toBeGreaterThan(uploadInOneRequest); // the status polls
  });

  test("that are too large for one request are uploaded in parts", async () => {
    const strict = gateway(413, (path, bytes) => path.endsWith("/media/upload") && bytes > 0);
    const image = await sandbox.image();
    await publish(post("In parts", { ...image, altText: "A bell" }), newMemory(), strict);
    expect(await held("In parts")).toMatchObject([{ media: [{ sizeBytes: image.sizeBytes }] }]);
  });

  test("that X no longer has are uploaded once more", async () => {
    const memory = newMemory();
    const sent = post("Uploaded anew", await sandbox.image());
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 1 });
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "later" });
    await sandbox.clearFaults();
    await sandbox.advance(86_400 + 60); // X's clock
    await publish(sent, memory, await connectedTo(x, app, "alice"));
    expect(await held("Uploaded anew")).toHaveLength(1);
    alice = await connectedTo(x, app, "alice");
  });
});

describe("combinations of media", () => {
  const planned = (kind: "image" | "video", frames?: number, side = 100): PlannedMedia => ({
    kind,
    contentType: kind === "image" ? "image/gif" : "video/mp4",
    sizeBytes: 1,
    width: side,
    height: side,
    frames,
  });
  const rules = (format: "text" | "image" | "video" | "carousel", content: string, media: PlannedMedia[]) =>
    networkFormat(x, {}, format)
      ?.check?.({ content, media, settings: {} })
      .map(({ rule, severity }) => [rule, severity ?? "refused"]);

  test("allows only still images together", () => {
    expect(rules("carousel", "", [planned("image"), planned("image", 1)])).toEqual([]);
    expect(rules("carousel", "", [planned("image"), planned("image", 2)])).toEqual([["media.mixed", "refused"]]);
    expect(rules("carousel", "", [planned("image"), planned("video")])).toEqual([["media.mixed", "refused"]]);
  });

  test("finds characters that X does not accept in every format", () => {
    for (const format of ["text", "image", "video", "carousel"] as const) {
      expect(rules(format, "a\uFEFFb", [])).toEqual([["text.characters", "refused"]]);
    }
    const [problem] =
      networkFormat(x, {}, "text")?.check?.({ content: "a\uFEFFb\uFFFF", media: [], settings: {} }) ?? [];
    expect(problem).toMatchObject({ measured: 2, change: { op: "replace", value: "ab" } });
  });

  test("warns of a video of more than 1280 x 1024 pixels", () => {
    expect(rules("video", "", [planned("video", undefined, 1024)])).toEqual([]);
    expect(rules("video", "", [planned("video", undefined, 1025)])).toEqual([["video.subscribers", "warning"]]);
  });
});
