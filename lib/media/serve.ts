import { eq } from "drizzle-orm";
import { db, media } from "../db";
import { NotFound } from "../errors";
import { readObject } from "../storage";
import { isAddressOf } from "./address";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `GET /media/{id}` by a signed address: the detected type, no sniffing, no script, ranges (RFC 9110, section 14).
 * A wrong, foreign or ended address is a 404 like an absent object's.
 */
export async function serveMedia(id: string, request: Request): Promise<Response> {
  if (!UUID.test(id) || !isAddressOf(id, new URL(request.url).searchParams)) throw new NotFound("Media", id);
  const [row] = await db.select().from(media).where(eq(media.id, id));
  if (!row) throw new NotFound("Media", id);
  const headers = new Headers({
    "content-type": row.contentType,
    "content-disposition": "inline",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "private, max-age=3600",
    "accept-ranges": "bytes",
    etag: `"${row.sha256.toString("hex")}"`,
  });
  const range = rangeOf(request.headers.get("range"), row.sizeBytes);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${row.sizeBytes}` } });
  }
  const object = await readObject(id, range);
  if (!object) throw new NotFound("Media", id);
  headers.set("content-length", String(range ? range.last - range.first + 1 : row.sizeBytes));
  if (range) headers.set("content-range", `bytes ${range.first}-${range.last}/${row.sizeBytes}`);
  const body = request.method === "HEAD" ? null : object.stream();
  return new Response(body, { status: range ? 206 : 200, headers });
}

/**
 * One range of bytes; several, another unit, or one that ends before it begins are answered with the whole (RFC 9110,
 * sections 14.1.1 and 14.2).
 */
function rangeOf(header: string | null, size: number): { first: number; last: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  if (match[1] !== "" && match[2] !== "" && Number(match[2]) < Number(match[1])) return undefined;
  const first = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const last = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return first > last || first >= size ? "unsatisfiable" : { first, last };
}
