import { checkWithInvalidCode } from "../connect";
import { type ImageLimits, type Limits, MB, type VideoLimits } from "../limits";
import type { LiveChecks } from "../live-checks";
import { type DryRunAnswers, defineNetwork } from "../network";
import { accountOptions, creatorInfo, initVideo, me } from "./api";
import { connect, DRAFTS_SCOPE, refresh, revoke } from "./connect";
import { errors } from "./errors";
import { notifications } from "./notifications";
import { publishPhotos } from "./publish-photos";
import { publishVideo } from "./publish-video";
import { CAPTION_MAX, NARROWEST_FIRST, settings, tiktokPhotoProblems, tiktokVideoProblems } from "./settings";

const unit = "UTF-16 units" as const;
const DOCS = "https://developers.tiktok.com/docs/en";
const mediaGuide = `${DOCS}/content-posting-api-media-transfer-guide`;
/** From SPEC, "Limits". */
const texts: Limits = {
  text: { max: 4000, unit },
  settings: { title: { max: 90, unit } },
  source: `${DOCS}/content-posting-api-reference-photo-post`,
};
const image: ImageLimits = {
  types: ["image/jpeg", "image/png", "image/webp"],
  maxBytes: 20 * MB,
  side: { min: 360, max: 4096 },
  // The guide does not define "1080p" further; this is the strict reading.
  sentAs: { types: ["image/jpeg", "image/webp"], side: { max: 1920 }, shorterSide: { max: 1080 } },
  source: mediaGuide,
};
/** Ten minutes is the maximum of any creator; `accountOptions` reads the limit of one creator. */
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime", "video/webm"],
  maxBytes: 4096 * MB,
  seconds: { max: 600 },
  side: { min: 360, max: 4096 },
  frameRate: { min: 23, max: 60 },
  codecs: ["avc", "hevc", "vp8", "vp9"],
  source: mediaGuide,
};
const caption = { max: CAPTION_MAX, unit };

const ok = (data: object) => ({ data, error: { code: "ok", message: "", log_id: "{log id}" } });
const levels = ["PUBLIC_TO_EVERYONE", "FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"];

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "POST", path: /creator_info\/query\/$/, answer: ok({ privacy_level_options: levels }) },
  {
    method: "POST",
    path: /video\/init\/$/,
    answer: ok({
      publish_id: "{publish id}",
      upload_url: "https://open-upload.tiktokapis.com/video/?upload_id={upload id}",
    }),
  },
  { method: "PUT", path: /\/video\/$/, answer: {} },
  { method: "POST", path: /video\/list\/$/, answer: ok({ videos: [] }) },
  { method: "POST", path: /video\/query\/$/, answer: ok({ videos: [] }) },
  { method: "POST", path: /content\/init\/$/, answer: ok({ publish_id: "{publish id}" }) },
  {
    method: "POST",
    path: /status\/fetch\/$/,
    answer: ok({ status: "PUBLISH_COMPLETE", publicaly_available_post_id: ["{post id}"] }),
  },
];

const PORTAL = "developers.tiktok.com, Manage apps, your app";
const VIDEO_BYTES = 1_000_000;

const live: LiveChecks = {
  products: {
    async run(session) {
      await creatorInfo(session); // only for apps with the Content Posting API and the scope of Direct Post
      return `The app has Login Kit and the Content Posting API. No call shows the audit, without which only private posts of private accounts are accepted: open ${PORTAL}, Content Posting API`;
    },
    fix: `Open ${PORTAL}, Products: Login Kit and Content Posting API with Direct Post must be approved`,
  },
  quotas: {
    async run(session) {
      const { privacy_level_options: levels } = await creatorInfo(session);
      return `The creator may post now, with the privacy levels ${levels.join(", ")}. TikTok reports no number of posts that are left`;
    },
    fix: "Wait a day, or post less often: TikTok allows about 15 posts per creator and day, for all applications together",
  },
  upload: {
    async run(session) {
      const { privacy_level_options: levels } = await creatorInfo(session);
      const privacy = NARROWEST_FIRST.find((level) => levels.includes(level));
      const size = { video_size: VIDEO_BYTES, chunk_size: VIDEO_BYTES, total_chunk_count: 1 };
      await initVideo(
        session,
        { privacy_level: privacy, disable_duet: true, disable_comment: true, disable_stitch: true },
        size,
      );
      return "TikTok opened an upload, to which nothing is sent. It ends after an hour";
    },
    fix: `Read the reason: before the audit, the account must be private; Direct Post must be on in ${PORTAL}, Content Posting API`,
  },
  webhooks: {
    byHand: `Compare the callback URL in ${PORTAL}, Webhooks with docs/networks/tiktok.md, and send the portal's test event`,
  },
  callbacksUnder: "baseUrl",
};

export const tiktok = defineNetwork({
  platform: "TIKTOK",
  name: "TikTok",
  hosts: { api: "https://open.tiktokapis.com", web: "https://www.tiktok.com" },
  version: { name: "v2" },
  settings,
  settingsTypes: ["TIK_TOK", "TIKTOK"],
  flatBody: {
    choice: {
      setting: "privacyLevel",
      narrowestFirst: [...NARROWEST_FIRST],
    },
  },
  formats: {
    image: { limits: { ...texts, image }, check: tiktokPhotoProblems, publish: publishPhotos },
    video: {
      limits: {
        text: caption,
        settings: { title: caption },
        video,
        source: `${DOCS}/content-posting-api-reference-direct-post`,
      },
      check: tiktokVideoProblems,
      publish: publishVideo,
    },
    carousel: {
      limits: { ...texts, image, count: { min: 2, max: 10 } },
      check: tiktokPhotoProblems,
      publish: publishPhotos,
    },
  },
  permissions: [{ setting: "sendToDrafts", scopes: [DRAFTS_SCOPE], covers: "drafts" }],
  connect,
  checkCredentials: checkWithInvalidCode(connect),
  profile: me,
  avatarsExpire: true,
  accountOptions,
  refresh,
  revoke,
  notifications,
  live,
  errors,
  dryRunAnswers,
});
