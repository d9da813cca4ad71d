import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Guard } from "./egress-guard";
import { type GuardedAnswer, type GuardedCall, guardedFetch } from "./guarded-fetch";
import { countConnections, listenForIntruders } from "./testing/canary";
import { serveFiles } from "./testing/file-server";
import { hostileNames, hostileUrls } from "./testing/hostile-urls";

let canary: Awaited<ReturnType<typeof listenForIntruders>>;
let server: Awaited<ReturnType<typeof serveFiles>>;
let endless = 0;

/** All connections that were opened, to any address. */
const connections = countConnections();

beforeAll(async () => {
  canary = await listenForIntruders();
  server = await serveFiles((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    const to = searchParams.get("to") ?? "";
    if (pathname === "/redirect") return response.writeHead(Number(searchParams.get("status")), { location: to }).end();
    if (pathname === "/lost") return response.writeHead(302).end();
    if (pathname.startsWith("/chain/")) {
      const left = Number(pathname.slice(7));
      return left > 0 ? response.writeHead(302, { location: `/chain/${left - 1}` }).end() : response.end("at last");
    }
    if (pathname === "/silent") return;
    if (pathname === "/short") {
      response.writeHead(200, { "content-length": "1000" }).write("incomplete");
      return setTimeout(() => response.destroy(), 20);
    }
    if (pathname === "/endless") {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) endless += 65_536;
      };
      return response.on("drain", more) && more();
    }
    if (pathname === "/gzip") return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    if (pathname === "/gone") return response.writeHead(410).end("gone");
    response.end("the file");
  });
});
afterAll(async () => {
  connections.stop();
  await server.close();
  await canary.close();
});
beforeEach(() => {
  connections.begun = 0;
});

/** A guard with its own resolver for these names. The test's file server is the only exception. */
function guard(names: { [name: string]: string[] } = {}, more: Partial<Guard> = {}): Guard {
  return {
    resolve: async (host) => names[host] ?? Promise.reject(new Error("ENOTFOUND")),
    allow: [
      { host: "127.0.0.1", ip: "127.0.0.1", port: server.port },
      { host: "files.test", ip: "127.0.0.1", port: server.port },
    ],
    own: [],
    ...more,
  };
}

async function text(url: string, call?: GuardedCall, by = guard()): Promise<string> {
  const answer = await guardedFetch(url, call, by);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The error of a blocked or failed call. */
async function refusal(url: string, call?: GuardedCall, by?: Guard) {
  const { fault, message, lasting } = await text(url, call, by).then(
    (body) => ({ fault: "none", message: body, lasting: false }),
    (error) => error,
  );
  return { fault, message, lasting };
}

test("T16: more than 150 hostile URLs cause no connection", async () => {
  const hostile = hostileUrls(canary.port);
  expect(new Set(hostile.map(({ url }) => url)).size).toBeGreaterThanOrEqual(150);
  for (const { url, refusal: expected } of hostile) {
    expect([url, (await refusal(url)).fault]).toEqual([url, expected]);
  }
  expect([connections.begun, canary.hits]).toEqual([0, 0]);
});

test("the canary counts a connection", async () => {
  const before = canary.hits;
  await new Promise((resolve) => connect(canary.port, "127.0.0.1").on("close", resolve).resume());
  expect([connections.begun, canary.hits]).toEqual([1, before + 1]);
  canary.hits = before;
});

describe("a name is blocked if any of its addresses is not public", () => {
  test.each(Object.keys(hostileNames))("%s", async (name) => {
    const answer = await refusal(`http://${name}:${canary.port}/`, {}, guard(hostileNames));
    expect(answer).toEqual({
      fault: "BLOCKED_ADDRESS",
      message: "the URL does not lead to a public address",
      lasting: true,
    });
    expect([connections.begun, canary.hits]).toEqual([0, 0]);
  });
  test("an unknown name and one without addresses are DNS failures", async () => {
    expect((await refusal("http://unknown.test/")).fault).toBe("DNS_FAILURE");
    expect((await refusal("http://empty.test/", {}, guard({ "empty.test": [] }))).fault).toBe("DNS_FAILURE");
  });
});

describe("an exception matches exactly", () => {
  test("only the name, address and port together", async () => {
    const names = { "files.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] };
    expect(await text(`http://files.test:${server.port}/`, {}, guard(names))).toBe("the file");
    expect(server.asked.at(-1)?.headers.host).toBe(`files.test:${server.port}`);
    for (const url of [`http://other.test:${server.port}/`, `http://files.test:${canary.port}/`]) {
      expect((await refusal(url, {}, guard(names))).fault).toBe("BLOCKED_ADDRESS");
    }
    const moved = guard({ "files.test": ["127.0.0.2"] });
    expect((await refusal(`http://files.test:${server.port}/`, {}, moved)).fault).toBe("BLOCKED_ADDRESS");
  });
  test("only the address that it names is called, even if the name has others", async () => {
    const names = { "files.test": ["::1", "127.0.0.1"] };
    expect(await text(`http://files.test:${server.port}/`, {}, guard(names))).toBe("the file");
  });
  test("it does not open a port of another service", async () => {
    const by = guard({}, { allow: [{ host: "127.0.0.1", ip: "127.0.0.1", port: 6379 }] });
    expect((await refusal("http://127.0.0.1:6379/", {}, by)).fault).toBe("INVALID_URL");
  });
});

test("the name is resolved once per hop, and the connection goes to that address", async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return asked.length === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
  };
  expect(await text(`http://files.test:${server.port}/`, {}, guard({}, { resolve }))).toBe("the file");
  expect(asked).toEqual(["files.test"]);
});

test("Carillon does not call its own URLs, even at a public address", async () => {
  const by = guard({ "api.test": ["93.184.216.34"] }, { own: ["https://api.test"] });
  expect((await refusal("https://api.test/v1/accounts", {}, by)).fault).toBe("BLOCKED_ADDRESS");
  expect(connections.begun).toBe(0);
});

describe("redirects", () => {
  const redirect = (to: string, status = 302) => `${server.url}/redirect?status=${status}&to=${encodeURIComponent(to)}`;
  test.each([301, 302, 303, 307, 308])(
    "%i is followed, and the next address is checked like the first",
    async (status) => {
      expect(await text(redirect("/file", status))).toBe("the file");
      const inside = await refusal(
        redirect(`http://localhost:${canary.port}/`, status),
        {},
        guard({ localhost: ["::1"] }),
      );
      expect([inside.fault, canary.hits]).toEqual(["BLOCKED_ADDRESS", 0]);
    },
  );
  test("to hostile URLs are blocked", async () => {
    const odd = ["file:///etc/passwd", "ftp://93.184.216.34/", "http://a@93.184.216.34/", "http://93.184.216.34:22/"];
    const inside = hostileUrls(canary.port).filter((one) => one.refusal === "BLOCKED_ADDRESS");
    const bytes = /^[\x20-\x7e]+$/; // a header can contain nothing else
    for (const { url } of inside.filter((one) => bytes.test(one.url))) {
      expect([url, (await refusal(redirect(url))).fault]).toEqual([url, "BLOCKED_ADDRESS"]);
    }
    for (const url of odd) expect([url, (await refusal(redirect(url))).fault]).toEqual([url, "INVALID_URL"]);
    expect(canary.hits).toBe(0);
  });
  test("are followed three times at most", async () => {
    expect(await text(`${server.url}/chain/3`)).toBe("at last");
    expect(await refusal(`${server.url}/chain/4`)).toEqual({
      fault: "HTTP_STATUS",
      message: "the server redirects more than 3 times",
      lasting: true,
    });
  });
  test("without a Location header are returned as an answer", async () => {
    const { status, close } = await guardedFetch(`${server.url}/lost`, {}, guard());
    close();
    expect(status).toBe(302);
  });
  test("are returned if the caller asked for that", async () => {
    const before = server.asked.length;
    const { status, close } = await guardedFetch(redirect("/file"), { redirects: "return" }, guard());
    close();
    expect([status, server.asked.length]).toEqual([302, before + 1]);
  });
});

describe("an answer", () => {
  test("is requested without compression, and is not decompressed", async () => {
    expect(await text(`${server.url}/gzip`)).not.toBe("packed");
    expect(server.asked.at(-1)?.headers["accept-encoding"]).toBe("identity");
  });
  test("that never starts is a timeout", async () => {
    expect(await refusal(`${server.url}/silent`, { totalMs: 300 })).toEqual({
      fault: "TIMEOUT",
      message: "the server did not start to answer in time",
      lasting: false,
    });
  });
  test("that never ends is cut off at the size limit", async () => {
    expect((await refusal(`${server.url}/endless`, { maxBytes: 1_048_576 })).fault).toBe("TOO_LARGE");
    expect(endless).toBeLessThan(16 * 1_048_576);
  });
  test("that is shorter than declared is a failed connection", async () => {
    expect(await refusal(`${server.url}/short`)).toMatchObject({ fault: "CONNECTION_FAILED", lasting: false });
  });
  test("with any status is returned to the caller", async () => {
    const { status, close } = await guardedFetch(`${server.url}/gone`, {}, guard());
    close();
    expect(status).toBe(410);
  });
});

describe("an answer whose server closes the connection before anybody reads the body", () => {
  const HEAD = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
  const BODY = "a".repeat(65_536); // one that the system keeps for us together with the end of the connection
  const announced = (body: string, bytes = body.length) => `${HEAD}Content-Length: ${bytes}\r\n\r\n${body}`;
  const chunked = (body: string) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}`;

  /** Calls a server that sends these bytes and ends the connection, and waits until it has ended. */
  async function called<Result>(bytes: string, use: (answer: GuardedAnswer) => Promise<Result>): Promise<Result> {
    const raw = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(bytes)));
    await once(raw.listen(0, "127.0.0.1"), "listening");
    const { port } = raw.address() as AddressInfo;
    try {
      const sent = once(raw, "connection").then(([socket]) => once(socket, "finish"));
      const allow = [{ host: "127.0.0.1", ip: "127.0.0.1", port }];
      const answer = await guardedFetch(`http://127.0.0.1:${port}/`, {}, guard({}, { allow }));
      await sent; // the operating system has all bytes and the end of the connection
      for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve));
      return await use(answer);
    } finally {
      await new Promise((resolve) => raw.close(resolve));
    }
  }
  const lengthOf = async ({ body }: GuardedAnswer) => {
    let length = 0;
    for await (const chunk of body) length += chunk.length;
    return length;
  };

  test.each([
    ["of an announced size", announced(BODY)],
    ["in chunks", `${chunked(BODY)}\r\n0\r\n\r\n`],
    ["that ends with the connection", `${HEAD}\r\n${BODY}`],
    ["followed by more than was announced", `${announced(BODY)}more`],
  ])("%s is read to its end", async (_name, bytes) => {
    expect(await called(bytes, lengthOf)).toBe(BODY.length);
  });
  test("can be closed without reading it", async () => {
    await called(announced(BODY), async ({ close }) => close());
  });
  test.each([
    [
      "shorter than announced",
      announced(BODY, BODY.length + 1),
      "the server sent a different number of bytes than it announced",
    ],
    ["within a chunk", chunked(BODY), "the server closed the connection"],
  ])("%s fails, and is never taken as complete", async (_name, bytes, message) => {
    await expect(called(bytes, lengthOf)).rejects.toMatchObject({
      fault: "CONNECTION_FAILED",
      message,
      lasting: false,
    });
  });
});

test("a POST sends its own body and headers, and none of an earlier call", async () => {
  await text(`${server.url}/hook`, {
    method: "POST",
    body: '{"a":1}',
    headers: { "content-type": "application/json" },
  });
  expect(server.asked.at(-1)).toMatchObject({
    method: "POST",
    body: '{"a":1}',
    headers: { "content-type": "application/json", "user-agent": "Carillon" },
  });
  await text(`${server.url}/plain`);
  expect(server.asked.at(-1)?.headers).not.toHaveProperty("content-type");
});

test("if nothing listens, the connection is refused, and the message does not contain the address", async () => {
  const closed = await serveFiles(() => {});
  await closed.close();
  const by = guard({}, { allow: [{ host: "127.0.0.1", ip: "127.0.0.1", port: closed.port }] });
  expect(await refusal(`${closed.url}/`, {}, by)).toEqual({
    fault: "CONNECTION_FAILED",
    message: "the server refused the connection",
    lasting: false,
  });
});

test("aborting the caller's signal ends the call with the caller's reason", async () => {
  const stop = new AbortController();
  const ended = text(`${server.url}/silent`, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(ended).rejects.toThrow("enough");
});
