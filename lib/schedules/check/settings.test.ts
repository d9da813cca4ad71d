import { describe, expect, test } from "vitest";
import type { Problem } from "../../errors";
import { networkOf } from "../../networks";
import { type Platform, platformValues } from "../../platforms";
import type { KnownMedia } from "./facts";
import { formatProblems } from "./publication";
import { checkSettings, commonProblems } from "./settings";

const LONG = "a".repeat(100_000);
const huge: KnownMedia = {
  contentType: "video/mp4",
  sizeBytes: 1e12,
  width: 10,
  height: 9000,
  durationSeconds: 1e6,
  details: { frameRate: 500 },
};
/** Each network's required settings. */
const required: { [P in Platform]?: object } = {
  YOUTUBE: { title: "A title" },
  TIKTOK: { privacyLevel: "SELF_ONLY" },
};

/** The problems of the settings, and of a post that no network accepts with them. */
function told(platform: Platform, given: { type: string; [name: string]: unknown }, media: KnownMedia[]) {
  const network = networkOf(platform);
  const problems: Problem[] = [];
  const checked = checkSettings(network, given, "platformSettings", problems);
  const post = { content: LONG, attachmentPaths: [] };
  const ofPost = commonProblems(checked, (meant) => formatProblems(network, meant, post, media));
  return { ofSettings: problems.map(({ path }) => path), ofPost: ofPost.map(({ at, rule }) => `${at} ${rule}`) };
}

/** For these networks, a wrong type leaves the formats open, see below. */
const hasVariants = (platform: Platform) => networkOf(platform).variants !== undefined;

describe.each(platformValues)("%s: an invalid setting hides no problem of the post", (platform) => {
  const type = networkOf(platform).settingsTypes[0];
  const sound = { type, ...required[platform] };
  const wrong: [string, { type: string; [name: string]: unknown }][] = [
    ["an unknown setting", { ...sound, mood: "good" }],
    ...(hasVariants(platform) ? [] : ([["another network's type", { type: "MYSPACE" }]] satisfies typeof wrong)),
    ...Object.keys(required[platform] ?? {}).flatMap((name): typeof wrong => [
      [`${name} missing`, { type }],
      [`${name} of a wrong type`, { type, [name]: 5 }],
    ]),
  ];

  test.each(wrong)("%s", (_, given) => {
    for (const media of [[huge], [huge, huge], []]) {
      const { ofSettings, ofPost } = told(platform, given, media);
      const right = told(platform, sound, media);
      expect(right.ofSettings).toEqual([]);
      expect(ofSettings).toHaveLength(1);
      const elsewhere = right.ofPost.filter((one) => !one.startsWith("platformSettings"));
      expect(elsewhere).not.toEqual([]);
      expect(ofPost).toEqual(expect.arrayContaining(elsewhere));
    }
  });
});

test("if the setting that decides the formats is invalid, only problems with every format are reported", () => {
  const given = { type: "INSTAGRAM", publicationType: "POSTER" };
  expect(told("INSTAGRAM", given, []).ofPost).toEqual(["attachmentPaths format.unsupported"]);
  const fine = { ...huge, sizeBytes: 1e6, width: 1080, height: 1920, durationSeconds: 10, details: { frameRate: 30 } };
  expect(told("INSTAGRAM", { ...given, publicationType: "FEED" }, [fine]).ofPost).toContain("content text.length");
  expect(told("INSTAGRAM", { ...given, publicationType: "STORY" }, [fine]).ofPost).not.toContain("content text.length");
  expect(told("INSTAGRAM", given, [fine]).ofPost).not.toContain("content text.length");
});

test("an invalid setting is reported only once", () => {
  const { ofSettings, ofPost } = told("YOUTUBE", { type: "YOUTUBE", title: null, madeForKids: false }, [huge]);
  expect(ofSettings).toEqual(["platformSettings.title"]);
  expect(ofPost.filter((one) => one.startsWith("platformSettings"))).toEqual([]);
});

describe("a value that a network does not take has the page that says so, and what counts its limit", () => {
  const WRONG: { [P in Platform]: { [setting: string]: unknown } } = {
    X_TWITTER: { whoCanReply: "ALL", quote: "?", pollMinutes: 4 },
    YOUTUBE: { playlistId: "a b", captions: "Ding", captionsLanguage: "?", tags: [LONG] },
    THREADS: { whoCanReply: "ALL", quote: "?", linkAttachment: "?", locationId: "?" },
    TIKTOK: { videoCoverTimestampMs: -1, photoCoverIndex: -1 },
    INSTAGRAM: { collaborators: ["a b"], userTags: ["a b"], locationId: "?", videoCoverTimestampMs: -1 },
    LINKEDIN: { documentTitle: LONG },
    BLUE_SKY: { languages: ["?"], whoCanReply: ["ALL"], labels: ["ALL"], quote: "?" },
    TELEGRAM: { parseMode: "BBCODE" },
    FACEBOOK: { placeId: "?", link: "?", callToAction: "BUY" },
    PINTEREST: { dominantColor: "red", boardSectionId: "?" },
  };
  const COUNTED: { [setting: string]: unknown[] } = {
    pollMinutes: [4, { min: 5 }],
    videoCoverTimestampMs: [-1, { min: 0 }],
    photoCoverIndex: [-1, { min: 0 }],
    documentTitle: [100_000, { max: 400 }],
    tags: [100_000, { max: 500 }],
  };
  const rows = platformValues.flatMap((platform) =>
    Object.entries(WRONG[platform]).map(([name, value]) => [platform, name, value] as const),
  );

  test.each(rows)("%s: %s", (platform, name, value) => {
    const network = networkOf(platform);
    const problems: Problem[] = [];
    checkSettings(network, { type: network.settingsTypes[0], ...required[platform], [name]: value }, "s", problems);
    const [measured, limit] = COUNTED[name] ?? [];
    expect(problems).toMatchObject([
      {
        path: expect.stringMatching(`^s\\.${name}`),
        source: expect.stringMatching(/^https:\/\/[\w.-]+\//),
        ...(limit ? { measured, limit } : {}),
      },
    ]);
  });
});

test.each([
  ["LINKEDIN", { documentTitle: "a".repeat(401) }, "https://docs.upload-post.com/resources/character-limits/"],
  ["FACEBOOK", { link: `https://example.com/${"a".repeat(2048)}` }, undefined],
  ["YOUTUBE", { title: "A title", captions: "a".repeat(200_001) }, undefined],
] as const)(
  "%s: a limit that the network does not document names no page of the network",
  (platform, given, source) => {
    const network = networkOf(platform);
    const problems: Problem[] = [];
    checkSettings(network, { type: network.settingsTypes[0], ...given }, "s", problems);
    expect(problems[0]?.message).toContain("must have at most");
    expect(problems[0]?.source).toBe(source);
  },
);

test("thirty thousand unknown settings are one problem, and none of them is read", () => {
  const given = Object.fromEntries(Array.from({ length: 30_000 }, (_, number) => [`s${number}`, 1]));
  const unread = new Proxy({ type: "TWITTER", ...given }, { get: () => expect.unreachable("a setting is read") });
  const problems: Problem[] = [];
  checkSettings(networkOf("X_TWITTER"), unread, "platformSettings", problems);
  const message = "must have at most 100 settings";
  expect(problems).toEqual([
    { path: "platformSettings", message, rule: "settings.too_many", measured: 30_001, limit: { max: 100 } },
  ]);
});
