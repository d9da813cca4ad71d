import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server with files that the service imports. */
export type FileServer = {
  /** Its value for EGRESS_ALLOW, because it has no public address. */
  allowed: string;
  /** Serves bytes and returns their URL. */
  serve(path: string, bytes: Uint8Array, type?: string): string;
  /** A URL that returns 404. */
  address(path: string): string;
  close(): Promise<void>;
};

export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, { bytes: Uint8Array; type: string }>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" }).end(file?.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has an AddressInfo.
  const address = (path: string) => `http://localhost:${port}${path}`;
  return {
    allowed: `localhost+127.0.0.1+${port}`,
    address,
    serve(path, bytes, type = "image/jpeg") {
      files.set(path, { bytes, type });
      return address(path);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
