import { type LiveChecks, testVideo } from "../live-checks";
import { myChannel, openUpload } from "./api";

const CONSOLE = "console.cloud.google.com";

export const live: LiveChecks = {
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
      const status = { privacyStatus: "private", selfDeclaredMadeForKids: false };
      await openUpload(session, { snippet, status }, testVideo);
      return "YouTube opened an upload, to which nothing is sent. It counts as one of the uploads of today";
    },
    fix: `Read the reason, and check the quota and the scopes in ${CONSOLE}`,
  },
  webhooks: { byHand: "Nothing to check: Carillon uses no notifications of YouTube" },
};
