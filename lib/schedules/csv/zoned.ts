import { instantsAt, zoneOf } from "../../time/zone";

/** A time of day on a date in a time zone, as people write them into a spreadsheet. */
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$|^(\d{4})\/(\d{1,2})\/(\d{1,2})$|^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([ap])\.?m\.?)?$/i;

/** `2030-01-31`, `2030/1/31` or `31.1.2030` as `2030-01-31`; with two slashes nobody knows which number is the month. */
export function dateOf(text: string): string | undefined {
  const match = DATE.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day] = match[7]
    ? [match[9], match[8], match[7]]
    : [match[1] ?? match[4], match[2] ?? match[5], match[3] ?? match[6]];
  return exists(Number(year), Number(month), Number(day))
    ? [year, month?.padStart(2, "0"), day?.padStart(2, "0")].join("-")
    : undefined;
}

function exists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** `9:00`, `21:30:15` or `9:00 pm` as `HH:MM:SS`. */
export function timeOf(text: string): string | undefined {
  const match = TIME.exec(text.trim());
  if (!match) return undefined;
  const [, hours, minutes = "", seconds = "00", half] = match;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hours);
  const isTime =
    hour < 24 && Number(minutes) < 60 && Number(seconds) < 60 && !(half && (Number(hours) > 12 || hours === "0"));
  return isTime ? [String(hour).padStart(2, "0"), minutes, seconds].join(":") : undefined;
}

/**
 * The instant at which clocks of a zone show a time; the earlier one where they show it twice. Undefined where they never do,
 * because they are put forward over it.
 * @param local `2030-01-31T09:00:00`
 */
export function instantIn(zone: string, local: string): Date | undefined {
  const [first] = instantsAt(zoneOf(zone), Date.parse(`${local}Z`));
  return first === undefined ? undefined : new Date(first);
}
