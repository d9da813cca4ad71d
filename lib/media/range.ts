import type { ByteRange } from "../storage";

/**
 * The one range of bytes that a request asks for (RFC 9110, section 14). Several, another unit, or one for another version
 * of the file (`If-Range`) are answered with the whole, as the RFC allows: undefined.
 */
export function rangeOf(headers: Headers, size: number, etag: string): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range")?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const condition = headers.get("if-range");
  if (condition !== null && condition !== etag) return undefined;
  if (match[1] !== "" && match[2] !== "" && Number(match[1]) > Number(match[2])) return undefined; // invalid: as if not there
  const first = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const last = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return first >= size ? "unsatisfiable" : { first, last };
}
