import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { NetworkSession } from "../network";
import { failureOf, memoryRun, newMemory } from "../testing";
import { publishImages, publishVideo } from "./publish";
import { linkedInSandbox, post } from "./testing/sandbox";

type Sandbox = Awaited<ReturnType<typeof linkedInSandbox>>;
let sandbox: Sandbox;
let alice: NetworkSession;

beforeAll(async () => {
  sandbox = await linkedInSandbox();
  alice = await sandbox.connected("alice");
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.switches({});
});
afterAll(() => sandbox.close());

const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text === text);
const calls = async (operation: string) => (await sandbox.calls()).filter((call) => call.operation === operation);
const run = (memory = newMemory(), session: NetworkSession = alice) => memoryRun(session, memory);

test("uploads a video in three parts, assembled in order", async () => {
  const video = sandbox.video(9_000_000);
  const before = (await calls("upload")).length;
  const published = await publishVideo(post("A long video", { media: [video] }), run());
  expect((await calls("upload")).length - before).toBe(3);
  const [one] = await held("A long video");
  expect(one?.media).toMatchObject([{ type: "video/mp4", sizeBytes: video.sizeBytes }]);
  expect(one?.id).toBe(published.id);
  expect(published.id).toMatch(/^urn:li:ugcPost:\d+$/);
});

test("uploads a thumbnail with the video", async () => {
  const thumbnail = await sandbox.image({ shade: 3 });
  await publishVideo(post("Covered", { media: [sandbox.video()], thumbnail }), run());
  expect(await held("Covered")).toMatchObject([{ settings: { thumbnail: { sizeBytes: thumbnail.sizeBytes } } }]);
});

test("sends only the missing parts after an interruption", async () => {
  const memory = newMemory();
  const sent = post("Cut in the middle", { media: [sandbox.video(9_000_000)] });
  const flaky: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      if (path.includes("/1?sau=")) await sandbox.fault({ operation: "upload", fault: "refuse" });
      return alice.fetch(path, call);
    },
  };
  const before = (await calls("upload")).length;
  expect(await failureOf(publishVideo(sent, run(memory, flaky)))).toMatchObject({ kind: "unknown" });
  expect((await calls("upload")).length - before).toBe(2);
  await publishVideo(sent, run(memory));
  expect((await calls("upload")).length - before).toBe(4);
  expect(await held("Cut in the middle")).toHaveLength(1);
});

test("starts the upload again if its address expired", async () => {
  const old: NetworkSession = {
    ...alice,
    fetch: (path, call) => alice.fetch(path.replace(/sau=.{3}/, "sau=old"), call),
  };
  const memory = newMemory();
  const sent = post("Anew", { media: [sandbox.video()] });
  const error = await failureOf(publishVideo(sent, run(memory, old)));
  expect(error).toMatchObject({ kind: "later", answer: { status: 403 } });
  await publishVideo(sent, run(memory));
  expect(await held("Anew")).toHaveLength(1);
});

test("uploads a video once more if processing failed, and no further", async () => {
  await sandbox.fault({ operation: "prepare", fault: "processing_fails" });
  await publishVideo(post("Second go", { media: [sandbox.video()] }), run());
  expect(await held("Second go")).toHaveLength(1);
  const bad = post("Never", { media: [sandbox.video(100_000, 2)] });
  expect(await failureOf(publishVideo(bad, run()))).toMatchObject({
    kind: "rejected",
    message: "LinkedIn could not process the video: The video must last from 3 seconds to 30 minutes",
  });
});

test("waits an estimated time if the status may not be read; LinkedIn then decides", async () => {
  await sandbox.switches({ statusForbidden: true });
  const memory = newMemory();
  const sent = post("Not to be seen", { media: [sandbox.video()] });
  const late = memoryRun(alice, memory, async () => {
    memory.done.set("video, upload 1 sent", Date.now() - 11_000);
    throw new Error("still waiting");
  });
  await expect(publishVideo(sent, late)).rejects.toThrow("still waiting");
  expect(await failureOf(publishVideo(sent, run(memory)))).toMatchObject({ kind: "later", retryAfterSeconds: 120 });
  await sandbox.advance(10);
  await publishVideo(sent, run(memory));
  expect(await held("Not to be seen")).toHaveLength(1);
});

test("uploads once more if the post is refused because of an unnoticed processing failure", async () => {
  await sandbox.switches({ statusForbidden: true });
  await sandbox.fault({ operation: "prepare", fault: "processing_fails" });
  const sent = post("Unseen failure", { media: [sandbox.video()] });
  const memory = newMemory();
  const long = Date.now() - 600_000; // in the past, so the estimated waiting time is over
  for (const upload of [1, 2]) memory.done.set(`video, upload ${upload} sent`, long);
  expect(await failureOf(publishVideo(sent, run(memory)))).toMatchObject({ kind: "later" }); // still processing
  await sandbox.advance(10);
  expect(await failureOf(publishVideo(sent, run(memory)))).toMatchObject({ kind: "later" }); // now the second one is still processing
  await sandbox.advance(10);
  await publishVideo(sent, run(memory));
  expect(await held("Unseen failure")).toHaveLength(1);
});

test("uploads parts again that LinkedIn cannot assemble", async () => {
  const lossy: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      const isFirst = path.includes("finalizeUpload") && !failedUpload;
      if (!isFirst) return alice.fetch(path, call);
      failedUpload = true;
      return alice.fetch(path, {
        ...call,
        body: String(call?.body).replace(/"uploadedPartIds":\[.*?\]/, '"uploadedPartIds":[]'),
      });
    },
  };
  let failedUpload = false;
  await publishVideo(post("Put together", { media: [sandbox.video()] }), run(newMemory(), lossy));
  expect([failedUpload, await held("Put together")]).toMatchObject([true, [{ text: "Put together" }]]);
});

test("uploads nothing again after a lost answer", async () => {
  const memory = newMemory();
  const sent = post("Lost video", { media: [sandbox.video()] });
  await sandbox.fault({ operation: "publish", fault: "drop_response" });
  expect(await failureOf(publishVideo(sent, run(memory)))).toMatchObject({ kind: "unknown" });
  const before = (await calls("upload")).length;
  const published = await publishVideo(sent, run(memory));
  expect((await calls("upload")).length).toBe(before);
  expect((await held("Lost video")).map(({ id }) => id)).toEqual([published.id]);
});

describe("images that LinkedIn is still processing", () => {
  const SECONDS = 6;
  const twoImages = async (content: string) =>
    post(content, { media: [await sandbox.image({ shade: 1 }), await sandbox.image({ shade: 2 })] });
  const refusals = async () => (await calls("publish")).filter(({ status }) => status !== 201).length;

  test("are read until they are available, and then posted once", async () => {
    await sandbox.switches({ imageSeconds: SECONDS, imagesReadable: true });
    const before = await refusals();
    await publishImages(
      await twoImages("Read until ready"),
      memoryRun(alice, newMemory(), () => sandbox.advance(2)),
    );
    expect(await held("Read until ready")).toHaveLength(1);
    expect(await refusals()).toBe(before);
  });

  test("are posted after a fixed time if they may not be read", async () => {
    await sandbox.switches({ imageSeconds: SECONDS });
    const before = await refusals();
    const memory = newMemory();
    const waits: unknown[] = [];
    const late = memoryRun(alice, memory, async () => {
      const sent = "images, upload 1 sent";
      waits.push(memory.done.get(sent));
      memory.done.set(sent, { at: Date.now() - 20_000, isReadable: false });
      await sandbox.advance(SECONDS + 1);
      throw new Error("still waiting");
    });
    const sent = await twoImages("Not to be read");
    await expect(publishImages(sent, late)).rejects.toThrow("still waiting");
    await publishImages(sent, run(memory));
    expect(waits).toEqual([{ at: expect.any(Number), isReadable: false }]);
    expect(await held("Not to be read")).toHaveLength(1);
    expect(await refusals()).toBe(before);
  });

  test("are uploaded once more if LinkedIn could not process them", async () => {
    await sandbox.switches({ imagesReadable: true });
    await sandbox.fault({ operation: "upload", fault: "processing_fails" });
    await publishImages(await twoImages("Processed the second time"), run());
    expect(await held("Processed the second time")).toHaveLength(1);
  });
});

describe("a post that LinkedIn refuses right after an upload", () => {
  test("is published once if LinkedIn does not know the file at first", async () => {
    const memory = newMemory();
    const sent = post("Known later", { media: [await sandbox.image()] });
    await sandbox.fault({ operation: "publish", fault: "file_unknown", times: 2 });
    for (const _ of [1, 2])
      expect(await failureOf(publishImages(sent, run(memory)))).toMatchObject({ kind: "later", refused: true });
    await publishImages(sent, run(memory));
    expect(await held("Known later")).toHaveLength(1);
  });

  test.each(["images", "a video"])(
    "is published once if the server that is asked does not know %s yet",
    async (what) => {
      await sandbox.switches({ imagesReadable: true });
      const content = `Not found at first: ${what}`;
      // The first image is asked for twice, then the second one.
      await sandbox.fault({ operation: "status", fault: "file_unknown", every: what === "images" ? 3 : 1 });
      const images = [await sandbox.image({ shade: 1 }), await sandbox.image({ shade: 2 })];
      if (what === "images") await publishImages(post(content, { media: images }), run());
      else await publishVideo(post(content, { media: [sandbox.video()] }), run());
      expect(await held(content)).toHaveLength(1);
      expect(await sandbox.faults()).toEqual([]);
    },
  );

  test("fails if LinkedIn still refuses the file after a few attempts", async () => {
    const memory = newMemory();
    const sent = post("Never known", { media: [await sandbox.image()] });
    await sandbox.fault({ operation: "publish", fault: "file_unknown", times: 9 });
    const kinds = [];
    for (let n = 0; n < 5; n++) kinds.push((await failureOf(publishImages(sent, run(memory)))).kind);
    expect(kinds).toEqual(["later", "later", "later", "later", "rejected"]);
    expect(await held("Never known")).toEqual([]);
  });

  test("is published once if LinkedIn cannot obtain the activity: the post is looked up", async () => {
    const memory = newMemory();
    const sent = post("Made without an activity", { media: [await sandbox.image()] });
    await sandbox.fault({ operation: "publish", fault: "no_activity" });
    expect(await failureOf(publishImages(sent, run(memory)))).toMatchObject({ kind: "later", refused: false });
    const published = await publishImages(sent, run(memory));
    expect((await held("Made without an activity")).map(({ id }) => id)).toEqual([published.id]);
  });
});
