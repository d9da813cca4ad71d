import { beforeAll, describe, expect, test } from "vitest";
import { jpeg, png, testMediaServer } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { connect, errorOf, graph } from "./testing";

const sandbox = testSandbox();
const media = testMediaServer();
const DAY = 86_400;

let alice: ReturnType<typeof graph>;
beforeAll(async () => {
  alice = graph(sandbox, await connect(sandbox));
});
const text = (content: string) => ({ media_type: "TEXT", text: content });
const links = (count: number) => Array.from({ length: count }, (_, n) => `https://example.com/${n}`).join(" ");
const last = (seen: { status: string; error_message?: string }[]) => seen.at(-1);
const image = async (name = "a.jpg") => media.serve(name, await jpeg(), "image/jpeg");
const video = (shape: Parameters<typeof mp4>[0]) =>
  media.serve(`${JSON.stringify(shape).replace(/\W/g, "")}.mp4`, mp4(shape), "video/mp4");

describe("containers", () => {
  test("go through IN_PROGRESS, FINISHED and PUBLISHED; videos need more polls, and other fields are rejected", async () => {
    const container = await alice.create(text("States"));
    expect((await alice.finish(container)).map(({ status }) => status)).toEqual(["IN_PROGRESS", "FINISHED"]);
    expect((await alice.get(`${container}?fields=text`)).status).toBe(400);
    const { id } = await (await alice.publish(container)).json();
    expect(id).not.toBe(container);
    expect(last(await alice.finish(container, 1))).toMatchObject({ status: "PUBLISHED" });
    const film = await alice.create({ media_type: "VIDEO", video_url: video({ seconds: 2 }) });
    expect((await alice.finish(film, 4)).map(({ status }) => status)).toEqual([
      "IN_PROGRESS",
      "IN_PROGRESS",
      "IN_PROGRESS",
      "FINISHED",
    ]);
  });

  test("rejects publishing too early, twice or by another account with 24/4279009", async () => {
    const container = await alice.create(text("Early"));
    expect(await errorOf(await alice.publish(container))).toEqual([400, 24, 4279009]);
    await alice.finish(container);
    const bob = graph(sandbox, await connect(sandbox, "bob"));
    expect(await errorOf(await bob.publish(container))).toEqual([400, 24, 4279009]);
    expect((await alice.publish(container)).status).toBe(200);
    expect(await errorOf(await alice.publish(container))).toEqual([400, 24, 4279009]);
  });

  test("expire after 24 hours", async () => {
    const container = await alice.create(text("Old"));
    await sandbox.advance(DAY + 1);
    expect(last(await alice.finish(container))).toMatchObject({ status: "EXPIRED" });
  });
});

describe("rejected at once", () => {
  test.each<[what: string, fields: Record<string, string>]>([
    ["a text of 501 characters", text("a".repeat(501))],
    ["a text of 126 emoji, which count as 504", text("😀".repeat(126))],
    ["six links", text(links(6))],
    ["an unknown reply control", { ...text("a"), reply_control: "friends" }],
    ["a poll with one option", { ...text("a"), poll_attachment: JSON.stringify({ option_a: "Yes" }) }],
    [
      "a poll whose third option is missing",
      { ...text("a"), poll_attachment: JSON.stringify({ option_a: "1", option_b: "2", option_d: "4" }) },
    ],
    [
      "a poll with a link attachment",
      {
        ...text("a"),
        poll_attachment: JSON.stringify({ option_a: "Yes", option_b: "No" }),
        link_attachment: "https://example.com",
      },
    ],
    ["six links, one of them attached", { ...text(links(5)), link_attachment: "https://example.com/more" }],
    ["a text of spaces", text("  ")],
    ["no media type", { text: "a" }],
    ["an image without a URL", { media_type: "IMAGE" }],
    [
      "a link attachment with an image",
      { media_type: "IMAGE", image_url: "http://localhost/a", link_attachment: "https://a.example" },
    ],
    ["a poll with an image", { media_type: "IMAGE", image_url: "http://localhost/a", poll_attachment: "{}" }],
    [
      "an alt text of 1,001 characters",
      { media_type: "IMAGE", image_url: "http://localhost/a", alt_text: "a".repeat(1001) },
    ],
    ["an alt text on a text post", { ...text("a"), alt_text: "b" }],
    ["a topic of 51 characters", { ...text("a"), topic_tag: "t".repeat(51) }],
    ["a topic with a full stop", { ...text("a"), topic_tag: "a.b" }],
    ["a topic with an ampersand", { ...text("a"), topic_tag: "a&b" }],
    ["a reply to an unknown post", { ...text("a"), reply_to_id: "18000000000000000" }],
    ["a text post as a carousel item", { ...text("a"), is_carousel_item: "true" }],
  ])("rejects %s with 100", async (_, fields) => {
    expect((await errorOf(await alice.post("me/threads", fields))).slice(0, 2)).toEqual([400, 100]);
  });

  test("accepts values at the limits", async () => {
    for (const fields of [
      text("a".repeat(500)),
      text("😀".repeat(125)),
      text(links(5)),
      { ...text("a"), topic_tag: "t".repeat(50) },
    ]) {
      expect((await alice.post("me/threads", fields)).status).toBe(200);
    }
    const attached = { ...text(links(5)), link_attachment: "https://example.com/0" };
    expect((await alice.post("me/threads", attached)).status).toBe(200);
  });

  test("rejects a denied topic with its subcode and title", async () => {
    const answer = await alice.post("me/threads", { ...text("a"), topic_tag: "Forbidden" });
    const { error } = await answer.json();
    expect(error).toMatchObject({ code: 100, error_subcode: 4279071, error_user_title: "Topic Tag Not Permitted" });
  });

  test("rejects too many links with THREADS_API__LINK_LIMIT_EXCEEDED", async () => {
    expect(await (await alice.post("me/threads", text(links(6)))).text()).toContain("THREADS_API__LINK_LIMIT_EXCEEDED");
  });

  test("rejects another user's profile in the path", async () => {
    expect(await errorOf(await alice.post("17841499999999999/threads", text("a")))).toEqual([400, 100, 33]);
  });
});

describe("problems of fetched media appear in the container", () => {
  test.each<[what: string, problem: string | undefined, url: () => string | Promise<string>]>([
    ["JPEG", undefined, () => image()],
    ["PNG", undefined, async () => media.serve("a.png", await png(), "image/png")],
    [
      "an image eleven times as wide as high",
      "INVALID_ASPEC_RATIO",
      async () => media.serve("w.jpg", await jpeg(1100, 100), "image/jpeg"),
    ],
    ["a missing file", "FAILED_DOWNLOADING_VIDEO", () => media.address("nothing.jpg")],
    ["an HTML page", "FAILED_DOWNLOADING_VIDEO", () => media.serve("a.html", Buffer.from("<p>"), "text/html")],
    ["a video as an image", "UNKNOWN", () => video({ seconds: 1 })],
  ])("%s", async (_, problem, url) => {
    const container = await alice.create({ media_type: "IMAGE", image_url: await url() });
    expect(last(await alice.finish(container, 3))?.error_message).toBe(problem);
  });

  test.each<[what: string, problem: string | undefined, shape: Parameters<typeof mp4>[0]]>([
    ["300 seconds", undefined, { seconds: 300, fps: 23 }],
    ["301 seconds", "INVALID_DURATION", { seconds: 301, fps: 23 }],
    ["60 frames a second", undefined, { seconds: 2, fps: 60 }],
    ["61 frames a second", "INVALID_FRAME_RATE", { seconds: 2, fps: 61 }],
    ["22 frames a second", "INVALID_FRAME_RATE", { seconds: 2, fps: 22 }],
    ["1,920 columns", undefined, { seconds: 1, width: 1920, height: 1080 }],
    ["1,921 columns", "FAILED_PROCESSING_VIDEO", { seconds: 1, width: 1921, height: 1080 }],
    ["an index at the end", "FAILED_PROCESSING_VIDEO", { seconds: 1, isFastStart: false }],
  ])("a video of %s", async (_, problem, shape) => {
    const container = await alice.create({ media_type: "VIDEO", video_url: video(shape) });
    expect(last(await alice.finish(container, 5))?.error_message).toBe(problem);
  });
});

describe("carousels", () => {
  const item = async (more: Record<string, string> = { is_carousel_item: "true" }) =>
    alice.create({ media_type: "IMAGE", image_url: await image(), ...more });
  const carousel = (children: string[]) =>
    alice.post("me/threads", { media_type: "CAROUSEL", children: children.join(",") });

  test("take 2 to 20 finished items, each used once and never published alone", async () => {
    const children = await Promise.all(Array.from({ length: 21 }, () => item()));
    expect((await carousel(children.slice(0, 2))).status).toBe(400); // not finished
    for (const child of children) await alice.finish(child);
    expect((await carousel(children.slice(0, 1))).status).toBe(400);
    expect((await carousel(children)).status).toBe(400);
    expect((await carousel([children[0] ?? "", children[0] ?? ""])).status).toBe(400);
    expect(await errorOf(await alice.publish(children[0] ?? ""))).toEqual([400, 24, 4279009]);
    const { id } = await (await carousel(children.slice(0, 20))).json();
    const { id: second } = await (await carousel(children.slice(0, 2))).json();
    for (const one of [id, second]) await alice.finish(one);
    expect((await alice.publish(id)).status).toBe(200);
    expect((await carousel(children.slice(0, 2))).status).toBe(400); // spent
    expect(await errorOf(await alice.publish(second))).toEqual([400, 24, 4279009]);
  });

  test("reject containers that are not carousel items", async () => {
    const whole = [await item({}), await item({})];
    for (const child of whole) await alice.finish(child);
    expect((await errorOf(await carousel(whole))).slice(0, 2)).toEqual([400, 100]);
  });
});

describe("published posts", () => {
  test("the first hashtag becomes the topic without #; the permalink appears on the second read", async () => {
    const id = await alice.publishText(text("Of #one. and #two, not #3"));
    const read = async () => (await alice.get(`${id}?fields=text,topic_tag,permalink,shortcode`)).json();
    const [first, second] = [await read(), await read()];
    expect(first).toEqual({ id, text: "Of one. and #two, not #3", topic_tag: "one", shortcode: expect.any(String) });
    expect(second.permalink).toBe(`https://www.threads.com/@alice/post/${first.shortcode}`);
  });

  test("replies need a published post and are listed separately", async () => {
    const root = await alice.publishText(text("Root"));
    const container = await alice.create(text("Never published"));
    expect((await alice.post("me/threads", { ...text("a"), reply_to_id: container })).status).toBe(400);
    const reply = await alice.publishText({ ...text("Reply"), reply_to_id: root });
    const ids = async (edge: string) =>
      (await (await alice.get(`me/${edge}?fields=id,replied_to`)).json()).data.map(({ id }: { id: string }) => id);
    expect([(await ids("threads")).includes(reply), await ids("replies")]).toEqual([false, [reply]]);
  });

  test("limits posts to 250 a day, and counts replies separately", { timeout: 60_000 }, async () => {
    const carol = graph(sandbox, await connect(sandbox, "carol"));
    const container = await carol.create(text("over"));
    await carol.finish(container);
    const root = await carol.publishText(text("0"));
    for (let n = 1; n < 250; n++) await carol.publishText(text(String(n)));
    expect(await errorOf(await carol.publish(container))).toEqual([400, 9, 2207042]);
    await carol.publishText({ ...text("a reply"), reply_to_id: root });
    const limit = await (
      await carol.get("me/threads_publishing_limit?fields=quota_usage,config,reply_quota_usage")
    ).json();
    expect(limit.data).toEqual([
      { quota_usage: 250, config: { quota_total: 250, quota_duration: DAY }, reply_quota_usage: 1 },
    ]);
    await sandbox.advance(DAY - 3600);
    expect(await errorOf(await carol.publish(container))).toEqual([400, 9, 2207042]);
  });

  test("a post exists after a spam error, and after a lost response", async () => {
    for (const fault of ["duplicate", "drop_response"]) {
      const container = await alice.create(text(`Lost by ${fault}`));
      await alice.finish(container);
      await sandbox.fault({ network: "threads", operation: "publish", fault });
      const answer = await alice.publish(container).catch(() => undefined);
      expect(answer && (await errorOf(answer))).toEqual(fault === "duplicate" ? [400, 4, 2207051] : undefined);
      expect((await sandbox.posts("threads")).filter((post) => post.text === `Lost by ${fault}`)).toHaveLength(1);
    }
  });
});
