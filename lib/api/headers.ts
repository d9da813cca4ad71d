import { isUtf8 } from "node:buffer";
import { BadRequest } from "../errors";

/** Headers with a single value: who calls, for whom, and which request it is. */
const SINGLE_VALUE_HEADERS = [
  "Authorization",
  "x-api-key",
  "X-Connect-User-Id",
  "X-Connect-External-User-Id",
  "Idempotency-Key",
];

/**
 * Returns a header as text. Node decodes header bytes as ISO-8859-1, which `fetch` also sends, but most clients send UTF-8.
 * So valid UTF-8 is decoded as such, and anything else byte by byte.
 */
export function headerText(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  if (value === null) return null;
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : value;
}

type HostBindings = { incoming?: { rawHeaders?: string[] } } | undefined;

/**
 * Rejects a request that gives one of these headers twice. Node joins repeated values with a comma or keeps the first one
 * (`http.IncomingMessage.headers`), and an external ID may contain a comma, so only the raw headers show it. Without raw
 * headers (Next alone), only a joined `X-Connect-User-Id` is detected, because a UUID contains no comma.
 * @throws BadRequest `X-Connect-User-Id is given twice`
 */
export function assertSingleHeaders(headers: Headers, surroundings: unknown): void {
  const raw = (surroundings as HostBindings)?.incoming?.rawHeaders;
  const twice = raw ? repeatedIn(raw) : headers.get("X-Connect-User-Id")?.includes(",") ? ["X-Connect-User-Id"] : [];
  if (twice.length > 0) throw new BadRequest(...twice.map((name) => `${name} is given twice`));
}

/** Returns the single-value headers that occur twice in a list of alternating names and values. */
function repeatedIn(raw: string[]): string[] {
  const names = raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return SINGLE_VALUE_HEADERS.filter((name) => {
    const first = names.indexOf(name.toLowerCase());
    return first >= 0 && names.includes(name.toLowerCase(), first + 1);
  });
}
