import { describe, expect, test } from "vitest";
import { networkFacts } from "../../networks/facts";
import type { Draft } from "../draft/draft";
import { publicationsOf } from "../draft/submission";
import { account, draftFor, file, targetsFor } from "../testing/page";
import { targetsOf } from "./targets";

const x = account(1, "X_TWITTER");
const linkedin = account(2, "LINKEDIN");
const telegram = account(3, "TELEGRAM");

const sent = (...given: Parameters<typeof targetsFor>) => publicationsOf(targetsFor(...given), ({ path }) => path);

test("a thread becomes several posts where the network allows it, else one text with all files", () => {
  const accounts = [x, linkedin];
  const files = [file("b.jpg", "p2"), file("a.jpg", "p1")];
  const [thread, one] = sent(draftFor(accounts, ["One", "Two"]), accounts, files);
  expect(thread?.posts).toEqual([
    { content: "One", attachmentPaths: ["a.jpg"] },
    { content: "Two", attachmentPaths: ["b.jpg"] },
  ]);
  expect(one?.posts).toEqual([{ content: "One\n\nTwo", attachmentPaths: ["a.jpg", "b.jpg"] }]);
});

test("files without a known part belong to the first part", () => {
  const files = [file("a.jpg"), file("b.jpg", "p9")];
  const [thread] = sent(draftFor([x], ["One", "Two"]), [x], files);
  expect(thread?.posts.map(({ attachmentPaths }) => attachmentPaths)).toEqual([["a.jpg", "b.jpg"], []]);
});

test("an account with fewer parts still gets every file", () => {
  const draft = draftFor([x], ["One", "Two"], { own: { a1: [{ id: "p1", text: "Mine" }] } });
  const [own] = sent(draft, [x], [file("a.jpg", "p1"), file("b.jpg", "p2")]);
  expect(own?.posts).toEqual([{ content: "Mine", attachmentPaths: ["a.jpg", "b.jpg"] }]);
});

test("a file left out for one account goes to the others", () => {
  const draft = draftFor([x, linkedin], ["One"], { without: { a1: ["a.jpg"] } });
  const paths = sent(draft, [x, linkedin], [file("a.jpg")]).map(({ posts }) => posts[0]?.attachmentPaths);
  expect(paths).toEqual([[], ["a.jpg"]]);
});

test("chooses the only destination, and every post of a sequence names it", () => {
  const chats = { 3: [{ id: "-100", title: "Tower", type: "channel", platform: telegram.platform }] };
  const [messages] = sent(draftFor([telegram], ["One", "Two"]), [telegram], [], chats);
  expect(messages?.posts.map(({ chatId }) => chatId)).toEqual(["-100", "-100"]);
});

describe("text length", () => {
  test("counts each post in its network's unit", () => {
    const emoji = "👩‍👩‍👧‍👦".repeat(10);
    const [first] = targetsFor(draftFor([x], ["ab", emoji]), [x]);
    expect(first?.posts.map(({ count }) => count?.used)).toEqual([2, 20]);
    const [one] = targetsFor(draftFor([linkedin], [emoji]), [linkedin]);
    expect(one?.posts[0]?.count).toMatchObject({ used: 110, max: 3000 });
  });

  test("counts to the limit of a subscriber's account", () => {
    const subscriber = { ...x, textMax: 25_000 };
    const [target] = targetsFor(draftFor([subscriber], ["a".repeat(300)]), [subscriber]);
    expect(target?.posts[0]?.count).toMatchObject({ used: 300, max: 25_000 });
  });

  test("reports text that a story does not show, without counting it", () => {
    const instagram = account(4, "INSTAGRAM");
    const draft = draftFor([instagram], ["Words"], { settings: { a4: { publicationType: "STORY" } } });
    const [target] = targetsFor(draft, [instagram], [file("a.jpg")]);
    expect([target?.posts[0]?.dropsText, target?.posts[0]?.count]).toEqual([true, undefined]);
  });
});

test("sends the lines of a list as its entries, seconds in milliseconds, and no empty field", () => {
  const instagram = account(4, "INSTAGRAM");
  const written = { collaborators: " anna\n\nben ", userTags: "", videoCoverTimestampMs: " 2,3", locationId: "" };
  const [target] = targetsFor(draftFor([instagram], ["Ding"], { settings: { a4: written } }), [instagram]);
  expect(target?.settings).toEqual({
    publicationType: "FEED",
    aiContent: false,
    collaborators: ["anna", "ben"],
    videoCoverTimestampMs: 2300,
  });
});

describe("people who are tagged in the files of a post", () => {
  const instagram = account(4, "INSTAGRAM");
  const userTags = [
    { username: "anna", x: 0.25, y: 0.75, path: "b.jpg" },
    { username: "ben", path: "film.mp4" },
    { username: "gone", x: 0.5, y: 0.5, path: "removed.jpg" },
  ];
  const files = [file("a.jpg"), file("b.jpg"), file("film.mp4")];
  const sentTags = (sent: typeof files, more: Partial<Draft> = {}) =>
    targetsFor(draftFor([instagram], ["Ding"], { settings: { a4: { userTags } }, ...more }), [instagram], sent)[0]
      ?.settings.userTags;

  test("are sent with the place of their file, and not without their file", () => {
    expect(sentTags(files)).toEqual([
      { username: "anna", x: 0.25, y: 0.75, attachment: 1 },
      { username: "ben", attachment: 2 },
    ]);
  });

  test("stay with their files when these move or are left out for the account", () => {
    expect(sentTags(files.toReversed(), { without: { a4: ["film.mp4"] } })).toEqual([
      { username: "anna", x: 0.25, y: 0.75, attachment: 0 },
    ]);
    expect(sentTags([file("a.jpg")])).toBeUndefined();
  });
});

test("counts a text of Telegram without its markup if HTML is chosen", () => {
  const used = (settings: object) =>
    targetsFor(draftFor([telegram], ["<b>Ding</b>"], { settings: { a3: { ...settings } } }), [telegram])[0]?.posts[0]
      ?.count?.used;
  expect([used({ parseMode: "HTML" }), used({})]).toEqual([4, 11]);
});

test("sends a number as a number, and other text unchanged", () => {
  const tiktok = account(5, "TIKTOK");
  const settings = { a5: { photoCoverIndex: " 2 ", videoCoverTimestampMs: "soon" } };
  const [target] = targetsFor(draftFor([tiktok], ["Ding"], { settings }), [tiktok]);
  expect(target?.settings).toMatchObject({ photoCoverIndex: 2, videoCoverTimestampMs: "soon" });
});

test("sends a list of chosen values, or the lines of a text, and omits an empty one", () => {
  const bluesky = account(6, "BLUE_SKY");
  const settingsOf = (settings: Draft["settings"][string]) =>
    targetsFor(draftFor([bluesky], ["Ding"], { settings: { a6: settings } }), [bluesky])[0]?.settings;
  expect(settingsOf({ whoCanReply: ["MENTIONED"], languages: " en \n\nde-AT" })).toEqual({
    whoCanReply: ["MENTIONED"],
    languages: ["en", "de-AT"],
  });
  expect(settingsOf({ whoCanReply: [], languages: " \n" })).toEqual({});
});

test("a new post starts with the languages that the page was given, and with none once the person has removed them", () => {
  const bluesky = account(6, "BLUE_SKY");
  const networks = networkFacts({ languages: "de\nen" });
  const languagesOf = (settings: Draft["settings"]) => {
    const draft = draftFor([bluesky, x], ["Ding"], { settings });
    return targetsOf({ draft, files: [], accounts: [bluesky, x], networks, chats: {}, asked: {} }).map(
      (target) => target.settings.languages,
    );
  };
  expect(languagesOf({})).toEqual([["de", "en"], undefined]);
  expect(languagesOf({ a6: { whoCanReply: ["MENTIONED"] } })).toEqual([["de", "en"], undefined]);
  expect(languagesOf({ a6: { languages: "" } })).toEqual([undefined, undefined]);
});

test("TikTok has no default privacy and disables interactions by default", () => {
  const tiktok = account(5, "TIKTOK");
  const [target] = targetsFor(draftFor([tiktok], ["Ding"]), [tiktok]);
  expect(target?.settings.privacyLevel).toBeUndefined();
  expect(target?.settings).toMatchObject({ disableComments: true, disableDuet: true, disableStitch: true });
});

test("a question is sent once it is answered; captions keep their lines; tags are one per line", () => {
  const youtube = account(7, "YOUTUBE");
  const settingsOf = (settings: { [name: string]: string | boolean }) =>
    sent(draftFor([youtube], ["One"], { settings: { a7: settings } }), [youtube])[0]?.platformSettings;
  expect(settingsOf({ title: "A", madeForKids: "" })).not.toHaveProperty("madeForKids");
  const captions = "1\n00:00:01,000 --> 00:00:02,000\nDing";
  expect(settingsOf({ title: "A", madeForKids: "NO", containsSyntheticMedia: true, tags: "a b\nc", captions })).toEqual(
    {
      ...{ type: "YOUTUBE", title: "A", privacyStatus: "PUBLIC", category: "PEOPLE_BLOGS" },
      ...{ madeForKids: false, containsSyntheticMedia: true, tags: ["a b", "c"], captions },
    },
  );
});

test("LinkedIn posts to the member unless a page is chosen, also if there is only one page", () => {
  const chats = { 2: [{ id: "urn:li:organization:1", title: "Bells", type: "PAGE", platform: "LINKEDIN" as const }] };
  const chatOf = (draft: Parameters<typeof targetsFor>[0]) =>
    publicationsOf(targetsFor(draft, [linkedin], [], chats), ({ path }) => path)[0]?.posts[0]?.chatId;
  expect(chatOf(draftFor([linkedin], ["One"]))).toBeUndefined();
  const draft = draftFor([linkedin], ["One"], { chats: { a2: "urn:li:organization:1" } });
  expect(chatOf(draft)).toBe("urn:li:organization:1");
});
