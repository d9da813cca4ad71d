import { describe, expect, test } from "vitest";
import { jpeg, png, testMediaServer } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { api, errorOf, put, SCOPES } from "./testing";

const sandbox = testSandbox();
const files = testMediaServer();
let people = 0;
const newCreator = async (creator: object = {}) => {
  const name = `p${++people}`;
  await sandbox.control("POST", "tiktok/creator", { account: name, ...creator });
  return { ...(await api(sandbox, name)), name };
};
const codeOf = async (answer: Promise<Response>) => (await errorOf(await answer))[1];
const postsOf = async (name: string) => (await sandbox.posts("tiktok")).filter(({ account }) => account === name);

describe("creators", () => {
  test("have their own privacy levels, and others are rejected", async () => {
    const [open, hidden] = [await newCreator(), await newCreator({ isPrivate: true })];
    expect((await (await hidden.creator()).json()).data).toMatchObject({
      privacy_level_options: ["FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
      duet_disabled: true,
      stitch_disabled: true,
      max_video_post_duration_sec: 180,
    });
    expect(await errorOf(await hidden.video())).toEqual([403, "privacy_level_option_mismatch"]);
    expect(await errorOf(await open.video({ privacy_level: "FOLLOWER_OF_CREATOR" }))).toEqual([
      403,
      "privacy_level_option_mismatch",
    ]);
    expect((await open.video()).status).toBe(200);
  });

  test("rejects branded content as SELF_ONLY", async () => {
    const { video } = await newCreator();
    const info = { brand_content_toggle: true, privacy_level: "SELF_ONLY" };
    expect(await errorOf(await video(info))).toEqual([400, "invalid_params"]);
  });

  test("bans return 200 in creator_info and 403 when posting", async () => {
    const { name, creator, video } = await newCreator();
    await sandbox.control("POST", "tiktok/creator", { account: name, isBanned: true });
    expect(await errorOf(await creator())).toEqual([200, "spam_risk_user_banned_from_posting"]);
    expect(await errorOf(await video())).toEqual([403, "spam_risk_user_banned_from_posting"]);
  });

  test("limits posts to 15 a day", async () => {
    const { name, creator, video } = await newCreator();
    for (let count = 0; count < 15; count++) {
      if (count % 5 === 0) await sandbox.advance(61);
      expect((await video()).status).toBe(200);
    }
    expect(await errorOf(await creator())).toEqual([200, "spam_risk_too_many_posts"]);
    expect(await errorOf(await video())).toEqual([403, "spam_risk_too_many_posts"]);
    await sandbox.advance(86_400);
    const tomorrow = await api(sandbox, name);
    expect((await tomorrow.video()).status).toBe(200);
  });
});

describe("limits per minute", () => {
  test.each<["creator" | "video" | "status", number]>([
    ["video", 6],
    ["creator", 20],
    ["status", 30],
  ])("%s allows %i calls a minute", async (which, most) => {
    const person = await newCreator();
    const call = () =>
      which === "status" ? person.post("post/publish/status/fetch/", { publish_id: "v" }) : person[which]();
    for (let count = 0; count < most; count++) expect((await call()).status).not.toBe(429);
    expect(await errorOf(await call())).toEqual([429, "rate_limit_exceeded"]);
    await sandbox.advance(61);
    expect((await call()).status).not.toBe(429);
  });
});

describe("video/init", () => {
  test.each<[string, object]>([
    ["a title of 2,201 characters", { title: "a".repeat(2201) }],
    ["no privacy level", { privacy_level: undefined }],
    ["an unknown field", { auto_add_music: true }],
  ])("rejects %s", async (_, info) => {
    const { video } = await newCreator();
    expect(await errorOf(await video(info))).toEqual([400, "invalid_params"]);
  });

  test.each<[string, number, number, number, number]>([
    ["a small file in one chunk", 4_999_999, 4_999_999, 1, 200],
    ["64 MiB in one chunk", 67_108_864, 67_108_864, 1, 200],
    ["more than 64 MiB in one chunk", 67_108_865, 67_108_865, 1, 400],
    ["the remainder in the last chunk", 50_000_123, 10_000_000, 5, 200],
    ["a chunk count that is rounded up", 50_000_123, 10_000_000, 6, 400],
    ["chunks that are too small", 50_000_000, 4_999_999, 10, 400],
    ["chunks of 64 MiB", 268_435_455, 67_108_864, 3, 200],
    ["chunks that are too large", 268_435_455, 67_108_865, 3, 400],
    ["a small file in two chunks", 4_000_000, 2_000_000, 2, 400],
  ])("checks the chunks: %s", async (_, video_size, chunk_size, total_chunk_count, status) => {
    const { video } = await newCreator();
    expect((await video({}, { video_size, chunk_size, total_chunk_count })).status).toBe(status);
  });

  test("every call creates a new post", async () => {
    const { video } = await newCreator();
    const ids = [await video(), await video()].map(async (answer) => (await answer.json()).data.publish_id);
    expect(new Set(await Promise.all(ids)).size).toBe(2);
  });
});

describe("uploads", () => {
  const SIZE = 12_000_000;
  const bytes = (first: number, last: number) => new Uint8Array(last - first + 1);
  const begun = async () => {
    const person = await newCreator();
    const answer = await person.video({}, { video_size: SIZE, chunk_size: 6_000_000, total_chunk_count: 2 });
    const { publish_id: id, upload_url: url } = (await answer.json()).data;
    return { person, id, url };
  };

  test("return 206 for a chunk in order, 416 for one out of order and 201 when complete", async () => {
    const { person, id, url } = await begun();
    expect((await put(url, bytes(6_000_000, 11_999_999), `6000000-11999999/${SIZE}`)).status).toBe(416);
    const first = await put(url, bytes(0, 5_999_999), `0-5999999/${SIZE}`);
    expect([first.status, first.headers.get("content-range")]).toEqual([206, `bytes 0-5999999/${SIZE}`]);
    expect((await person.status(id)).data).toMatchObject({ status: "PROCESSING_UPLOAD", uploaded_bytes: 6_000_000 });
    expect((await put(url, bytes(0, 5_999_999), `0-5999999/${SIZE}`)).status).toBe(416);
    expect((await put(url, bytes(6_000_000, 11_999_999), `6000000-11999999/${SIZE}`)).status).toBe(201);
  });

  test.each<[string, string, number, string]>([
    ["another total size", "0-5999999/12000001", 6_000_000, "video/mp4"],
    ["another length", `0-5999999/${SIZE}`, 5_000_000, "video/mp4"],
    ["a chunk of another size", `0-6999999/${SIZE}`, 7_000_000, "video/mp4"],
    ["another content type", `0-5999999/${SIZE}`, 6_000_000, "image/jpeg"],
  ])("rejects %s", async (_, range, length, type) => {
    const { url } = await begun();
    expect((await put(url, new Uint8Array(length), range, type)).status).toBe(400);
  });

  test("an upload URL expires after an hour, and an unknown one returns 404", async () => {
    const { url } = await begun();
    expect((await put(url.replace(/upload_id=[^&]+/, "upload_id=x"), bytes(0, 1), `0-1/${SIZE}`)).status).toBe(404);
    await sandbox.advance(3601);
    expect((await put(url, bytes(0, 5_999_999), `0-5999999/${SIZE}`)).status).toBe(403);
  });
});

/** Uploads a video and waits until processing is done. */
async function published(person: Awaited<ReturnType<typeof newCreator>>, file: Uint8Array, info: object = {}) {
  const size = file.length;
  const init = await person.video(info, { video_size: size, chunk_size: size });
  const { publish_id: id, upload_url: url } = (await init.json()).data;
  expect((await put(url, file, `0-${size - 1}/${size}`)).status).toBe(201);
  await sandbox.advance(0.6);
  return { id, status: (await person.status(id)).data };
}

describe("status", () => {
  test("is complete before the post has an id; the id is a number of 19 digits", async () => {
    const person = await newCreator();
    const { id, status } = await published(person, mp4());
    expect(status).toMatchObject({ status: "PUBLISH_COMPLETE", publicaly_available_post_id: [] });
    await sandbox.advance(1);
    const text = await (await person.post("post/publish/status/fetch/", { publish_id: id })).text();
    const [post] = await postsOf(person.name);
    expect(text).toContain(`"publicaly_available_post_id":[${post?.id}]`);
    expect(post?.id).toMatch(/^\d{19}$/);
  });

  test("SELF_ONLY posts never have an id", async () => {
    const person = await newCreator();
    const { id } = await published(person, mp4(), { privacy_level: "SELF_ONLY" });
    await sandbox.advance(3600);
    expect((await person.status(id)).data.publicaly_available_post_id).toEqual([]);
  });

  test.each<[string, Uint8Array, string]>([
    ["a file that is not a video", Buffer.from("hello, this is no video"), "file_format_check_failed"],
    ["22 frames a second", mp4({ fps: 22 }), "frame_rate_check_failed"],
    ["61 frames a second", mp4({ fps: 61 }), "frame_rate_check_failed"],
    ["359 pixels", mp4({ width: 359, height: 640 }), "picture_size_check_failed"],
    ["181 seconds", mp4({ seconds: 181, fps: 24 }), "duration_check_failed"],
  ])("fails for %s", async (_, file, reason) => {
    const { status } = await published(await newCreator(), file);
    expect(status).toMatchObject({ status: "FAILED", fail_reason: reason });
  });

  test("rejects another user's publish_id and an unknown one", async () => {
    const [one, two] = [await newCreator(), await newCreator()];
    const { id } = await published(one, mp4());
    expect((await two.status(id)).error.code).toBe("token_not_authorized_for_specified_publish_id");
    expect((await two.status("v_pub_file~v2-1.1")).error.code).toBe("invalid_publish_id");
  });
});

describe("photos", () => {
  const ended = async (person: Awaited<ReturnType<typeof newCreator>>, urls: string[]) => {
    const { publish_id: id } = (await (await person.photos(urls)).json()).data;
    await expect
      .poll(async () => {
        await sandbox.advance(1);
        return (await person.status(id)).data.status;
      })
      .not.toBe("PROCESSING_DOWNLOAD");
    return (await person.status(id)).data;
  };

  test("are fetched after the response, and posted in order", async () => {
    const person = await newCreator();
    const sizes = [await jpeg(400, 400), await jpeg(500, 400)];
    const urls = sizes.map((bytes, index) => files.serve(`photo${index}.jpg`, bytes, "image/jpeg"));
    expect((await ended(person, urls)).status).toBe("PUBLISH_COMPLETE");
    expect((await postsOf(person.name)).map(({ media }) => media.map(({ sizeBytes }) => sizeBytes))).toEqual([
      sizes.map(({ length }) => length),
    ]);
  });

  test.each<[string, () => Promise<Buffer>, string]>([
    ["PNG", () => png(400, 400), "file_format_check_failed"],
    ["1081 × 1081", () => jpeg(1081, 1081), "picture_size_check_failed"],
    ["1080 × 1921", () => jpeg(1080, 1921), "picture_size_check_failed"],
  ])("accepts %s, which fails in processing", async (name, bytes, reason) => {
    const url = files.serve(`${name.length}`, await bytes(), "image/jpeg");
    expect(await ended(await newCreator(), [url])).toMatchObject({ status: "FAILED", fail_reason: reason });
  });

  test("accepts 1080 × 1920", async () => {
    const url = files.serve("full.jpg", await jpeg(1080, 1920), "image/jpeg");
    expect(await ended(await newCreator(), [url])).toMatchObject({ status: "PUBLISH_COMPLETE" });
  });

  test("fails for a URL that redirects and for a missing file", async () => {
    await sandbox.fault({ network: "x", operation: "*", fault: "redirect_elsewhere" });
    const urls = [`${sandbox.url}/x/profile_images/alice.jpg`, files.address("missing.jpg")];
    for (const url of urls)
      expect(await ended(await newCreator(), [url])).toMatchObject({ fail_reason: "photo_pull_failed" });
    expect(await sandbox.calls("x")).toMatchObject([{ status: 307 }]);
  });

  test.each<[string, string[], object, object, [number, string]]>([
    ["an unverified host", ["https://example.com/a.jpg"], {}, {}, [403, "url_ownership_unverified"]],
    ["plain http", ["http://example.com/a.jpg"], {}, {}, [403, "url_ownership_unverified"]],
    ["36 photos", Array(36).fill("http://localhost/a.jpg"), {}, {}, [400, "invalid_params"]],
    ["a title of 91 characters", ["http://localhost/a.jpg"], { title: "a".repeat(91) }, {}, [400, "invalid_params"]],
    [
      "a description of 4,001 characters",
      ["http://localhost/a.jpg"],
      { description: "a".repeat(4001) },
      {},
      [400, "invalid_params"],
    ],
    ["a duet setting", ["http://localhost/a.jpg"], { disable_duet: true }, {}, [400, "invalid_params"]],
    ["is_aigc inside post_info", ["http://localhost/a.jpg"], { is_aigc: true }, {}, [400, "invalid_params"]],
    ["DIRECT POST with a space", ["http://localhost/a.jpg"], {}, { post_mode: "DIRECT POST" }, [400, "invalid_params"]],
  ])("rejects %s", async (_, urls, info, more, refusal) => {
    expect(await errorOf(await (await newCreator()).photos(urls, info, more))).toEqual(refusal);
  });

  test("a verified domain covers its subdomains", async () => {
    await sandbox.control("POST", "tiktok/app", { verifiedHosts: ["example.com"] });
    const { photos } = await newCreator();
    expect((await photos(["https://media.example.com/a.jpg"])).status).toBe(200);
    expect(await codeOf(photos(["https://notexample.com/a.jpg"]))).toBe("url_ownership_unverified");
    await sandbox.control("POST", "tiktok/app", { verifiedHosts: [] });
  });
});

test("video/list returns public posts, newest first, and needs its scope", async () => {
  const person = await newCreator();
  await published(person, mp4(), { title: "first" });
  await published(person, mp4(), { title: "hidden", privacy_level: "SELF_ONLY" });
  await published(person, mp4(), { title: "second" });
  await sandbox.advance(2);
  const list = await (await person.post("video/list/?fields=id,title", { max_count: 20 })).json();
  expect(list.data.videos.map(({ title }: { title: string }) => title)).toEqual(["second", "first"]);
  const blind = await api(sandbox, person.name, { scope: "user.info.basic,video.publish" });
  expect(await errorOf(await blind.post("video/list/?fields=id", {}))).toEqual([401, "scope_not_authorized"]);
});

test("an unaudited application may post privately for private accounts, for five users a day", async () => {
  await sandbox.advance(86_400);
  await sandbox.control("POST", "tiktok/app", { isAudited: false });
  const [open, hidden] = [await newCreator(), await newCreator({ isPrivate: true })];
  const code = "unaudited_client_can_only_post_to_private_accounts";
  expect(await errorOf(await open.video({ privacy_level: "SELF_ONLY" }))).toEqual([403, code]);
  expect(await errorOf(await hidden.video({ privacy_level: "MUTUAL_FOLLOW_FRIENDS" }))).toEqual([403, code]);
  expect((await hidden.video({ privacy_level: "SELF_ONLY" })).status).toBe(200);
  for (let count = 0; count < 4; count++) {
    const { video } = await newCreator({ isPrivate: true });
    expect((await video({ privacy_level: "SELF_ONLY" })).status).toBe(200);
  }
  const sixth = await newCreator({ isPrivate: true });
  expect(await errorOf(await sixth.creator())).toEqual([200, "reached_active_user_cap"]);
  expect(await errorOf(await sixth.video({ privacy_level: "SELF_ONLY" }))).toEqual([403, "reached_active_user_cap"]);
});

describe("drafts", () => {
  const drafting = async () => {
    const { name } = await newCreator();
    return { name, ...(await api(sandbox, name, { scope: `${SCOPES},video.upload` })) };
  };

  test("end in the creator's inbox, not in public", async () => {
    const { name, draft, photos, status } = await drafting();
    const bytes = mp4({ width: 720, height: 1280 });
    const size = { video_size: bytes.length, chunk_size: bytes.length };
    const { data } = await (await draft(size)).json();
    expect((await put(data.upload_url, bytes, `0-${bytes.length - 1}/${bytes.length}`)).status).toBe(201);
    const address = files.serve("draft.jpg", await jpeg(), "image/jpeg");
    const photo = await photos(
      [address],
      {},
      { post_mode: "MEDIA_UPLOAD", post_info: { title: "T", description: "D" } },
    );
    const { data: made } = await photo.json();
    await sandbox.advance(5);
    for (const id of [data.publish_id, made.publish_id]) {
      await expect.poll(async () => (await status(id)).data.status).toBe("SEND_TO_USER_INBOX");
      expect((await status(id)).data.publicaly_available_post_id).toEqual([]);
    }
    expect(await postsOf(name)).toMatchObject([{ settings: { is_draft: true } }, { settings: { is_draft: true } }]);
  });

  test("needs video.upload, and five may wait in 24 hours", async () => {
    const { name, draft } = await drafting();
    for (let count = 0; count < 5; count++) expect((await draft()).status).toBe(200);
    await sandbox.advance(61);
    expect(await errorOf(await draft())).toEqual([403, "spam_risk_too_many_pending_share"]);
    const reader = await api(sandbox, name);
    expect(await errorOf(await reader.draft())).toEqual([401, "scope_not_authorized"]);
  });
});
