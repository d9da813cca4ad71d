import { env, isLoopback, type NetworkSettings } from "../../env";
import { PlatformError } from "../errors";
import { type AnimationLimits, type ImageLimits, MB, type TextLimit, type VideoLimits } from "../limits";
import { type LiveChecks, testImage } from "../live-checks";
import { type DryRunAnswers, defineNetwork } from "../network";
import { getMe, getWebhookInfo, uploadStickerFile } from "./api";
import { connect, profile } from "./connect";
import { errors } from "./errors";
import { publishAlbum, publishFile, publishText } from "./publish";
import { check, settings } from "./settings";

/** core.telegram.org/bots/api#sending-files: 50 MB on the public server, 2000 MB on a self-hosted one (the service accepts 100). */
export function uploadLimit(at: NetworkSettings): number {
  const isOwn = at.mode === "real" && at.apiUrl !== undefined && !isLoopback(at.apiUrl);
  return isOwn ? 2000 * MB : 50 * MB;
}

const API = "https://core.telegram.org/bots/api";
const markupSetting = "parseMode";
const caption: TextLimit = { max: 1024, unit: "code points", markupSetting };
const image: ImageLimits = {
  types: ["image/jpeg", "image/png", "image/webp"],
  maxBytes: 10 * MB,
  ratio: { min: 1 / 20, max: 20 },
  maxSideSum: 10_000,
  source: `${API}#sendphoto`,
};
const maxBytes = uploadLimit(env.networks.telegram);
/** Albums cannot contain animations. */
const animation: AnimationLimits = { types: ["image/gif"], maxBytes, source: `${API}#sendanimation` };
/** Other containers and codecs would be delivered as downloadable files. */
const video: VideoLimits = {
  types: ["video/mp4"],
  maxBytes,
  codecs: ["avc"],
  audioCodecs: ["aac"],
  source: `${API}#sendvideo`,
};

const chat = { id: "{chat id}", type: "channel", title: "{title}" };
const message = { message_id: "{message id}", chat };
const answers = (method: string, result: unknown) => ({
  method: "POST",
  path: new RegExp(`/${method}$`),
  answer: { ok: true, result },
});

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  answers("getChat", chat),
  answers("getChatMember", { status: "creator" }),
  answers("sendMediaGroup", [message]),
  answers("send(Message|Photo|Animation|Video)", message),
];

const live: LiveChecks = {
  products: {
    async run({ app }) {
      const { username, can_join_groups: canJoin } = await getMe(app);
      if (!canJoin) throw new PlatformError("rejected", `The bot @${username} may not join groups`);
      return `The bot is @${username}, and may join groups`;
    },
    fix: "Send /setjoingroups to @BotFather, and choose Enable",
  },
  quotas: { nothing: "Telegram has no daily quota. It allows about 30 messages per second for a bot" },
  upload: {
    async run({ app, accountId }) {
      await uploadStickerFile(app, accountId, testImage);
      return "Telegram stored a sticker file for the person, which is in no sticker set and which nobody sees";
    },
    fix: "Read the reason, and send a post with an image to a private test channel: posts use other calls than this check",
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

export const telegram = defineNetwork({
  platform: "TELEGRAM",
  name: "Telegram",
  hosts: { api: "https://api.telegram.org", web: "https://t.me" },
  selfHosted: true,
  version: { name: "Bot API 10.3" },
  settings,
  settingsTypes: ["TELEGRAM"],
  formats: {
    text: {
      limits: { text: { max: 4096, unit: "code points", required: true, markupSetting }, source: `${API}#sendmessage` },
      check,
      publish: publishText,
    },
    image: { limits: { text: caption, image, animation, source: image.source }, check, publish: publishFile },
    video: { limits: { text: caption, video, cover: image, source: video.source }, check, publish: publishFile },
    carousel: {
      limits: { text: caption, image, video, count: { min: 2, max: 10 }, source: `${API}#sendmediagroup` },
      check,
      publish: publishAlbum,
    },
  },
  posts: { max: 10, chain: "sequence" },
  connect,
  checkCredentials: async (app) => void (await getMe(app)),
  /** Telegram allows about 30 messages per second to different chats (core.telegram.org/bots/faq). */
  concurrency: { slots: 24, perOwner: 12, perAccount: 1 },
  destinations: { required: false },
  profile,
  /** The bot's token is the only credential, and it is part of each path. */
  authorize() {},
  live,
  errors,
  dryRunAnswers,
});
