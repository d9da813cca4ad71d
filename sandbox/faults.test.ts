import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATIONS } from "./core/faults";
import { openWorld } from "./core/world";
import { networks } from "./server";
import { testSandbox } from "./testing/sandbox";

const sandbox = testSandbox();
beforeEach(() => sandbox.control("POST", "reset"));

type Address = {
  method: string;
  path: string;
  fields?: { [name: string]: string };
  headers?: { [name: string]: string };
};

/** Request variants that select different operations on the same path. */
const FORMS: Omit<Address, "method" | "path">[] = [
  {},
  { fields: { grant_type: "refresh_token" } },
  { fields: { grant_type: "fb_exchange_token" } },
  { fields: { upload_phase: "start" } },
  { fields: { upload_phase: "transfer" } },
  { headers: { "content-range": "bytes 0-0/2" } },
];
const METHODS = ["sendMessage", "getMe", "getChat"];

/** One request per route and variant of a network, with sample values for path parameters. */
function addressesOf({ id, open }: (typeof networks)[number]): Address[] {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "sandbox-routes-"));
  const world = openWorld(dir);
  const network = open(world);
  const addresses = network.routes.flatMap(({ method, path: at }) =>
    (at.includes(":method") ? METHODS : [""]).flatMap((called) =>
      FORMS.map((form) => ({ method, path: `/${id}${withoutNames(at, called)}`, ...form })),
    ),
  );
  network.close?.();
  world.close();
  fs.rmSync(dir, { recursive: true, force: true });
  return addresses.filter(({ method, fields }) => !fields || method === "POST" || "grant_type" in fields);
}

function withoutNames(at: string, called: string): string {
  const named: { [name: string]: string } = { bot: "bot1:a", method: called, version: "v26.0" };
  return at.replace(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => named[name] ?? "1");
}

function send({ method, path: at, fields, headers }: Address) {
  const url = new URL(at, sandbox.url);
  if (method === "GET") url.search = new URLSearchParams(fields).toString();
  const body = fields && method !== "GET" ? { body: new URLSearchParams(fields) } : {};
  return fetch(url, { method, redirect: "manual", headers: { ...headers }, ...body });
}

/**
 * Makes a call and returns what the client sees: the status (0 without a response), whether the body is complete, and whether it
 * is an error. TikTok reports some errors with status 200.
 */
async function seen(address: Address) {
  try {
    const answer = await send(address);
    const { status, headers } = answer;
    const [type, elsewhere] = [headers.get("content-type"), headers.get("location")];
    const text = await answer.text().catch(() => undefined);
    const isError = status >= 400 || /"error":/.test(text ?? "");
    return { status, isWhole: text !== undefined, isError, type, elsewhere };
  } catch {
    return { status: 0, isWhole: false };
  }
}

/** The effect of each fault, for every operation. */
const EFFECTS = {
  drop_response: { status: 0 },
  refuse: { status: 0 },
  cut_body: { isWhole: false },
  http_500: { status: 500, isWhole: true },
  http_502_html: { status: 502, type: expect.stringContaining("text/html") },
  redirect_elsewhere: { status: 307, elsewhere: expect.stringContaining("/_elsewhere/") },
  rate_limit: { status: expect.toSatisfy((status: number) => [400, 403, 429].includes(status)), isWhole: true },
  invalid_grant: { isError: true, isWhole: true },
  late_response: { isWhole: true },
  slow: { isWhole: true },
};

/** Operations that a network does not have, or that it combines with another operation. */
const MISSING: { [network: string]: string[] } = {
  x: ["destinations"],
  youtube: [],
  threads: ["upload"],
  tiktok: ["destinations"],
  instagram: ["upload"],
  linkedin: [],
  bluesky: ["destinations"],
  telegram: ["token", "refresh", "upload", "prepare", "status"],
  facebook: [],
  pinterest: [],
};

/** What every network does alike is tried on two, and on all of them in the long run (`npm run test:long`). */
const OF_EACH_NETWORK = ["http_500", "rate_limit", "invalid_grant"];
const isLongRun = process.env.TEST_BREADTH === "all";
const effectsOn = (network: string) =>
  Object.entries(EFFECTS).filter(
    ([fault]) => isLongRun || OF_EACH_NETWORK.includes(fault) || network === "x" || network === "telegram",
  );

describe.each(networks.map((network) => [network.id, network] as const))("%s", (network, definition) => {
  const found = new Map<string, Address>();
  beforeAll(async () => {
    const addresses = addressesOf(definition);
    for (const address of addresses) await seen(address);
    const calls = await sandbox.calls(network);
    expect(calls).toHaveLength(addresses.length);
    for (const [index, address] of addresses.entries()) {
      const operation = calls[index]?.operation ?? "";
      if (!found.has(operation)) found.set(operation, address);
    }
  });

  test.each(effectsOn(network))("%s has its documented effect on every operation", async (fault, effect) => {
    const operations = OPERATIONS.filter((operation) => found.has(operation));
    for (const operation of operations) {
      const address = found.get(operation);
      if (!address) continue;
      await sandbox.fault({ network, operation, fault, afterSeconds: 0.01 });
      expect({ operation, ...(await seen(address)) }).toMatchObject({ operation, ...effect });
    }
    expect((await sandbox.calls(network)).map(({ operation }) => operation)).toEqual(operations);
    expect(await (await sandbox.control("GET", "faults")).json()).toEqual([]);
  });

  test("covers every operation of its protocol", () => {
    expect(OPERATIONS.filter((operation) => !found.has(operation))).toEqual(MISSING[network]);
  });
});
