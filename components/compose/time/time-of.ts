import { dateAndTime, fromLocalField, fromNow, zoneAt } from "../../time/format";
import { zoneNameAt } from "../../time/zone";
import type { Draft } from "../draft/draft";
import { composeWords } from "../words";

/** When a draft will be published; undefined for "now" or if no time is known yet. */
export function timeOf({ when, slot, at }: Pick<Draft, "when" | "slot" | "at">): Date | undefined {
  return when === "now" ? undefined : fromLocalField(when === "next" ? slot : at);
}

/** Formats a time in the reader's zone with the zone's name; only the zone if there is no time. */
export function timeLine(instant: Date | undefined, nowMs: number): string {
  const zone = (when: Date) => composeWords.readIn(zoneAt(when), zoneNameAt(when));
  if (!instant) return zone(new Date(nowMs));
  return `${dateAndTime(instant)}, ${fromNow(instant, nowMs)}. ${zone(instant)}`;
}
