import type { Metadata } from "sharp";

/** What browsers make of a picture that is said to stand for no time or for next to none. */
const UNSAID_MS = 100;
const NEXT_TO_NONE_MS = 10;

/** How long each picture of an animation stands, in milliseconds, as browsers play it. */
export function standsMs({ delay = [], pages = 1 }: Pick<Metadata, "delay" | "pages">): number[] {
  const said = delay.slice(0, pages);
  const all = [...said, ...Array.from({ length: pages - said.length }, () => UNSAID_MS)];
  return all.map((ms) => (ms <= NEXT_TO_NONE_MS ? UNSAID_MS : ms));
}

/** How long one round of an animation takes. */
export function playSeconds(header: Pick<Metadata, "delay" | "pages">): number {
  return standsMs(header).reduce((sum, ms) => sum + ms, 0) / 1000;
}
