import { env } from "../../env";
import { checkWithInvalidCode, requestedScopes } from "../connect";
import { PlatformError } from "../errors";
import { type ImageLimits, MB, type TextLimit, UPLOAD_POST, type VideoLimits } from "../limits";
import type { LiveChecks } from "../live-checks";
import { metaCallbacks } from "../meta/callbacks";
import { type DryRunAnswers, defineNetwork, type Formats, type NetworkSession } from "../network";
import {
  listPages,
  pageCaller,
  postForm,
  readDeauthorizeUrl,
  readReviewStates,
  readUsedPercent,
  searchPages,
  VERSION,
} from "./api";
import { checkFeedVideo, checkPhotos, checkReel, checkStory, checkText } from "./checks";
import { COMMENT_SCOPE, connect, me, refresh, revoke } from "./connect";
import { errors } from "./errors";
import { publishComment, publishPhoto, publishPhotos, publishText } from "./publish";
import { publishStories } from "./publish-stories";
import { publishReel, publishVideo } from "./publish-video";
import { type FacebookSettings, settings } from "./settings";

/** Not documented by Meta, but used by all clients. The unit is unknown; this is the strictest likely one. */
const text: TextLimit = { max: 63_206, unit: "UTF-16 units", source: UPLOAD_POST };
const DOCS = "https://developers.facebook.com";
/** Not documented by Meta; production clients use it. The unit is unknown; this is the strictest likely one. */
const commentText: TextLimit = {
  max: 8000,
  unit: "UTF-16 units",
  source: "https://typecount.com/blog/facebook-post-character-limit",
};
const posts = `${DOCS}/documentation/pages-api/posts`;
const stories = `${DOCS}/docs/page-stories-api`;
const reelsGuide = `${DOCS}/documentation/video-api/guides/reels-publishing`;
/** The page says 10 MB, but the error for larger files (1366046) says 4 MB. */
const image: ImageLimits = {
  types: ["image/jpeg", "image/png", "image/gif", "image/tiff"],
  maxBytes: 4 * MB,
  source: `${DOCS}/docs/graph-api/reference/page/photos`,
};
/** From errors 1363022 and 1363023. */
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime"],
  maxBytes: 2048 * MB,
  source: `${DOCS}/documentation/video-api/reference/error-codes`,
};
/** The ratio is the one in error 1363040; the guide asks for 9:16. */
const reel: VideoLimits = {
  ...video,
  seconds: { min: 3, max: 90 },
  ratio: { min: 0.5562, max: 1.78 },
  side: { min: 540 },
  longerSide: { min: 960 },
  frameRate: { min: 24, max: 60, isFixed: true },
  codecs: ["avc", "hevc", "vp9", "av1"],
  chroma: ["4:2:0"],
  progressive: true,
  audioCodecs: ["aac"],
  source: reelsGuide,
};
const storyVideo: VideoLimits = { ...reel, seconds: { min: 3, max: 60 } };
/** `POST /{video}/thumbnails` documents no limits, so those of photos are used. */
const cover = image;
const count = { min: 2, max: 10 };

const feed: Formats<FacebookSettings> = {
  text: { limits: { text: { ...text, required: true }, source: posts }, check: checkText, publish: publishText },
  image: { limits: { text, image, source: posts }, check: checkPhotos, publish: publishPhoto },
  // Photos only: a post with several media cannot contain a video.
  carousel: { limits: { text, image, count, source: posts }, check: checkPhotos, publish: publishPhotos },
  video: { limits: { text, video, cover, source: posts }, check: checkFeedVideo, publish: publishVideo },
};
const reels: Formats<FacebookSettings> = {
  video: { limits: { text, video: reel, cover, source: reelsGuide }, check: checkReel, publish: publishReel },
};
/** Stories have no text. */
const story: Formats<FacebookSettings> = {
  image: { limits: { image, source: stories }, check: checkStory, publish: publishStories },
  video: { limits: { video: storyVideo, source: stories }, check: checkStory, publish: publishStories },
  carousel: {
    limits: { image, video: storyVideo, count, source: stories },
    check: checkStory,
    publish: publishStories,
  },
};

const isPublished = { status: "complete", publish_status: "published" };
const offsets = { start_offset: "0", end_offset: "0" };

/** Stands for a Page's token in a dry run. */
const PAGE_TOKEN = "{page token}";

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "GET", path: /\/comments$/, answer: { data: [] } },
  { method: "POST", path: /\/comments$/, answer: { id: "{comment id}" } },
  { method: "GET", path: /comment%20id/, answer: { permalink_url: "https://www.facebook.com/{comment id}" } },
  { method: "POST", path: /\/feed$/, answer: { id: "{post id}" } },
  { method: "POST", path: /\/photos$/, answer: { id: "{photo id}", post_id: "{post id}" } },
  {
    method: "POST",
    path: /\/videos$/,
    body: /file_size=(\d+)/,
    // The whole file as one part; Facebook may ask for smaller parts.
    answer: ([, size]: RegExpExecArray) => ({
      ...{ upload_session_id: "{session id}", video_id: "{video id}" },
      ...{ start_offset: "0", end_offset: size },
    }),
  },
  { method: "POST", path: /\/videos$/, answer: { ...offsets, success: true } },
  {
    method: "POST",
    path: /\/video_(reels|stories)$/,
    answer: {
      video_id: "{video id}",
      upload_url: "https://rupload.facebook.com/video-upload/{video id}",
      success: true,
      post_id: "{post id}",
    },
  },
  { method: "POST", path: /\/video-upload\//, answer: { success: true } },
  { method: "POST", path: /\/photo_stories$/, answer: { success: true, post_id: "{post id}" } },
  { method: "GET", path: /\/published_posts$/, answer: { data: [] } },
  { method: "GET", path: /\/stories$/, answer: { data: [] } },
  { method: "GET", path: /post%20id/, answer: { permalink_url: "https://www.facebook.com/{post id}" } },
  { method: "POST", path: /\/thumbnails$/, answer: { success: true } },
  { method: "GET", path: /video%20id/, answer: { id: "{video id}", status: { publishing_phase: isPublished } } },
  { method: "GET", path: /\/v[\d.]+\/[^/]+$/, answer: { access_token: PAGE_TOKEN, id: "{id}" } },
];

const DASHBOARD = "developers.facebook.com, your app";
const SETTINGS = `${DASHBOARD}, Facebook Login, Settings`;
const DELETION = `The data deletion address there must be {APP_URL}/callbacks/facebook/deletion; no call shows it`;

async function firstPage(session: NetworkSession): Promise<{ id: string; title: string }> {
  const [page] = await listPages(session);
  if (page) return page;
  throw new PlatformError("rejected", "The account has no Page that it may post to");
}

const live: LiveChecks = {
  products: {
    async run(session) {
      const states = await readReviewStates(session);
      const wanted = requestedScopes(connect);
      const open = wanted.filter((scope) => states.get(scope) !== "live");
      const told = open.map((scope) => `${scope} (${states.get(scope) ?? "not listed"})`);
      if (open.length > 0)
        throw new PlatformError("rejected", `Facebook has not approved ${told.join(", ")} for the app`);
      return `Facebook has approved ${wanted.join(", ")} for the app`;
    },
    fix: `Open ${DASHBOARD}, App Review, Permissions and features, and request Advanced Access. Without it, only people with a role in the app can connect`,
  },
  quotas: {
    async run(session) {
      const { id, title } = await firstPage(session);
      const percent = await readUsedPercent(await pageCaller(session, id), id);
      if (percent === undefined) {
        return {
          byHand: `Open ${DASHBOARD}, Dashboard, Application-level rate limiting: Facebook states the use only after many calls`,
        };
      }
      return `The Page ${title} has used ${percent} percent of its calls. A Page also accepts 30 reels in 24 hours, which no call reports`;
    },
    fix: `Open ${DASHBOARD}, Dashboard, Application-level rate limiting`,
  },
  upload: {
    async run(session) {
      const { id, title } = await firstPage(session);
      await postForm(await pageCaller(session, id), `/${id}/video_reels`, { upload_phase: "start" });
      return `Facebook opened an upload for the Page ${title}, to which nothing is sent`;
    },
    fix: "Grant pages_manage_posts for a Page on which the person may create content, then reconnect the account",
  },
  webhooks: {
    async run(session) {
      const [set, wanted] = [await readDeauthorizeUrl(session), `${env.appUrl}/callbacks/facebook`];
      if (set === undefined)
        return { byHand: `Open ${SETTINGS}: the deauthorize callback must be ${wanted}. ${DELETION}` };
      if (set !== wanted)
        throw new PlatformError("rejected", `The deauthorize callback of the app is ${set || "empty"}`);
      return `The app's deauthorize callback is this address. ${DELETION}`;
    },
    fix: `Open ${SETTINGS}, and set the deauthorize callback to {APP_URL}/callbacks/facebook`,
  },
  callbacksUnder: "appUrl",
};

export const facebook = defineNetwork({
  platform: "FACEBOOK",
  name: "Facebook",
  hosts: {
    api: "https://graph.facebook.com",
    web: "https://www.facebook.com",
    video: "https://graph-video.facebook.com",
  },
  version: { name: VERSION },
  settings,
  settingsTypes: ["FACEBOOK"],
  formats: feed,
  variants: { setting: "publicationType", formats: { FEED: feed, REELS: reels, STORY: story } },
  comment: {
    text: commentText,
    source: `${DOCS}/docs/graph-api/reference/object/comments`,
    scope: COMMENT_SCOPE,
    refusal: ({ publicationType }) =>
      publicationType === "STORY" ? "Facebook takes no comments on stories" : undefined,
    publish: publishComment,
  },
  // A stored token of a Page is only checked; without one, it is read first.
  withoutSecrets: (extra) => Object.fromEntries(Object.keys(extra).map((name) => [name, PAGE_TOKEN])),
  connect,
  checkCredentials: checkWithInvalidCode(connect),
  destinations: { required: false, list: listPages },
  settingSearches: { placeId: searchPages },
  profile: me,
  avatarsExpire: true,
  refresh,
  revoke,
  ...metaCallbacks("Facebook"),
  live,
  errors,
  dryRunAnswers,
});
