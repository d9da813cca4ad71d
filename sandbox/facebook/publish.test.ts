import { beforeAll, describe, expect, test } from "vitest";
import { jpeg, png, testMediaServer } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { type Api, connect, errorOf, graph, pagesOf } from "./testing";

const sandbox = testSandbox();
const media = testMediaServer();
const DAY = 86_400;

type PageApi = Api & { id: string };
let user: Api;
let page: PageApi;
let shop: PageApi;
let club: PageApi;
beforeAll(async () => {
  user = graph(sandbox, await connect(sandbox));
  const [first, second, third] = await pagesOf(sandbox, user);
  if (!first || !second || !third) throw new Error("expected three Pages");
  [page, shop, club] = [first, second, third];
});

const photo = async (more: Record<string, string> = {}) =>
  page.post(`${page.id}/photos`, { url: media.serve("a.jpg", await jpeg(), "image/jpeg"), ...more });
const hidden = async (): Promise<string> => (await (await photo({ published: "false" })).json()).id;
const attach = (ids: string[], message = "") =>
  page.post(`${page.id}/feed`, {
    ...(message ? { message } : {}),
    ...Object.fromEntries(ids.map((id, n) => [`attached_media[${n}]`, JSON.stringify({ media_fbid: id })])),
  });

describe("Page tokens", () => {
  test("rejects user tokens, tokens of other Pages, and Pages without CREATE_CONTENT", async () => {
    expect(await errorOf(await user.post(`${page.id}/feed`, { message: "a" }))).toEqual([403, 200, undefined]);
    expect(await errorOf(await shop.post(`${page.id}/feed`, { message: "a" }))).toEqual([403, 200, undefined]);
    expect(await errorOf(await club.post(`${club.id}/feed`, { message: "a" }))).toEqual([403, 200, undefined]);
    for (const edge of ["photos", "videos", "video_reels", "photo_stories", "video_stories"])
      expect((await user.post(`${page.id}/${edge}`, {})).status).toBe(403);
  });
});

describe("the feed", () => {
  test("returns ids made of the Page's and the post's id", async () => {
    const { id } = await (await page.post(`${page.id}/feed`, { message: "Hello" })).json();
    expect(id).toMatch(new RegExp(`^${page.id}_\\d+$`));
    expect(await (await page.get(`${id}?fields=permalink_url`)).json()).toEqual({
      id,
      permalink_url: expect.stringContaining("https://www.facebook.com/"),
    });
  });

  test.each<[what: string, fields: Record<string, string>, refusal: unknown[]]>([
    ["no content", {}, [400, 100, undefined]],
    ["a text of 63,207 characters", { message: "a".repeat(63_207) }, [400, 100, undefined]],
    ["a link that cannot be read", { message: "a", link: "https://nothing.invalid" }, [400, 100, 1609005]],
    ["a link to facebook.com", { message: "a", link: "https://www.facebook.com/x" }, [400, 100, 1609008]],
    ["a place that is no Page", { message: "a", place: "Tower" }, [400, 100, undefined]],
    [
      "a button without the card's link",
      { message: "a", call_to_action: '{"type":"SIGN_UP","value":{"link":"https://example.com"}}' },
      [400, 100, undefined],
    ],
    [
      "a button that does not exist",
      {
        message: "a",
        link: "https://example.com",
        call_to_action: '{"type":"RING","value":{"link":"https://example.com"}}',
      },
      [400, 100, undefined],
    ],
    ["an unknown photo", { "attached_media[0]": '{"media_fbid":"1"}' }, [400, 100, undefined]],
    ["attached_media that is not a list", { attached_media: "1" }, [400, 100, undefined]],
  ])("%s", async (_, fields, refusal) => {
    expect(await errorOf(await page.post(`${page.id}/feed`, fields))).toEqual(refusal);
  });

  test("rejects the same text twice in a row with 506, but accepts it after another post", async () => {
    const say = (message: string) => shop.post(`${shop.id}/feed`, { message });
    expect((await say("same")).status).toBe(200);
    expect(await errorOf(await say("same"))).toEqual([400, 506, undefined]);
    await say("other");
    expect((await say("same")).status).toBe(200);
  });

  test("rejects the 41st post in a minute with 368", async () => {
    const [gina] = await pagesOf(sandbox, graph(sandbox, await connect(sandbox, "gina")));
    const answers: number[] = [];
    for (let n = 0; n < 41; n++)
      answers.push(((await gina?.post(`${gina.id}/feed`, { message: String(n) })) ?? { status: 0 }).status);
    expect([answers.indexOf(403), answers.length]).toEqual([40, 41]);
  });

  test("throttling is code 32 with HTTP 403, with the minutes in a header", async () => {
    await sandbox.fault({ network: "facebook", operation: "publish", fault: "rate_limit", afterSeconds: 120 });
    const answer = await page.post(`${page.id}/feed`, { message: "slow" });
    expect(answer.headers.get("x-business-use-case-usage")).toContain('"estimated_time_to_regain_access":2');
    expect(await errorOf(answer)).toEqual([403, 32, undefined]);
  });
});

describe("photos", () => {
  test("returns post_id only for published photos", async () => {
    expect(Object.keys(await (await photo({ caption: "Seen" })).json())).toEqual(["id", "post_id"]);
    expect(Object.keys(await (await photo({ published: "false" })).json())).toEqual(["id"]);
  });

  test.each<[what: string, serve: () => string | Promise<string>, refusal: unknown[]]>([
    ["a missing file", () => media.address("nothing.jpg"), [400, 324, 2069019]],
    ["an HTML page", () => media.serve("page.html", Buffer.from("<p>"), "text/html"), [400, 324, 2069019]],
    ["text served as image/jpeg", () => media.serve("text.jpg", Buffer.from("text"), "image/jpeg"), [400, 1, 1366046]],
    [
      "more than 10 MB",
      () => media.serve("large.jpg", Buffer.alloc(10 * 1_048_576 + 1), "image/jpeg"),
      [400, 1, 1366046],
    ],
    ["a URL of Facebook's CDN", () => "https://scontent.fbcdn.net/a.jpg", [400, 324, 2069019]],
  ])("%s", async (_, serve, refusal) => {
    expect(await errorOf(await page.post(`${page.id}/photos`, { url: await serve() }))).toEqual(refusal);
  });

  test("does not fetch files that robots.txt disallows for the crawler", async () => {
    const url = media.serve("private/a.png", await png(), "image/png");
    media.serve("robots.txt", Buffer.from("User-agent: facebookexternalhit\nDisallow: /private/"), "text/plain");
    expect((await errorOf(await page.post(`${page.id}/photos`, { url }))).slice(1)).toEqual([324, 2069019]);
    const film = media.serve("private/a.mp4", mp4(), "video/mp4");
    expect((await errorOf(await page.post(`${page.id}/videos`, { file_url: film }))).slice(1)).toEqual([100, 389]);
    media.serve("robots.txt", Buffer.from(""), "text/plain");
    expect(media.agents()).toEqual(new Set(["facebookexternalhit/1.1"]));
    expect((await page.post(`${page.id}/photos`, { url })).status).toBe(200);
  });

  test("a photo can be attached once, by its own Page, within a day", async () => {
    const [one, two, old] = [await hidden(), await hidden(), await hidden()];
    expect((await attach([one, two], "Two")).status).toBe(200);
    expect(await errorOf(await attach([one]))).toEqual([400, 100, 1366051]);
    const foreign = await shop.post(`${shop.id}/feed`, { attached_media: `[{"media_fbid":"${old}"}]` });
    expect((await errorOf(foreign)).slice(0, 2)).toEqual([400, 100]);
    await sandbox.advance(DAY + 1);
    expect((await errorOf(await attach([old]))).slice(0, 2)).toEqual([400, 100]);
  });
});

describe("photo stories", () => {
  test("an unused photo becomes a story; a used one is rejected", async () => {
    const id = await hidden();
    const story = () => page.post(`${page.id}/photo_stories`, { photo_id: id });
    const { post_id } = await (await story()).json();
    expect((await (await page.get(`${page.id}/stories?fields=post_id,media_id`)).json()).data).toContainEqual({
      post_id,
      media_id: id,
    });
    expect(await errorOf(await story())).toEqual([400, 100, 1366051]);
  });
});

const status = async (id: string) =>
  (await (await page.get(`${id}?fields=status,post_id,permalink_url`)).json()) as Status;
type Status = {
  post_id?: string;
  permalink_url?: string;
  status: {
    video_status: string;
    uploading_phase: { bytes_transfered: number };
    processing_phase: { error?: { code: number } };
  };
};
const last = async (id: string): Promise<Status> => {
  for (let poll = 0; poll < 2; poll++) await status(id);
  return status(id);
};

describe("chunked videos", () => {
  const bytes = mp4({ seconds: 400, fps: 60 });
  const start = async () =>
    (await page.post(`${page.id}/videos`, { upload_phase: "start", file_size: String(bytes.length) })).json();
  const transfer = (session: string, from: number, to: number) =>
    page.send(`${page.id}/videos`, {
      upload_phase: "transfer",
      upload_session_id: session,
      start_offset: String(from),
      video_file_chunk: bytes.subarray(from, to),
    });
  const finish = (session: string) =>
    page.post(`${page.id}/videos`, { upload_phase: "finish", upload_session_id: session });

  test("a wrong chunk is rejected with the expected offsets, and finish needs all chunks", async () => {
    const { upload_session_id: session, video_id: id, start_offset, end_offset } = await start();
    expect([start_offset, end_offset]).toEqual(["0", "262144"]);
    const next = await (await transfer(session, 0, 262_144)).json();
    expect(next).toEqual({ start_offset: "262144", end_offset: String(bytes.length) });
    const { error } = await (await transfer(session, 0, 262_144)).json();
    expect([error.error_subcode, error.error_data]).toEqual([1363037, next]);
    expect((await finish(session)).status).toBe(400);
    await transfer(session, 262_144, bytes.length);
    expect(await (await finish(session)).json()).toEqual({ success: true });
    expect((await status(id)).post_id).toBeUndefined();
    const over = await last(id);
    expect(over.post_id).toMatch(new RegExp(`^${page.id}_`));
    expect(over.permalink_url).toMatch(/^\//);
  });

  test("rejects an unknown session with 6000", async () => {
    expect((await errorOf(await transfer("1", 0, 10))).slice(0, 2)).toEqual([400, 6000]);
  });

  test("fetches a video by URL, and rejects one that cannot be fetched", async () => {
    const url = media.serve("film.mp4", mp4(), "video/mp4");
    expect(
      (await (await page.post(`${page.id}/videos`, { file_url: url, description: "By address" })).json()).id,
    ).toMatch(/^\d+$/);
    expect(await errorOf(await page.post(`${page.id}/videos`, { file_url: media.address("none.mp4") }))).toEqual([
      400, 100, 389,
    ]);
  });
});

describe("reels and video stories", () => {
  const start = async (edge = "video_reels"): Promise<{ video_id: string; upload_url: string }> =>
    (await page.post(`${page.id}/${edge}`, { upload_phase: "start" })).json();
  const put = (url: string, bytes: Uint8Array, offset = 0, more: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      body: new Uint8Array(bytes.subarray(offset)),
      headers: {
        authorization: `OAuth ${page.token}`,
        offset: String(offset),
        file_size: String(bytes.length),
        ...more,
      },
    });
  const finish = (id: string, edge = "video_reels") =>
    page.post(`${page.id}/${edge}`, { upload_phase: "finish", video_id: id, video_state: "PUBLISHED" });

  test("the upload host requires OAuth, the right offset and all bytes before finish", async () => {
    const bytes = mp4({ seconds: 5 });
    const { video_id, upload_url } = await start();
    expect((await put(upload_url, bytes, 0, { authorization: `Bearer ${page.token}` })).status).toBe(400);
    expect((await (await put(upload_url, bytes, 7)).json()).debug_info.type).toBe("OffsetInvalidError");
    expect((await finish(video_id)).status).toBe(400);
    expect(await (await put(upload_url, bytes)).json()).toEqual({ success: true });
    expect(await (await finish(video_id)).json()).toEqual({ success: true });
    expect((await last(video_id)).status.video_status).toBe("ready");
  });

  test("an interrupted upload keeps its bytes and continues from there", async () => {
    const bytes = mp4({ seconds: 5 });
    const { video_id, upload_url } = await start();
    const part = await fetch(upload_url, {
      method: "POST",
      body: new Uint8Array(bytes.subarray(0, 1000)),
      headers: { authorization: `OAuth ${page.token}`, offset: "0", file_size: String(bytes.length) },
    });
    expect((await part.json()).debug_info.type).toBe("PartialRequestError");
    expect((await status(video_id)).status.uploading_phase.bytes_transfered).toBe(1000);
    expect((await put(upload_url, bytes, 1000)).status).toBe(200);
  });

  test.each<[what: string, code: number | undefined, shape: Parameters<typeof mp4>[0], edge?: string]>([
    ["3 seconds", undefined, { seconds: 3 }],
    ["2 seconds", 1363128, { seconds: 2 }],
    ["90 seconds", undefined, { seconds: 90, fps: 24 }],
    ["91 seconds", 1363128, { seconds: 91, fps: 24 }],
    ["24 frames a second", undefined, { fps: 24 }],
    ["23 frames a second", 1363129, { fps: 23 }],
    ["61 frames a second", 1363129, { fps: 61 }],
    ["540 x 960", undefined, { width: 540, height: 960 }],
    ["538 x 960", 1363127, { width: 538, height: 960 }],
    ["16:9", undefined, { width: 1280, height: 720 }],
    ["2:1", 1363040, { width: 1920, height: 960 }],
  ])("a reel of %s: problems appear only in processing_phase", async (_, code, shape) => {
    const { video_id, upload_url } = await start();
    await put(upload_url, mp4(shape));
    await finish(video_id);
    const { status: seen } = await last(video_id);
    expect(seen.processing_phase.error?.code).toBe(code);
    expect(seen.video_status).toBe(code === undefined ? "ready" : "processing");
  });

  test("accepts a story of 60 seconds, rejects one of 61", async () => {
    const made: number[] = [];
    for (const seconds of [60, 61]) {
      const { video_id, upload_url } = await start("video_stories");
      await put(upload_url, mp4({ seconds, fps: 24 }));
      made.push((await finish(video_id, "video_stories")).status);
    }
    expect(made).toEqual([200, 400]);
  });

  test("finishing twice creates one reel", async () => {
    const { video_id, upload_url } = await start();
    await put(upload_url, mp4({ seconds: 4 }));
    const before = (await sandbox.posts("facebook")).length;
    await finish(video_id);
    expect((await finish(video_id)).status).toBe(200);
    expect((await sandbox.posts("facebook")).length).toBe(before + 1);
  });

  test("limits reels to 30 in 24 hours", { timeout: 60_000 }, async () => {
    const [hank] = await pagesOf(sandbox, graph(sandbox, await connect(sandbox, "hank")));
    if (!hank) throw new Error("expected a Page");
    const begin = () => hank.post(`${hank.id}/video_reels`, { upload_phase: "start" });
    const bytes = mp4({ seconds: 3 });
    for (let n = 0; n < 30; n++) {
      const { video_id, upload_url } = await (await begin()).json();
      await put(upload_url, bytes, 0, { authorization: `OAuth ${hank.token}` });
      await hank.post(`${hank.id}/video_reels`, { upload_phase: "finish", video_id, video_state: "PUBLISHED" });
    }
    expect((await errorOf(await begin())).slice(1)).toEqual([613, undefined]);
    await sandbox.advance(DAY);
    expect((await begin()).status).toBe(200);
  });
});

test("a post whose response was lost is in published_posts", async () => {
  await sandbox.fault({ network: "facebook", operation: "publish", fault: "drop_response" });
  await expect(page.post(`${page.id}/feed`, { message: "Dropped" })).rejects.toThrow();
  const list = await (await page.get(`${page.id}/published_posts?fields=id,message,application&limit=1`)).json();
  expect(list.data).toMatchObject([{ message: "Dropped", application: { id: "sandbox-facebook" } }]);
});
