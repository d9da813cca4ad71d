import { tryWithoutCode } from "../credentials";
import { type ImageLimits, type Limits, MB, type VideoLimits } from "../limits";
import { defineNetwork } from "../network";
import { me } from "./api";
import { CAPTION_MAX, settingsBreaches, videoBreaches } from "./checks";
import { connect, refresh, revoke } from "./connect";
import { accountOptions } from "./creator";
import { errors } from "./errors";
import { notifications } from "./notifications";
import { publishPhotos } from "./publish-photos";
import { publishVideo } from "./publish-video";
import { rehearsal } from "./rehearsal";
import { settings } from "./settings";

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

export const tiktok = defineNetwork({
  platform: "TIKTOK",
  name: "TikTok",
  hosts: { api: "https://open.tiktokapis.com", web: "https://www.tiktok.com" },
  version: { name: "v2" },
  settings,
  settingsTypes: ["TIK_TOK", "TIKTOK"],
  formats: {
    image: { limits: { ...texts, image }, check: settingsBreaches, publish: publishPhotos },
    video: {
      limits: {
        text: caption,
        settings: { title: caption },
        video,
        source: `${DOCS}/content-posting-api-reference-direct-post`,
      },
      check: videoBreaches,
      publish: publishVideo,
    },
    carousel: {
      limits: { ...texts, image, count: { min: 2, max: 10 } },
      check: settingsBreaches,
      publish: publishPhotos,
    },
  },
  connect,
  checkCredentials: tryWithoutCode(connect),
  profile: me,
  avatarsExpire: true,
  accountOptions,
  refresh,
  revoke,
  notifications,
  errors,
  rehearsal,
});
