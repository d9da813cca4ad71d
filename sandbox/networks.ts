import { bluesky } from "./bluesky";
import type { NetworkDefinition } from "./core/network";
import { facebook } from "./facebook";
import { instagram } from "./instagram";
import { linkedin } from "./linkedin";
import { pinterest } from "./pinterest";
import { telegram } from "./telegram";
import { threads } from "./threads";
import { tiktok } from "./tiktok";
import { x } from "./x";
import { youtube } from "./youtube";

/** All simulated networks, in the order of the feed. */
export const networks: NetworkDefinition[] = [
  x,
  youtube,
  threads,
  tiktok,
  instagram,
  linkedin,
  bluesky,
  telegram,
  facebook,
  pinterest,
];
