import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll } from "vitest";
import { api } from "../api";
import { env } from "../env";

/** Serves the API at the address where networks fetch media. */
export function withApiServed(): void {
  const server = createServer(getRequestListener(api.fetch, { overrideGlobalObjects: false }));
  beforeAll(() => new Promise<void>((resolve) => server.listen(env.port, "localhost", resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
}
