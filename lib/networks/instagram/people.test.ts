import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FormatName, NetworkSession, OutgoingPost, PlannedMedia, Published } from "../network";
import { networkFormat } from "../network";
import { connectedTo, failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../testing";
import { instagram } from ".";
import { type InstagramSettings, instagramImageProblems, settings } from "./settings";
import { described } from "./testing/described";

let sandbox: TestSandbox;
let alice: NetworkSession;

beforeAll(async () => {
  sandbox = await sandboxFor("instagram", { described });
  alice = await connectedTo(instagram, sandboxApp(instagram, sandbox.url, "instagram"), "alice");
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

type Post = OutgoingPost<InstagramSettings>;

function publish(format: FormatName, post: Post, memory = newMemory()): Promise<Published> {
  const found = networkFormat(instagram, post.settings, format);
  if (!found) throw new Error("Instagram has no such format");
  const run = memoryRun(alice, memory, () => sandbox.advance(20));
  return found.publish(post, run);
}
const settingsOf = async (text: string) =>
  (await sandbox.posts()).filter((one) => one.text === text).map((one) => (one as { settings?: unknown }).settings);

const people = { collaborators: ["@tower_keeper"], locationId: "7640348500" };
const sentPeople = { collaborators: '["tower_keeper"]', location_id: "7640348500" };

describe("requests", () => {
  test("an image has co-authors, a location and tagged people, who are spread out unless they have a position", async () => {
    const userTags = [{ username: "anna", x: 0.1, y: 0.9 }, "@ben"];
    const post = {
      content: "Tagged",
      media: [await sandbox.image()],
      settings: settings.parse({ ...people, userTags }),
    };
    await publish("image", post);
    const tags = [
      { username: "anna", x: 0.1, y: 0.9 },
      { username: "ben", x: 2 / 3, y: 0.5 },
    ];
    expect(await settingsOf("Tagged")).toMatchObject([{ ...sentPeople, user_tags: JSON.stringify(tags) }]);
  });

  test("each item of a carousel has its own tags, and the carousel the co-authors and the location", async () => {
    const userTags = [
      { username: "anna", attachment: 1 },
      { username: "ben", attachment: 1 },
    ];
    const media = [await sandbox.image({ shade: 1 }), await sandbox.image({ shade: 2 })];
    await publish("carousel", { content: "Both", media, settings: settings.parse({ ...people, userTags }) });
    const tags = [
      { username: "anna", x: 1 / 3, y: 0.5 },
      { username: "ben", x: 2 / 3, y: 0.5 },
    ];
    expect(await settingsOf("Both")).toMatchObject([{ ...sentPeople, user_tags: [null, JSON.stringify(tags)] }]);
  });

  test("a reel has the cover's frame, and tags without positions", async () => {
    const userTags = [{ username: "anna", x: 0.5, y: 0.5 }];
    const sent = settings.parse({ ...people, userTags, videoCoverTimestampMs: 1500 });
    await publish("video", { content: "Frame", media: [await sandbox.video()], settings: sent });
    expect(await settingsOf("Frame")).toMatchObject([
      { ...sentPeople, thumb_offset: "1500", user_tags: '[{"username":"anna"}]' },
    ]);
  });

  test("a story has tagged people, but neither co-authors nor a location", async () => {
    const sent = settings.parse({ ...people, publicationType: "STORY", userTags: ["anna"] });
    await publish("image", { content: "", media: [await sandbox.image({ shade: 77 })], settings: sent });
    const last = (await sandbox.posts()).at(-1) as { settings?: unknown } | undefined;
    expect(last?.settings).toMatchObject({ media_type: "STORIES", user_tags: '[{"username":"anna"}]' });
    expect(last?.settings).not.toHaveProperty("collaborators");
    expect(last?.settings).not.toHaveProperty("location_id");
  });

  test("a lost answer is looked up and the post with its co-authors exists once", async () => {
    const memory = newMemory();
    const post = { content: "Once together", media: [await sandbox.image()], settings: settings.parse(people) };
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish("image", post, memory))).toMatchObject({ kind: "unknown" });
    await publish("image", post, memory);
    expect(await settingsOf("Once together")).toHaveLength(1);
  });
});

describe("settings", () => {
  test("accepts at most 3 co-authors and 20 tags, and gives the limit and its source", () => {
    const names = Array.from({ length: 21 }, (_, index) => `user${index}`);
    const userTags = names.map((username) => ({ username }));
    const problems = (given: object) =>
      instagramImageProblems({ content: "", settings: settings.parse(given), media: [image] });
    const at = { rule: "settings.count", source: expect.any(String) };
    expect(problems({ collaborators: names.slice(0, 4), userTags })).toMatchObject([
      { ...at, at: "platformSettings.collaborators", measured: 4, limit: { max: 3 } },
      { ...at, at: "platformSettings.userTags", measured: 21, limit: { max: 20 } },
    ]);
    expect(problems({ collaborators: names.slice(0, 3), userTags: userTags.slice(1) })).toEqual([]);
  });

  test.each([
    ["a name with a space", { collaborators: ["anna b"] }],
    ["a position in pixels", { userTags: [{ username: "anna", x: 540, y: 20 }] }],
    ["half a position", { userTags: [{ username: "anna", x: 0.5 }] }],
    ["a location that is no ID", { locationId: "Tower" }],
    ["a negative frame", { videoCoverTimestampMs: -1 }],
  ])("refuses %s", (_, given) => {
    expect(settings.safeParse(given).success).toBe(false);
  });

  const image: PlannedMedia = { kind: "image", contentType: "image/jpeg" };
  const video: PlannedMedia = { kind: "video", contentType: "video/mp4", durationSeconds: 5 };
  const everything = { collaborators: ["anna"], locationId: "1", videoCoverTimestampMs: 0 };

  test.each<[string, FormatName, PlannedMedia[], object, PlannedMedia | undefined, unknown[]]>([
    ["a frame at the end of the video", "video", [video], { videoCoverTimestampMs: 5000 }, undefined, ["cover_time"]],
    ["the last frame", "video", [video], { videoCoverTimestampMs: 4999 }, undefined, []],
    ["a frame beside a cover", "video", [video], { videoCoverTimestampMs: 1 }, image, ["not_sent, warning"]],
    ["a frame of an image", "image", [image], { videoCoverTimestampMs: 1 }, undefined, ["not_sent, warning"]],
    [
      "a tag on a missing attachment",
      "image",
      [image],
      { userTags: [{ username: "anna", attachment: 1 }] },
      undefined,
      ["tagged_attachment"],
    ],
    [
      "a story with everything",
      "video",
      [video],
      { publicationType: "STORY", ...everything },
      undefined,
      ["not_sent, warning", "not_sent, warning", "not_sent, warning"],
    ],
    ["an image with people", "image", [image], people, undefined, []],
  ])("%s", (_, format, media, given, thumbnail, expected) => {
    const parsed = settings.parse(given);
    const problems = networkFormat(instagram, parsed, format)?.check?.({
      content: "",
      media,
      settings: parsed,
      thumbnail,
    });
    expect(
      problems?.map(({ rule, severity }) => [rule?.replace("instagram.", ""), severity].filter(Boolean).join(", ")),
    ).toEqual(expected);
  });
});
