import { PlatformError } from "../errors";
import type { LiveChecks } from "../live-checks";
import { getMe, getWebhookInfo } from "./api";

export const live: LiveChecks = {
  products: {
    async run({ app }) {
      const { username, can_join_groups: canJoin } = await getMe(app);
      if (!canJoin) throw new PlatformError("rejected", `The bot @${username} may not join groups`);
      return `The bot is @${username}, and may join groups`;
    },
    fix: "Send /setjoingroups to @BotFather, and choose Enable",
  },
  quotas: { byHand: "Nothing to check: Telegram reports no quota. It allows about 30 messages per second for a bot" },
  upload: {
    byHand: "Send a post with an image to a private test channel: Telegram stores no file without sending it",
  },
  webhooks: {
    async run({ app }) {
      const { url } = await getWebhookInfo(app);
      if (url) throw new PlatformError("rejected", `The bot sends its updates to ${new URL(url).host}`);
      return "The bot has no webhook, so Carillon receives its updates";
    },
    fix: "Use a bot of its own for Carillon, or remove the webhook with deleteWebhook",
  },
};
