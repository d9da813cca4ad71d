import type { LiveChecks } from "../live-checks";
import { creatorInfo, initVideo } from "./api";

const PORTAL = "developers.tiktok.com, Manage apps, your app";
const VIDEO_BYTES = 1_000_000;
const NARROWEST_FIRST = ["SELF_ONLY", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "PUBLIC_TO_EVERYONE"];

export const live: LiveChecks = {
  products: {
    byHand: `Open ${PORTAL}, Products: Login Kit and Content Posting API with Direct Post must be approved. Until the audit has passed, only private posts of private accounts are accepted`,
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
