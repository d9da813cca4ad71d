import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { closingOf } from "./closing";

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** A server that answers a path when the test calls `answer`. An upload of one byte may take 200 ms. */
async function serve() {
  const waiting = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    if (request.url === "/now") return void response.end("now");
    waiting.set(request.url ?? "", response);
  });
  const pace = { graceMs: 100, bytesPerSecond: 10 };
  const closing = closingOf(server, ({ url }) => url?.startsWith("/upload") ?? false, pace);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  closings.push(() => server.close().closeAllConnections());

  /** Opens a connection and sends a request, unless the path is undefined. */
  async function open(path?: string, head = "") {
    const socket = connect(port, "127.0.0.1");
    let said = "";
    socket.on("data", (bytes) => {
      said += bytes;
    });
    socket.on("error", () => {}); // a disconnect can be reported as an error
    const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(said)));
    closings.push(() => socket.destroy());
    await once(socket, "connect");
    const ask = (to: string) => socket.write(`GET ${to} HTTP/1.1\r\nhost: x\r\n${head}\r\n`);
    if (path) ask(path);
    if (path && path !== "/now") await expect.poll(() => waiting.has(path)).toBe(true);
    return { socket: socket as Socket, said: () => said, closed, ask };
  }
  return { ...closing, open, answer: (path: string) => waiting.get(path)?.end("later") };
}

const PATIENT = { requestMs: 30_000, awaitsUploads: true };
const BRIEF = { requestMs: 50, awaitsUploads: true };

test("closing lets a running request finish, closes its connection, and accepts no new connection", async () => {
  const { open, close, answer } = await serve();
  const running = await open("/slow");
  const closed = close(PATIENT);
  await expect(open("/now")).rejects.toThrow("ECONNREFUSED");
  answer("/slow");
  expect(await running.closed).toMatch(/^HTTP\/1\.1 200 .*connection: close.*later/is);
  await closed;
});

test("closing ends connections without a request, and a connection whose answer had begun", async () => {
  const { open, close } = await serve();
  const [silent, used] = [await open(), await open("/now")];
  await expect.poll(used.said).toContain("now");
  await close(PATIENT);
  await Promise.all([silent.closed, used.closed]);
});

test("after the announcement, requests are answered and their connections are closed", async () => {
  const { open, announce } = await serve();
  const kept = await open("/now");
  await expect.poll(kept.said).toMatch(/connection: keep-alive/i);
  announce();
  kept.ask("/now");
  expect(await kept.closed).toMatch(/connection: close/i);
  expect(await (await open("/now")).closed).toContain("now");
});

describe("requests that do not finish in time", () => {
  test("are cut off, but an upload gets the time that it needs at the lowest rate", async () => {
    const { open, close, answer } = await serve();
    const [slow, upload] = [await open("/slow"), await open("/upload", "content-length: 10000\r\n")];
    const closed = close(BRIEF);
    expect(await slow.closed).toBe("");
    answer("/upload");
    await expect.poll(upload.said).toContain("later");
    upload.socket.destroy();
    await closed;
  });

  test("include an upload whose time is over", async () => {
    const { open, close } = await serve();
    const upload = await open("/upload", "content-length: 1\r\n");
    await close(BRIEF);
    expect(await upload.closed).toBe("");
  });

  test("include uploads if they are not awaited", async () => {
    const { open, close } = await serve();
    const upload = await open("/upload", "content-length: 10000\r\n");
    await close({ ...BRIEF, awaitsUploads: false });
    expect(await upload.closed).toBe("");
  });
});
