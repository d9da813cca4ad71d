import { isUtf8 } from "node:buffer";
import { BadRequest } from "../errors";

/** Headers that say one thing: who calls, for whom, and which request it is. */
const SINGLE = ["Authorization", "x-api-key", "X-Connect-User-Id", "X-Connect-External-User-Id", "Idempotency-Key"];

/**
 * A header's text. Node reads each byte as a character of its own (ISO-8859-1, which `fetch` also sends), while most clients
 * send UTF-8: what is UTF-8 is read so, anything else byte for byte.
 */
export function headerText(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  if (value === null) return null;
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : value;
}

type HostBindings = { incoming?: { rawHeaders?: string[] } } | undefined;

/**
 * Refuses a request that gives one of these headers twice. Node joins the values with a comma, or keeps the first
 * (`http.IncomingMessage.headers`), and an external id may hold a comma itself, so only the headers as they were sent tell.
 * Where the host does not show those (Next alone), a joined value counts as one: it names nobody, unless a user of this very
 * partner is called so; a uuid holds no comma, so there two are told.
 * @throws BadRequest `X-Connect-User-Id is given twice`
 */
export function assertSingleHeaders(headers: Headers, surroundings: unknown): void {
  const raw = (surroundings as HostBindings)?.incoming?.rawHeaders;
  const twice = raw ? repeatedIn(raw) : headers.get("X-Connect-User-Id")?.includes(",") ? ["X-Connect-User-Id"] : [];
  if (twice.length > 0) throw new BadRequest(...twice.map((name) => `${name} is given twice`));
}

/** Of the headers that say one thing, those that stand twice among names and values in turn. */
function repeatedIn(raw: string[]): string[] {
  const counts = new Map<string, number>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return SINGLE.filter((name) => (counts.get(name.toLowerCase()) ?? 0) > 1);
}
