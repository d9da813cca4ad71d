import { type ImageLimits, type Limits, MB, type TextLimit } from "../limits";
import { defineNetwork } from "../network";
import { me } from "./api";
import { connect, refresh, revoke } from "./connect";
import { errors } from "./errors";
import { publishPost } from "./publish";
import { rehearsal } from "./rehearsal";
import { settings } from "./settings";

/** docs.x.com/fundamentals/counting-characters; at most one cashtag since August 2026. */
const text: TextLimit = { max: 280, unit: "weighted characters", cashtags: 1 };
/** docs.x.com/x-api/media/quickstart/best-practices */
const image: ImageLimits = { types: ["image/jpeg", "image/png", "image/webp"], maxBytes: 5 * MB };

const limits = {
  text: { text: { ...text, required: true } },
  image: { text, image },
  carousel: { text, image, count: { min: 2, max: 4 } },
} satisfies { [format: string]: Limits };

export const x = defineNetwork({
  platform: "X_TWITTER",
  name: "X",
  hosts: { api: "https://api.x.com", web: "https://x.com" },
  version: { name: "2.167" },
  settings,
  settingsTypes: ["TWITTER", "X_TWITTER"],
  formats: {
    text: { limits: limits.text, publish: publishPost },
    image: { limits: limits.image, publish: publishPost },
    carousel: { limits: limits.carousel, publish: publishPost },
  },
  posts: { max: 25, chain: "reply" },
  connect,
  profile: me,
  refresh,
  revoke,
  errors,
  rehearsal,
});
