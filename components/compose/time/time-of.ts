import { dateAndTime, fromLocalField, fromNow, zoneAt } from "../../time/format";
import { nameOf } from "../../time/zone";
import type { Draft } from "../draft/draft";
import { composeWords } from "../words";

/** When a draft is to go out; undefined for now, and where no time is known yet. */
export function timeOf({ when, slot, at }: Pick<Draft, "when" | "slot" | "at">): Date | undefined {
  return when === "now" ? undefined : fromLocalField(when === "next" ? slot : at);
}

/** A time as the reader's own clock shows it, and whose clock that is; that alone while there is no time. */
export function timeLine(instant: Date | undefined, nowMs: number): string {
  const zone = (when: Date) => composeWords.readIn(zoneAt(when), nameOf(when));
  if (!instant) return zone(new Date(nowMs));
  return `${dateAndTime(instant)}, ${fromNow(instant, nowMs)}. ${zone(instant)}`;
}
