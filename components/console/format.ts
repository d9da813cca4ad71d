import { isDatabaseInstant } from "@/lib/time/instant";

/** A database timestamp to the minute, in UTC: pages rendered on the server do not know the reader's time zone. */
export function utc(time: string): string {
  const instant = new Date(time.replace(" ", "T").replace(/\+00$/, "Z"));
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(instant)} UTC`;
}

/** The query parameter with which a list continues: a database timestamp and an id. */
export function toCursor([at, id]: [string, string]): string {
  return encodeURIComponent(`${at} ${id}`);
}

/** Parses that parameter; undefined if it is missing or malformed. */
export function parseCursor(text: string | string[] | undefined): [string, string] | undefined {
  const [, at, id] = /^(.{22,29}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(String(text ?? "")) ?? [];
  return at && id && isDatabaseInstant(at) ? [at, id] : undefined;
}
