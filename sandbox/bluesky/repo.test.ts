import { beforeAll, describe, expect, test } from "vitest";
import { gif, jpeg, png } from "../testing/media";
import { testSandbox } from "../testing/sandbox";
import { cidOfBytes, cidOfRecord } from "./blobs";
import { key, postOf, signedIn } from "./testing";

const sandbox = testSandbox();
let alice: Awaited<ReturnType<typeof signedIn>>;
let blob: Record<string, unknown>;
beforeAll(async () => {
  alice = await signedIn(sandbox);
  blob = (await alice.upload(await png(), "image/png")).body.blob as Record<string, unknown>; // as `uploadBlob` answers it
});

const family = "👨‍👩‍👧‍👦"; // 25 bytes
const image = (more: object = {}) => ({ image: blob, alt: "", aspectRatio: { width: 1, height: 1 }, ...more });
const images = (count: number, more?: object) => ({
  embed: { $type: "app.bsky.embed.images", images: Array.from({ length: count }, () => image(more)) },
});
const gallery = (count: number, more?: object) => ({
  embed: {
    $type: "app.bsky.embed.gallery",
    items: Array.from({ length: count }, () => ({ $type: "app.bsky.embed.gallery#image", ...image(more) })),
  },
});
const facet = (index: object, feature: object) => ({ facets: [{ index, features: [feature] }] });

describe("writes validate records against the lexicon", () => {
  test.each<[string, () => object]>([
    ["300 graphemes", () => ({ text: "a".repeat(300) })],
    ["3,000 bytes", () => ({ text: family.repeat(120) })],
    ["an image without text", () => ({ text: "", ...images(1) })],
    ["4 images", () => images(4)],
    ["an image without aspect ratio", () => images(1, { aspectRatio: undefined })],
    ["a gallery of 20", () => gallery(20)],
    [
      "a facet beyond the end of the text, which is not checked",
      () => facet({ byteStart: 900, byteEnd: 901 }, { $type: "app.bsky.richtext.facet#tag", tag: "x" }),
    ],
  ])("accepts %s", async (_, more) => {
    expect(await alice.put(key(), postOf(more()))).toMatchObject({ status: 200, body: { validationStatus: "valid" } });
  });

  test.each<[string, () => object, string]>([
    ["301 graphemes", () => ({ text: "a".repeat(301) }), "grapheme too big"],
    ["3,001 bytes", () => ({ text: `${family.repeat(120)}a` }), "string too big"],
    ["no text field", () => ({ text: undefined }), 'Missing required key "text"'],
    ["an invalid date", () => ({ createdAt: "yesterday" }), "Invalid datetime"],
    ["5 images", () => images(5), "array too big"],
    ["an image without alternative text", () => images(1, { alt: undefined }), 'Missing required key "alt"'],
    ["a gallery of 21", () => gallery(21), "array too big"],
    [
      "a gallery without aspect ratios",
      () => gallery(2, { aspectRatio: undefined }),
      'Missing required key "aspectRatio"',
    ],
    ["an image of 2,000,001 bytes", () => images(1, { image: { ...blob, size: 2_000_001 } }), "blob too big"],
    [
      "a mention without a DID",
      () => facet({ byteStart: 0, byteEnd: 1 }, { $type: "app.bsky.richtext.facet#mention", did: "alice" }),
      "Invalid DID",
    ],
    [
      "a reply reference without a CID",
      () => ({ reply: { root: { uri: "at://x" }, parent: { uri: "at://x" } } }),
      "Missing required key",
    ],
    ["four languages", () => ({ langs: ["de", "en", "fr", "it"] }), "array too big"],
  ])("rejects %s", async (_, more, says) => {
    const answer = await alice.put(key(), postOf(more()));
    expect([answer.status, answer.body.error]).toEqual([400, "InvalidRequest"]);
    expect(answer.body.message).toMatch(/^Invalid app\.bsky\.feed\.post record: /);
    expect(answer.body.message).toContain(says);
  });

  test("an older server rejects images above 1,000,000 bytes", async () => {
    await sandbox.control("POST", "bluesky/account", { account: "bob", isOnOldServer: true });
    const bob = await signedIn(sandbox, "bob");
    const put = async (size: number) => {
      const stored = (await bob.upload(Buffer.concat([await jpeg(), Buffer.alloc(size)]), "image/jpeg")).body;
      return bob.put(key(), postOf(images(1, { image: stored.blob })));
    };
    expect(await put(900_000)).toMatchObject({ status: 200 });
    const refused = await put(1_000_000);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(/blob too big \(maximum 1000000, got \d+\) at \$\.embed\.images\[0\]\.image$/),
    ]);
  });

  test("rejects a record key that is not a TID", async () => {
    expect(await alice.put("my-post", postOf())).toMatchObject({ status: 400, body: { error: "InvalidRequest" } });
  });
});

describe("files", () => {
  test("detects the type from the bytes", async () => {
    const { body } = await alice.upload(await jpeg(), "image/png");
    expect(body.blob).toMatchObject({ mimeType: "image/jpeg", ref: { $link: cidOfBytes(await jpeg()) } });
    expect((await alice.upload(await gif(), "image/gif")).body.blob).toMatchObject({ mimeType: "image/gif" });
  });

  test("rejects a blob that was never uploaded, or by another account", async () => {
    const unknown = { ...blob, ref: { $link: cidOfBytes(Buffer.from("never")) } };
    const answer = await alice.put(key(), postOf(images(1, { image: unknown })));
    expect(answer).toMatchObject({ status: 400, body: { error: "BlobNotFound" } });
    const bob = await signedIn(sandbox, "bob");
    expect((await bob.put(key(), postOf(images(1)))).body.error).toBe("BlobNotFound");
  });

  test("rejects a blob reference with another size or type", async () => {
    const answers = [{ size: 1 }, { mimeType: "image/webp" }].map((wrong) =>
      alice.put(key(), postOf(images(1, { image: { ...blob, ...wrong } }))),
    );
    expect((await Promise.all(answers)).map(({ body }) => body.error)).toEqual(["InvalidSize", "InvalidMimeType"]);
  });

  test("rejects a blob above the server's limit with 413", async () => {
    const answer = await alice.upload(Buffer.alloc(52_428_801), "image/png");
    expect([answer.status, answer.body.error]).toEqual([413, "PayloadTooLarge"]);
  });
});

describe("writing a key twice", () => {
  test("createRecord returns 500 the second time", async () => {
    const [rkey, record] = [key(), postOf()];
    expect((await alice.create(record, rkey)).status).toBe(200);
    expect(await alice.create(record, rkey)).toMatchObject({ status: 500, body: { error: "InternalServerError" } });
  });

  test("putRecord ignores identical content, rejects other content with InvalidSwap, and overwrites without swapRecord", async () => {
    const [rkey, record] = [key(), postOf()];
    const first = await alice.put(rkey, record);
    const again = await alice.put(rkey, record);
    expect([first.body.cid, "commit" in first.body, "commit" in again.body]).toEqual([again.body.cid, true, false]);
    expect(first.body.cid).toBe(cidOfRecord(record));
    expect((await alice.put(rkey, postOf())).body.error).toBe("InvalidSwap");
    expect((await alice.put(rkey, postOf(), {})).status).toBe(200);
  });

  test("getRecord returns 400 for a missing record, deleteRecord 200", async () => {
    const at = new URLSearchParams({ repo: alice.did, collection: "app.bsky.feed.post", rkey: key() });
    expect(await alice.get(`com.atproto.repo.getRecord?${at}`)).toMatchObject({
      status: 400,
      body: { error: "RecordNotFound" },
    });
    const gone = { repo: alice.did, collection: "app.bsky.feed.post", rkey: key() };
    expect((await alice.call("com.atproto.repo.deleteRecord", gone)).status).toBe(200);
  });
});

test("the entryway rejects writes with RepoNotFound", async () => {
  const body = { repo: alice.did, collection: "app.bsky.feed.post", rkey: key(), record: postOf() };
  expect(await alice.call("com.atproto.repo.putRecord", body, sandbox.url)).toMatchObject({
    status: 400,
    body: { error: "RepoNotFound" },
  });
});

test("rejects a write to another account's repository with 401", async () => {
  const bob = await signedIn(sandbox, "bob");
  const body = { repo: alice.did, collection: "app.bsky.feed.post", rkey: key(), record: postOf() };
  expect((await bob.call("com.atproto.repo.putRecord", body)).status).toBe(401);
});

test("counts write points in the rate headers: create 3, put 2, delete 1", async () => {
  const carol = await signedIn(sandbox, "carol");
  const gone = { repo: carol.did, collection: "app.bsky.feed.post", rkey: key() };
  const answers = [
    await carol.create(postOf()),
    await carol.create(postOf()),
    await carol.put(key(), postOf()),
    await carol.call("com.atproto.repo.deleteRecord", gone),
  ];
  expect(answers.map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual([
    "34997",
    "34994",
    "34992",
    "34991",
  ]);
  expect(answers[0]?.headers.get("ratelimit-policy")).toBe("35000;w=86400");
  expect(Number(answers[0]?.headers.get("ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000);
});
