import { createHash } from "node:crypto";

/** A wait of more than a day is considered an error of the server, and an hour is used instead. */
const MAX_WAIT_SECONDS = 86_400;
const REPLACEMENT_WAIT_SECONDS = 3_600;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const CLOCK = "(\\d\\d):(\\d\\d):(\\d\\d)";
/** The three forms of an HTTP-date (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 …`, `Sunday, 06-Nov-94 …`, `Sun Nov  6 … 1994`. */
const FORMS = [
  { form: new RegExp(`^\\w{3}, (\\d\\d) (\\w{3}) (\\d{4}) ${CLOCK} GMT$`), order: [3, 2, 1, 4] },
  { form: new RegExp(`^\\w{6,9}, (\\d\\d)-(\\w{3})-(\\d\\d) ${CLOCK} GMT$`), order: [3, 2, 1, 4] },
  { form: new RegExp(`^\\w{3} (\\w{3}) ([ \\d]\\d) ${CLOCK} (\\d{4})$`), order: [6, 1, 2, 3] },
] as const;

/**
 * Returns how many seconds `Retry-After` asks to wait (RFC 9110, section 10.2.3): whole seconds, or a date in any of its three
 * forms. More than a day becomes an hour, see `believable`. Returns undefined if there is no valid header.
 */
export function retryAfterSeconds(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return plausibleWaitSeconds(Number(value));
  const date = httpDate(value, now);
  return date === undefined ? undefined : plausibleWaitSeconds(Math.max(0, Math.ceil((date - now) / 1000)));
}

/** Limits a wait that a server asked for, in seconds. More than a day becomes an hour. */
export function plausibleWaitSeconds(seconds: number): number {
  return seconds > MAX_WAIT_SECONDS ? REPLACEMENT_WAIT_SECONDS : Math.max(0, seconds);
}

/** Returns milliseconds since 1970, or undefined if the text is not an HTTP-date. */
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

/** A two-digit year is the year with those digits that is at most 50 years ahead (RFC 9110, section 5.6.7). */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}

/**
 * Returns whether an Accept header (RFC 9110, section 12.5.1) names `application/json` with a higher weight than `text/html`.
 * Wildcards do not count.
 */
export function prefersJson(accept: string | null): boolean {
  const weightOf = (type: string) => {
    const range = accept?.split(",").find((one) => one.split(";")[0]?.trim().toLowerCase() === type);
    if (range === undefined) return 0;
    return Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1);
  };
  return weightOf("application/json") > weightOf("text/html");
}

/**
 * Returns the strong entity tag of a JSON body (RFC 9110 §8.8.3). It changes with any change to the body, including the order
 * of its fields.
 */
export function entityTagOf(body: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 22)}"`;
}

/** True if an `If-Match` header matches the current tag (RFC 9110 §13.1.1). The comparison is strong: weak tags never match. */
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

/** Returns the values of all cookies whose name begins with a prefix. */
export function cookiesWithPrefix(headers: Headers, prefix: string): string[] {
  return cookies(headers).flatMap(([name, value]) => (name.startsWith(prefix) ? [value] : []));
}

/** Returns the names of all cookies that begin with a prefix. Browsers send the oldest first (RFC 6265, section 5.4). */
export function cookieNamesWithPrefix(headers: Headers, prefix: string): string[] {
  return cookies(headers).flatMap(([name]) => (name.startsWith(prefix) ? [name] : []));
}
