import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { type OwnProduct, startProduct } from "../../e2e/setup/product";
import { root } from "../../e2e/setup/service";
import { attachToCluster } from "../../lib/db/cluster";
import { cpuSeconds } from "../processes";
import { type BenchUser, bodyOf, createUser, fill, openClient } from "./fill";
import type { Load, Loaded } from "./load";
import { inside, load, type Side, startReference } from "./run";

type LoadRequest = Omit<Load, "port" | "concurrency" | "seconds">;
/** Two servers or requests that are measured in turn. The result is one ÷ other. */
type Comparison = { name: string; one: LoadRequest; other: LoadRequest; otherSide: Side; concurrency: number };
/** The result of a load, and the server CPU per request. */
type Measured = Loaded & { cpuMicroseconds: number };
type Round = { one: Measured; other: Measured };

/** One user creates all posts of the measurement, for one day. */
const QUOTA_PUBLICATIONS_PER_DAY = "1000000";

/** Compares the API with the reference server in interleaved rounds, and reports medians. */
export async function measureApi({ short }: { short: boolean }): Promise<void> {
  const [rounds, seconds, many] = short ? [3, 2, 20_000] : [7, 5, 100_000];
  const undo: (() => unknown)[] = [];
  try {
    const product = await startProduct({ env: { WORKER: "off", LOG_LEVEL: "info", QUOTA_PUBLICATIONS_PER_DAY } });
    undo.push(product.stop);
    const url = (await attachToCluster(product.dataDir)) ?? "";
    const client = await openClient(url);
    undo.push(() => client.end());
    const reference = await startReference(url, product.url, "once");
    undo.push(reference.stop);
    const verifying = await startReference(url, product.url, "always");
    undo.push(verifying.stop);
    const users = await createUsers(product, client, many);
    const ours = { port: Number(new URL(product.url).port), pid: product.webPid() };
    const wanted = comparisons(users, { ours, reference, verifying }, many);
    const results = await compare(wanted, ours, rounds, seconds);
    const settings = {
      DATA_DIR: product.dataDir,
      BASE_URL: product.url,
      LOG_LEVEL: "silent",
      RATE_LIMIT_API: "1000000",
      QUOTA_PUBLICATIONS_PER_DAY,
    };
    await report(results, await inside([url, users.author.token, bodyOf(users.author)], settings));
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

async function createUsers(product: OwnProduct, client: Client, many: number) {
  const users = {
    author: await createUser(product, "author"),
    few: await createUser(product, "few"),
    many: await createUser(product, "many"),
  };
  await fill(client, users.few, 100);
  await fill(client, users.many, many);
  await client.query("analyze");
  return users;
}

/** Measures both sides of each comparison in turn, so that other load on the machine affects both. */
async function compare(wanted: Comparison[], ours: Side, rounds: number, seconds: number) {
  for (const { one, other, otherSide } of wanted) {
    await measured(ours, { ...one, concurrency: 8, seconds: 2 }); // warm
    await measured(otherSide, { ...other, concurrency: 8, seconds: 2 });
  }
  const results: { [name: string]: Round[] } = {};
  for (let round = 0; round < rounds; round++) {
    for (const { name, one, other, otherSide, concurrency } of wanted) {
      const found = {
        one: await measured(ours, { ...one, concurrency, seconds }),
        other: await measured(otherSide, { ...other, concurrency, seconds }),
      };
      results[name] = [...(results[name] ?? []), found];
    }
    console.error(`round ${round + 1} of ${rounds}`);
  }
  return results;
}

async function measured({ port, pid }: Side, wanted: Omit<Load, "port">): Promise<Measured> {
  const before = await cpuSeconds(pid);
  const loaded = await load({ ...wanted, port });
  return { ...loaded, cpuMicroseconds: ((await cpuSeconds(pid)) - before) * (1e6 / loaded.requests) };
}

function comparisons(
  users: { [name in "author" | "few" | "many"]: BenchUser },
  { ours, reference, verifying }: { [name in "ours" | "reference" | "verifying"]: Side },
  many: number,
): Comparison[] {
  const { token } = users.author;
  const create = { method: "POST", path: "/v1/posts", token, body: bodyOf(users.author), status: 201 };
  const accounts = { method: "GET", path: "/v1/accounts", token, status: 200 };
  const list = { method: "GET", path: "/v1/posts?limit=50", status: 200 };
  const beside = (name: string, request: LoadRequest, concurrency: number) => ({
    name: `${name}, ${concurrency} connections ÷ reference`,
    one: request,
    other: request,
    otherSide: reference,
    concurrency,
  });
  return [
    ...[8, 32].map((concurrency) => beside("POST /v1/posts", create, concurrency)),
    ...[8, 32].map((concurrency) =>
      beside("POST /v1/posts with Idempotency-Key", { ...create, keys: true }, concurrency),
    ),
    ...[8, 32].map((concurrency) => beside("GET /v1/accounts", accounts, concurrency)),
    {
      ...beside("GET /v1/accounts", accounts, 8),
      name: "GET /v1/accounts, 8 connections ÷ reference that verifies every token",
      otherSide: verifying,
    },
    {
      name: `GET /v1/posts?limit=50 with ${many} ÷ with 100`,
      one: { ...list, token: users.many.token },
      other: { ...list, token: users.few.token },
      otherSide: ours,
      concurrency: 8,
    },
  ];
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function report(results: { [name: string]: Round[] }, found: Awaited<ReturnType<typeof inside>>): Promise<void> {
  const rows = Object.entries(results).map(([name, rounds]) => ({
    name,
    throughput: median(rounds.map(({ one, other }) => one.perSecond / other.perSecond)),
    p99: median(rounds.map(({ one, other }) => one.p99Ms / other.p99Ms)),
    perSecond: [median(rounds.map(({ one }) => one.perSecond)), median(rounds.map(({ other }) => other.perSecond))],
    cpuMicroseconds: median(rounds.map(({ one }) => one.cpuMicroseconds)),
    cpu: median(rounds.map(({ one, other }) => other.cpuMicroseconds / one.cpuMicroseconds)),
  }));
  console.log(
    "| what | throughput ratio | p99 ratio | requests per second | CPU of the web process, µs | CPU ratio |\n|---|---|---|---|---|---|",
  );
  for (const { name, throughput, p99, perSecond, cpuMicroseconds, cpu } of rows) {
    const pair = perSecond.map(Math.round).join(" / ");
    console.log(
      `| ${name} | ${throughput.toFixed(2)} | ${p99.toFixed(2)} | ${pair} | ${Math.round(cpuMicroseconds)} | ${cpu.toFixed(2)} |`,
    );
  }
  const share = found.tokenMicroseconds / Math.min(...rows.map((row) => row.cpuMicroseconds));
  console.log(`\nSQL round trips per create: ${found.plain}, with an Idempotency-Key ${found.withKey}`);
  console.log(
    `Checking a cached token: ${found.tokenMicroseconds.toFixed(1)} µs, ${(share * 100).toFixed(1)} % of the cheapest request's CPU`,
  );
  await mkdir(join(root, "bench/results"), { recursive: true });
  const text = JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, found, results }, null, 2);
  await writeFile(join(root, "bench/results/api.json"), text);
}
