import { setTimeout as sleep } from "node:timers/promises";
import type { Loop } from "../jobs";
import { log } from "../log";
import { wakeForgotten } from "./claim";

const EVERY_MS = 5_000;

/** Looks every few seconds, in one process of all, for publications that everybody has forgotten. */
export const forgottenLoop: Loop = {
  name: "forgotten publications",
  lock: 9_000,
  async turn(signal) {
    const woken = await wakeForgotten();
    if (woken > 0) log.warn({ woken }, "publications that were due had no job left; they are woken");
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};
