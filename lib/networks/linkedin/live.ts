import { type LiveChecks, testImage } from "../live-checks";
import { uploadImage } from "./uploads";

const PORTAL = "linkedin.com/developers/apps, your app";

export const live: LiveChecks = {
  products: {
    byHand: `Open ${PORTAL}, Products: "Share on LinkedIn" and "Sign In with LinkedIn using OpenID Connect" must be added. A refused upload below shows that the first is missing`,
  },
  quotas: {
    byHand: `Open ${PORTAL}, Analytics: it shows the calls of today and their limits, which no call of a member reports`,
  },
  upload: {
    async run(session) {
      await uploadImage(session, testImage);
      return "LinkedIn accepted an image, which is not posted";
    },
    fix: `Add the product "Share on LinkedIn" in ${PORTAL}, Products, then connect the account again`,
  },
  webhooks: { byHand: "Nothing to check: Carillon uses no notifications of LinkedIn" },
};
