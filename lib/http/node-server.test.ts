import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { listenerFor } from "./node-server";

const SIZE = 1_000_000;
const HEAD = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${SIZE}\r\n\r\n`;

afterEach(() => vi.useRealTimers());

test("a body may arrive long after its answer, and the next request on the connection is answered", async () => {
  const server = createServer(listenerFor(async () => new Response("not read", { status: 401 })));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let heard = "";
  socket.on("data", (data) => {
    heard += data;
  });
  const answers = () => heard.match(/HTTP\/1\.1 401 /g)?.length;
  try {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    socket.write(HEAD);
    socket.write(Buffer.alloc(SIZE / 2));
    while (answers() !== 1) await once(socket, "data");
    await vi.advanceTimersByTimeAsync(20_000);
    for (const part of [Buffer.alloc(SIZE / 2), HEAD, Buffer.alloc(SIZE)]) socket.write(part);
    while (answers() !== 2 && !socket.closed) await Promise.race([once(socket, "data"), once(socket, "close")]);
    expect(answers()).toBe(2);
  } finally {
    socket.destroy();
    server.close();
  }
});
