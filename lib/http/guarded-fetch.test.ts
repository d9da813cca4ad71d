import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Guard } from "./egress-guard";
import { type GuardedCall, guardedFetch } from "./guarded-fetch";
import { listenForIntruders } from "./testing/canary";
import { serveFiles } from "./testing/file-server";
import { hostileNames, hostileUrls } from "./testing/hostile-urls";

let canary: Awaited<ReturnType<typeof listenForIntruders>>;
let server: Awaited<ReturnType<typeof serveFiles>>;
let endless = 0;

/** Connections that were begun, wherever they led. */
let begun = 0;
const count = () => {
  begun += 1;
};

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
      response.writeHead(200, { "content-length": "1000" }).write("not all of it");
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
  subscribe("undici:client:beforeConnect", count);
});
afterAll(async () => {
  unsubscribe("undici:client:beforeConnect", count);
  await server.close();
  await canary.close();
});
beforeEach(() => {
  begun = 0;
});

/** Names as a resolver of the test's knows them; our file server is the one exception. */
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

/** What a call is refused with. */
async function refusal(url: string, call?: GuardedCall, by?: Guard) {
  const { fault, message, lasting } = await text(url, call, by).then(
    (body) => ({ fault: "none", message: body, lasting: false }),
    (error) => error,
  );
  return { fault, message, lasting };
}

test("T16: more than 150 hostile URLs, and not one connection", async () => {
  const hostile = hostileUrls(canary.port);
  expect(new Set(hostile.map(({ url }) => url)).size).toBeGreaterThanOrEqual(150);
  for (const { url, refusal: expected } of hostile) {
    expect([url, (await refusal(url)).fault]).toEqual([url, expected]);
  }
  expect([begun, canary.hits]).toEqual([0, 0]);
});

test("the canary sings: whoever connects to it is noticed", async () => {
  const before = canary.hits;
  await new Promise((resolve) => connect(canary.port, "127.0.0.1").on("close", resolve).resume());
  expect(canary.hits).toBe(before + 1);
  canary.hits = before;
});

describe("a name is refused when any of its addresses is not public", () => {
  test.each(Object.keys(hostileNames))("%s", async (name) => {
    const answer = await refusal(`http://${name}:${canary.port}/`, {}, guard(hostileNames));
    expect(answer).toEqual({
      fault: "BLOCKED_ADDRESS",
      message: "the URL does not lead to a public address",
      lasting: true,
    });
    expect([begun, canary.hits]).toEqual([0, 0]);
  });
  test("one that nobody knows, or that has no address", async () => {
    expect((await refusal("http://nobody.test/")).fault).toBe("DNS_FAILURE");
    expect((await refusal("http://empty.test/", {}, guard({ "empty.test": [] }))).fault).toBe("DNS_FAILURE");
  });
});

describe("an exception is exact", () => {
  test("the name, its address and the port together", async () => {
    const names = { "files.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] };
    expect(await text(`http://files.test:${server.port}/`, {}, guard(names))).toBe("the file");
    expect(server.asked.at(-1)?.headers.host).toBe(`files.test:${server.port}`);
    for (const url of [`http://other.test:${server.port}/`, `http://files.test:${canary.port}/`]) {
      expect((await refusal(url, {}, guard(names))).fault).toBe("BLOCKED_ADDRESS");
    }
    const moved = guard({ "files.test": ["127.0.0.2"] });
    expect((await refusal(`http://files.test:${server.port}/`, {}, moved)).fault).toBe("BLOCKED_ADDRESS");
  });
  test("of a name's addresses only the one that it names is called", async () => {
    const names = { "files.test": ["::1", "127.0.0.1"] };
    expect(await text(`http://files.test:${server.port}/`, {}, guard(names))).toBe("the file");
  });
  test("a port of another service stays closed", async () => {
    const by = guard({}, { allow: [{ host: "127.0.0.1", ip: "127.0.0.1", port: 6379 }] });
    expect((await refusal("http://127.0.0.1:6379/", {}, by)).fault).toBe("INVALID_URL");
  });
});

test("the name is asked about once for each hop, and the connection goes to that answer", async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return asked.length === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
  };
  expect(await text(`http://files.test:${server.port}/`, {}, guard({}, { resolve }))).toBe("the file");
  expect(asked).toEqual(["files.test"]);
});

test("Carillon does not call itself, public though its address be", async () => {
  const by = guard({ "api.test": ["93.184.216.34"] }, { own: ["https://api.test"] });
  expect((await refusal("https://api.test/v1/accounts", {}, by)).fault).toBe("BLOCKED_ADDRESS");
  expect(begun).toBe(0);
});

describe("redirects", () => {
  const redirect = (to: string, status = 302) => `${server.url}/redirect?status=${status}&to=${encodeURIComponent(to)}`;
  test.each([301, 302, 303, 307, 308])("%i is followed, the next address checked like the first", async (status) => {
    expect(await text(redirect("/file", status))).toBe("the file");
    const inside = await refusal(
      redirect(`http://localhost:${canary.port}/`, status),
      {},
      guard({ localhost: ["::1"] }),
    );
    expect([inside.fault, canary.hits]).toEqual(["BLOCKED_ADDRESS", 0]);
  });
  test("to any of the hostile URLs leads nowhere", async () => {
    const odd = ["file:///etc/passwd", "ftp://93.184.216.34/", "http://a@93.184.216.34/", "http://93.184.216.34:22/"];
    const inside = hostileUrls(canary.port).filter((one) => one.refusal === "BLOCKED_ADDRESS");
    const bytes = /^[\x20-\x7e]+$/; // nothing else can stand in a header
    for (const { url } of inside.filter((one) => bytes.test(one.url))) {
      expect([url, (await refusal(redirect(url))).fault]).toEqual([url, "BLOCKED_ADDRESS"]);
    }
    for (const url of odd) expect([url, (await refusal(redirect(url))).fault]).toEqual([url, "INVALID_URL"]);
    expect(canary.hits).toBe(0);
  });
  test("three at most", async () => {
    expect(await text(`${server.url}/chain/3`)).toBe("at last");
    expect(await refusal(`${server.url}/chain/4`)).toEqual({
      fault: "HTTP_STATUS",
      message: "the server redirects more than 3 times",
      lasting: true,
    });
  });
  test("without a place to go to it is an answer", async () => {
    const { status, close } = await guardedFetch(`${server.url}/lost`, {}, guard());
    close();
    expect(status).toBe(302);
  });
  test("are not followed where the caller wants the answer itself", async () => {
    const before = server.asked.length;
    const { status, close } = await guardedFetch(redirect("/file"), { redirects: "return" }, guard());
    close();
    expect([status, server.asked.length]).toEqual([302, before + 1]);
  });
});

describe("an answer", () => {
  test("is asked for unpacked, and is not unpacked", async () => {
    expect(await text(`${server.url}/gzip`)).not.toBe("packed");
    expect(server.asked.at(-1)?.headers["accept-encoding"]).toBe("identity");
  });
  test("that never begins is a timeout, as one that never ends", async () => {
    expect(await refusal(`${server.url}/silent`, { totalMs: 300 })).toEqual({
      fault: "TIMEOUT",
      message: "the server did not start to answer in time",
      lasting: false,
    });
  });
  test("that never ends is cut where it becomes too much", async () => {
    expect((await refusal(`${server.url}/endless`, { maxBytes: 1_048_576 })).fault).toBe("TOO_LARGE");
    expect(endless).toBeLessThan(16 * 1_048_576);
  });
  test("that is shorter than it says is a failed connection", async () => {
    expect(await refusal(`${server.url}/short`)).toMatchObject({ fault: "CONNECTION_FAILED", lasting: false });
  });
  test("with any status is the caller's to judge", async () => {
    const { status, close } = await guardedFetch(`${server.url}/gone`, {}, guard());
    close();
    expect(status).toBe(410);
  });
});

test("a POST brings its body and headers, and nothing of an earlier call's", async () => {
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

test("nobody listening is a refused connection, without the address in the message", async () => {
  const closed = await serveFiles(() => {});
  await closed.close();
  const by = guard({}, { allow: [{ host: "127.0.0.1", ip: "127.0.0.1", port: closed.port }] });
  expect(await refusal(`${closed.url}/`, {}, by)).toEqual({
    fault: "CONNECTION_FAILED",
    message: "the server refused the connection",
    lasting: false,
  });
});

test("the caller's signal ends it with the caller's own reason", async () => {
  const stop = new AbortController();
  const ended = text(`${server.url}/silent`, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(ended).rejects.toThrow("enough");
});
