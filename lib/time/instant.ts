/**
 * Times as text. The database speaks `2026-11-21 18:11:51.1234+00` (its session zone is UTC, trailing zeros dropped);
 * a JavaScript Date would lose the microseconds, so the two formats of SPEC are cut from that text.
 */
const DATABASE_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:\+00|Z)?$/;

function partsOf(time: string): { date: string; clock: string; fraction: string } {
  const match = DATABASE_TIME.exec(time);
  if (!match) throw new Error(`not a time in UTC as the database writes it: ${time}`);
  return { date: match[1] ?? "", clock: match[2] ?? "", fraction: match[3] ?? "" };
}

/** `2026-11-21T18:11:51.123400`: no offset, six digits, as SPEC gives an Account's times. */
export function withSixDigits(time: string): string {
  const { date, clock, fraction } = partsOf(time);
  return `${date}T${clock}.${fraction.padEnd(6, "0")}`;
}

/** `2026-11-21T18:11:51Z`, with milliseconds only where they are not zero, as DECISIONS gives `scheduledTime`. */
export function withZulu(time: string): string {
  const { date, clock, fraction } = partsOf(time);
  const millis = fraction.padEnd(3, "0").slice(0, 3);
  return `${date}T${clock}${millis === "000" ? "" : `.${millis}`}Z`;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Reads an ISO 8601 date and time, with or without an offset; none means UTC whatever zone the server is in.
 * Returns the instant in UTC, or undefined where the text is no such time or the date does not exist (30 February).
 */
export function parseInstant(text: string): Date | undefined {
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
  if (offset === undefined || hour > 23 || minute > 59 || second > 59 || year < 1970 || year > 9998) return undefined;
  const millis = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millis));
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined;
  return new Date(local.getTime() - offset * 60_000);
}

function offsetMinutes(offset: string | undefined): number | undefined {
  if (offset === undefined || offset.toUpperCase() === "Z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || 0);
  if (hours > 18 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
