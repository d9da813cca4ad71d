import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../env";
import { ownPort } from "../testing/own-port";
import { answerMetrics, serveMetrics } from "./metrics";

const TOKEN = "a token of at least sixteen characters";

const server = createServer((request, response) => answerMetrics(request, response));
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
});
afterAll(() => {
  server.close();
});

/** Runs a part of a test with other settings of `/metrics`. */
async function withMetrics<T>(metrics: typeof env.metrics, run: () => Promise<T>): Promise<T> {
  const kept = env.metrics;
  Object.assign(env, { metrics });
  try {
    return await run();
  } finally {
    Object.assign(env, { metrics: kept });
  }
}

const seen = async (headers: { [name: string]: string } = {}, method = "GET") => {
  const answer = await fetch(url, { method, headers });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
};

describe("200", () => {
  test("the delay of the event loop, for a request from this machine without a token", async () => {
    const { status, type, text } = await seen();
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text).toContain("# TYPE carillon_event_loop_delay_seconds gauge");
    for (const statistic of ["mean", "p99", "max"]) {
      expect(text).toMatch(
        new RegExp(`^carillon_event_loop_delay_seconds\\{statistic="${statistic}"\\} [0-9.e-]+$`, "m"),
      );
    }
  });

  test("with METRICS_TOKEN, only for requests that send it", async () => {
    await withMetrics({ token: TOKEN, port: undefined }, async () => {
      expect((await seen({ authorization: `Bearer ${TOKEN}` })).status).toBe(200);
      for (const headers of [{}, { authorization: `Bearer ${TOKEN}x` }, { authorization: TOKEN }]) {
        expect(await seen(headers as { [name: string]: string })).toMatchObject({
          status: 401,
          text: "Send the value of METRICS_TOKEN in the header Authorization: Bearer …\n",
        });
      }
    });
  });

  test("on METRICS_PORT, which serves nothing else", async () => {
    const port = await ownPort();
    await withMetrics({ token: undefined, port }, async () => {
      const servers = await serveMetrics();
      try {
        const onPort = (path: string) =>
          fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-forwarded-for": "192.0.2.1" } });
        expect((await onPort("/metrics")).status).toBe(200);
        expect((await onPort("/sign-in")).status).toBe(404);
      } finally {
        for (const one of servers) one.close();
      }
    });
  });
});

test.each(["x-forwarded-for", "forwarded"])(
  "403: a proxy on this machine forwards someone else's request (%s)",
  async (name) => {
    expect(await seen({ [name]: "192.0.2.1" })).toMatchObject({
      status: 403,
      text: "/metrics is for this machine only. Set METRICS_TOKEN to read it from elsewhere\n",
    });
  },
);

test("405: another method", async () => {
  expect((await seen({}, "POST")).status).toBe(405);
});
