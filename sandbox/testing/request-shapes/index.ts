/**
 * What two services in production send to the networks, as facts read from their public source: the order of their calls, the
 * names of the fields, and where each field is (address, header, form or JSON). The texts are ours.
 *
 * - Postiz: github.com/gitroomhq/postiz-app, commit 74b01ad (2026-08-21), `libraries/nestjs-libraries/src/integrations/social`.
 *   Its Telegram calls are those of node-telegram-bot-api, `src/telegram.js`.
 * - post-for-me: github.com/DayMoonDevelopment/post-for-me, commit d72ab66 (2026-07-30), `trigger/posting/platforms`.
 *
 * Not in the table:
 * - Media on X, where both use twitter-api-v2, and the posts and replies on Bluesky, where both use @atproto/api (`clients.test.ts`).
 * - What a network refuses: Postiz's co-authors on the items of an Instagram carousel (postiz-app #1405, #1547), the LinkedIn version
 *   202306 of its comments, which no longer exists (the table has the version of its posts), and `/v2/socialActions`, to which it sent
 *   comments until people reported that they fail (postiz-app #1319).
 * - post-for-me's calls whose answers it ignores, because they show nothing: a reel's collaborators and its thumbnail on Facebook.
 * - Reshares of other posts, because no network's reshares are simulated.
 * Neither service adds a video to a playlist, and neither sends polls to Threads. post-for-me posts texts, pictures and videos to
 * LinkedIn with the older `/v2/ugcPosts`, and documents with `/rest/posts` (commit 257cd9f).
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
import { x } from "./x";
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
  ...x,
];
