import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { ownPort } from "./own-port";

test("never returns the same port twice, and each port can be listened on", async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, ownPort));
  expect(new Set(ports).size).toBe(200);
  const server = createServer().listen(ports[0], "127.0.0.1");
  await once(server, "listening");
  server.close();
});
