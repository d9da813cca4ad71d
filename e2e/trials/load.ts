import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { OwnProduct } from "../setup/product";
import { root } from "../setup/service";
import { type Answer, type Headers, jsonOf, send, sendJson } from "./http";
import { connectAccount, newPartner, newPerson, partnerToken } from "./people";
import { pick } from "./random";
import type { Figures, Trial, TrialContext } from "./trial";

/** Requests per second. */
const RATE = 120;
const SECONDS = 600;
/** The short form sends so many requests twice, each lane one after the other. */
const HALF = 600;
const LANES = 8;
const P99_MS = 300;
const DRIFT = 0.1;
const LOOK_EVERY_MS = 1000;
const PATIENCE_MS = 60_000;

type Kind = { name: string; share: number; ok: number; ask(): Promise<Answer> };

/**
 * T21: a steady mixture of requests, each sent at its time whether or not earlier ones were answered. The time of an answer
 * counts from when its request was due, so a pause of the product affects every request that it delayed. The short form measures no
 * time, because the machine runs other tests: it compares what the web process holds in memory after half of its requests and after all.
 */
export const load: Trial = {
  id: "T21",
  guarantee: "120 mixed requests/s for 10 min: no error, p99 ≤ 300 ms, memory drift ≤ 10 %",
  settings: async () => ({ NODE_OPTIONS: `--require "${root}/e2e/setup/held-memory.cjs"` }),
  async run(context, size) {
    const kinds = await mixture(context);
    const lot = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
    return size === "whole" ? atTheirTimes(context, lot) : inTwoHalves(context, lot);
  },
};

async function atTheirTimes(context: TrialContext, lot: Kind[]): Promise<Figures> {
  const count = RATE * SECONDS;
  const memory = watchMemory(context.product.webPid());
  const begun = performance.now();
  const answers: Promise<number>[] = [];
  for (let index = 0; index < count; index++) {
    const due = begun + (index * 1000) / RATE;
    await sleep(Math.max(0, due - performance.now()));
    answers.push(one(context, pick(context.random, lot), due));
    if (index % (RATE * 60) === RATE * 60 - 1) context.log(`${Math.round(index / RATE / 60)} min`);
  }
  const times = (await Promise.all(answers)).sort((a, b) => a - b);
  const p99 = Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? 0);
  const rss = await memory.stop();
  const drift = driftOf(rss);
  if (p99 > P99_MS) context.fail(`p99 is ${p99} ms`);
  if (drift > DRIFT) context.fail(`memory drifted by ${Math.round(drift * 100)} %`);
  const p50 = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  return { requests: count, p50Ms: p50, p99Ms: p99, memoryMb: summaryOf(rss), memoryDrift: Number(drift.toFixed(3)) };
}

async function inTwoHalves(context: TrialContext, lot: Kind[]): Promise<Figures> {
  const heldBytes: number[] = [];
  for (let half = 0; half < 2; half++) {
    const requests = Array.from({ length: HALF }, () => pick(context.random, lot)).values();
    const lane = async () => {
      for (const kind of requests) await one(context, kind, performance.now());
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    heldBytes.push(await heldBy(context.product));
  }
  const [first = 0, last = 0] = heldBytes;
  const drift = last / first - 1;
  if (drift > DRIFT) context.fail(`the web process holds ${Math.round(drift * 100)} % more after the second half`);
  return { requests: 2 * HALF, heldBytes, memoryDrift: Number(drift.toFixed(3)) };
}

/** Returns how many bytes the web process holds once everything unused is collected (`e2e/setup/held-memory.cjs`). */
async function heldBy(product: OwnProduct): Promise<number> {
  const printed = () => [...product.output().matchAll(/^Holds (\d+) bytes$/gm)].map(([, bytes]) => Number(bytes));
  const before = printed().length;
  process.kill(product.webPid(), "SIGUSR2");
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS / 20) {
    const [bytes] = printed().slice(before);
    if (bytes !== undefined) return bytes;
    await sleep(LOOK_EVERY_MS / 20);
  }
  throw new Error("the web process did not print how much memory it holds");
}

async function one(context: TrialContext, { name, ok, ask }: Kind, due: number): Promise<number> {
  try {
    const { status, text } = await ask();
    if (status !== ok) context.fail(`${name}: ${status} ${text.slice(0, 200)}`);
  } catch (error) {
    context.fail(`${name}: ${String(error)}`);
  }
  return performance.now() - due;
}

/** The requests of an ordinary day, each with its share in percent. */
async function mixture({ product, seed }: TrialContext): Promise<Kind[]> {
  const person = await newPerson(product, `load-${seed}@example.com`);
  const account = await connectAccount(product, person, "X_TWITTER", `load${seed}`);
  const partner = await newPartner(product);
  const get = (target: string, headers: Headers = person.headers) => send(product.url, target, { headers });
  const json = (method: string, target: string, body: unknown, headers: Headers = person.headers) =>
    sendJson(product.url, method, target, body, headers);
  const publications = [
    { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "Steady" }] },
  ];
  const schedule = { scheduledTime: "2090-01-01T00:00:00Z", publications };
  const create = () => json("POST", "/v1/posts", schedule);
  const { id } = jsonOf<{ id: number }>(await create());
  let turn = 0;

  return [
    { name: "list accounts", share: 25, ok: 200, ask: () => get("/v1/accounts") },
    { name: "list posts", share: 15, ok: 200, ask: () => get("/v1/posts?limit=20") },
    { name: "read a post", share: 15, ok: 200, ask: () => get(`/v1/posts/${id}`) },
    { name: "create", share: 12, ok: 201, ask: create },
    {
      name: "create once",
      share: 5,
      ok: 201,
      ask: () => json("POST", "/v1/posts", schedule, { ...person.headers, "idempotency-key": `turn ${turn++}` }),
    },
    { name: "validate", share: 8, ok: 200, ask: () => json("POST", "/v1/posts/validate", schedule) },
    {
      name: "create and delete",
      share: 5,
      ok: 204,
      ask: async () => {
        const made = jsonOf<{ id: number }>(await create());
        return send(product.url, `/v1/posts/${made.id}`, { method: "DELETE", headers: person.headers });
      },
    },
    { name: "list media", share: 5, ok: 200, ask: () => get("/v1/media") },
    { name: "who am I", share: 3, ok: 200, ask: () => get("/v1/me") },
    {
      name: "provision",
      share: 3,
      ok: 200,
      ask: () => json("POST", "/v1/connect/users", { externalUserId: `${turn++ % 50}`, name: "U" }, partner.headers),
    },
    { name: "partner's token", share: 2, ok: 200, ask: () => partnerToken(product, partner) },
    { name: "the document", share: 1, ok: 200, ask: () => get("/v1/openapi.json") },
    { name: "public keys", share: 1, ok: 200, ask: () => get("/.well-known/jwks.json", {}) },
  ];
}

/** Samples the resident memory of a process once a second, in megabytes. */
function watchMemory(pid: number) {
  const seen: number[] = [];
  const end = new AbortController();
  const watching = (async () => {
    while (!end.signal.aborted) {
      const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
      seen.push(Number(stdout) / 1024);
      await sleep(LOOK_EVERY_MS, undefined, { signal: end.signal }).catch(() => {});
    }
  })();
  return {
    async stop(): Promise<number[]> {
      end.abort();
      await watching;
      return seen;
    },
  };
}

/** Growth from the second to the last fifth of the samples. The first fifth is the warm-up. */
function driftOf(seen: number[]): number {
  const fifth = Math.max(1, Math.floor(seen.length / 5));
  const early = medianOf(seen.slice(fifth, 2 * fifth));
  const late = medianOf(seen.slice(-fifth));
  return early === 0 ? 0 : late / early - 1;
}

function summaryOf(seen: number[]) {
  return { first: Math.round(seen[0] ?? 0), median: Math.round(medianOf(seen)), last: Math.round(seen.at(-1) ?? 0) };
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
