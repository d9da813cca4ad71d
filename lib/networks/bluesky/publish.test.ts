import { beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import type { OutgoingMedia, Session } from "../network";
import { newMemory } from "../testing";
import { blueskySandbox, failure } from "./testing/setting";
import { validatedMethods } from "./testing/validated";

const at = blueskySandbox();
let alice: Session;
beforeAll(async () => {
  alice = await at.connected("alice");
});

const images = (count: number, width?: number, height?: number): Promise<OutgoingMedia[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => at.sandbox.image({ shade: 10 * index, width, height })));

function film(seconds = 5): OutgoingMedia {
  const bytes = mp4({ seconds, width: 640, height: 360 });
  const facts = { kind: "video", contentType: "video/mp4", filename: "film.mp4" } as const;
  return { ...at.sandbox.file(bytes, facts), width: 640, height: 360, durationSeconds: seconds };
}
const only = async (text: string) => {
  const [one, ...more] = await at.held(text);
  expect(more).toEqual([]);
  if (!one) throw new Error(`nothing was posted: ${text}`);
  return one;
};

describe("every format", () => {
  test("a text, its address by DID", async () => {
    const published = await at.publish(alice, "text", { content: "Only words" });
    const one = await only("Only words");
    expect(published).toEqual({ id: one.id, permalink: one.permalink });
    expect(one.id).toMatch(new RegExp(`^at://${alice.accountId}/app\\.bsky\\.feed\\.post/[2-7a-z]{13}$`));
  });

  test("an image with its shape and an empty alternative text", async () => {
    await at.publish(alice, "image", { content: "One image", media: await images(1, 400, 300) });
    expect((await only("One image")).settings.embed).toMatchObject({
      $type: "app.bsky.embed.images",
      images: [{ alt: "", aspectRatio: { width: 400, height: 300 }, image: { mimeType: "image/jpeg" } }],
    });
  });

  test("what images and videos show, in words", async () => {
    const media = [{ ...(await at.sandbox.image()), altText: "A bell" }, await at.sandbox.image({ shade: 9 })];
    await at.publish(alice, "carousel", { content: "Described", media });
    await at.publish(alice, "video", { content: "Filmed", media: [{ ...film(), altText: "A tower" }] });
    expect((await only("Described")).settings.embed).toMatchObject({ images: [{ alt: "A bell" }, { alt: "" }] });
    expect((await only("Filmed")).settings.embed).toMatchObject({ $type: "app.bsky.embed.video", alt: "A tower" });
  });

  test.each([
    [4, "app.bsky.embed.images"],
    [5, "app.bsky.embed.gallery"],
    [10, "app.bsky.embed.gallery"],
  ])("%i images are %s, in order", async (count, kind) => {
    const content = `${count} images`;
    await at.publish(alice, "carousel", { content, media: await images(count) });
    const { media, settings } = await only(content);
    expect(settings.embed).toMatchObject({ $type: kind });
    expect(new Set(media.map((one) => JSON.stringify(one))).size).toBe(count);
  });

  test("a video in parts by the video service, after it was allowed and encoded", async () => {
    await at.publish(alice, "video", { content: "A film", media: [film()] });
    expect((await only("A film")).settings.embed).toMatchObject({
      $type: "app.bsky.embed.video",
      aspectRatio: { width: 640, height: 360 },
      video: { mimeType: "video/mp4" },
    });
    const paths = (await at.sandbox.calls()).map(({ path }) => path.split("/").at(-1));
    expect(paths).toEqual(expect.arrayContaining(["app.bsky.video.startUpload", "app.bsky.video.uploadPart"]));
  });

  test("a thread: every reply names the first post and the one before", async () => {
    const first = await at.publish(alice, "text", { content: "Thread 1" });
    const second = await at.publish(alice, "text", { content: "Thread 2", after: first });
    const third = await at.publish(alice, "image", { content: "Thread 3", media: await images(1), after: second });
    const held = await Promise.all(["Thread 2", "Thread 3"].map(only));
    expect(held.map(({ replyTo, settings }) => [replyTo, settings.root])).toEqual([
      [first.id, first.id],
      [second.id, first.id],
    ]);
    expect(third.id).toBe(held[1]?.id);
  });

  test("a reply to a post that was deleted meanwhile", async () => {
    const after = { id: `at://${alice.accountId}/app.bsky.feed.post/3kaaaaaaaaaaa` };
    const error = await failure(at.publish(alice, "text", { content: "Late", after }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("no longer on Bluesky") });
  });
});

describe("rich text", () => {
  test("links, hashtags and mentions of people there are; nobody's name stays text", async () => {
    const content = "👋 @bob.bsky.test and @nobody.example.com: example.com/a #тег";
    await at.publish(alice, "text", { content });
    const { settings } = await only(content);
    const bytes = Buffer.from(content);
    const facets = settings.facets as { index: { byteStart: number; byteEnd: number }; features: object[] }[]; // the record's own
    expect(
      facets.map(({ index, features }) => [bytes.subarray(index.byteStart, index.byteEnd).toString(), features]),
    ).toEqual([
      ["@bob.bsky.test", [{ $type: "app.bsky.richtext.facet#mention", did: expect.stringMatching(/^did:plc:/) }]],
      ["example.com/a", [{ $type: "app.bsky.richtext.facet#link", uri: "https://example.com/a" }]],
      ["#тег", [{ $type: "app.bsky.richtext.facet#tag", tag: "тег" }]],
    ]);
  });
});

describe("a long link", () => {
  test("is shown cut, and leads to the whole address", async () => {
    const link = "https://bob.bsky.test/bells/in/the/tower?ring=1";
    const shown = "🔔 bob.bsky.test/bells/in/the... #bells";
    await at.publish(alice, "text", { content: `🔔 ${link} #bells` });
    const { settings } = await only(shown);
    expect(settings.facets).toEqual([
      { index: { byteStart: 5, byteEnd: 34 }, features: [{ $type: "app.bsky.richtext.facet#link", uri: link }] },
      { index: { byteStart: 35, byteEnd: 41 }, features: [{ $type: "app.bsky.richtext.facet#tag", tag: "bells" }] },
    ]);
  });

  test("leaves room: what is too long as it was written is taken at its bound as it is shown, and not above", async () => {
    const text = (letters: number) => `${"a".repeat(letters)} https://bob.bsky.test/${"b".repeat(400)}`;
    const shown = (letters: number) => `${"a".repeat(letters)} bob.bsky.test/${"b".repeat(12)}...`;
    await at.publish(alice, "text", { content: text(270) });
    await only(shown(270));
    await expect(at.publish(alice, "text", { content: text(271) })).rejects.toThrow("300 graphemes");
    expect(await at.held(shown(271))).toEqual([]);
  });
});

describe("an answer that was lost", () => {
  test.each(["drop_response", "http_500", "cut_body", "http_502_html"])(
    "%s: one post, found by its key",
    async (fault) => {
      const content = `After ${fault}`;
      const memory = newMemory();
      await at.sandbox.fault({ operation: "publish", fault });
      expect(await failure(at.publish(alice, "text", { content }, memory))).toMatchObject({
        kind: "unknown",
        refused: false,
      });
      const published = await at.publish(alice, "text", { content }, memory);
      expect(published.id).toBe((await only(content)).id);
    },
  );

  test("the same record once more changes nothing", async () => {
    const memory = newMemory();
    const first = await at.publish(alice, "text", { content: "Twice" }, memory);
    memory.done.delete("post");
    memory.intents.clear();
    expect(await at.publish(alice, "text", { content: "Twice" }, memory)).toEqual(first);
    await only("Twice");
  });

  test("another content under the same key is refused and taken for what stands there", async () => {
    const memory = newMemory();
    await at.publish(alice, "text", { content: "Mine" }, memory);
    memory.done.delete("post");
    memory.intents.clear();
    memory.done.set("record", { ...(memory.done.get("record") as object), text: "Not mine" });
    expect(await failure(at.publish(alice, "text", { content: "Mine" }, memory))).toMatchObject({
      kind: "rejected",
      duplicate: true,
      answer: { code: "InvalidSwap" },
    });
    await only("Mine");
  });
});

describe("files that waited too long", () => {
  test("images are dropped after some hours, and uploaded once more", async () => {
    const memory = newMemory();
    const post = { content: "A late image", media: await images(1, 333, 222) };
    await at.sandbox.fault({ operation: "publish", fault: "refuse" });
    expect(await failure(at.publish(alice, "image", post, memory))).toMatchObject({ kind: "unknown" });
    memory.intents.clear();
    await at.sandbox.advance(7 * 3600);
    alice = await at.connected("alice");
    await at.publish(alice, "image", post, memory);
    expect((await only("A late image")).media).toHaveLength(1);
    expect([...memory.done.keys()]).toContain("image 1, again");
  });
});

describe("the video service", () => {
  test("the file of before is not encoded again", async () => {
    const media = [film(7)];
    await at.publish(alice, "video", { content: "First of two", media });
    await at.publish(alice, "video", { content: "Second of two", media });
    const [one, two] = await Promise.all(["First of two", "Second of two"].map(only));
    expect(two?.media).toEqual(one?.media);
  });

  test("an upload that is cut goes on with the part that is missing", async () => {
    const big = at.sandbox.file(Buffer.concat([mp4({ seconds: 6 }), Buffer.alloc(6 * 1_048_576)]), {
      kind: "video",
      contentType: "video/mp4",
      filename: "big.mp4",
    });
    const memory = newMemory();
    const post = { content: "Two parts", media: [big] };
    await at.sandbox.fault({ operation: "upload", fault: "drop_response" });
    expect(await failure(at.publish(alice, "video", post, memory))).toMatchObject({ kind: "unknown" });
    await at.publish(alice, "video", post, memory);
    expect([...memory.done.keys()].filter((name) => name.includes("part"))).toEqual([
      "video, upload 1, part 1",
      "video, upload 1, part 2",
    ]);
    await only("Two parts");
  });

  test("what it cannot encode is refused with its reason", async () => {
    const sound = at.sandbox.file(Buffer.from("not a film"), {
      kind: "video",
      contentType: "video/mp4",
      filename: "x.mp4",
    });
    const error = await failure(at.publish(alice, "video", { content: "Broken", media: [sound] }));
    expect(error).toMatchObject({ kind: "rejected", answer: { code: "validation_failure" } });
    expect(error.message).toContain("File is not a video");
  });

  test("what it could not store is uploaded again", async () => {
    await at.sandbox.fault({ operation: "status", fault: "processing_fails" });
    await at.publish(alice, "video", { content: "Second try", media: [film(8)] });
    await only("Second try");
  });

  test("an account without a confirmed e-mail address is told so", async () => {
    const carol = await at.connected("carol");
    await at.sandbox.control("bluesky/account", { account: "carol", isEmailUnconfirmed: true });
    const error = await failure(at.publish(carol, "video", { content: "No mail", media: [film()] }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("confirm your email") });
  });
});

test("everything that was sent is as the lexicons have it", () => {
  expect([...validatedMethods].sort()).toEqual(
    expect.arrayContaining([
      "app.bsky.video.finishUpload",
      "app.bsky.video.getJobStatus",
      "app.bsky.video.getUploadLimits",
      "app.bsky.video.startUpload",
      "app.bsky.video.uploadPart",
      "com.atproto.identity.resolveHandle",
      "com.atproto.repo.getRecord",
      "com.atproto.repo.putRecord",
      "com.atproto.repo.uploadBlob",
      "com.atproto.server.getServiceAuth",
      "com.atproto.server.getSession",
    ]),
  );
});
