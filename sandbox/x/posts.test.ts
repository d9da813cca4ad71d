import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { gif, jpeg, png } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { connect, session, sessionWith, uploadChunked, uploadImage, type XSession } from "./testing";

const sandbox = testSandbox();
let x: XSession;
beforeAll(async () => {
  x = await session(sandbox);
});
beforeEach(() => sandbox.control("POST", "reset"));

const switches = (set: object) => sandbox.control("POST", "x/switches", set);

async function mediaId(bytes: Uint8Array, category: string, type: string): Promise<string> {
  const { id } = (await (await uploadChunked(x, bytes, category, type)).json()).data;
  for (let poll = 0; poll < 2; poll++) await x.get(`media/upload?command=STATUS&media_id=${id}`);
  return id;
}

describe("a post", () => {
  test("is returned with t.co links and stored as sent", async () => {
    const answer = await x.post("tweets", { text: "Read https://example.com/a?b=1 today" });
    const { data } = await answer.json();
    expect(answer.status).toBe(201);
    expect(data.id).toMatch(/^\d{19}$/);
    expect(data.text).toMatch(/^Read https:\/\/t\.co\/\w{10} today$/);
    expect(await sandbox.posts("x")).toEqual([
      {
        id: data.id,
        network: "x",
        account: "alice",
        text: "Read https://example.com/a?b=1 today",
        media: [],
        settings: {},
        permalink: `https://x.com/alice/status/${data.id}`,
        receivedTime: expect.any(String),
      },
    ]);
  });

  test("has a poll, a quote or media, and a quote only with an Enterprise plan", async () => {
    const quoted = (await (await x.post("tweets", { text: "Quote me" })).json()).data.id;
    const quoting = { text: "Quoting", quote_tweet_id: quoted };
    const poll = { options: ["Yes", "No"], duration_minutes: 60 };
    expect((await x.post("tweets", quoting)).status).toBe(403);
    await switches({ enterprise: true });
    expect((await x.post("tweets", { ...quoting, poll })).status).toBe(400);
    expect((await x.post("tweets", { text: "Poll", poll: { ...poll, options: ["Yes"] } })).status).toBe(400);
    expect((await x.post("tweets", { text: "Poll", poll })).status).toBe(201);
    const { data } = await (await x.post("tweets", quoting)).json();
    expect(data.text).toMatch(/^Quoting https:\/\/t\.co\/\w+$/);
    const { id: user } = (await (await x.get("users/me")).json()).data;
    const { data: listed } = await (await x.get(`users/${user}/tweets?tweet.fields=referenced_tweets`)).json();
    expect(listed).toContainEqual(
      expect.objectContaining({ id: data.id, referenced_tweets: [{ type: "quoted", id: quoted }] }),
    );
  });

  test("carries up to four images in order, with their alt text", async () => {
    const files = [
      await jpeg(100, 100, "#111111"),
      await png(),
      await jpeg(90, 90, "#222222"),
      await jpeg(80, 80, "#333333"),
    ];
    const ids = await Promise.all(files.map((file) => uploadImage(x, file)));
    expect((await x.post("media/metadata", { id: ids[0], metadata: { alt_text: { text: "dark" } } })).status).toBe(200);
    const answer = await x.post("tweets", { text: "four", media: { media_ids: ids } });
    expect(answer.status).toBe(201);
    const [post] = await sandbox.posts("x");
    expect(post?.media.map(({ sha256 }) => sha256)).toEqual(
      files.map((file) => createHash("sha256").update(file).digest("hex")),
    );
    expect(post?.settings).toEqual({ altTexts: ["dark", null, null, null] });
    expect((await answer.json()).data.text).toMatch(/^four https:\/\/t\.co\/\w+$/);
  });

  test("can reply to the user's own posts, and both are found by time", async () => {
    const first = (await (await x.post("tweets", { text: "1/2" })).json()).data.id;
    const second = (await (await x.post("tweets", { text: "2/2", reply: { in_reply_to_tweet_id: first } })).json()).data
      .id;
    const { id } = (await (await x.get("users/me")).json()).data;
    const since = new Date(Date.now() - 60_000).toISOString();
    const found = await (
      await x.get(
        `users/${id}/tweets?max_results=5&start_time=${since}&tweet.fields=created_at,conversation_id,referenced_tweets`,
      )
    ).json();
    expect(found.meta).toMatchObject({ result_count: 2, newest_id: second, oldest_id: first });
    expect(found.data[0]).toMatchObject({
      id: second,
      conversation_id: first,
      referenced_tweets: [{ type: "replied_to", id: first }],
    });
    expect((await sandbox.posts("x"))[1]?.replyTo).toBe(first);
    const later = await x.get(`users/${id}/tweets?start_time=${new Date(Date.now() + 60_000).toISOString()}`);
    expect(await later.json()).toEqual({ meta: { result_count: 0 } });
  });

  test("can be deleted, which removes it from the posts", async () => {
    const { id } = (await (await x.post("tweets", { text: "gone soon" })).json()).data;
    expect(await (await x.delete(`tweets/${id}`)).json()).toEqual({ data: { deleted: true } });
    expect(await sandbox.posts("x")).toEqual([]);
    expect((await x.post("tweets", { text: "gone soon" })).status).toBe(201);
  });

  test("returns the three rate headers, and the 101st in 15 minutes is 429", async () => {
    const answers = [];
    for (let n = 0; n < 101; n++) answers.push(await x.post("tweets", { text: `number ${n}` }));
    expect(answers.map(({ headers }) => headers.get("x-rate-limit-remaining")).slice(0, 2)).toEqual(["99", "98"]);
    const last = answers.at(-1);
    expect([last?.status, last?.headers.get("x-rate-limit-limit")]).toEqual([429, "100"]);
    expect(Number(last?.headers.get("x-rate-limit-reset"))).toBeGreaterThan(Date.now() / 1000);
    await sandbox.advance(901);
    expect((await x.post("tweets", { text: "number 101" })).status).toBe(201);
  });
});

describe("400", () => {
  test.each<{ when: string; body: unknown; says: string }>([
    { when: "281 letters", body: { text: "x".repeat(281) }, says: "Your Tweet text is too long." },
    { when: "neither text nor media", body: {}, says: "$.text" },
    { when: "an unknown field", body: { text: "a", textt: "b" }, says: "$.textt: is not defined in the schema" },
    {
      when: "an unknown nested field",
      body: { text: "a", reply: { in_reply_to_tweet_id: "1", to: "2" } },
      says: "$.reply.to: is not defined",
    },
    { when: "no media ids", body: { text: "a", media: { media_ids: [] } }, says: "there must be a minimum of 1 items" },
    {
      when: "five media ids",
      body: { text: "a", media: { media_ids: ["1", "2", "3", "4", "5"] } },
      says: "there must be a maximum of 4 items",
    },
    {
      when: "an unknown media id",
      body: { text: "a", media: { media_ids: ["1"] } },
      says: "Your media IDs are invalid.",
    },
    { when: "a byte order mark", body: { text: "a\uFEFFb" }, says: "invalid characters" },
    { when: "two cashtags", body: { text: "$AAPL and $MSFT" }, says: "maximum of one cashtag" },
  ])("$when", async ({ body, says }) => {
    const answer = await x.post("tweets", body);
    expect(answer.status).toBe(400);
    expect((await answer.json()).errors[0].message).toContain(says);
  });

  test("invalid combinations, and media that are expired, unprocessed or another user's", async () => {
    const image = await uploadImage(x, await jpeg());
    const [video, other] = [
      await mediaId(mp4(), "tweet_video", "video/mp4"),
      await mediaId(await gif(), "tweet_gif", "image/gif"),
    ];
    const [second, moving] = [
      await mediaId(mp4({ seconds: 2 }), "tweet_video", "video/mp4"),
      await mediaId(await gif(), "tweet_gif", "image/gif"),
    ];
    const pending = (await (await uploadChunked(x, mp4({ seconds: 3 }), "tweet_video", "video/mp4")).json()).data.id;
    for (const media_ids of [
      [image, video],
      [video, second],
      [other, moving],
      [video, other],
      [pending],
      [image, image],
    ]) {
      expect((await x.post("tweets", { text: "set", media: { media_ids } })).status).toBe(400);
    }
    const bob = await session(sandbox, "bob");
    expect((await bob.post("tweets", { text: "mine?", media: { media_ids: [image] } })).status).toBe(400);
    expect((await x.post("tweets", { media: { media_ids: [video] } })).status).toBe(201);
    await sandbox.advance(86_400);
    const again = await session(sandbox);
    expect((await again.post("tweets", { text: "old", media: { media_ids: [image] } })).status).toBe(400);
    x = again;
  });
});

describe("403", () => {
  test("the same text by the same account within an hour, even with other media", async () => {
    await x.post("tweets", { text: "same" });
    const repeated = await x.post("tweets", {
      text: " same ",
      media: { media_ids: [await uploadImage(x, await jpeg())] },
    });
    expect([repeated.status, await repeated.json()]).toEqual([
      403,
      {
        detail: "You are not allowed to create a Tweet with duplicate content.",
        type: "about:blank",
        title: "Forbidden",
        status: 403,
      },
    ]);
    expect((await (await session(sandbox, "bob")).post("tweets", { text: "same" })).status).toBe(201);
    await sandbox.advance(3601);
    expect((await x.post("tweets", { text: "same" })).status).toBe(201);
  });

  test("replies to others who did not mention the account", async () => {
    const bob = await session(sandbox, "bob");
    const plain = (await (await bob.post("tweets", { text: "hello all" })).json()).data.id;
    const calling = (await (await bob.post("tweets", { text: "hello @alice" })).json()).data.id;
    const refused = await x.post("tweets", { text: "hi", reply: { in_reply_to_tweet_id: plain } });
    expect([refused.status, (await refused.json()).detail]).toEqual([
      403,
      expect.stringContaining("Reply to this conversation is not allowed"),
    ]);
    expect((await x.post("tweets", { text: "hi", reply: { in_reply_to_tweet_id: "1" } })).status).toBe(403);
    expect((await x.post("tweets", { text: "hi", reply: { in_reply_to_tweet_id: calling } })).status).toBe(201);
  });

  test("a missing scope", async () => {
    const { access_token } = await connect(sandbox, "dave", { scope: "tweet.read tweet.write users.read" });
    const dave = sessionWith(sandbox, access_token);
    expect((await dave.multipart("media/upload", await jpeg(), { media_category: "tweet_image" })).status).toBe(403);
    expect((await dave.post("tweets", { text: "may" })).status).toBe(201);
    const reader = await connect(sandbox, "dave", { scope: "tweet.read users.read" });
    expect((await sessionWith(sandbox, reader.access_token).post("tweets", { text: "may not" })).status).toBe(403);
  });
});

test("every call returns 402 without credits", async () => {
  await switches({ credits: false });
  const depleted = {
    title: "CreditsDepleted",
    detail: expect.stringMatching(/^Your enrolled account \[\d+\] does not have any credits/),
    type: "https://api.twitter.com/2/problems/credits",
  };
  for (const answer of [await x.post("tweets", { text: "dear" }), await x.get("users/me")]) {
    expect([answer.status, await answer.json()]).toEqual([402, depleted]);
  }
  await switches({});
  expect((await x.post("tweets", { text: "dear" })).status).toBe(201);
});

describe("uploads", () => {
  test("a video goes through pending, in_progress and succeeded; a chunked image is ready at once", async () => {
    const started = (await (await uploadChunked(x, mp4(), "tweet_video", "video/mp4")).json()).data;
    const states = [started.processing_info.state];
    for (let poll = 0; poll < 2; poll++) {
      const answer = await x.get(`media/upload?command=STATUS&media_id=${started.id}`);
      states.push((await answer.json()).data.processing_info.state);
    }
    expect(states).toEqual(["pending", "in_progress", "succeeded"]);
    const image = (await (await uploadChunked(x, await png(), "tweet_image", "image/png")).json()).data;
    expect(image).not.toHaveProperty("processing_info");
    expect((await x.post("tweets", { text: "chunks", media: { media_ids: [image.id] } })).status).toBe(201);
  });

  test.each([
    { when: "longer than 140 s", bytes: () => mp4({ seconds: 150, fps: 10 }) },
    { when: "wider than 3:1", bytes: () => mp4({ width: 1280, height: 400 }) },
    { when: "shorter than half a second", bytes: () => mp4({ seconds: 0.4, fps: 10 }) },
    { when: "of pixels that are not square", bytes: () => mp4({ pixelAspect: [4, 3] }) },
    { when: "smaller than 32 pixels", bytes: () => mp4({ width: 30, height: 60 }) },
    { when: "larger than 1280 x 1024", bytes: () => mp4({ width: 1920, height: 1080 }) },
    { when: "larger than 1024 x 1280 upright", bytes: () => mp4({ width: 1026, height: 1280 }) },
    { when: "of more than 60 frames a second", bytes: () => mp4({ fps: 120 }) },
    { when: "actually an image", bytes: () => png() },
    { when: "not a media file", bytes: () => Buffer.alloc(5000, 7) },
  ])("a video that is $when fails in processing", async ({ bytes }) => {
    const id = await mediaId(await bytes(), "tweet_video", "video/mp4");
    const { processing_info } = (await (await x.get(`media/upload?media_id=${id}`)).json()).data;
    expect(processing_info).toMatchObject({ state: "failed", error: { name: "InvalidMedia" } });
    expect((await x.post("tweets", { text: "bad", media: { media_ids: [id] } })).status).toBe(400);
  });

  test("subscribers can post 1080p, and their profile shows the subscription", async () => {
    await switches({ subscription: "Premium" });
    const { data } = await (await x.get("users/me?user.fields=subscription_type")).json();
    expect(data.subscription_type).toBe("Premium");
    const id = await mediaId(mp4({ width: 1920, height: 1080 }), "tweet_video", "video/mp4");
    expect((await x.post("tweets", { text: "large", media: { media_ids: [id] } })).status).toBe(201);
  });

  test.each([
    ["tweet_image", "image/png", 5],
    ["tweet_gif", "image/gif", 15],
    ["tweet_video", "video/mp4", 512],
  ])("limits %s as %s to %i MB", async (media_category, media_type, megabytes) => {
    const begin = (total_bytes: number) =>
      x.post("media/upload/initialize", { media_type, media_category, total_bytes });
    expect((await begin(megabytes * 1_048_576)).status).toBe(200);
    const refused = await begin(megabytes * 1_048_576 + 1);
    expect([refused.status, (await refused.json()).errors[0].message]).toEqual([
      400,
      expect.stringContaining("File size exceeds"),
    ]);
  });

  test("rejects an image above 5 MB in one request", async () => {
    const bytes = Buffer.concat([await png(), Buffer.alloc(5 * 1_048_576)]);
    expect((await x.multipart("media/upload", bytes, { media_category: "tweet_image" })).status).toBe(400);
  });

  test("finalize requires all segments and the announced size", async () => {
    const start = async (total_bytes: number) =>
      (
        await (
          await x.post("media/upload/initialize", {
            media_type: "video/mp4",
            media_category: "tweet_video",
            total_bytes,
          })
        ).json()
      ).data.id;
    const short = await start(10);
    await x.multipart(`media/upload/${short}/append`, Buffer.alloc(9), { segment_index: "0" });
    expect((await x.post(`media/upload/${short}/finalize`, {})).status).toBe(400);
    const gap = await start(10);
    await x.multipart(`media/upload/${gap}/append`, Buffer.alloc(10), { segment_index: "1" });
    expect((await x.post(`media/upload/${gap}/finalize`, {})).status).toBe(400);
    expect((await x.multipart(`media/upload/${gap}/append`, Buffer.alloc(1), { segment_index: "1000" })).status).toBe(
      400,
    );
  });

  test("the one-request upload checks the bytes and accepts images only", async () => {
    for (const [bytes, category] of [
      [Buffer.from("text"), "tweet_image"],
      [mp4(), "tweet_video"],
      [await gif(), "tweet_image"],
    ] as const) {
      expect((await x.multipart("media/upload", bytes, { media_category: category })).status).toBe(400);
    }
    expect(
      (await x.multipart("media/upload", await jpeg(), { media_category: "tweet_image", extra: "1" })).status,
    ).toBe(400);
  });
});
