import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { databaseFailed } from "../db/gate";
import { reportUnavailable } from "./unavailable";

/** Sends one request to a page that answers as given. */
async function pageThat(answer: (response: ServerResponse) => void): Promise<Response> {
  const server = createServer((_, response) => {
    reportUnavailable(response);
    answer(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
  });
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const fails: [how: string, (response: ServerResponse) => void][] = [
  ["in one call", (response) => void response.writeHead(500, { "content-type": "text/html" }).end("<p>fault")],
  [
    "in parts, with headers of their own",
    (response) => {
      response.statusCode = 500;
      response.setHeader("content-length", "8");
      response.write("<p>fa");
      response.end("ult");
    },
  ],
];

describe.each(fails)("a page that fails %s", (_, answer) => {
  test("is answered with 503, Retry-After and a plain page if the database has just failed", async () => {
    databaseFailed();
    const response = await pageThat(answer);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(response.headers.get("content-security-policy")).toMatch(/script-src 'none'/);
    const text = await response.text();
    expect(text).toContain("<h1>Not available right now</h1>");
    expect(text).not.toContain("fault");
  });

  test("keeps its answer if the database works", async () => {
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const response = await pageThat(answer);
    expect([response.status, await response.text()]).toEqual([500, "<p>fault"]);
  });
});

test("every other answer is kept", async () => {
  databaseFailed();
  const response = await pageThat((answer) => void answer.writeHead(404).end("absent"));
  expect([response.status, await response.text()]).toEqual([404, "absent"]);
});
