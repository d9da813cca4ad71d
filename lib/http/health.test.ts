import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databasePool, db, signingKeys } from "../db";
import { env } from "../env";
import { rotateSigningKey } from "../oauth/keys";
import "../testing";
import { ownPort } from "../testing/own-port";
import { answerHealth, serveHealth } from "./health";

const server = createServer((request, response) => {
  if (!answerHealth(request, response)) response.writeHead(404).end();
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await rotateSigningKey(); // as every installation has one after the first sign-in of an application
});
afterAll(() => void server.close().closeAllConnections());

async function ask(path: string, method = "GET") {
  const answer = await fetch(url + path, { method });
  return { status: answer.status, body: await answer.text() };
}

const isReady = async () => {
  const { status, body } = await ask("/health/ready");
  return { status, ...JSON.parse(body) };
};
const ok = { database: "ok", schema: "ok", keys: "ok", store: "ok", draining: false };

test("200: the process responds, and can work", async () => {
  expect(await ask("/health/live")).toEqual({ status: 200, body: '{"live":true}' });
  await expect.poll(isReady).toEqual({ status: 200, ready: true, checks: ok });
  expect(await ask("/health/ready", "HEAD")).toEqual({ status: 200, body: "" });
});

test("405: another method; other paths are not for health checks", async () => {
  expect((await ask("/health/live", "POST")).status).toBe(405);
  expect((await ask("/health", "GET")).status).toBe(404);
});

describe("503, with the problem", () => {
  const unready = (problems: object) => ({ status: 503, ready: false, checks: { ...ok, ...problems } });

  test("no connection of the database answers: within two seconds, also for the probes after the first", async () => {
    const pool = databasePool();
    const taken = await Promise.all(Array.from({ length: pool.most }, () => pool.connect()));
    const notChecked = "Not checked, because the database does not answer";
    const expected = unready({ database: "The database does not answer", schema: notChecked, keys: notChecked });
    await expect.poll(isReady, { interval: 10 }).toEqual(expected);
    const waiting = pool.waitingCount;
    expect(await Promise.all(Array.from({ length: 20 }, isReady))).toEqual(Array(20).fill(expected));
    expect(pool.waitingCount).toBe(waiting); // the later probes wait for no connection
    for (const client of taken) client.release();
    await expect.poll(isReady).toMatchObject({ status: 200 });
  });

  test("SECRETS_KEY does not contain the key of the database", async () => {
    const sealedElsewhere = Buffer.alloc(64, 1);
    const createdAt = sql`now() + interval '1 hour'`;
    await db
      .insert(signingKeys)
      .values({ kid: "elsewhere", publicJwk: {}, privateJwkSealed: sealedElsewhere, createdAt });
    const keys = "SECRETS_KEY does not contain the key that sealed the newest signing key";
    await expect.poll(isReady).toEqual(unready({ keys }));
    await db.delete(signingKeys).where(eq(signingKeys.kid, "elsewhere"));
    await expect.poll(isReady).toMatchObject({ status: 200 });
  });

  test("the folder of the store does not exist", async () => {
    const { dataDir } = env;
    Object.assign(env, { dataDir: `${dataDir}/absent` });
    await expect.poll(isReady).toEqual(unready({ store: "The store does not answer, or refuses access" }));
    Object.assign(env, { dataDir });
    await expect.poll(isReady).toMatchObject({ status: 200 });
  });
});

test("HEALTH_PORT serves health checks and nothing else", async () => {
  const { healthPort } = env;
  const port = await ownPort();
  Object.assign(env, { healthPort: port });
  const servers = await serveHealth();
  try {
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect([await statusOf("/health/live"), await statusOf("/metrics")]).toEqual([200, 404]);
  } finally {
    Object.assign(env, { healthPort });
    for (const one of servers) one.close().closeAllConnections();
  }
});
