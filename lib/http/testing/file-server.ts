import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Asked = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };

/** Starts an HTTP server on loopback that answers as the test defines, and records the requests. */
export async function serveFiles(
  answer: (request: IncomingMessage, response: ServerResponse, asked: Asked[]) => void,
  port = 0,
) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const one: Asked = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body: "" };
    asked.push(one);
    request.on("data", (chunk) => {
      one.body += chunk;
    });
    response.on("error", () => {});
    answer(request, response, asked);
  });
  await once(server.listen(port, "127.0.0.1"), "listening"); // throws if the port is in use
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
