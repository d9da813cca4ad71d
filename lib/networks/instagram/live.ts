import { env } from "../../env";
import type { LiveChecks } from "../live-checks";
import { createContainer, publishingLimit } from "./api";

const DASHBOARD = "developers.facebook.com, your app, Instagram, API setup with Instagram login";

export const live: LiveChecks = {
  products: {
    byHand: `Open developers.facebook.com, your app, App Review: instagram_business_basic and instagram_business_content_publish need Advanced Access for people without a role in the app`,
  },
  quotas: {
    async run(session) {
      const { used, total } = await publishingLimit(session);
      return `The account has used ${used} of ${total} posts of the last 24 hours`;
    },
    fix: "Connect the account again, and grant all permissions",
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
