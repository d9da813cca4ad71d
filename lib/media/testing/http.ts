import { createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll } from "vitest";
import { api } from "../../api";
import { env } from "../../env";

export type Outgoing = { method?: string; headers?: { [name: string]: string }; body?: Uint8Array };

/**
 * Serves the service on a port, and sends requests to it or to S3 with exactly the given headers. Addresses on {app_url},
 * which all test files share, are requested from this server.
 */
export function withServer() {
  let server: Server;
  beforeAll(async () => {
    server = createServer(getRequestListener(api.fetch, { overrideGlobalObjects: false }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function reachable(address: string): URL {
    const url = new URL(address);
    if (url.origin !== new URL(env.appUrl).origin) return url;
    return new URL(url.pathname + url.search, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  return {
    reachable,
    /** Sends a request and returns the status. Content-Length is set for a body unless the headers override it. */
    ask(address: string, { method = "GET", headers = {}, body }: Outgoing = {}): Promise<number> {
      return new Promise((resolve, reject) => {
        const length = body && !("Transfer-Encoding" in headers) ? { "Content-Length": String(body.length) } : {};
        const going = send(reachable(address), { method, headers: { ...length, ...headers } }, (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
        });
        going.on("error", reject);
        going.end(body);
      });
    },
    get: (address: string, headers: { [name: string]: string } = {}) => fetch(reachable(address), { headers }),
  };
}
