import { env } from "../../env";
import { checkWithInvalidCode, requestedScopes } from "../connect";
import { type ImageLimits, MB, type TextLimit, UPLOAD_POST, type VideoLimits } from "../limits";
import type { LiveChecks } from "../live-checks";
import { metaCallbacks } from "../meta/callbacks";
import { type DryRunAnswers, defineNetwork, type Formats } from "../network";
import { createContainer, me, publishingLimit, searchLocations, VERSION } from "./api";
import { COMMENT_SCOPE, connect, refresh } from "./connect";
import { errors } from "./errors";
import { publishCarousel, publishComment, publishImage, publishReel, publishStories } from "./publish";
import { type InstagramSettings, instagramImageProblems, reelProblems, settings, storyProblems } from "./settings";

/** Instagram does not document whether it counts code points or UTF-16 units; the stricter unit is safe for both. */
const text: TextLimit = { max: 2200, unit: "UTF-16 units", hashtags: 30, mentions: 20 };
const source =
  "https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-user/media";
/**
 * Instagram documents no limits of comments. Sprinklr states 2,200 characters, and Upload-Post 2,196, which is safe for both. The
 * hashtags are those of captions: clients send first comments with 30.
 */
const commentText: TextLimit = { max: 2196, unit: "UTF-16 units", hashtags: 30, source: UPLOAD_POST };
/** Only images in the feed have alternative texts. */
const altText: TextLimit = { max: 1000, unit: "UTF-16 units" };
/**
 * JPEG only. The page documents ratios from 4:5, but production clients send images from 9:16, and people report that 3:4 was
 * accepted.
 */
const image: ImageLimits = {
  types: ["image/jpeg"],
  maxBytes: 8 * MB,
  ratio: { min: 0.5625, max: 1.91, certainMin: 0.8 },
  altText,
};
/** Stories have no caption, and Instagram does not enforce a ratio. */
const storyImage: ImageLimits = { types: ["image/jpeg"], maxBytes: 8 * MB };
/** The limits of reels; those of videos in carousels are not documented separately. */
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime"],
  maxBytes: 300 * MB,
  ratio: { min: 0.01, max: 10 },
  maxWidth: 1920,
  seconds: { min: 3, max: 900 },
  frameRate: { min: 23, max: 60 },
  codecs: ["avc", "hevc"],
  chroma: ["4:2:0"],
  progressive: true,
  videoBitRate: { max: 25_000_000 },
  audioCodecs: ["aac"],
  audioChannels: { max: 2 },
  audioSampleRate: { max: 48_000 },
  indexInFront: true,
  noEditLists: true,
};
const storyVideo: VideoLimits = {
  ...video,
  maxBytes: 100 * MB,
  ratio: { min: 0.1, max: 10 },
  seconds: { min: 3, max: 60 },
};
/** `cover_url`: scaled and cropped to the reel. */
const cover: ImageLimits = { types: ["image/jpeg"], maxBytes: 8 * MB };
const count = { min: 2, max: 10 };

const reel: Formats<InstagramSettings> = {
  video: { limits: { text, video, cover, source }, check: reelProblems, publish: publishReel },
};
const feed: Formats<InstagramSettings> = {
  ...reel,
  image: { limits: { text, image, source }, check: instagramImageProblems, publish: publishImage },
  carousel: { limits: { text, image, video, count, source }, check: instagramImageProblems, publish: publishCarousel },
};
const story: Formats<InstagramSettings> = {
  image: { limits: { image: storyImage, source }, check: storyProblems, publish: publishStories },
  video: { limits: { video: storyVideo, source }, check: storyProblems, publish: publishStories },
  carousel: {
    limits: { image: storyImage, video: storyVideo, count, source },
    check: storyProblems,
    publish: publishStories,
  },
};

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "GET", path: /\/(media|stories)$/, answer: { data: [] } },
  { method: "POST", path: /\/media$/, answer: { id: "{container id}" } },
  { method: "GET", path: /\/comments$/, answer: { data: [] } },
  { method: "POST", path: /\/comments$/, answer: { id: "{comment id}" } },
  { method: "POST", path: /\/media_publish$/, answer: { id: "{media id}" } },
  {
    method: "GET",
    path: /\/content_publishing_limit$/,
    answer: { data: [{ quota_usage: 0, config: { quota_total: 50 } }] },
  },
  { method: "GET", path: /container%20id/, answer: { status_code: "FINISHED" } },
  { method: "GET", path: /media%20id/, answer: { permalink: "https://www.instagram.com/p/{shortcode}/" } },
];

const DASHBOARD = "developers.facebook.com, your app, Instagram, API setup with Instagram login";

const live: LiveChecks = {
  products: {
    byHand: `Open developers.facebook.com, your app, App Review: ${requestedScopes(connect).join(", ")} need Advanced Access for people without a role in the app`,
  },
  quotas: {
    async run(session) {
      const { used, total } = await publishingLimit(session);
      return `The account has used ${used} of ${total} posts of the last 24 hours`;
    },
    fix: "Reconnect the account, and grant all permissions",
  },
  upload: {
    async run(session) {
      // Instagram fetches a video after it has answered. There is none at this address, so the container can never be published.
      await createContainer(session, { media_type: "REELS", video_url: `${env.mediaUrl}/media/check.mp4` });
      return `Instagram prepared a reel without a file, which cannot be published and expires within a day. Whether Instagram can fetch files is not checked: open ${env.mediaUrl} from another network`;
    },
    fix: "Grant instagram_business_content_publish, and check that the account is professional and not restricted",
  },
  webhooks: {
    byHand: `Compare the addresses in ${DASHBOARD}, Business login settings with docs/networks/instagram.md`,
  },
  callbacksUnder: "appUrl",
};

export const instagram = defineNetwork({
  platform: "INSTAGRAM",
  name: "Instagram",
  hosts: {
    api: "https://graph.instagram.com",
    web: "https://www.instagram.com",
    token: "https://api.instagram.com",
    facebook: "https://graph.facebook.com",
  },
  version: { name: VERSION },
  settings,
  settingsTypes: ["INSTAGRAM"],
  formats: feed,
  variants: { setting: "publicationType", formats: { FEED: feed, STORY: story, REELS: reel } },
  comment: {
    text: commentText,
    source:
      "https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-media/comments",
    scope: COMMENT_SCOPE,
    refusal: ({ publicationType }) =>
      publicationType === "STORY" ? "Instagram takes no comments on stories" : undefined,
    publish: publishComment,
  },
  connect,
  checkCredentials: checkWithInvalidCode(connect),
  settingSearches: { locationId: searchLocations },
  profile: me,
  avatarsExpire: true,
  refresh,
  ...metaCallbacks("Instagram"),
  live,
  errors,
  dryRunAnswers,
});
