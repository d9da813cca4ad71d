import { env } from "../../env";
import type { OutgoingPost } from "../network";
import type { Price, Quota } from "../quota";
import type { YouTubeSettings } from "./settings";

const COVER = 50;
const PLAYLIST = 50;
const CAPTIONS = 400;
const COMMENT = 50;
/** How often the processing state of a video is usually read. */
const STATUS_READS = 20;
/** Google's error codes for it (`error.errors[0].reason`). */
const USED_UP = ["quotaExceeded", "dailyLimitExceeded"];
/** Google also reports a daily limit as `rateLimitExceeded`, and names it only in the message. */
export const PER_DAY = /limit '[^']+ per day'/;

/**
 * developers.google.com/youtube/data/determine_quota_cost (as of 2026-09-11): uploads have their own bucket, all other calls
 * share another. Google grants extensions for each. Sending the bytes of an upload is free.
 */
export const quota: Quota = {
  timeZone: "America/Los_Angeles",
  perDay: { uploads: 100, units: 10_000 },
  granted: env.youtubeDaily,
  prices: [
    { method: "POST", path: /\/upload\/youtube\/v3\/videos$/, price: { uploads: 1 } },
    { method: "POST", path: /\/upload\/youtube\/v3\/thumbnails\/set$/, price: { units: COVER } },
    { method: "POST", path: /\/youtube\/v3\/playlistItems$/, price: { units: PLAYLIST } },
    { method: "POST", path: /\/upload\/youtube\/v3\/captions$/, price: { units: CAPTIONS } },
    {
      method: "GET",
      path: /\/youtube\/v3\/(channels|videos|playlists|playlistItems|commentThreads)$/,
      price: { units: 1 },
    },
    { method: "POST", path: /\/youtube\/v3\/commentThreads$/, price: { units: COMMENT } },
  ],
  isUsedUp: ({ answer }) => isUsedUp(answer?.code, answer?.message),
  message: "This service has used up its daily YouTube quota. It resets at midnight in California",
  fix: "Request a higher quota (support.google.com/youtube/contact/yt_api_form), and set YOUTUBE_DAILY_UPLOADS and YOUTUBE_DAILY_UNITS to what Google grants",
};

export function isUsedUp(code: string | undefined, message = ""): boolean {
  return code !== undefined && (USED_UP.includes(code) || (code === "rateLimitExceeded" && PER_DAY.test(message)));
}

/** Cost of a whole upload: its session, the calls after it, and its cover, playlist and captions if it has them. */
export function uploadPrice({ thumbnail, settings }: OutgoingPost<YouTubeSettings>): Price {
  const extras = [
    thumbnail && COVER,
    settings.playlistId && PLAYLIST + 1, // with the look into it
    settings.captions && CAPTIONS,
  ];
  return { uploads: 1, units: extras.reduce<number>((sum, units) => sum + (Number(units) || 0), STATUS_READS) };
}
