import type { LiveChecks } from "../live-checks";
import { registerMedia } from "./api";

const PORTAL = "developers.pinterest.com, My apps, your app";

export const live: LiveChecks = {
  products: {
    byHand: `Open ${PORTAL}: the access must be Standard. With Trial access, only the account's owner sees the Pins`,
  },
  quotas: { byHand: `Open ${PORTAL}: it shows the limits of its access level` },
  upload: {
    async run(session) {
      await registerMedia(session);
      return "Pinterest opened an upload of a video, to which nothing is sent";
    },
    fix: `Check the access in ${PORTAL}, then connect the account again with all scopes`,
  },
  webhooks: { byHand: "Nothing to check: Carillon uses no notifications of Pinterest" },
};
