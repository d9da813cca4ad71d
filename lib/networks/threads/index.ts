import { replyOf } from "../comment";
import { checkWithInvalidCode, requestedScopes } from "../connect";
import { type ImageLimits, MB, type TextLimit, type VideoLimits } from "../limits";
import type { LiveChecks } from "../live-checks";
import { metaCallbacks } from "../meta/callbacks";
import { type DryRunAnswers, defineNetwork } from "../network";
import { createContainer, LOCATIONS_SCOPE, me, publishingLimit, searchLocations, VERSION } from "./api";
import { connect, refresh } from "./connect";
import { errors } from "./errors";
import { publishCarousel, publishMedia, publishText } from "./publish";
import { check, settings } from "./settings";

const DOCS = "https://developers.facebook.com/documentation/threads";
/** Emoji count as their bytes; duplicate links count once. */
const text: TextLimit = { max: 500, unit: "characters and emoji bytes", links: 5, source: `${DOCS}/overview` };
const topicTag: TextLimit = { max: 50, unit: "code points" };
const altText: TextLimit = { max: 1000, unit: "code points", source: `${DOCS}/reference/publishing` };
const mediaSpecifications = `${DOCS}/posts#media-specifications`;
/** Threads scales images whose width is outside 320 to 1440 pixels. */
const image: ImageLimits = {
  types: ["image/jpeg", "image/png"],
  maxBytes: 8 * MB,
  ratio: { min: 0.1, max: 10 },
  altText,
  source: mediaSpecifications,
};
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime"],
  maxBytes: 1024 * MB,
  seconds: { max: 300 },
  ratio: { min: 0.01, max: 10 },
  maxWidth: 1920,
  frameRate: { min: 23, max: 60 },
  codecs: ["avc", "hevc"],
  chroma: ["4:2:0"],
  progressive: true,
  videoBitRate: { max: 100_000_000 },
  audioCodecs: ["aac"],
  audioChannels: { max: 2 },
  audioSampleRate: { max: 48_000 },
  indexInFront: true,
  noEditLists: true,
  altText,
  source: mediaSpecifications,
};
const common = { text, settings: { topicTag }, source: `${DOCS}/posts` };

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "GET", path: /\/(threads|replies)$/, answer: { data: [] } },
  { method: "POST", path: /\/threads$/, answer: { id: "{container id}" } },
  { method: "POST", path: /\/threads_publish$/, answer: { id: "{media id}" } },
  { method: "GET", path: /\/threads_publishing_limit$/, answer: { data: [] } },
  { method: "GET", path: /container%20id/, answer: { status: "FINISHED" } },
  { method: "GET", path: /media%20id/, answer: { permalink: "https://www.threads.com/@{username}/post/{shortcode}" } },
];

const DASHBOARD = "developers.facebook.com, your app, Use cases, Access the Threads API";

const live: LiveChecks = {
  products: {
    byHand: `Open ${DASHBOARD}: ${requestedScopes(connect).join(", ")} need Advanced Access for people without a role in the app`,
  },
  quotas: {
    async run(session) {
      const limit = await publishingLimit(session, "post");
      if (!limit) return "Threads reports no number of posts";
      return `The account has used ${limit.used} of ${limit.total} posts of the last 24 hours`;
    },
    fix: "Reconnect the account, and grant all permissions",
  },
  upload: {
    async run(session) {
      await createContainer(session, { media_type: "TEXT", text: "Check of the connection" });
      return "Threads prepared a text, which is not published and expires within a day";
    },
    fix: "Grant threads_content_publish, and check that the account is not restricted",
  },
  webhooks: {
    byHand: `Compare the deauthorize and data deletion addresses in ${DASHBOARD}, Settings with docs/networks/threads.md`,
  },
  callbacksUnder: "appUrl",
};

export const threads = defineNetwork({
  platform: "THREADS",
  name: "Threads",
  hosts: { api: "https://graph.threads.com", web: "https://threads.com" },
  version: { name: VERSION },
  settings,
  settingsTypes: ["THREADS"],
  formats: {
    text: { limits: { ...common, text: { ...text, required: true } }, check, publish: publishText },
    image: { limits: { ...common, image }, check, publish: publishMedia },
    video: { limits: { ...common, video }, check, publish: publishMedia },
    carousel: { limits: { ...common, image, video, count: { min: 2, max: 20 } }, check, publish: publishCarousel },
  },
  posts: { max: 25, chain: "reply" },
  comment: {
    text,
    source: "https://developers.facebook.com/docs/threads/reply-management",
    publish: (comment, run) => publishText(replyOf(comment, settings.parse({})), run),
  },
  permissions: [{ setting: "locationId", scopes: [LOCATIONS_SCOPE], covers: "locations" }],
  settingSearches: { locationId: searchLocations },
  connect,
  checkCredentials: checkWithInvalidCode(connect),
  profile: me,
  avatarsExpire: true,
  refresh,
  ...metaCallbacks("Threads"),
  live,
  errors,
  dryRunAnswers,
});
