import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { keepQuery, queryAsSent } from "./page-request";

/** The query that a page is given for this address, as a server keeps it. */
async function keptOf(path: string, headers: { [name: string]: string } = {}): Promise<string> {
  const server = createServer((incoming, response) => {
    keepQuery(incoming);
    const kept = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    // Next hands over the address decoded and encoded again.
    const address = new URL(incoming.url ?? "/", "http://localhost");
    address.search = address.searchParams.toString();
    response.end(queryAsSent(new Request(address, { headers: kept.filter(([name]) => name.startsWith("x-")) })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so its address is no path
  try {
    return await new Promise<string>((resolve, reject) => {
      const sent = httpRequest({ port, host: "127.0.0.1", path, headers, agent: false }, async (answer) => {
        let text = "";
        for await (const piece of answer) text += piece;
        resolve(text);
      });
      sent.once("error", reject).end();
    });
  } finally {
    server.close();
  }
}

test.each(["a=%FF%00&b=%20+~'()*", "a=1&a=2", "state=a?b=c", ""])(
  "a query is kept as it was sent: %s",
  async (query) => {
    expect(await keptOf(`/authorize?${query}`)).toBe(query);
  },
);

test("nobody else says what the query was", async () => {
  expect(await keptOf("/authorize", { "x-query-as-sent": "state=other" })).toBe("");
});

test("without a server that keeps it, it is the address's own", () => {
  expect(queryAsSent(new Request("http://localhost/authorize?a=%20b"))).toBe("a=%20b");
});
