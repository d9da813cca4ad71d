import { env } from "../../env";
import type { OutgoingMedia } from "../network";
import type { Price, Quota } from "../quota";

const COVER = 50;
/** How often the end of a video's processing is asked for as a rule. */
const LOOKS = 20;
/** What Google calls it (`error.errors[0].reason`). */
const USED_UP = ["quotaExceeded", "dailyLimitExceeded"];

/**
 * developers.google.com/youtube/data/determine_quota_cost (as of 2026-09-11): uploads have a bucket of their own, all else
 * shares another; an extension is granted for each. The bytes of an upload take nothing.
 */
export const quota: Quota = {
  timeZone: "America/Los_Angeles",
  perDay: { uploads: 100, units: 10_000 },
  granted: env.youtubeDaily,
  prices: [
    { method: "POST", path: /\/upload\/youtube\/v3\/videos$/, price: { uploads: 1 } },
    { method: "POST", path: /\/upload\/youtube\/v3\/thumbnails\/set$/, price: { units: COVER } },
    { method: "GET", path: /\/youtube\/v3\/(channels|videos|playlistItems)$/, price: { units: 1 } },
  ],
  isUsedUp: ({ answer }) => isUsedUp(answer?.code),
  says: "The service has used up what YouTube lets it do today. It goes on at midnight in California",
};

export function isUsedUp(code: string | undefined): boolean {
  return code !== undefined && USED_UP.includes(code);
}

/** A whole upload: its session, what follows it, and its cover where it has one. */
export function uploadPrice({ thumbnail }: { thumbnail?: OutgoingMedia }): Price {
  return { uploads: 1, units: LOOKS + (thumbnail ? COVER : 0) };
}
