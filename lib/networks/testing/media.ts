import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutgoingMedia } from "../network";

/** Starts a small web server for media, which can be opened and fetched by address. */
export async function mediaServer() {
  const files = new Map<string, { bytes: Uint8Array; contentType: string }>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (!file) return void response.writeHead(404).end();
    const head = { "content-type": file.contentType, "content-length": file.bytes.length };
    response.writeHead(200, head).end(request.method === "HEAD" ? undefined : file.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server, so this is never a pipe name
  return {
    file(bytes: Uint8Array, facts: Pick<OutgoingMedia, "kind" | "contentType" | "filename">): OutgoingMedia {
      return {
        ...facts,
        sizeBytes: bytes.length,
        open: async (range) => new Blob([new Uint8Array(bytes.slice(range?.first, range && range.last + 1))]).stream(),
        async publicUrl() {
          const path = `/${randomBytes(8).toString("hex")}/${facts.filename}`;
          files.set(path, { bytes, contentType: facts.contentType });
          return `http://127.0.0.1:${port}${path}`;
        },
      };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
