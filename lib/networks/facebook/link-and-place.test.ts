import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FormatName, Network, NetworkSession, OutgoingMedia, OutgoingPost, Published } from "../network";
import { networkFormat } from "../network";
import { connectedTo, failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../testing";
import { knownClip, knownPicture, violatedRules } from "../testing/limits";
import { facebook } from ".";
import { isSamePagePost } from "./find";
import { type FacebookSettings, settings } from "./settings";
import { described } from "./testing/described";

let sandbox: TestSandbox;
let alice: NetworkSession;
let chatId: string | undefined;

beforeAll(async () => {
  sandbox = await sandboxFor("facebook", { described });
  alice = await connectedTo(facebook, sandboxApp(facebook, sandbox.url, "facebook"), "alice");
  chatId = (await facebook.destinations?.list?.(alice))?.[0]?.id;
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

const LINK = "https://example.com/bells";
const placeId = "110506962309835";
type Given = Parameters<typeof settings.parse>[0] & object;

function publish(
  format: FormatName,
  content: string,
  given: Given,
  media: OutgoingMedia[] = [],
  memory = newMemory(),
): Promise<Published> {
  const sent: OutgoingPost<FacebookSettings> = { content, media, settings: settings.parse(given), chatId };
  const found = networkFormat(facebook, sent.settings, format);
  if (!found) throw new Error("Facebook has no such format");
  const run = memoryRun(alice, memory, () => sandbox.advance(20));
  return found.publish(sent, run);
}
const settingsOf = async (text: string) =>
  (await sandbox.posts()).filter((one) => one.text === text).map((one) => (one as { settings?: unknown }).settings);
const tall = () => sandbox.video({ width: 540, height: 960 });

describe("requests", () => {
  test("a text has its own link with a button, and a place", async () => {
    await publish("text", "Come and see https://example.org", { link: LINK, callToAction: "SIGN_UP", placeId });
    expect(await settingsOf("Come and see https://example.org")).toEqual([
      {
        kind: "status",
        link: LINK,
        place: placeId,
        callToAction: { type: "SIGN_UP", value: { link: LINK } },
      },
    ]);
  });

  test("the button leads to the first link in the text if no link is set", async () => {
    await publish("text", `Read ${LINK}`, { callToAction: "LEARN_MORE" });
    expect(await settingsOf(`Read ${LINK}`)).toMatchObject([
      { link: LINK, callToAction: { type: "LEARN_MORE", value: { link: LINK } } },
    ]);
  });

  test("a photo, several photos and a reel have a place", async () => {
    await publish("image", "One here", { placeId }, [await sandbox.image()]);
    await publish("carousel", "Two here", { placeId }, [
      await sandbox.image({ shade: 1 }),
      await sandbox.image({ shade: 2 }),
    ]);
    await publish("video", "A reel here", { placeId, publicationType: "REELS" }, [await tall()]);
    for (const text of ["One here", "Two here", "A reel here"])
      expect(await settingsOf(text)).toMatchObject([{ place: placeId }]);
  });

  test("a video in the feed has a button", async () => {
    await publish("video", "Watch it", { link: LINK, callToAction: "WATCH_MORE" }, [await tall()]);
    expect(await settingsOf("Watch it")).toMatchObject([
      { callToAction: { type: "WATCH_MORE", value: { link: LINK } } },
    ]);
  });

  test("a link that was set is never dropped: if Facebook cannot read it, the post fails", async () => {
    const sent = publish("text", "No card", { link: "https://nothing.invalid/" });
    expect(await failureOf(sent)).toMatchObject({ kind: "rejected", message: expect.stringContaining("cannot read") });
    expect(await settingsOf("No card")).toEqual([]);
  });

  test("a lost answer is looked up and the post exists once", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    const given = { link: LINK, callToAction: "SIGN_UP", placeId } as const;
    expect(await failureOf(publish("text", "Once with a button", given, [], memory))).toMatchObject({
      kind: "unknown",
    });
    await publish("text", "Once with a button", given, [], memory);
    expect(await settingsOf("Once with a button")).toHaveLength(1);
  });

  test("a text whose card shows a video is found after a lost answer", () => {
    const listed = {
      id: "1",
      message: "Look",
      created_time: "2026-11-20T12:00:00+0000",
      attachments: { data: [{ media_type: "video" }] },
    };
    expect(isSamePagePost(listed, { message: "Look", hasPhotos: false }, "app")).toBe(false);
    expect(isSamePagePost(listed, { message: "Look", hasPhotos: false, hasLink: true }, "app")).toBe(true);
  });
});

describe("settings", () => {
  test.each([
    ["a place that is no ID", { placeId: "Tower" }],
    ["a link that is not an address", { link: "example" }],
    ["a link of another kind", { link: "ftp://example.com" }],
    ["a button that is only for advertisements", { callToAction: "SHOP_NOW" }],
  ])("refuses %s", (_, given) => {
    expect(settings.safeParse(given).success).toBe(false);
  });

  const rulesOf = (planned: Parameters<typeof violatedRules>[1]) => violatedRules(facebook as Network, planned);
  const extras = { placeId, link: LINK, callToAction: "SIGN_UP" };
  const story = { publicationType: "STORY", ...extras };
  const reel = { publicationType: "REELS", ...extras };

  test.each<[string, Parameters<typeof violatedRules>[1], string[]]>([
    ["a text with everything", { content: "Ding", settings: extras }, []],
    [
      "a button without a link",
      { content: "Ding", settings: { callToAction: "SIGN_UP" } },
      ["facebook.button_without_link"],
    ],
    ["a photo takes only the place", { settings: extras, media: [knownPicture()] }, ["facebook.not_sent"]],
    ["a feed video takes no place", { settings: extras, media: [knownClip()] }, ["facebook.not_sent"]],
    ["a feed video takes no link alone", { settings: { link: LINK }, media: [knownClip()] }, ["facebook.not_sent"]],
    ["a reel takes only the place", { settings: reel, media: [knownClip()] }, ["facebook.not_sent"]],
    ["a story takes none of them", { content: "", settings: story, media: [knownPicture()] }, ["facebook.not_sent"]],
  ])("%s", (_, planned, expected) => {
    expect([...new Set(rulesOf(planned))]).toEqual(expected);
  });
});
