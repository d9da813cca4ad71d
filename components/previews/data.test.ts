import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { ApiAccount } from "../api/types";
import { networkFacts } from "../networks/facts";
import { kindOf } from "../networks/formats";
import { type PreviewSource, previewOf } from "./data";
import { posterOf } from "./frame";
import { PublicationMockup } from "./preview";
import { Bubbles } from "./thread";
import type { Preview, PreviewMedia } from "./types";

const gif = { contentType: "image/gif", width: 640, height: 640, durationSeconds: 2, frames: 9 };

const account: ApiAccount = {
  id: 1,
  platform: "INSTAGRAM",
  accountId: "1",
  accountUsername: "bells",
  accountDisplayName: "The Bells",
  state: "ACTIVE",
  stateTime: "",
  createdTime: "",
  updatedTime: "",
};

function preview(platform: Preview["platform"], settings: object, posts: PreviewSource["posts"]): Preview {
  const media = (path: string): PreviewMedia => ({
    key: path,
    kind: kindOf(path),
    name: path,
    animation: path.endsWith(".gif") ? gif : undefined,
    src: `/media/${path}`,
    altText: path.startsWith("described") ? "A bell" : undefined,
  });
  const chats = [{ id: "c1", title: "The tower", type: "channel", platform }];
  const publication = { platformSettings: { type: "T", ...settings }, posts };
  const network = networkFacts().find((one) => one.platform === platform);
  if (!network) throw new Error(`no facts of ${platform}`);
  return previewOf(publication, { account, network, chats, media });
}

const withFiles = (...attachmentPaths: string[]) => [{ content: "Ding", attachmentPaths }];

test("keeps a thread's posts with their files in order", () => {
  const { posts } = preview("X_TWITTER", {}, [
    { content: "One", attachmentPaths: ["a.jpg", "b.jpg"] },
    { content: "Two" },
  ]);
  expect(posts.map(({ text, media }) => [text, media.map(({ key }) => key)])).toEqual([
    ["One", ["a.jpg", "b.jpg"]],
    ["Two", []],
  ]);
});

test("a first comment is shown below the post, but not below a story, which takes none", () => {
  const shown = (settings: object) => preview("FACEBOOK", { firstComment: "Dong", ...settings }, withFiles("a.jpg"));
  expect(shown({})).toMatchObject({ comment: "Dong", posts: [{ text: "Ding" }] });
  for (const settings of [{ publicationType: "STORY" }, { firstComment: " " }])
    expect(shown(settings).comment).toBeUndefined();
});

test.each<[Preview["platform"], string]>([
  ["INSTAGRAM", "bells"],
  ["THREADS", "bells"],
  ["X_TWITTER", "The Bells"],
  ["FACEBOOK", "The tower"],
])("%s names the author of a post and of its first comment %s", (platform, name) => {
  const posts = [{ content: "Ding", chatId: platform === "FACEBOOK" ? "c1" : undefined }];
  expect(posterOf(preview(platform, { firstComment: "Dong" }, posts)).name).toBe(name);
});

describe("shape", () => {
  test.each<[string, Preview["platform"], object, string[], Preview["shape"]]>([
    ["a picture in the feed", "INSTAGRAM", {}, ["a.jpg"], "post"],
    ["a lone video on Instagram is a reel", "INSTAGRAM", { publicationType: "FEED" }, ["a.mp4"], "reel"],
    ["and on Facebook is not", "FACEBOOK", { publicationType: "FEED" }, ["a.mp4"], "post"],
    ["a reel", "FACEBOOK", { publicationType: "REELS" }, ["a.mp4"], "reel"],
    ["a story", "FACEBOOK", { publicationType: "STORY" }, ["a.jpg"], "story"],
  ])("%s", (_, platform, settings, paths, shape) => {
    expect(preview(platform, settings, withFiles(...paths)).shape).toBe(shape);
  });
});

test.each<[string, Preview["platform"], object, Preview["shape"], string]>([
  ["a reel on Instagram", "INSTAGRAM", { publicationType: "FEED" }, "reel", "video"],
  ["a film in a Page's feed", "FACEBOOK", { publicationType: "FEED" }, "post", "video"],
  ["a film on Bluesky", "BLUE_SKY", {}, "post", "video"],
  ["an image that moves on X", "X_TWITTER", {}, "post", "image"],
])("an animated GIF is %s, as it will be published", (_, platform, settings, shape, kind) => {
  const shown = preview(platform, settings, withFiles("a.gif"));
  expect([shown.shape, shown.posts[0]?.media.map((file) => file.kind)]).toEqual([shape, [kind]]);
});

test("an animation that is too long to convert stays an image", () => {
  const network = networkFacts().find(({ platform }) => platform === "FACEBOOK");
  if (!network) throw new Error("no facts of Facebook");
  const publication = { platformSettings: { type: "T", publicationType: "FEED" }, posts: withFiles("a.gif") };
  const kindOf = (durationSeconds: number | undefined) =>
    previewOf(publication, {
      account,
      network,
      media: (path) => ({ key: path, kind: "image", name: path, animation: { ...gif, durationSeconds } }),
    }).posts[0]?.media[0]?.kind;
  expect([kindOf(60), kindOf(61), kindOf(undefined)]).toEqual(["video", "image", "image"]);
});

test("each message on Telegram names its own destination, by its ID if the title is unknown", () => {
  const posts = [{ content: "One", chatId: "c1" }, { content: "Two", chatId: "-1002" }, { content: "Three" }];
  const shown = preview("TELEGRAM", {}, posts);
  expect(shown.posts.map(({ place }) => place)).toEqual(["The tower", "-1002", undefined]);
  const markup = renderToStaticMarkup(createElement(Bubbles, { preview: shown, marked: "" }));
  for (const name of ["The tower", "-1002", "The Bells"]) expect(markup.split(`>${name}<`)).toHaveLength(2);
});

test("one story per file, without text", () => {
  const { posts } = preview("INSTAGRAM", { publicationType: "STORY" }, withFiles("a.jpg", "b.mp4"));
  expect(posts.map(({ text, media }) => [text, media.length])).toEqual([
    ["", 1],
    ["", 1],
  ]);
});

test("TikTok shows a video's title in the caption, and a photo's above it", () => {
  const video = preview("TIKTOK", { title: "Bells" }, withFiles("a.mp4"));
  expect([video.title, video.posts[0]?.text]).toEqual([undefined, "Bells\nDing"]);
  const photo = preview("TIKTOK", { title: "Bells" }, withFiles("a.jpg"));
  expect([photo.title, photo.posts[0]?.text]).toEqual(["Bells", "Ding"]);
});

test("a Pin uses its own alt text, and shows title, link and board", () => {
  const settings = { title: "Tower", link: "https://example.com", altText: "A bell in a tower" };
  const pin = preview("PINTEREST", settings, [{ ...withFiles("a.jpg")[0], chatId: "c1" }]);
  expect([pin.title, pin.link, pin.place]).toEqual(["Tower", "https://example.com", "The tower"]);
  expect(pin.posts[0]?.media[0]?.name).toBe("A bell in a tower");
});

test.each<[Preview["platform"], object, string[], string[]]>([
  ["X_TWITTER", {}, ["described.jpg", "a.jpg"], ["A bell", "a.jpg"]],
  ["X_TWITTER", {}, ["described.mp4"], ["described.mp4"]],
  ["BLUE_SKY", {}, ["described.mp4"], ["A bell"]],
  ["TELEGRAM", {}, ["described.jpg"], ["described.jpg"]],
  ["INSTAGRAM", {}, ["described.jpg"], ["A bell"]],
  ["INSTAGRAM", { publicationType: "STORY" }, ["described.jpg"], ["described.jpg"]],
  ["PINTEREST", { altText: "Another bell" }, ["described.jpg"], ["Another bell"]],
])("uses a file's alt text where %s gets it: %j %j", (platform, settings, paths, shown) => {
  const { posts } = preview(platform, settings, withFiles(...paths));
  expect(posts.flatMap(({ media }) => media.map(({ name }) => name))).toEqual(shown);
});

test("a video has a cover and a picture has none, in requests and responses", () => {
  for (const given of [{ thumbnailPath: "c.jpg" }, { thumbnail: "c.jpg" }]) {
    const shown = (file: string) =>
      preview("FACEBOOK", {}, [{ attachmentPaths: [file], ...given }]).posts[0]?.media.map(({ src }) => src);
    expect([shown("a.mp4"), shown("a.jpg")]).toEqual([["/media/c.jpg"], ["/media/a.jpg"]]);
  }
});

test("names the audience unless it is everyone", () => {
  expect(preview("LINKEDIN", { visibility: "CONNECTIONS" }, withFiles()).audience).toBe("Connections only");
  expect(preview("LINKEDIN", { visibility: "PUBLIC" }, withFiles()).audience).toBeUndefined();
  expect(preview("YOUTUBE", { privacyStatus: "UNLISTED" }, withFiles("a.mp4")).audience).toBe("Unlisted");
});

test("shows who publishes it too, who is tagged, and that it has a location", () => {
  const settings = {
    collaborators: ["@anna"],
    userTags: ["ben", { username: "carol", x: 0.5, y: 0.5 }],
    locationId: "1",
  };
  expect(preview("INSTAGRAM", settings, withFiles("a.jpg"))).toMatchObject({
    collaborators: ["anna"],
    tagged: ["ben", "carol"],
    hasLocation: true,
  });
});

describe("the people who are tagged in a picture", () => {
  const userTags = [
    { username: "ben", x: 0.25, y: 0.75 },
    { username: "carol", x: 0.1, y: 0.2, attachment: 1 },
    "@anna",
  ];
  const tagsIn = (settings: object, ...files: string[]) =>
    preview("INSTAGRAM", { userTags, ...settings }, withFiles(...files)).posts.flatMap(({ media }) =>
      media.map(({ tags }) => tags),
    );

  test("are at their places, and without a place across the middle, as they are sent to Instagram", () => {
    expect(tagsIn({}, "a.jpg", "b.jpg", "c.jpg")).toEqual([
      [
        { name: "ben", x: 0.25, y: 0.75 },
        { name: "anna", x: 2 / 3, y: 0.5 },
      ],
      [{ name: "carol", x: 0.1, y: 0.2 }],
      [],
    ]);
  });

  test.each([
    ["a video", {}, ["a.mp4", "b.jpg"], [undefined, [{ name: "carol", x: 0.1, y: 0.2 }]]],
    ["a story, where Instagram shows no marks", { publicationType: "STORY" }, ["a.jpg"], [undefined]],
  ])("have no places in %s", (_, settings, files, expected) => {
    expect(tagsIn(settings, ...files)).toEqual(expected);
  });
});

test("shows the link of a card and the text of its button", () => {
  const settings = { link: "https://example.com/a", callToAction: "SIGN_UP", placeId: "1" };
  expect(preview("FACEBOOK", settings, withFiles())).toMatchObject({
    link: "https://example.com/a",
    button: "Sign Up",
    hasLocation: true,
  });
});

test("shows Telegram's markup as formatting, and plain text as it is written", () => {
  const content = "<b>Ding</b>";
  const shown = (settings: object) => preview("TELEGRAM", settings, [{ content }]).posts[0];
  expect(shown({ parseMode: "HTML" })).toMatchObject({
    text: "Ding",
    entities: [{ type: "bold", offset: 0, length: 4 }],
  });
  expect(shown({})).toMatchObject({ text: content, entities: undefined });
});

describe("settings of a thread", () => {
  test("are shown in words", () => {
    const shown = preview("BLUE_SKY", { whoCanReply: ["MENTIONED", "FOLLOWERS"], labels: ["NUDITY"] }, withFiles());
    expect(shown).toMatchObject({ replies: "people you mention, your followers", warnings: ["Nudity"] });
    const poll = preview("X_TWITTER", { whoCanReply: "VERIFIED", pollOptions: ["Yes", "No"], quote: "7" }, withFiles());
    expect(poll).toMatchObject({ replies: "verified accounts", poll: ["Yes", "No"], quote: "7" });
    expect(preview("THREADS", { linkAttachment: "https://a.example" }, withFiles()).link).toBe("https://a.example");
  });

  test("are left out if they are not set, or if everyone can reply", () => {
    for (const settings of [{}, { whoCanReply: "EVERYONE", labels: [], pollOptions: [] }]) {
      const { replies, warnings, poll, quote } = preview("THREADS", settings, withFiles());
      expect([replies, warnings, poll, quote]).toEqual([undefined, undefined, undefined, undefined]);
    }
  });
});

test("shows the draft of a TikTok video without a text and as a draft", () => {
  const settings = { sendToDrafts: true, privacyLevel: "SELF_ONLY", title: "Bells" };
  const { audience, posts } = preview("TIKTOK", settings, withFiles("a.mp4"));
  expect([audience, posts[0]?.text]).toEqual(["Draft", ""]);
});

test("a document has the given title, or its file's name; YouTube labels altered content", () => {
  const nameOf = (settings: object) => preview("LINKEDIN", settings, withFiles("a.pdf")).posts[0]?.media;
  expect(nameOf({})).toMatchObject([{ kind: "document", name: "a.pdf" }]);
  expect(nameOf({ documentTitle: "Scores" })).toMatchObject([{ kind: "document", name: "Scores" }]);
  const isMarked = (settings: object) => preview("YOUTUBE", settings, withFiles("a.mp4")).isMadeWithAi;
  expect([isMarked({}), isMarked({ containsSyntheticMedia: true })]).toEqual([false, true]);
});

describe("a setting that SPEC does not have changes the preview", () => {
  const CHANGES: { [P in Preview["platform"]]: { [setting: string]: PreviewSource["platformSettings"][string] } } = {
    X_TWITTER: { whoCanReply: "VERIFIED", quote: "7", pollOptions: ["Ding", "Dong"], pollMinutes: 60 },
    YOUTUBE: {
      ...{ madeForKids: false, containsSyntheticMedia: true, notifySubscribers: false, tags: ["bells", "towers"] },
      ...{ playlistId: "PL1", captions: "1", captionsLanguage: "en" },
    },
    THREADS: {
      ...{ whoCanReply: "FOLLOWERS", quote: "7", pollOptions: ["Ding", "Dong"], locationId: "1" },
      linkAttachment: "https://example.com/",
    },
    TIKTOK: { videoCoverTimestampMs: 1500, photoCoverIndex: 1, sendToDrafts: true },
    INSTAGRAM: { collaborators: ["anna"], userTags: ["ben"], locationId: "1", videoCoverTimestampMs: 1500 },
    LINKEDIN: { documentTitle: "Scores" },
    BLUE_SKY: { languages: ["en", "de-AT"], whoCanReply: ["NOBODY"], labels: ["NUDITY"], quote: "at://a/b/c" },
    TELEGRAM: { disableNotification: true, protectContent: true, disableLinkPreview: true, parseMode: "HTML" },
    FACEBOOK: { placeId: "1", link: "https://example.com/", callToAction: "SIGN_UP" },
    PINTEREST: { dominantColor: "#6E7874" },
  };
  /** Settings that SPEC has, or that choose what the preview shows as a whole. */
  const OTHERS = [
    ...[
      "title",
      "privacyStatus",
      "category",
      "topicTag",
      "privacyLevel",
      "disableDuet",
      "disableComments",
      "aiContent",
    ],
    ...["disableStitch", "brandContent", "brandOrganic", "autoAddMusic", "hasUsageConfirmation", "publicationType"],
    ...["visibility", "altText", "boardSectionId"],
  ];
  const named = networkFacts().flatMap(({ platform, settings }) =>
    settings
      .map(({ name }) => name)
      .filter((name) => !OTHERS.includes(name) && !(platform === "PINTEREST" && name === "link"))
      .map((name) => [platform, name] as const),
  );

  test.each(named)("%s: %s", (platform, name) => {
    const posts = [{ content: "<b>Ding</b>", attachmentPaths: platform === "LINKEDIN" ? ["a.pdf"] : ["a.mp4"] }];
    const value = name === "firstComment" ? "More" : CHANGES[platform][name];
    expect(value, "add a value to CHANGES").toBeDefined();
    expect(preview(platform, { [name]: value }, posts)).not.toEqual(preview(platform, {}, posts));
  });

  test("in words, if the network itself shows nothing of it", () => {
    const settings = { tags: ["bells", "towers"], madeForKids: false, notifySubscribers: true, captionsLanguage: "" };
    expect(preview("YOUTUBE", settings, withFiles("a.mp4")).remarks).toEqual([
      "Not made for kids",
      "Tags: bells, towers",
    ]);
    expect(preview("TELEGRAM", { disableNotification: true, protectContent: false }, withFiles()).remarks).toEqual([
      "Without a sound",
    ]);
  });
});

test.each<[Preview["platform"], object]>([
  ["X_TWITTER", {}],
  ["BLUE_SKY", { labels: ["SEXUAL", "NUDITY"] }],
  ["THREADS", { topicTag: "bells" }],
  ["LINKEDIN", { visibility: "CONNECTIONS", firstComment: "Ding" }],
  ["INSTAGRAM", { aiContent: true, locationId: "1", firstComment: "Ding" }],
  ["TIKTOK", { privacyLevel: "SELF_ONLY", aiContent: true }],
])("a line of a preview can end with a dot and never begins with one: %s %j", (platform, settings) => {
  const shown = preview(platform, settings, withFiles("a.jpg"));
  const page = renderToStaticMarkup(createElement(PublicationMockup, { preview: shown }));
  const dots = page.replace(/<[^>]*>/g, "").match(/..?·.?/gu) ?? [];
  expect(dots.length).toBeGreaterThan(0);
  for (const dot of dots) expect(dot).toMatch(/\S\u00a0· $/u);
});
