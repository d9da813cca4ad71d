import { bluesky } from "./bluesky";
import type { NetworkDefinition } from "./core/network";
import { instagram } from "./instagram";
import { telegram } from "./telegram";
import { x } from "./x";

/** Every network that this sandbox simulates, in the order of the feed. */
export const networks: NetworkDefinition[] = [x, instagram, bluesky, telegram];
