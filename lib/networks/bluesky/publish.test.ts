import { beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import type { NetworkSession, OutgoingMedia } from "../network";
import { failureOf, killedEverywhere, newMemory } from "../testing";
import { publishPost } from "./publish";
import type { BlueskySettings } from "./settings";
import { validatedMethods } from "./testing/lexicon-checks";
import { blueskySandbox } from "./testing/sandbox";

const at = blueskySandbox();
let alice: NetworkSession;
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
  if (!one) throw new Error("the post was not published");
  return one;
};

describe("formats", () => {
  test("publishes a text; its address contains the DID", async () => {
    const published = await at.publish(alice, "text", { content: "Only words" });
    const one = await only("Only words");
    expect(published).toEqual({ id: one.id, permalink: one.permalink });
    expect(one.id).toMatch(new RegExp(`^at://${alice.accountId}/app\\.bsky\\.feed\\.post/[2-7a-z]{13}$`));
  });

  test("publishes an image with its aspect ratio and an empty alternative text", async () => {
    await at.publish(alice, "image", { content: "One image", media: await images(1, 400, 300) });
    expect((await only("One image")).settings.embed).toMatchObject({
      $type: "app.bsky.embed.images",
      images: [{ alt: "", aspectRatio: { width: 400, height: 300 }, image: { mimeType: "image/jpeg" } }],
    });
  });

  test("sends alternative texts of images and videos", async () => {
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
  ])("publishes %i images as %s, in order", async (count, kind) => {
    const content = `${count} images`;
    await at.publish(alice, "carousel", { content, media: await images(count) });
    const { media, settings } = await only(content);
    expect(settings.embed).toMatchObject({ $type: kind });
    expect(new Set(media.map((one) => JSON.stringify(one))).size).toBe(count);
  });

  test("uploads a video in parts after the quota check, and waits for encoding", async () => {
    await at.publish(alice, "video", { content: "A film", media: [film()] });
    expect((await only("A film")).settings.embed).toMatchObject({
      $type: "app.bsky.embed.video",
      aspectRatio: { width: 640, height: 360 },
      video: { mimeType: "video/mp4" },
    });
    const paths = (await at.sandbox.calls()).map(({ path }) => path.split("/").at(-1));
    expect(paths).toEqual(expect.arrayContaining(["app.bsky.video.startUpload", "app.bsky.video.uploadPart"]));
  });

  test("publishes a thread: each reply names the root and its parent", async () => {
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

  test("rejects a reply to a post that was deleted", async () => {
    const after = { id: `at://${alice.accountId}/app.bsky.feed.post/3kaaaaaaaaaaa` };
    const error = await failureOf(at.publish(alice, "text", { content: "Late", after }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("no longer on Bluesky") });
  });
});

describe("settings", () => {
  test("sends languages and labels with every post of a thread", async () => {
    const settings: BlueskySettings = { languages: ["en", "pt-br"], labels: ["NUDITY", "NUDITY"] };
    const first = await at.publish(alice, "text", { content: "Languages 1", settings });
    await at.publish(alice, "text", { content: "Languages 2", settings, after: first });
    for (const text of ["Languages 1", "Languages 2"]) {
      expect((await only(text)).settings).toMatchObject({
        langs: ["en", "pt-BR"],
        labels: { $type: "com.atproto.label.defs#selfLabels", values: [{ val: "nudity" }] },
      });
    }
  });

  test.each<[BlueskySettings["whoCanReply"], string[]]>([
    [["NOBODY"], []],
    [
      ["MENTIONED", "FOLLOWERS"],
      ["mentionRule", "followerRule"],
    ],
  ])("creates the post together with a gate for %j; replies of the thread have none", async (whoCanReply, rules) => {
    const content = `Gate ${whoCanReply}`;
    const first = await at.publish(alice, "text", { content, settings: { whoCanReply } });
    await at.publish(alice, "text", { content: `${content}, 2`, settings: { whoCanReply }, after: first });
    expect((await only(content)).settings.allow).toEqual(
      rules.map((rule) => ({ $type: `app.bsky.feed.threadgate#${rule}` })),
    );
    expect((await only(`${content}, 2`)).settings).not.toHaveProperty("allow");
  });

  test("rejects a gate before anything is sent if the account was connected without its scope", async () => {
    const scopes = alice.tokens.scopes?.filter((scope) => !scope.includes("threadgate"));
    expect(scopes?.length).toBe((alice.tokens.scopes?.length ?? 0) - 1);
    const earlier = { ...alice, tokens: { ...alice.tokens, scopes } };
    const settings: BlueskySettings = { whoCanReply: ["NOBODY"] };
    expect(await failureOf(at.publish(earlier, "text", { content: "No gate", settings }))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("Reconnect the account"),
    });
    expect(await at.held("No gate")).toEqual([]);
  });

  test("sends no list that is empty", async () => {
    await at.publish(alice, "text", { content: "Empty", settings: { languages: [], labels: [], whoCanReply: [] } });
    expect(Object.keys((await only("Empty")).settings)).toEqual(["createdAt"]);
  });

  test("quotes a post by each of its addresses", async () => {
    const quoted = await at.publish(alice, "text", { content: "Quote me" });
    const key = quoted.id.split("/").at(-1);
    const addresses = [quoted.id, quoted.permalink, `https://bsky.app/profile/alice.bsky.test/post/${key}`];
    for (const [index, quote = ""] of addresses.entries()) {
      await at.publish(alice, "text", { content: `Quoting ${index}`, settings: { quote } });
      const { embed } = (await only(`Quoting ${index}`)).settings;
      expect(embed).toMatchObject({ $type: "app.bsky.embed.record", record: { uri: quoted.id } });
    }
  });

  test("quotes a post together with an image, and only in the first post of a thread", async () => {
    const { id } = await at.publish(alice, "text", { content: "Quote me with an image" });
    const first = await at.publish(alice, "image", {
      content: "Quoting with an image",
      media: await images(1),
      settings: { quote: id },
    });
    await at.publish(alice, "text", { content: "After the quote", settings: { quote: id }, after: first });
    expect((await only("Quoting with an image")).settings.embed).toMatchObject({
      $type: "app.bsky.embed.recordWithMedia",
      record: { $type: "app.bsky.embed.record", record: { uri: id } },
      media: { $type: "app.bsky.embed.images" },
    });
    expect((await only("After the quote")).settings).not.toHaveProperty("embed");
  });

  test.each([
    "https://bsky.app/profile/alice.bsky.test/post/3kaaaaaaaaaaa",
    "at://nobody.example.com/app.bsky.feed.post/3kaaaaaaaaaaa",
  ])("rejects a quote of a post that does not exist: %s", async (quote) => {
    const error = await failureOf(at.publish(alice, "text", { content: "No quote", settings: { quote } }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("The post to quote") });
    expect(await at.held("No quote")).toEqual([]);
  });
});

describe("rich text", () => {
  test("marks links, hashtags and mentions of existing accounts; unknown handles stay text", async () => {
    const content = "👋 @bob.bsky.test and @nobody.example.com: example.com/a #тег";
    await at.publish(alice, "text", { content });
    const { settings } = await only(content);
    const bytes = Buffer.from(content);
    const facets = settings.facets as { index: { byteStart: number; byteEnd: number }; features: object[] }[]; // the fields of the record
    expect(
      facets.map(({ index, features }) => [bytes.subarray(index.byteStart, index.byteEnd).toString(), features]),
    ).toEqual([
      ["@bob.bsky.test", [{ $type: "app.bsky.richtext.facet#mention", did: expect.stringMatching(/^did:plc:/) }]],
      ["example.com/a", [{ $type: "app.bsky.richtext.facet#link", uri: "https://example.com/a" }]],
      ["#тег", [{ $type: "app.bsky.richtext.facet#tag", tag: "тег" }]],
    ]);
  });
});

describe("long links", () => {
  test("are shown shortened and lead to the full address", async () => {
    const link = "https://bob.bsky.test/bells/in/the/tower?ring=1";
    const publicProfile = "🔔 bob.bsky.test/bells/in/the... #bells";
    await at.publish(alice, "text", { content: `🔔 ${link} #bells` });
    const { settings } = await only(publicProfile);
    expect(settings.facets).toEqual([
      { index: { byteStart: 5, byteEnd: 34 }, features: [{ $type: "app.bsky.richtext.facet#link", uri: link }] },
      { index: { byteStart: 35, byteEnd: 41 }, features: [{ $type: "app.bsky.richtext.facet#tag", tag: "bells" }] },
    ]);
  });

  test("leave room: the limit applies to the text as shown", async () => {
    const text = (letters: number) => `${"a".repeat(letters)} https://bob.bsky.test/${"b".repeat(400)}`;
    const publicProfile = (letters: number) => `${"a".repeat(letters)} bob.bsky.test/${"b".repeat(12)}...`;
    await at.publish(alice, "text", { content: text(270) });
    await only(publicProfile(270));
    await expect(at.publish(alice, "text", { content: text(271) })).rejects.toThrow("300 graphemes");
    expect(await at.held(publicProfile(271))).toEqual([]);
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "http_500", "cut_body", "http_502_html"])(
    "%s: finds the one post by its key",
    async (fault) => {
      const content = `After ${fault}`;
      const memory = newMemory();
      await at.sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(at.publish(alice, "text", { content }, memory))).toMatchObject({
        kind: "unknown",
        refused: false,
      });
      const published = await at.publish(alice, "text", { content }, memory);
      expect(published.id).toBe((await only(content)).id);
    },
  );

  test.each(["drop_response", "http_500", "cut_body", "http_502_html"])(
    "%s: finds the one post that was created with a gate",
    async (fault) => {
      const post = { content: `Gate after ${fault}`, settings: { whoCanReply: ["NOBODY"] } satisfies BlueskySettings };
      const memory = newMemory();
      await at.sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(at.publish(alice, "text", post, memory))).toMatchObject({ kind: "unknown" });
      const published = await at.publish(alice, "text", post, memory);
      const one = await only(post.content);
      expect([published.id, one.settings.allow]).toEqual([one.id, []]);
    },
  );

  test("killed at any point, a post with an image and a gate is published once", async () => {
    const media = await images(1, 321, 123);
    const outcomes = await killedEverywhere(alice, (run, point) =>
      publishPost({ content: `Gate killed at ${point}`, media, settings: { whoCanReply: ["FOLLOWERS"] } }, run),
    );
    expect(outcomes.length).toBeGreaterThan(4);
    for (const [index, { id }] of outcomes.entries()) {
      const one = await only(`Gate killed at ${index + 1}`);
      expect([one.id, one.settings.allow]).toEqual([id, [{ $type: "app.bsky.feed.threadgate#followerRule" }]]);
    }
  });

  test("creating a post with a gate again creates nothing, and is looked up", async () => {
    const post = { content: "Gate twice", settings: { whoCanReply: ["NOBODY"] } satisfies BlueskySettings };
    const memory = newMemory();
    const first = await at.publish(alice, "text", post, memory);
    memory.done.delete("post");
    memory.intents.clear();
    expect(await failureOf(at.publish(alice, "text", post, memory))).toMatchObject({ kind: "unknown", refused: false });
    expect(await at.publish(alice, "text", post, memory)).toEqual(first);
    await only("Gate twice");
  });

  test("repeating the same record changes nothing", async () => {
    const memory = newMemory();
    const first = await at.publish(alice, "text", { content: "Twice" }, memory);
    memory.done.delete("post");
    memory.intents.clear();
    expect(await at.publish(alice, "text", { content: "Twice" }, memory)).toEqual(first);
    await only("Twice");
  });

  test("a different record under the same key is refused and treated as a duplicate", async () => {
    const memory = newMemory();
    await at.publish(alice, "text", { content: "Mine" }, memory);
    memory.done.delete("post");
    memory.intents.clear();
    memory.done.set("record", { ...(memory.done.get("record") as object), text: "Not mine" });
    expect(await failureOf(at.publish(alice, "text", { content: "Mine" }, memory))).toMatchObject({
      kind: "rejected",
      duplicate: true,
      answer: { code: "InvalidSwap" },
    });
    await only("Mine");
  });
});

describe("expired uploads", () => {
  test("uploads images again after the server deleted them", async () => {
    const memory = newMemory();
    const post = { content: "A late image", media: await images(1, 333, 222) };
    await at.sandbox.fault({ operation: "publish", fault: "refuse" });
    expect(await failureOf(at.publish(alice, "image", post, memory))).toMatchObject({ kind: "unknown" });
    memory.intents.clear();
    await at.sandbox.advance(7 * 3600);
    alice = await at.connected("alice");
    await at.publish(alice, "image", post, memory);
    expect((await only("A late image")).media).toHaveLength(1);
    expect([...memory.done.keys()]).toContain("image 1, again");
  });
});

describe("video service", () => {
  test("does not encode a file again that was uploaded before", async () => {
    const media = [film(7)];
    await at.publish(alice, "video", { content: "First of two", media });
    await at.publish(alice, "video", { content: "Second of two", media });
    const [one, two] = await Promise.all(["First of two", "Second of two"].map(only));
    expect(two?.media).toEqual(one?.media);
  });

  test("continues an interrupted upload with the missing part", async () => {
    const big = at.sandbox.file(Buffer.concat([mp4({ seconds: 6 }), Buffer.alloc(6 * 1_048_576)]), {
      kind: "video",
      contentType: "video/mp4",
      filename: "big.mp4",
    });
    const memory = newMemory();
    const post = { content: "Two parts", media: [big] };
    await at.sandbox.fault({ operation: "upload", fault: "drop_response" });
    expect(await failureOf(at.publish(alice, "video", post, memory))).toMatchObject({ kind: "unknown" });
    await at.publish(alice, "video", post, memory);
    expect([...memory.done.keys()].filter((name) => name.includes("part"))).toEqual([
      "video, upload 1, part 1",
      "video, upload 1, part 2",
    ]);
    await only("Two parts");
  });

  test("rejects a video that cannot be encoded, with the reason", async () => {
    const sound = at.sandbox.file(Buffer.from("not a film"), {
      kind: "video",
      contentType: "video/mp4",
      filename: "x.mp4",
    });
    const error = await failureOf(at.publish(alice, "video", { content: "Broken", media: [sound] }));
    expect(error).toMatchObject({ kind: "rejected", answer: { code: "validation_failure" } });
    expect(error.message).toContain("File is not a video");
  });

  test("uploads a video again that could not be stored", async () => {
    await at.sandbox.fault({ operation: "status", fault: "processing_fails" });
    await at.publish(alice, "video", { content: "Second try", media: [film(8)] });
    await only("Second try");
  });

  test("reports an account without a confirmed email address", async () => {
    const carol = await at.connected("carol");
    await at.sandbox.control("bluesky/account", { account: "carol", isEmailUnconfirmed: true });
    const error = await failureOf(at.publish(carol, "video", { content: "No mail", media: [film()] }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("confirm your email") });
  });
});

test("every request conforms to its lexicon", () => {
  expect([...validatedMethods].sort()).toEqual(
    expect.arrayContaining([
      "app.bsky.video.finishUpload",
      "app.bsky.video.getJobStatus",
      "app.bsky.video.getUploadLimits",
      "app.bsky.video.startUpload",
      "app.bsky.video.uploadPart",
      "app.bsky.feed.getPosts",
      "com.atproto.identity.resolveHandle",
      "com.atproto.repo.applyWrites",
      "com.atproto.repo.getRecord",
      "com.atproto.repo.putRecord",
      "com.atproto.repo.uploadBlob",
      "com.atproto.server.getServiceAuth",
      "com.atproto.server.getSession",
    ]),
  );
});
