/**
 * What two services in production send to the networks, as facts read from their public source: the order of their calls, the
 * names of the fields, and where each field is (address, header, form or JSON). The texts are ours.
 *
 * - Postiz: github.com/gitroomhq/postiz-app, commit 74b01ad (2026-08-21), `libraries/nestjs-libraries/src/integrations/social`.
 *   Its Telegram calls are those of node-telegram-bot-api, `src/telegram.js`.
 * - post-for-me: github.com/DayMoonDevelopment/post-for-me, commit d72ab66 (2026-07-30), `trigger/posting/platforms`.
 *
 * Not in the table: X, where both use twitter-api-v2, and the posts of Bluesky, where both use @atproto/api (`clients.test.ts`).
 * post-for-me posts texts, pictures and videos to LinkedIn with the older `/v2/ugcPosts`, and documents with `/rest/posts` (commit
 * 257cd9f). Its reshares of other posts are not in the table, because no network's reshares are simulated.
 */
import { bluesky } from "./bluesky";
import { facebook } from "./facebook";
import { instagram } from "./instagram";
import { linkedin, linkedinUgc } from "./linkedin";
import { pinterest } from "./pinterest";
import type { Shape } from "./shape";
import { telegram } from "./telegram";
import { threads } from "./threads";
import { tiktok } from "./tiktok";
import { youtube } from "./youtube";

export type { Sent } from "./shape";

export const shapes: Shape[] = [
  ...facebook,
  ...instagram,
  ...threads,
  ...tiktok,
  ...youtube,
  ...linkedin,
  ...linkedinUgc,
  ...pinterest,
  ...telegram,
  ...bluesky,
];
