import { createHash } from "node:crypto";

/** Whoever asks for more than a day is not believed, and is asked again after an hour. */
const DAY = 86_400;
const UNBELIEVED_SECONDS = 3_600;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const CLOCK = "(\\d\\d):(\\d\\d):(\\d\\d)";
/** The three forms of an HTTP-date (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 …`, `Sunday, 06-Nov-94 …`, `Sun Nov  6 … 1994`. */
const FORMS = [
  { form: new RegExp(`^\\w{3}, (\\d\\d) (\\w{3}) (\\d{4}) ${CLOCK} GMT$`), order: [3, 2, 1, 4] },
  { form: new RegExp(`^\\w{6,9}, (\\d\\d)-(\\w{3})-(\\d\\d) ${CLOCK} GMT$`), order: [3, 2, 1, 4] },
  { form: new RegExp(`^\\w{3} (\\w{3}) ([ \\d]\\d) ${CLOCK} (\\d{4})$`), order: [6, 1, 2, 3] },
] as const;

/**
 * How many seconds an answer asks to wait, by `Retry-After` as RFC 9110 section 10.2.3 allows it: whole seconds, or a date
 * in any of its three forms. See `believable`; undefined where there is none, or where it is neither.
 */
export function retryAfterSeconds(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return plausibleWaitSeconds(Number(value));
  const date = httpDate(value, now);
  return date === undefined ? undefined : plausibleWaitSeconds(Math.max(0, Math.ceil((date - now) / 1000)));
}

/** A wait that somebody else asked for, in seconds, as far as it can be meant. */
export function plausibleWaitSeconds(seconds: number): number {
  return seconds > DAY ? UNBELIEVED_SECONDS : Math.max(0, seconds);
}

/** Milliseconds since 1970; undefined where the text is no HTTP-date. */
function httpDate(text: string, now: number): number | undefined {
  for (const { form, order } of FORMS) {
    const parts = form.exec(text);
    if (!parts) continue;
    const [year, month, day, clock] = order;
    const at = (index: number) => parts[index] ?? "";
    const inMonth = MONTHS.indexOf(at(month).toLowerCase());
    if (inMonth < 0) return undefined;
    const time = [at(clock), at(clock + 1), at(clock + 2)].map(Number) as [number, number, number];
    return Date.UTC(fullYear(at(year), now), inMonth, Number(at(day)), ...time);
  }
  return undefined;
}

/** Two digits mean the year with those digits that is not more than 50 years ahead. */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}

/**
 * The strong entity tag of an answer in JSON (RFC 9110 §8.8.3): another whenever anything that it says is. The same has to
 * be said in the same order.
 */
export function entityTagOf(body: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 22)}"`;
}

/**
 * Whether an `If-Match` allows what is there (RFC 9110 §13.1.1). The comparison is a strong one, so that a weak tag never
 * matches, nor does anything that is no tag.
 */
export function matchesIfMatch(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === "*") return true;
  return [...ifMatch.matchAll(/(W\/)?("[^"]*")/g)].some(([, weak, quoted]) => !weak && quoted === tag);
}

/** The cookies of a request, by name (RFC 6265, section 4.2). */
function cookies(headers: Headers): [name: string, value: string][] {
  return (headers.get("cookie")?.split(";") ?? []).map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim(), value.join("=").trim()];
  });
}

export function cookieOf(headers: Headers, name: string): string | undefined {
  return cookies(headers).find(([key]) => key === name)?.[1];
}

/** The values of all cookies whose name begins so. */
export function cookiesWithPrefix(headers: Headers, prefix: string): string[] {
  return cookies(headers).flatMap(([name, value]) => (name.startsWith(prefix) ? [value] : []));
}

/** The names of all cookies that begin so, in the order in which browsers send them: the oldest first (RFC 6265, 5.4). */
export function cookieNamesWithPrefix(headers: Headers, prefix: string): string[] {
  return cookies(headers).flatMap(([name]) => (name.startsWith(prefix) ? [name] : []));
}
