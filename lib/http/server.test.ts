import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { readEnv } from "../env";
import { bind, createLimitedServer, type ServerLimits, serverLimits } from "./server";

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** A server that reads each body, except at `/early`, which it answers at once, and at `/half`, whose answer does not end. */
async function serve(given: Partial<ServerLimits>): Promise<number> {
  const limits = { ...serverLimits(), headersMs: 400, bodyMs: 400, trusted: undefined, ...given };
  const listener = createLimitedServer(
    (request, response) => {
      if (request.url === "/early") return void response.end("early");
      if (request.url === "/half") return void response.write("half");
      request.on("error", () => {});
      request.resume().on("end", () => response.end("read"));
    },
    ({ url }) => url === "/upload" || url === "/early",
    limits,
  );
  await once(listener.listen(0, "127.0.0.1"), "listening");
  closings.push(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return (listener.address() as AddressInfo).port;
}

function open(port: number): { socket: Socket; said: () => string; closed: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.on("data", (bytes) => {
    said += bytes;
  });
  socket.on("error", () => {}); // a disconnect can be reported as an error
  const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(said)));
  closings.push(() => socket.destroy());
  return { socket, said: () => said, closed };
}

/** Sends the head of a request and then a byte at a time. Returns the server's answer before it disconnects. */
function drip(port: number, head: string): Promise<string> {
  const { socket, closed } = open(port);
  socket.write(head);
  const timer = setInterval(() => socket.writable && socket.write("x"), 20);
  return closed.finally(() => clearInterval(timer));
}

const post = (path: string, more = "content-length: 100000\r\n") => `POST ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

describe("a slow client", () => {
  test("is disconnected with 408 if its headers do not arrive", async () => {
    expect(await drip(await serve({}), "GET / HTTP/1.1\r\nhost: x\r\na: ")).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("is disconnected if it connects and sends nothing", async () => {
    const { closed } = open(await serve({}));
    await closed;
  });

  test.each(["content-length: 100000\r\n", "transfer-encoding: chunked\r\n"])(
    "is disconnected with 408 and the reason if its body drips (%j)",
    async (more) => {
      const answer = await drip(
        await serve({}),
        post("/callbacks/facebook", more).concat(more.startsWith("t") ? "f000\r\n" : ""),
      );
      expect(answer).toMatch(/^HTTP\/1\.1 408 .*"The body did not arrive within 0\.4 s\. Send it faster"/s);
    },
  );

  test("is disconnected if it was answered and keeps sending, also to an upload", async () => {
    expect(await drip(await serve({}), post("/early"))).toMatch(/^HTTP\/1\.1 200 .*early/s);
  });

  test("keeps an upload beyond the time for bodies", async () => {
    const { socket, said, closed } = open(await serve({ bodyMs: 50 }));
    socket.write(post("/upload", "content-length: 2\r\n"));
    await drip(await serve({ bodyMs: 200 }), post("/other")); // outlasts the 50 ms
    socket.write("ab");
    await expect.poll(said).toMatch(/^HTTP\/1\.1 200 .*read/s);
    socket.destroy();
    await closed;
  });
});

describe("a request that is not valid HTTP has an answer in JSON", () => {
  const head = "host: x\r\ncontent-type: application/json\r\n";

  test.each([
    ["a long address", `GET /${"1".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, "longer than 16 KB"],
    ["a header without a colon", "GET / HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n", 400, "not valid HTTP"],
    ["an unknown method", "FETCH / HTTP/1.1\r\nhost: x\r\n\r\n", 400, "not valid HTTP"],
    [
      "two lengths",
      `POST / HTTP/1.1\r\n${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
      400,
      "not valid HTTP",
    ],
    ["a wrong chunk", `POST / HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\nZZ\r\n`, 400, "not valid HTTP"],
    ["missing headers", "GET / HTTP/1.1\r\nhost: x\r\na: ", 408, "did not arrive in time"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n", 400, "The header Host is missing"],
    [
      "the whole server as its address",
      "OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
      405,
      "must be a path",
    ],
    ["another expectation", `POST / HTTP/1.1\r\n${head}expect: 200-ok\r\n\r\n`, 417, "Expect can only be 100-continue"],
  ])("%s", async (_, request, status, says) => {
    const { socket, closed } = open(await serve({}));
    socket.write(request);
    const [lines = "", body = ""] = (await closed).split("\r\n\r\n");
    expect(lines).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\ncontent-type: application/json\r\n`, "s"));
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining(says) });
  });

  test("also after another request on the same connection, but not in the middle of an answer", async () => {
    const port = await serve({});
    const [later, during] = [open(port), open(port)];
    later.socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(later.said).toMatch(/read/);
    later.socket.write("nonsense\r\n\r\n");
    expect(await later.closed).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 400 .*not valid HTTP/s);
    during.socket.write("GET /half HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(during.said).toMatch(/half/);
    during.socket.write("nonsense\r\n\r\n");
    expect(await during.closed).toMatch(/^HTTP\/1\.1 200 (?!.*HTTP)/s);
  });
});

describe("the connections of one address", () => {
  /** Opens connections one after the other. Returns those that were answered. */
  async function answered(port: number, count: number): Promise<number> {
    let answers = 0;
    for (let n = 0; n < count; n++) {
      const { socket, said, closed } = open(port);
      socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      await Promise.race([once(socket, "data"), closed]).catch(() => {});
      if (said().startsWith("HTTP/1.1 200")) answers++;
    }
    return answers;
  }

  test("are limited, and a closed one makes room", async () => {
    const port = await serve({ connections: 2, headersMs: 30_000 });
    const { socket, closed } = open(port);
    await once(socket, "connect");
    expect(await answered(port, 3)).toBe(1);
    socket.destroy();
    await closed;
    await expect.poll(() => answered(port, 1)).toBe(1);
  });

  test("are not limited for a trusted proxy", async () => {
    const { trustedProxies: trusted } = readEnv({ TRUSTED_PROXIES: "127.0.0.0/8" });
    expect(await answered(await serve({ connections: 2, trusted }), 5)).toBe(5);
  });
});

test("one port serves both loopback addresses, and a port in use is an error", async () => {
  const servers = ["127.0.0.1", "::1"].map((host) => {
    const server = createLimitedServer(
      (_, response) => void response.end(host),
      () => false,
      serverLimits(),
    );
    closings.push(() => server.close());
    return { server, host };
  });
  const [first, second] = servers;
  if (!first || !second) throw new Error("no servers");
  await bind(first.server, 0, first.host);
  const { port } = first.server.address() as AddressInfo;
  const hasIpv6 = await bind(second.server, port, second.host); // some test machines have none
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("127.0.0.1");
  if (hasIpv6) expect(await (await fetch(`http://[::1]:${port}`)).text()).toBe("::1");
  expect(["127.0.0.1", "::1"]).toContain(await (await fetch(`http://localhost:${port}`)).text());
  const third = createLimitedServer(
    () => {},
    () => false,
    serverLimits(),
  );
  await expect(bind(third, port, "127.0.0.1")).rejects.toThrow("EADDRINUSE");
});

test("the times are 30 s for headers and bodies", () => {
  expect(serverLimits()).toMatchObject({ headersMs: 30_000, bodyMs: 30_000 });
});
