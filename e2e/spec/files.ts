import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server of the tests' own, for files that the service imports. */
export type FileServer = {
  /** Its name among the exceptions to "public addresses only". */
  allowed: string;
  /** Serves bytes under a path and answers their address. */
  serve(path: string, bytes: Uint8Array, type?: string): string;
  /** The address of a path where there is nothing. */
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
  const { port } = server.address() as AddressInfo; // a server that listens on a port
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
