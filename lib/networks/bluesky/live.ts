import { type LiveChecks, testImage } from "../live-checks";
import { uploadBlob } from "./api";
import { assertUploadAllowed } from "./video";

export const live: LiveChecks = {
  products: { byHand: "Nothing to check: Bluesky has no products and no review" },
  quotas: {
    async run(session) {
      await assertUploadAllowed(session);
      return "Bluesky accepts videos from this account today. It reports no number of posts that are left";
    },
    fix: "Confirm the account's e-mail address at Bluesky; after its daily limit, wait a day",
  },
  upload: {
    async run(session) {
      await uploadBlob(session, testImage.bytes, testImage.contentType);
      return "The account's server accepted an image, which no post uses and which it deletes later";
    },
    fix: "Read the reason at the account's own server; if it refuses the permission, connect the account again",
  },
  webhooks: { byHand: "Nothing to check: Carillon uses no notifications of Bluesky" },
};
