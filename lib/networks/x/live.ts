import { type LiveChecks, testImage } from "../live-checks";
import { uploadImage } from "./api";

const CONSOLE = "developer.x.com, Projects & Apps";

/** docs.x.com: the app's usage needs an app-only token, which these credentials cannot get. */
export const live: LiveChecks = {
  products: { byHand: `Open ${CONSOLE}: the app must belong to a project, with "Read and write" permissions` },
  quotas: { byHand: `Open ${CONSOLE}, Usage and Credits: each post costs credits, and without credits all posts wait` },
  upload: {
    async run(session) {
      const { seconds } = await uploadImage(session, testImage);
      return `X accepted an image, which is not posted and expires in ${Math.round(seconds / 3600)} hours`;
    },
    fix: "Check that the permissions of the app contain media.write, then connect the account again",
  },
  webhooks: { byHand: "Nothing to check: Carillon uses no notifications of X" },
};
