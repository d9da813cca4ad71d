import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { db, forwarders } from "../lib/db";
import { env, readEnv } from "../lib/env";
import { listForwarders, reportForwarder } from "../lib/http/forwarders";
import "../lib/testing";
import { checkSetup } from "./doctor";

beforeEach(async () => void (await db.delete(forwarders)));

function from(remoteAddress: string, headers: { [name: string]: string }, now = Date.now()): void {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
  reportForwarder(Object.assign(new IncomingMessage(socket), { headers }), now);
}
const problems = async () => (await checkSetup()).problems.filter(({ problem }) => problem.includes("TRUSTED_PROXIES"));

test("doctor reports a proxy that is not trusted as a failure, and a public sender as a warning", async () => {
  from("8.8.4.4", {});
  expect(await listForwarders()).toEqual([]);
  from("::ffff:10.0.0.7", { "x-forwarded-for": "1.2.3.4" });
  from("8.8.8.8", { forwarded: "for=1.2.3.4" });
  await expect.poll(async () => (await listForwarders()).length).toBe(2);
  expect((await problems()).map(({ severity, fix }) => [severity, fix]).sort()).toEqual([
    ["failure", "Add 10.0.0.7 to TRUSTED_PROXIES"],
    ["warning", "If it is your proxy, add 8.8.8.8 to TRUSTED_PROXIES"],
  ]);
});

test("a trusted proxy is not reported", async () => {
  const before = env.trustedProxies;
  Object.assign(env, { trustedProxies: readEnv({ TRUSTED_PROXIES: "10.0.0.7" }).trustedProxies });
  from("10.0.0.7", { "x-forwarded-for": "1.2.3.4" });
  Object.assign(env, { trustedProxies: before });
  from("10.0.0.8", { "x-forwarded-for": "1.2.3.4" }, Date.now() + 60_000);
  await expect.poll(listForwarders).toMatchObject([{ address: "10.0.0.8" }]);
});
