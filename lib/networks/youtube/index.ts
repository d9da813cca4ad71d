import { checkWithInvalidCode } from "../connect";
import { type ImageLimits, MB, type VideoLimits } from "../limits";
import { type LiveChecks, testVideo } from "../live-checks";
import { type DryRunAnswers, defineNetwork } from "../network";
import { accountOptions, LONGEST_SECONDS, listPlaylists, me, myChannel, openUpload } from "./api";
import { connect, MANAGE_SCOPE, refresh, revoke } from "./connect";
import { errors } from "./errors";
import { publishComment, publishVideo } from "./publish";
import { quota } from "./quota";
import { settings, youtubeProblems } from "./settings";

const REFERENCE = "https://developers.google.com/youtube/data/reference/rest/v3";
const source = `${REFERENCE}/videos`;
/** From the videos resource, snippet. It does not define "character"; 100 UTF-16 units are safe under every definition. */
const title = { max: 100, unit: "UTF-16 units" as const, required: true };
const description = { max: 5000, unit: "bytes" as const };
/** Matroska is not on YouTube's list. `accountOptions` reads the lower limit of unverified channels. */
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime", "video/webm"],
  maxBytes: 256 * 1024 * MB,
  seconds: { max: LONGEST_SECONDS },
  source: "https://support.google.com/youtube/troubleshooter/2888402",
};
/** 50 MB since 2026-09-14. */
const cover: ImageLimits = {
  types: ["image/jpeg", "image/png"],
  maxBytes: 50 * MB,
  source: `${REFERENCE}/thumbnails/set`,
};

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  {
    method: "GET",
    path: /\/channels$/,
    answer: {
      items: [{ id: "{channel id}", snippet: { title: "{channel}" }, status: { longUploadsStatus: "allowed" } }],
    },
  },
  {
    method: "POST",
    path: /\/upload\/youtube\/v3\/videos$/,
    headers: { location: "https://www.googleapis.com/upload/youtube/v3/videos?upload_id={upload id}" },
    answer: {},
  },
  { method: "PUT", path: /\/upload\/youtube\/v3\/videos$/, answer: { id: "{video id}" } },
  {
    method: "GET",
    path: /\/videos$/,
    answer: { items: [{ id: "{video id}", status: { uploadStatus: "processed" } }] },
  },
  { method: "POST", path: /\/thumbnails\/set$/, answer: {} },
  { method: "GET", path: /\/(playlistItems|commentThreads)$/, answer: { items: [] } },
  { method: "POST", path: /\/(playlistItems|captions)$/, answer: {} },
  { method: "POST", path: /\/commentThreads$/, answer: { id: "{comment id}" } },
];

const CONSOLE = "console.cloud.google.com";

const live: LiveChecks = {
  products: {
    async run(session) {
      const { status } = await myChannel(session);
      const length = status?.longUploadsStatus === "allowed" ? "of up to 12 hours" : "of up to 15 minutes";
      return `The YouTube Data API is enabled, and the channel may upload videos ${length}. Whether the project passed the API audit can only be seen at Google: videos of a project without it stay private`;
    },
    fix: `Enable the YouTube Data API v3 in ${CONSOLE}, APIs & Services, Library`,
  },
  quotas: {
    byHand: `Compare ${CONSOLE}, APIs & Services, YouTube Data API v3, Quotas with YOUTUBE_DAILY_UPLOADS and YOUTUBE_DAILY_UNITS; "quotas" in this report shows what Carillon has counted today`,
  },
  upload: {
    async run(session) {
      const snippet = { title: "Check of the connection", categoryId: "22" };
      const status = { privacyStatus: "private" };
      await openUpload(session, { snippet, status }, testVideo);
      return "YouTube opened an upload, to which nothing is sent. It counts as one of the uploads of today";
    },
    fix: `Read the reason, and check the quota and the scopes in ${CONSOLE}`,
  },
  webhooks: { nothing: "Carillon uses no notifications of YouTube" },
};

export const youtube = defineNetwork({
  platform: "YOUTUBE",
  name: "YouTube",
  hosts: {
    api: "https://www.googleapis.com",
    web: "https://accounts.google.com",
    token: "https://oauth2.googleapis.com",
  },
  version: { name: "v3 (20260924)" },
  settings,
  asks: ["madeForKids"],
  settingsTypes: ["YOUTUBE"],
  flatBody: { firstLine: { setting: "title", limit: title } },
  quota,
  formats: {
    video: {
      limits: { text: description, settings: { title }, video, cover, source },
      check: youtubeProblems,
      publish: publishVideo,
    },
  },
  comment: {
    text: { max: 10_000, unit: "UTF-16 units" },
    source: `${REFERENCE}/commentThreads/insert`,
    scope: MANAGE_SCOPE,
    refusal({ privacyStatus, madeForKids }) {
      if (privacyStatus === "PRIVATE") return "YouTube takes no comments on private videos";
      return madeForKids ? "YouTube takes no comments on videos made for kids" : undefined;
    },
    publish: publishComment,
  },
  permissions: [
    { setting: "playlistId", scopes: [MANAGE_SCOPE], covers: "playlists", isOptional: true },
    { setting: "captions", scopes: [MANAGE_SCOPE], covers: "captions", isOptional: true },
  ],
  connect,
  checkCredentials: checkWithInvalidCode(connect),
  profile: me,
  accountOptions,
  settingOptions: { playlistId: listPlaylists },
  refresh,
  revoke,
  live,
  errors,
  dryRunAnswers,
});
