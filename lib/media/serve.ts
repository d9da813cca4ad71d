import { eq } from "drizzle-orm";
import { db, media, mediaConversions } from "../db";
import { env } from "../env";
import { NotFound } from "../errors";
import { type ByteRange, type ObjectName, store } from "../storage";
import { isValidMediaAddress } from "./address";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A served object. Because an object is written once, its ID is its tag. */
type Served = { name: ObjectName; contentType: string; sizeBytes: number; etag: string; filename?: string };

/**
 * `GET /media/{id}` with a signed address: the detected type, no sniffing, no scripts, byte ranges (RFC 9110, section 14).
 * A bucket's bytes are passed through here too, so that the headers are equally safe for every store.
 * A wrong, foreign or expired address is a 404, like a missing object. With `download`, browsers save the file under its name.
 */
export async function serveMedia(id: string, request: Request): Promise<Response> {
  assertAddressed(id, id, request);
  const medium = await mediumOf(id);
  const { contentType, sizeBytes } = medium ?? (await conversionOf(id)) ?? absent(id);
  const filename = new URL(request.url).searchParams.has("download") ? medium?.filename : undefined;
  return answer({ name: `objects/${id}`, contentType, sizeBytes, etag: `"${id}"`, filename }, request);
}

/** `GET /media/{id}/thumbnail`, in the same way. */
export async function serveThumbnail(id: string, request: Request): Promise<Response> {
  assertAddressed(id, `${id}/thumbnail`, request);
  const row = (await mediumOf(id)) ?? absent(id);
  const name: ObjectName = `thumbnails/${id}`;
  const object = row.details.hasThumbnail ? await store.read(name, { first: 0, last: 0 }) : undefined;
  if (!object) throw new NotFound("Media", id);
  await object.stream().cancel();
  const etag = `"thumbnail-${id}"`;
  return answer({ name, contentType: "image/webp", sizeBytes: object.sizeBytes, etag }, request);
}

function assertAddressed(id: string, path: string, request: Request): void {
  if (!UUID.test(id) || !isValidMediaAddress(path, new URL(request.url).searchParams)) absent(id);
}

function absent(id: string): never {
  throw new NotFound("Media", id);
}

async function mediumOf(id: string) {
  const [row] = await db.select().from(media).where(eq(media.id, id));
  return row;
}

/** A conversion has an address of its own while its original exists. */
async function conversionOf(id: string) {
  const [row] = await db
    .select({ contentType: mediaConversions.contentType, sizeBytes: mediaConversions.sizeBytes })
    .from(mediaConversions)
    .innerJoin(media, eq(media.id, mediaConversions.mediaId))
    .where(eq(mediaConversions.id, id));
  return row;
}

async function answer({ name, contentType, sizeBytes, etag, filename }: Served, request: Request): Promise<Response> {
  const headers = new Headers({
    "content-type": contentType,
    "content-disposition": filename === undefined ? "inline" : attachmentNamed(filename),
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "private, max-age=3600",
    "accept-ranges": "bytes",
    etag,
    // The composer draws files to crop them. Whoever has the signed address can read the file anyway.
    ...(env.mediaUrl === env.appUrl ? {} : { "access-control-allow-origin": new URL(env.appUrl).origin }),
  });
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const range = rangeOf(request.headers, sizeBytes, etag);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${sizeBytes}` } });
  }
  headers.set("content-length", String(range ? range.last - range.first + 1 : sizeBytes));
  if (range) headers.set("content-range", `bytes ${range.first}-${range.last}/${sizeBytes}`);
  const body = request.method === "HEAD" ? null : await bytesOf(name, range);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** `Content-Disposition` for a file with this name (RFC 6266 and RFC 8187). */
function attachmentNamed(filename: string): string {
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename*=UTF-8''${encoded}`;
}

async function bytesOf(name: ObjectName, range: ByteRange | undefined): Promise<ReadableStream<Uint8Array>> {
  const object = await store.read(name, range);
  if (!object) throw new NotFound("Media", name.split("/")[1] ?? "");
  return object.stream();
}

/**
 * Returns the single byte range of a request (RFC 9110, section 14). Undefined means the whole file, as the RFC allows for
 * several ranges, another unit, or another version of the file (`If-Range`).
 */
function rangeOf(headers: Headers, size: number, etag: string): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range")?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const condition = headers.get("if-range");
  if (condition !== null && condition !== etag) return undefined;
  if (match[1] !== "" && match[2] !== "" && Number(match[1]) > Number(match[2])) return undefined; // an invalid range is ignored
  const first = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const last = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return first >= size ? "unsatisfiable" : { first, last };
}
