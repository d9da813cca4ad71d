import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, BlockList } from "node:net";
import { describe, expect, test } from "vitest";
import { askedAddress, keepAddress, keepQuery, queryAsSent, shortenUserAgent } from "./page-request";

/** Returns what a page reads from a request for this path after the server kept it. */
async function readOf<T>(
  path: string,
  headers: { [name: string]: string },
  { keep, read }: { keep: (incoming: IncomingMessage) => void; read: (request: Request) => T },
): Promise<T | undefined> {
  let found: T | undefined;
  const server = createServer((incoming, response) => {
    keep(incoming);
    const kept = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    // Next decodes the URL and encodes it again.
    const address = new URL(incoming.url ?? "/", "http://localhost");
    address.search = address.searchParams.toString();
    found = read(new Request(address, { headers: kept.filter(([name]) => name.startsWith("x-")) }));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so its address is not a path
  try {
    await new Promise<void>((resolve, reject) => {
      const sent = httpRequest({ port, host: "127.0.0.1", path, headers, agent: false }, (answer) => {
        answer.resume().once("end", resolve);
      });
      sent.once("error", reject).end();
    });
    return found;
  } finally {
    server.close();
  }
}

const keptOf = (path: string, headers: { [name: string]: string } = {}) =>
  readOf(path, headers, { keep: keepQuery, read: queryAsSent });

test.each(["a=%FF%00&b=%20+~'()*", "a=1&a=2", "state=a?b=c", ""])(
  "a query is kept as it was sent: %s",
  async (query) => {
    expect(await keptOf(`/authorize?${query}`)).toBe(query);
  },
);

test("a client cannot set the kept query", async () => {
  expect(await keptOf("/authorize", { "x-query-as-sent": "state=other" })).toBe("");
});

test("without a kept query, it is the URL's own", () => {
  expect(queryAsSent(new Request("http://localhost/authorize?a=%20b"))).toBe("a=%20b");
});

describe("the host and scheme that the browser requested", () => {
  const here = new BlockList();
  here.addAddress("127.0.0.1");
  const elsewhere = new BlockList();
  elsewhere.addAddress("10.0.0.1");
  const FORWARDED = { host: "web:3000", "x-forwarded-host": "app.example.com, web", "x-forwarded-proto": "https,http" };

  test.each([
    ["are those of the request", { host: "App.Example.com:8080" }, undefined, { host: "app.example.com:8080" }],
    ["are those that a trusted proxy names", FORWARDED, here, { scheme: "https", host: "app.example.com" }],
    ["are not those that another proxy names", FORWARDED, elsewhere, { host: "web:3000" }],
    ["are not those of the headers if no proxy is trusted", FORWARDED, undefined, { host: "web:3000" }],
    ["have no host if the Host header is invalid", { host: "<script>alert(1)</script>" }, undefined, {}],
    ["have no host if the Host header contains a path", { host: "evil.example/path" }, undefined, {}],
    [
      "have no scheme but http and https",
      { ...FORWARDED, "x-forwarded-proto": "javascript" },
      here,
      { host: "app.example.com" },
    ],
    [
      "cannot be set by the client",
      { host: "a.example", "x-requested-address": "https b.example" },
      undefined,
      { host: "a.example" },
    ],
  ])("%s", async (_, headers, trusted, address) => {
    const keep = (incoming: IncomingMessage) => keepAddress(incoming, trusted);
    const { scheme, host } = address as { scheme?: string; host?: string }; // each row has only some of the fields
    expect(await readOf("/sign-in", headers as { [name: string]: string }, { keep, read: askedAddress })).toEqual({
      scheme,
      host,
    });
  });

  test("are unknown if the server did not keep them", () => {
    expect(askedAddress(new Request("http://localhost/sign-in"))).toBeUndefined();
  });
});

test.each([
  ["M".repeat(12_000), "M".repeat(500)],
  ["Mozilla/5.0", "Mozilla/5.0"],
  [undefined, undefined],
])("Next sees at most 500 characters of a User-Agent", (sent, seen) => {
  const request = { headers: { "user-agent": sent } } as IncomingMessage;
  shortenUserAgent(request);
  expect(request.headers["user-agent"]).toBe(seen);
});
