import { PlatformError } from "../errors";
import type { LiveChecks } from "../live-checks";
import type { NetworkSession } from "../network";
import { listPages, pageCaller, post } from "./api";

const DASHBOARD = "developers.facebook.com, your app";

async function firstPage(session: NetworkSession): Promise<{ id: string; title: string }> {
  const [page] = await listPages(session);
  if (page) return page;
  throw new PlatformError("rejected", "The account has no Page that it may post to");
}

export const live: LiveChecks = {
  products: {
    byHand: `Open ${DASHBOARD}, App Review: the permissions in docs/networks/facebook.md need Advanced Access for people without a role in the app`,
  },
  quotas: {
    byHand: `Open ${DASHBOARD}, Dashboard, Application-level rate limiting; a Page also accepts 30 reels in 24 hours, which no call reports`,
  },
  upload: {
    async run(session) {
      const { id, title } = await firstPage(session);
      await post(await pageCaller(session, id), `/${id}/video_reels`, { upload_phase: "start" });
      return `Facebook opened an upload for the Page ${title}, to which nothing is sent`;
    },
    fix: "Grant pages_manage_posts for a Page on which the person may create content, then connect the account again",
  },
  webhooks: {
    byHand: `Compare the addresses in ${DASHBOARD}, Facebook Login, Settings with docs/networks/facebook.md`,
  },
  callbacksUnder: "appUrl",
};
