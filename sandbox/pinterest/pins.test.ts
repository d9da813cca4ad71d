import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { gif, jpeg, png, testMediaServer } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { errorOf, session, storeForm } from "./testing";

const sandbox = testSandbox();
const media = testMediaServer();
let alice: Awaited<ReturnType<typeof session>>;
let picture: { content_type: string; data: string };
beforeAll(async () => {
  alice = await session(sandbox);
  picture = { content_type: "image/jpeg", data: (await jpeg()).toString("base64") };
});
beforeEach(() => sandbox.control("POST", "reset"));

const switches = (set: object) => sandbox.control("POST", "pinterest/switches", set);
const single = () => ({ source_type: "image_base64", ...picture });
const several = (fields: object = {}) => ({
  source_type: "multiple_image_base64",
  items: [picture, picture],
  ...fields,
});
const pin = (fields: object = {}) => alice.post("pins", { board_id: alice.board, media_source: single(), ...fields });

type Registered = { media_id: string; upload_url: string; upload_parameters: Record<string, string> };
const register = async (who = alice): Promise<Registered> => (await who.post("media", { media_type: "video" })).json();
const store = ({ upload_url, upload_parameters }: Registered, bytes: Uint8Array, headers = {}) =>
  fetch(upload_url, { method: "POST", body: storeForm(upload_parameters, bytes), headers });
const statusOf = async (id: string) => (await (await alice.get(`media/${id}`)).json()).status;

/** Uploads a video and polls until processing is done. */
async function video(bytes = mp4()): Promise<string> {
  const registered = await register();
  expect((await store(registered, bytes)).status).toBe(204);
  for (let poll = 0; poll < 2; poll++) await statusOf(registered.media_id);
  return registered.media_id;
}

describe("a Pin", () => {
  test("is stored as sent and returned with its fields", async () => {
    const fields = {
      title: "T",
      description: "D",
      link: "https://example.com",
      alt_text: "A",
      dominant_color: "#6E7874",
    };
    const answer = await pin(fields);
    const made = await answer.json();
    expect(answer.status).toBe(201);
    expect(made).toMatchObject({ ...fields, board_id: alice.board, board_section_id: null });
    const sha256 = createHash("sha256").update(Buffer.from(picture.data, "base64")).digest("hex");
    expect(await sandbox.posts("pinterest")).toMatchObject([
      { id: made.id, text: "D", chatId: alice.board, media: [{ type: "image/jpeg", sha256 }] },
    ]);
  });

  test("can be created twice, and the board lists both, newest first", async () => {
    const ids = [(await (await pin()).json()).id, (await (await pin()).json()).id];
    const { items } = await (await alice.get(`boards/${alice.board}/pins`)).json();
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
  });

  test("is listed in its section, and appears after listedAfterSeconds", async () => {
    const [section] = (await (await alice.get(`boards/${alice.board}/sections`)).json()).items;
    await pin({ board_section_id: section.id });
    const listed = async (place: string) => (await (await alice.get(`boards/${place}/pins`)).json()).items.length;
    expect(await listed(`${alice.board}/sections/${section.id}`)).toBe(1);
    await switches({ listedAfterSeconds: 30 });
    expect(await listed(alice.board)).toBe(0);
    await sandbox.advance(31);
    expect(await listed(alice.board)).toBe(1);
  });

  test("is visible only to its creator with Trial access", async () => {
    await switches({ trial: true });
    await pin();
    expect(await sandbox.posts("pinterest")).toMatchObject([{ settings: { visibleTo: "alice" } }]);
  });

  test("of two to five images keeps all images and the cover index", async () => {
    const made = await pin({ media_source: several({ index: 1 }) });
    expect([made.status, await made.json()]).toMatchObject([201, { creative_type: "CAROUSEL" }]);
    expect((await pin({ media_source: several({ items: Array(5).fill(picture) }) })).status).toBe(201);
    const kept = await sandbox.posts("pinterest");
    expect(kept.map(({ media: files, settings }) => [files.length, settings.coverIndex])).toEqual([
      [2, 1],
      [5, undefined],
    ]);
  });

  test("of several images is rejected if carousels are switched off, inline and by URL", async () => {
    await switches({ carousels: false });
    const items = [{ url: media.address("a") }, { url: media.address("b") }];
    const refusal = [400, 1, "Carousel Pins are not supported for organic content"];
    expect(await errorOf(pin({ media_source: several() }))).toEqual(refusal);
    expect(await errorOf(pin({ media_source: { source_type: "multiple_image_urls", items } }))).toEqual(refusal);
    expect((await pin()).status).toBe(201);
  });

  test("is rejected by the spam filter", async () => {
    await switches({ spam: true });
    expect(await errorOf(pin())).toEqual([429, 9, expect.stringContaining("spam")]);
  });
});

describe("400", () => {
  test.each<[when: string, fields: () => object]>([
    ["no media", () => ({ media_source: undefined })],
    ["a board id that is not a number", () => ({ board_id: "garden" })],
    ["101 characters of title", () => ({ title: "x".repeat(101) })],
    ["801 characters of description", () => ({ description: "x".repeat(801) })],
    ["501 characters of alt text", () => ({ alt_text: "x".repeat(501) })],
    ["2,049 characters of link", () => ({ link: `https://example.com/${"x".repeat(2029)}` })],
    ["a colour by name", () => ({ dominant_color: "red" })],
    ["an unknown field", () => ({ text: "x" })],
    ["an unknown kind of media", () => ({ media_source: { source_type: "image" } })],
    ["a media id for an image", () => ({ media_source: { ...single(), media_id: "1" } })],
    ["bytes of another type than declared", () => ({ media_source: { ...single(), content_type: "image/png" } })],
    ["one image in a carousel", () => ({ media_source: { source_type: "multiple_image_base64", items: [picture] } })],
    [
      "six images in a carousel",
      () => ({ media_source: { source_type: "multiple_image_base64", items: Array(6).fill(picture) } }),
    ],
    [
      "bytes of another type than declared in a carousel",
      () => ({ media_source: several({ items: [picture, { ...picture, content_type: "image/png" }] }) }),
    ],
    ["a cover index beyond a carousel of two", () => ({ media_source: several({ index: 2 }) })],
    ["a beta feature", () => ({ media_source: { source_type: "pin_url" } })],
  ])("%s", async (_, fields) => {
    expect((await errorOf(pin(fields()))).slice(0, 2)).toEqual([400, 1]);
    expect(await sandbox.posts("pinterest")).toEqual([]);
  });

  test("a GIF and a WebP declared as JPEG", async () => {
    const webp = Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=", "base64");
    for (const bytes of [await gif(), webp]) {
      const source = { source_type: "image_base64", content_type: "image/jpeg", data: bytes.toString("base64") };
      expect(await errorOf(pin({ media_source: source }))).toEqual([
        400,
        1,
        "The format of the image is not supported",
      ]);
    }
  });

  test("a URL that cannot be fetched; other URLs are fetched at once", async () => {
    const source = (url: string) => ({ media_source: { source_type: "image_url", url } });
    expect((await errorOf(pin(source(media.address("nothing")))))[2]).toContain("Unable to reach the URL");
    const served = media.serve("there.png", await png(), "image/png");
    expect((await pin(source(served))).status).toBe(201);
    const items = [{ url: served }, { url: served }];
    expect((await pin({ media_source: { source_type: "multiple_image_urls", items } })).status).toBe(201);
    expect((await sandbox.posts("pinterest")).map((post) => post.media.length)).toEqual([1, 2]);
  });
});

test("returns 404 for another user's board, section or video", async () => {
  const bob = await session(sandbox, "bob");
  expect(await errorOf(pin({ board_id: bob.board }))).toEqual([404, 404, "Board not found."]);
  const [section] = (await (await bob.get(`boards/${bob.board}/sections`)).json()).items;
  expect((await errorOf(pin({ board_section_id: section.id })))[0]).toBe(404);
  const { media_id } = await register(bob);
  const source = { source_type: "video_id", media_id, cover_image_key_frame_time: 0 };
  expect((await errorOf(pin({ media_source: source })))[0]).toBe(404);
  expect((await errorOf(alice.get(`media/${media_id}`)))[0]).toBe(404);
});

describe("a video", () => {
  test("is registered, uploaded and processed before it can be pinned", async () => {
    const registered = await register();
    expect(await statusOf(registered.media_id)).toBe("registered");
    await store(registered, mp4());
    const seen = [await statusOf(registered.media_id), await statusOf(registered.media_id)];
    expect(seen).toEqual(["processing", "succeeded"]);
    const source = { source_type: "video_id", media_id: registered.media_id };
    expect((await errorOf(pin({ media_source: source })))[2]).toContain("cover_image_url or cover_image_content_type");
    const covered = { ...source, cover_image_content_type: "image/jpeg", cover_image_data: picture.data };
    expect((await pin({ media_source: covered })).status).toBe(201);
    const framed = { ...source, cover_image_key_frame_time: 2 };
    expect((await pin({ media_source: framed })).status).toBe(201);
    await switches({ keyFrameIsCover: false });
    expect((await pin({ media_source: framed })).status).toBe(400);
  });

  test("cannot be pinned before it is ready", async () => {
    const { media_id } = await register();
    const source = { source_type: "video_id", media_id, cover_image_key_frame_time: 0 };
    expect((await pin({ media_source: source })).status).toBe(400);
  });

  test.each([
    ["is too short", () => mp4({ seconds: 3 })],
    ["is in H.263", () => Buffer.from(Buffer.from(mp4()).toString("latin1").replaceAll("avc1", "s263"), "latin1")],
    ["is 1:2", () => mp4({ width: 360, height: 720 })],
    ["is 1.91:1", () => mp4({ width: 1910, height: 1000 })],
    ["is not a video", () => Buffer.alloc(5000, 7)],
  ])("fails if it %s", async (_, bytes) => {
    expect(await statusOf(await video(bytes()))).toBe("failed");
  });

  test("revoke_token at the media store revokes the token that registered the upload", async () => {
    const dave = await session(sandbox, "dave");
    const registered = await register(dave);
    await sandbox.fault({ network: "pinterest", operation: "upload", fault: "revoke_token" });
    await store(registered, mp4());
    expect([(await dave.get("boards")).status, (await alice.get("boards")).status]).toEqual([401, 200]);
  });

  test("only videos can be registered", async () => {
    expect((await alice.post("media", { media_type: "image" })).status).toBe(400);
  });
});

describe("the media store", () => {
  test("rejects an Authorization header and missing or changed form fields", async () => {
    const registered = await register();
    expect((await store(registered, mp4(), { authorization: "Bearer x" })).status).toBe(400);
    const { policy: _, ...less } = registered.upload_parameters;
    expect((await store({ ...registered, upload_parameters: less }, mp4())).status).toBe(403);
    const other = { ...registered.upload_parameters, "x-amz-signature": "other" };
    const refused = await store({ ...registered, upload_parameters: other }, mp4());
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("<Code>AccessDenied</Code>")]);
    expect(await statusOf(registered.media_id)).toBe("registered");
  });

  test("requires the file as the last field", async () => {
    const registered = await register();
    const body = storeForm(registered.upload_parameters, mp4());
    body.append("more", "x");
    expect((await fetch(registered.upload_url, { method: "POST", body })).status).toBe(400);
  });

  test("rejects uploads after the policy has expired", async () => {
    const registered = await register();
    await sandbox.advance(3600);
    expect((await store(registered, mp4())).status).toBe(403);
  });
});
