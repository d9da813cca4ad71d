import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { jpeg, png, testMediaServer } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { codeFor, connect, errorOf, graph, redeem } from "./testing";

const sandbox = testSandbox();
const web = testMediaServer();
let ig: ReturnType<typeof graph>;
let image: string;
let video: string;

beforeAll(async () => {
  ig = graph(sandbox, await connect(sandbox));
  image = web.serve("image.jpg", await jpeg(), "image/jpeg");
  video = web.serve("video.mp4", mp4(), "video/mp4");
});
beforeEach(() => sandbox.control("POST", "reset"));

describe("a post", () => {
  test("of one image goes through container, polls and publish, and gets its own media id", async () => {
    const container = await ig.create({ image_url: image, caption: "Hello #world", alt_text: "a square" });
    expect(await errorOf(await ig.publish(container))).toEqual([400, 9007, 2_207_027]);
    expect(await ig.finish(container)).toEqual(["IN_PROGRESS", "IN_PROGRESS", "FINISHED"]);
    const { id } = await (await ig.publish(container)).json();
    expect(id).not.toBe(container);
    expect((await (await ig.get(`${container}?fields=status_code`)).json()).status_code).toBe("PUBLISHED");
    const media = await (
      await ig.get(`${id}?fields=id,permalink,shortcode,media_product_type,media_type,timestamp,caption`)
    ).json();
    expect(media).toMatchObject({ id, media_product_type: "FEED", media_type: "IMAGE", caption: "Hello #world" });
    expect(media.permalink).toBe(`https://www.instagram.com/p/${media.shortcode}/`);
    expect(await sandbox.posts("instagram")).toMatchObject([
      {
        id,
        account: "alice",
        text: "Hello #world",
        media: [
          {
            type: "image/jpeg",
            sha256: createHash("sha256")
              .update(await jpeg())
              .digest("hex"),
          },
        ],
        settings: { media_type: "IMAGE", media_product_type: "FEED", alt_text: "a square" },
        permalink: media.permalink,
      },
    ]);
    expect(await errorOf(await ig.publish(container))).toEqual([400, 9007, 2_207_027]);
  });

  test("of a reel is published after background processing", async () => {
    const container = await ig.create({
      media_type: "REELS",
      video_url: video,
      caption: "reel",
      share_to_feed: "true",
      thumb_offset: "1000",
    });
    expect(await ig.finish(container)).toEqual(["IN_PROGRESS", "IN_PROGRESS", "FINISHED"]);
    const { id } = await (await ig.publish(container)).json();
    const list = await (await ig.get("me/media?fields=id,caption,media_product_type,permalink&limit=10")).json();
    expect(list.data).toEqual([
      { id, caption: "reel", media_product_type: "REELS", permalink: expect.stringContaining("/reel/") },
    ]);
  });

  test("keeps co-authors, tagged people, a location and the cover's frame", async () => {
    const tags = JSON.stringify([{ username: "bell.ringer", x: 0.5, y: 0.25 }]);
    const more = { collaborators: '["tower_keeper"]', location_id: "7640348500" };
    const ids = [
      await ig.create({ image_url: image, user_tags: tags, ...more }),
      await ig.create({ media_type: "REELS", video_url: video, user_tags: '[{"username":"bell.ringer"}]', ...more }),
    ];
    for (const id of ids) {
      await ig.finish(id);
      await ig.publish(id);
    }
    expect((await sandbox.posts("instagram")).map(({ settings }) => settings)).toMatchObject([
      { user_tags: tags, ...more },
      { user_tags: '[{"username":"bell.ringer"}]', ...more },
    ]);
  });

  test.each<[string, Record<string, string>, number, number | undefined]>([
    ["a fourth co-author", { collaborators: '["a","b","c","d"]' }, 100, undefined],
    ["a co-author with @", { collaborators: '["@tower_keeper"]' }, 110, 2_207_018],
    ["a tag on an image without a position", { user_tags: '[{"username":"anna"}]' }, 100, undefined],
    ["a position in pixels", { user_tags: '[{"username":"anna","x":540,"y":0.5}]' }, 100, undefined],
    ["tags that are not a list", { user_tags: "anna" }, 100, undefined],
    ["a location that is no Page", { location_id: "Tower" }, 100, undefined],
    ["a cover's frame of an image", { thumb_offset: "0" }, 100, undefined],
    ["a co-author of an item", { is_carousel_item: "true", collaborators: '["anna"]' }, 100, undefined],
    ["the location of a story", { media_type: "STORIES", location_id: "1" }, 100, undefined],
  ])("refuses %s", async (_, more, code, subcode) => {
    expect(await errorOf(await ig.post("me/media", { image_url: image, ...more }))).toEqual([400, code, subcode]);
  });

  test("of a carousel mixes images and videos in order", async () => {
    const children = [
      await ig.create({ image_url: image, is_carousel_item: "true" }),
      await ig.create({ media_type: "VIDEO", video_url: video, is_carousel_item: "true" }),
    ];
    const parent = { media_type: "CAROUSEL", children: children.join(","), caption: "both" };
    expect(await errorOf(await ig.post("me/media", parent))).toEqual([400, 9007, 2_207_027]);
    for (const child of children) await ig.finish(child);
    const container = await ig.create({ ...parent, children: JSON.stringify(children), is_ai_generated: "true" });
    await ig.finish(container);
    const { id } = await (await ig.publish(container)).json();
    expect((await sandbox.posts("instagram"))[0]).toMatchObject({
      id,
      media: [{ type: "image/jpeg" }, { type: "video/mp4" }],
      settings: { is_ai_generated: true },
    });
    expect(await errorOf(await ig.post("me/media", parent))).toEqual([400, 24, 2_207_008]);
  });

  test("of a story is listed under stories only", async () => {
    const container = await ig.create({
      media_type: "STORIES",
      image_url: web.serve("tall.jpg", await jpeg(900, 1600), "image/jpeg"),
    });
    await ig.finish(container);
    const { id } = await (await ig.publish(container)).json();
    expect((await (await ig.get("me/media")).json()).data).toEqual([]);
    expect((await (await ig.get("me/stories")).json()).data).toEqual([{ id }]);
  });
});

describe("rejected at creation", () => {
  test.each<{ when: string; fields: () => Promise<Record<string, string>>; code: number; subcode?: number }>([
    {
      when: "a PNG",
      fields: async () => ({ image_url: web.serve("a.png", await png(), "image/png") }),
      code: 36_001,
      subcode: 2_207_005,
    },
    {
      when: "a PNG served as JPEG",
      fields: async () => ({ image_url: web.serve("b.jpg", await png(), "image/jpeg") }),
      code: 36_001,
      subcode: 2_207_005,
    },
    {
      when: "a ratio of 1:2",
      fields: async () => ({ image_url: web.serve("c.jpg", await jpeg(500, 1000), "image/jpeg") }),
      code: 36_003,
      subcode: 2_207_009,
    },
    {
      when: "more than 8 MB",
      fields: async () => ({ image_url: web.serve("d.jpg", Buffer.alloc(8_388_609), "image/jpeg") }),
      code: 36_000,
      subcode: 2_207_004,
    },
    {
      when: "a URL that returns 404",
      fields: async () => ({ image_url: web.address("missing.jpg") }),
      code: 9004,
      subcode: 2_207_052,
    },
    {
      when: "a URL that is not ASCII",
      fields: async () => ({ image_url: "http://localhost/ü.jpg" }),
      code: 9004,
      subcode: 2_207_052,
    },
    { when: "no parameters", fields: async () => ({}), code: 100, subcode: 2_207_023 },
    {
      when: "a single VIDEO",
      fields: async () => ({ media_type: "VIDEO", video_url: video }),
      code: 100,
      subcode: 2_207_023,
    },
    {
      when: "alt text on a reel",
      fields: async () => ({ media_type: "REELS", video_url: video, alt_text: "x" }),
      code: 100,
    },
    {
      when: "a caption on a carousel item",
      fields: async () => ({ image_url: image, is_carousel_item: "true", caption: "x" }),
      code: 100,
    },
    {
      when: "the AI label on a carousel item",
      fields: async () => ({ image_url: image, is_carousel_item: "true", is_ai_generated: "true" }),
      code: 100,
    },
    {
      when: "a reel as carousel item",
      fields: async () => ({ media_type: "REELS", video_url: video, is_carousel_item: "true" }),
      code: 100,
      subcode: 2_207_023,
    },
    {
      when: "a caption of 2,201 characters",
      fields: async () => ({ image_url: image, caption: "x".repeat(2201) }),
      code: 36_004,
      subcode: 2_207_010,
    },
    {
      when: "31 hashtags",
      fields: async () => ({ image_url: image, caption: "#a ".repeat(31) }),
      code: 36_004,
      subcode: 2_207_010,
    },
    {
      when: "21 mentions",
      fields: async () => ({ image_url: image, caption: "@a ".repeat(21) }),
      code: 36_004,
      subcode: 2_207_010,
    },
    {
      when: "a carousel of one item",
      fields: async () => ({ media_type: "CAROUSEL", children: "1" }),
      code: 100,
      subcode: 2_207_028,
    },
  ])("$when", async ({ fields, code, subcode }) => {
    expect(await errorOf(await ig.post("me/media", await fields()))).toEqual([400, code, subcode]);
  });

  test("rejects children that are not carousel items, and other accounts' containers", async () => {
    const [one, two] = [await ig.create({ image_url: image }), await ig.create({ image_url: image })];
    for (const child of [one, two]) await ig.finish(child);
    expect(await errorOf(await ig.post("me/media", { media_type: "CAROUSEL", children: `${one},${two}` }))).toEqual([
      400,
      100,
      undefined,
    ]);
    const bob = graph(sandbox, await connect(sandbox, "bob"));
    const { user_id } = await (await bob.get("me?fields=user_id")).json();
    expect(await errorOf(await ig.post(`${user_id}/media`, { image_url: image }))).toEqual([400, 100, 33]);
    expect(await errorOf(await bob.publish(one))).toEqual([400, 24, 2_207_008]);
    expect(await errorOf(await bob.get(`${one}?fields=status_code`))).toEqual([400, 100, 33]);
  });
});

describe("failed in processing", () => {
  test.each<{ when: string; bytes: Uint8Array; type: string; code: string }>([
    { when: "a video of two seconds", bytes: mp4({ seconds: 2 }), type: "video/mp4", code: "2207026" },
    { when: "15 frames a second", bytes: mp4({ fps: 15 }), type: "video/mp4", code: "2207026" },
    { when: "an index after the data", bytes: mp4({ isFastStart: false }), type: "video/mp4", code: "2207026" },
    { when: "an HTML page instead of a video", bytes: Buffer.from("<html>"), type: "text/html", code: "2207052" },
  ])("$when", async ({ bytes, type, code }) => {
    const container = await ig.create({ media_type: "REELS", video_url: web.serve("bad.mp4", bytes, type) });
    expect((await ig.finish(container)).at(-1)).toBe("ERROR");
    expect((await (await ig.get(`${container}?fields=status`)).json()).status).toContain(code);
    expect((await ig.publish(container)).status).toBe(400);
  });

  test("processing_fails makes an image fail too", async () => {
    await sandbox.fault({ network: "instagram", operation: "prepare", fault: "processing_fails" });
    expect((await ig.finish(await ig.create({ image_url: image }))).at(-1)).toBe("ERROR");
  });
});

test("of two carousels with the same items, only one can be published", async () => {
  const children = [1, 2].map(() => ig.create({ image_url: image, is_carousel_item: "true" }));
  const ids = (await Promise.all(children)).join(",");
  for (const child of ids.split(",")) await ig.finish(child);
  const [one, two] = [
    await ig.create({ media_type: "CAROUSEL", children: ids }),
    await ig.create({ media_type: "CAROUSEL", children: ids }),
  ];
  for (const carousel of [one, two]) await ig.finish(carousel);
  expect((await ig.publish(one)).status).toBe(200);
  expect(await errorOf(await ig.publish(two))).toEqual([400, 24, 2_207_008]);
});

test("paths accept user_id, not the app-scoped id", async () => {
  const { id, user_id } = await (await ig.get("me?fields=id,user_id")).json();
  expect((await ig.post(`${user_id}/media`, { image_url: image })).status).toBe(200);
  expect(await errorOf(await ig.post(`${id}/media`, { image_url: image }))).toEqual([400, 100, 33]);
});

test("every call needs instagram_business_basic", async () => {
  const code = await codeFor(sandbox, "dora", { scope: "instagram_business_content_publish" });
  const { access_token: token } = await (await redeem(sandbox, code)).json();
  const posted = graph(sandbox, token).post("me/media", { image_url: image });
  expect((await errorOf(await posted)).slice(1)).toEqual([10, undefined]);
});

test("processing_fails hides a published post once", async () => {
  const container = await ig.create({ image_url: image });
  await ig.finish(container);
  const { id } = await (await ig.publish(container)).json();
  await sandbox.fault({ network: "instagram", operation: "status", fault: "processing_fails" });
  expect(await errorOf(await ig.get(`${id}?fields=permalink`))).toEqual([400, 100, 33]);
  expect((await ig.get(`${id}?fields=permalink`)).status).toBe(200);
});

test("a container expires after 24 hours", async () => {
  const container = await ig.create({ image_url: image });
  await ig.finish(container);
  await sandbox.advance(86_401);
  expect((await (await ig.get(`${container}?fields=status_code`)).json()).status_code).toBe("EXPIRED");
  expect(await errorOf(await ig.publish(container))).toEqual([400, 24, 2_207_008]);
});

test("content_publishing_limit counts the posts of the day", async () => {
  const container = await ig.create({ image_url: image });
  await ig.finish(container);
  await ig.publish(container);
  const { data } = await (await ig.get("me/content_publishing_limit?fields=quota_usage,config")).json();
  expect(data).toEqual([{ quota_usage: 1, config: { quota_total: 100, quota_duration: 86_400 } }]);
});

test("a lost publish response leaves the container PUBLISHED", async () => {
  const container = await ig.create({ image_url: image });
  await ig.finish(container);
  await sandbox.fault({ network: "instagram", operation: "publish", fault: "drop_response" });
  await expect(ig.publish(container)).rejects.toThrow("fetch failed");
  expect((await (await ig.get(`${container}?fields=status_code`)).json()).status_code).toBe("PUBLISHED");
  expect(await sandbox.posts("instagram")).toHaveLength(1);
});

test("rate_limit is 80002 with HTTP 400 and the minutes in the usage header", async () => {
  await sandbox.fault({ network: "instagram", operation: "prepare", fault: "rate_limit", afterSeconds: 120 });
  const answer = await ig.post("me/media", { image_url: image });
  const [usage] = Object.values(JSON.parse(answer.headers.get("x-business-use-case-usage") ?? "{}")).flat();
  expect(usage).toMatchObject({ type: "instagram", estimated_time_to_regain_access: 2 });
  expect(await errorOf(answer)).toEqual([400, 80_002, 2_446_079]);
});
