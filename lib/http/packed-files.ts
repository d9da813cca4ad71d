import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

const PREFIX = "/_next/static/";
const TYPES = { js: "application/javascript; charset=UTF-8", css: "text/css; charset=UTF-8" };
/** Allows no path that leads out of the folder. */
const NAME = /^[\w~-]+(?:\/[\w~-]+)*\.(js|css)$/;

type Packed = { bytes: Buffer; type: string };

/**
 * Serves scripts and styles that `bin/build.mjs` compressed with Brotli (RFC 7932) at the highest level, which would take too
 * long per request. The file names contain digests, so browsers may cache them forever.
 * @param folder Next's build output, `.next/static`
 */
export class PackedFiles {
  private readonly kept = new Map<string, Packed>();

  constructor(private readonly folder: string) {}

  /** Returns true if it answered the request. Next answers range requests, clients without Brotli and other files. */
  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    const { method, headers } = request;
    if (!path.startsWith(PREFIX) || (method !== "GET" && method !== "HEAD") || headers.range) return false;
    if (!takesBrotli(headers["accept-encoding"])) return false;
    const packed = await this.read(path.slice(PREFIX.length));
    if (!packed) return false;
    response.writeHead(200, {
      "content-type": packed.type,
      "content-length": packed.bytes.length,
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    response.end(method === "HEAD" ? undefined : packed.bytes);
    return true;
  }

  private async read(name: string): Promise<Packed | undefined> {
    const extension = NAME.exec(name)?.[1];
    if (extension !== "js" && extension !== "css") return undefined;
    const kept = this.kept.get(name);
    if (kept) return kept;
    const bytes = await readFile(`${join(this.folder, name)}.br`).catch(() => undefined);
    if (!bytes) return undefined;
    const packed = { bytes, type: TYPES[extension] };
    this.kept.set(name, packed);
    return packed;
  }
}

/** RFC 9110, section 12.5.3. A weight of 0 means not acceptable. */
function takesBrotli(accepted: IncomingMessage["headers"]["accept-encoding"]): boolean {
  const codings = String(accepted ?? "").split(",");
  return codings.some((coding) => /^\s*br\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(coding));
}
