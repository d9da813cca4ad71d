import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Answer, type Headers, jsonOf, send, sendJson } from "./http";
import { connectAccount, newPartner, newPerson, partnerToken } from "./people";
import { pick } from "./random";
import type { Size, Trial, TrialContext } from "./trial";

/** Requests per second. A short run only shows that nothing fails. */
const RATE = { short: 20, whole: 120 } satisfies Record<Size, number>;
const SECONDS = { short: 5, whole: 600 } satisfies Record<Size, number>;
const P99_MS = 300;
const DRIFT = 0.1;
const LOOK_EVERY_MS = 1000;

type Kind = { name: string; share: number; ok: number; ask(): Promise<Answer> };

/**
 * T21: a steady mixture of requests, each sent at its time whether or not earlier ones were answered. The time of an answer
 * counts from when its request was due, so a pause of the product affects every request that it delayed.
 */
export const load: Trial = {
  id: "T21",
  guarantee: "120 mixed requests/s for 10 min: no error, p99 ≤ 300 ms, memory drift ≤ 10 %",
  async run(context, size) {
    const kinds = await mixture(context);
    const lot = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
    const rate = RATE[size];
    const count = rate * SECONDS[size];
    const memory = watchMemory(context.product.webPid());
    const begun = performance.now();
    const answers: Promise<number>[] = [];
    for (let index = 0; index < count; index++) {
      const due = begun + (index * 1000) / rate;
      await sleep(Math.max(0, due - performance.now()));
      answers.push(one(context, pick(context.random, lot), due));
      if (index % (rate * 60) === rate * 60 - 1) context.log(`${Math.round(index / rate / 60)} min`);
    }
    const times = (await Promise.all(answers)).sort((a, b) => a - b);
    const p99 = Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? 0);
    const rss = await memory.stop();
    const drift = driftOf(rss);
    // A short run does not measure time and memory: it is too short, and the machine runs other tests.
    if (size === "whole" && p99 > P99_MS) context.fail(`p99 is ${p99} ms`);
    if (size === "whole" && drift > DRIFT) context.fail(`memory drifted by ${Math.round(drift * 100)} %`);
    const p50 = Math.round(times[Math.floor(times.length / 2)] ?? 0);
    return { requests: count, p50Ms: p50, p99Ms: p99, memoryMb: summaryOf(rss), memoryDrift: Number(drift.toFixed(3)) };
  },
};

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
