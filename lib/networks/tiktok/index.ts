import { checkWithInvalidCode } from "../connect";
import { type ImageLimits, type Limits, MB, type VideoLimits } from "../limits";
import { type DryRunAnswers, defineNetwork } from "../network";
import { accountOptions, me } from "./api";
import { connect, refresh, revoke } from "./connect";
import { errors } from "./errors";
import { live } from "./live";
import { notifications } from "./notifications";
import { publishPhotos } from "./publish-photos";
import { publishVideo } from "./publish-video";
import { CAPTION_MAX, settings, tiktokPhotoProblems, tiktokVideoProblems } from "./settings";

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
      narrowestFirst: ["SELF_ONLY", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "PUBLIC_TO_EVERYONE"],
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
