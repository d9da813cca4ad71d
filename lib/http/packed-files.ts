import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

const PREFIX = "/_next/static/";
const TYPES = { js: "application/javascript; charset=UTF-8", css: "text/css; charset=UTF-8" };
/** Nothing that leads out of the folder can be written with these. */
const NAME = /^[\w~-]+(?:\/[\w~-]+)*\.(js|css)$/;

type Packed = { bytes: Buffer; type: string };

/**
 * Sends the pages' script and styles as `bin/build.mjs` packed them (Brotli, RFC 7932): smaller than a server has time for at
 * each request, and by one write from memory. Their names are digests, so that they are good for ever.
 * @param folder where Next's build put them, `.next/static`
 */
export class PackedFiles {
  private readonly kept = new Map<string, Packed>();

  constructor(private readonly folder: string) {}

  /** Whether it has answered; a browser that takes no Brotli, a part of a file and whatever was not packed are Next's. */
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

/** RFC 9110, 12.5.3; what is refused has a weight of nought. */
function takesBrotli(accepted: IncomingMessage["headers"]["accept-encoding"]): boolean {
  const codings = String(accepted ?? "").split(",");
  return codings.some((coding) => /^\s*br\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(coding));
}
