import { dateAndTime, fromLocalField, fromNow, toLocalField } from "../../time/format";
import { zoneAt } from "../../time/zone";
import type { Draft } from "../draft/draft";
import { composeWords } from "../words";

/** When a draft will be published; undefined for "now" or if no time is known yet. */
export function timeOf({ when, slot, at }: Pick<Draft, "when" | "slot" | "at">): Date | undefined {
  if (when === "later") return fromLocalField(at);
  return when === "next" && slot ? new Date(slot) : undefined;
}

/** Formats a time in the reader's zone, with the zone's name; only the zone if there is no time. */
export function timeLine(instant: Date | undefined, nowMs: number): string {
  const zone = zoneAt(instant ?? new Date(nowMs));
  return instant ? composeWords.timeIn(dateAndTime(instant), fromNow(instant, nowMs), zone) : zone;
}

/** The next full hour, for a `datetime-local` field. */
export function nextHour(nowMs: number): string {
  return toLocalField(new Date(Math.ceil((nowMs + 60_000) / 3_600_000) * 3_600_000));
}
