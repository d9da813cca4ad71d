import type { NetworkDefinition } from "./core/network";
import { instagram } from "./instagram";
import { linkedin } from "./linkedin";
import { pinterest } from "./pinterest";
import { telegram } from "./telegram";
import { x } from "./x";

/** Every network that this sandbox simulates, in the order of the feed. */
export const networks: NetworkDefinition[] = [x, instagram, telegram, linkedin, pinterest];
