/**
 * Instants as text. The database writes `2026-11-21 18:11:51.1234+00`: the session zone is UTC, and trailing zeros are dropped.
 * The API's two formats are made from this text, because a JavaScript Date would lose the microseconds.
 */
const DATABASE_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:\+00|Z)?$/;

function partsOf(time: string): { date: string; clock: string; fraction: string } {
  const match = DATABASE_TIME.exec(time);
  if (!match) throw new Error(`not an instant in the database's format: ${time}`);
  return { date: match[1] ?? "", clock: match[2] ?? "", fraction: match[3] ?? "" };
}

/** Formats an instant as `2026-11-21T18:11:51.123400`: no offset, six digits. The API uses it for accounts. */
export function withSixDigits(time: string): string {
  const { date, clock, fraction } = partsOf(time);
  return `${date}T${clock}.${fraction.padEnd(6, "0")}`;
}

/** Formats an instant as `2026-11-21T18:11:51Z`, with milliseconds only if they are not zero. */
export function withZulu(time: string): string {
  const { date, clock, fraction } = partsOf(time);
  const millis = fraction.padEnd(3, "0").slice(0, 3);
  return `${date}T${clock}${millis === "000" ? "" : `.${millis}`}Z`;
}

const WRITTEN = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?\+00$/;

/**
 * Whether a text is an instant as the database writes it, on a day that exists. Cursors hold such instants. The years are those
 * that PostgreSQL reads, because a database may have instants that `parseInstant` rejects.
 */
export function isDatabaseInstant(text: string): boolean {
  const [, date, clock] = WRITTEN.exec(text) ?? [];
  if (!date || date.startsWith("0000")) return false;
  const at = new Date(`${date}T${clock}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString() === `${date}T${clock}.000Z`;
}

const FIRST_YEAR = 1970;
/** Local times of its last days are still in a year of four digits. */
export const LAST_YEAR = 9998;

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Parses an ISO 8601 date and time. Without an offset it is in UTC, whatever the server's time zone is. Returns undefined if
 * the text has another form, the date does not exist (30 February), or the instant is not in the years 1970 to 9998 in UTC.
 */
export function parseInstant(text: string): Date | undefined {
  const at = instantOfAnyYear(text);
  return at && isInYears(at.getUTCFullYear()) ? at : undefined;
}

function isInYears(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

function instantOfAnyYear(text: string): Date | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = offsetMinutes(match[8]);
  if (offset === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const millis = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day); // Date.UTC takes the year 70 for 1970
  local.setUTCHours(hour, minute, second, millis);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined;
  return new Date(local.getTime() - offset * 60_000);
}

/** Returns why `parseInstant` rejects a text. The name of the field comes before these words. */
export function instantProblem(text: string): string {
  const hasLongYear = /^[+-]\d{6}-\d\d-\d\dT/i.test(text) && !isInYears(Number(text.slice(0, 7)));
  return instantOfAnyYear(text) || hasLongYear
    ? `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`
    : "is not a valid ISO 8601 date and time";
}

function offsetMinutes(offset: string | undefined): number | undefined {
  if (offset === undefined || offset.toUpperCase() === "Z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || 0);
  if (hours > 18 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

const inUtc = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Writes an instant for a sentence that people read, such as `24 November 2026 at 03:00 UTC`. */
export function instantInWords(instant: Date): string {
  return `${inUtc.format(instant)} UTC`;
}
