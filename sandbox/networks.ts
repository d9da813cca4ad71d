import type { NetworkDefinition } from "./core/network";
import { instagram } from "./instagram";
import { telegram } from "./telegram";
import { tiktok } from "./tiktok";
import { x } from "./x";
import { youtube } from "./youtube";

/** Every network that this sandbox simulates, in the order of the feed. */
export const networks: NetworkDefinition[] = [x, youtube, tiktok, instagram, telegram];
