import type { LiveChecks } from "../live-checks";
import { createContainer, publishingLimit } from "./api";

const DASHBOARD = "developers.facebook.com, your app, Use cases, Access the Threads API";

export const live: LiveChecks = {
  products: {
    byHand: `Open ${DASHBOARD}: threads_basic and threads_content_publish need Advanced Access for people without a role in the app`,
  },
  quotas: {
    async run(session) {
      const limit = await publishingLimit(session, "post");
      if (!limit) return "Threads reports no number of posts";
      return `The account has used ${limit.used} of ${limit.total} posts of the last 24 hours`;
    },
    fix: "Connect the account again, and grant all permissions",
  },
  upload: {
    async run(session) {
      await createContainer(session, { media_type: "TEXT", text: "Check of the connection" });
      return "Threads prepared a text, which is not published and expires within a day";
    },
    fix: "Grant threads_content_publish, and check that the account is not restricted",
  },
  webhooks: {
    byHand: `Compare the deauthorize and data deletion addresses in ${DASHBOARD}, Settings with docs/networks/threads.md`,
  },
  callbacksUnder: "appUrl",
};
