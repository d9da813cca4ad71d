import { instantAt, ownZone, wallOf } from "./zone";

/** Times as the reader's own clock shows them, always with the zone they are read in. */

/**
 * The language of dates and numbers. All texts are English, so a date in another language would stand in an English sentence.
 * Readers whose browser is in English keep the customs of their country.
 * @param preferred the language of the browser, or what it accepts: `en-US,en;q=0.9`
 */
export const languageFor = (preferred = "") => /^en(-([a-z]{2}|\d{3}))?(?=[-,;@]|$)/i.exec(preferred)?.[0] ?? "en-GB";
export const language = languageFor(globalThis.navigator?.language);

/** Two digits, except where the clock has twelve hours: `09:30`, but `9:30 AM`. */
export const hour = new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hour12
  ? "numeric"
  : "2-digit";

// Created once, because creating a formatter is slower than rendering a card.
const toTheMinute = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour,
  minute: "2-digit",
} as const;
const minute = localFormat(toTheMinute);
const distance = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Formats `Sat, 21 Nov 2026, 19:35`. @param zone the time zone; the reader's by default */
export function dateAndTime(instant: Date, zone?: string): string {
  const format = zone === undefined ? minute : new Intl.DateTimeFormat(language, { ...toTheMinute, timeZone: zone });
  return format.format(instant);
}

/** A formatter in the reader's language and time zone. Creating one is slow: do it once. */
export function localFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { ...options, timeZone: ownZone() });
}

const clock = localFormat({ hour, minute: "2-digit" });
const shortDay = localFormat({ weekday: "short", day: "numeric", month: "short" });
const dayOfYear = localFormat({ day: "numeric", month: "short", year: "numeric" });

/** Formats a time of day: `11:30`. */
export function timeOfDay(instant: Date): string {
  return clock.format(instant);
}

/** The number of days on the reader's calendar from now until an instant: 1 is tomorrow. */
function daysUntil(instant: Date, nowMs: number): number {
  const midnight = wallOf(new Date(nowMs)).setUTCHours(0, 0, 0, 0);
  return Math.floor((wallOf(instant).getTime() - midnight) / 86_400_000);
}

/** Formats `Today 11:30`, `Tomorrow 09:00`, `Fri 27 Nov, 10:00` or, in another year, `12 Mar 2028, 10:00`. */
export function dayAndTime(instant: Date, nowMs: number): string {
  const day = ["Today", "Tomorrow"][daysUntil(instant, nowMs)];
  if (day) return `${day} ${timeOfDay(instant)}`;
  const isThisYear = wallOf(instant).getUTCFullYear() === wallOf(new Date(nowMs)).getUTCFullYear();
  return `${(isThisYear ? shortDay : dayOfYear).format(instant)}, ${timeOfDay(instant)}`;
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** `in 3 minutes`, `2 hours ago`; from 24 hours on by the calendar: 47 hours can be `tomorrow` or `in 2 days` */
export function fromNow(instant: Date, nowMs: number): string {
  const seconds = Math.round((instant.getTime() - nowMs) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[3];
  return distance.format(unit === "day" ? daysUntil(instant, nowMs) : Math.trunc(seconds / size), unit);
}

/** Formats an instant for a `datetime-local` field. */
export function toLocalField(instant: Date): string {
  return wallOf(instant).toISOString().slice(0, 16);
}

/** Parses the value of a `datetime-local` field; undefined if it is incomplete. */
export function fromLocalField(text: string): Date | undefined {
  const instant = instantAt(Date.parse(`${text}Z`));
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** Formats a time of the database or of the API, which are in UTC even without a zone, to the second: `28 Nov 2026, 21:03:35 UTC`. */
export function utcToSecond(time: string): string {
  const instant = new Date(`${time.slice(0, 19).replace(" ", "T")}Z`);
  const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
  return `${words.format(instant)} UTC`;
}
