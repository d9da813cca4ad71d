import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Client } from "pg";
import { type OwnProduct, startProduct } from "../../e2e/setup/product";
import { root, startService } from "../../e2e/setup/service";
import { send } from "../../e2e/trials/http";
import { signIn } from "../../e2e/trials/people";
import { attachToCluster } from "../../lib/db/cluster";
import { ownPort } from "../../lib/testing/own-port";
import { bodyOf, createUser, fill, openClient } from "../api/fill";
import { load } from "../api/run";
import { clusterSeconds, cpuSecondsOfAll, postmasterOf, restMb } from "../processes";
import { percentile, type Row, show, showHead } from "../rows";
import { measureLargeAccount } from "./large-account";

const SHORT = { starts: 3, scheduled: 73_000, restSeconds: 20, useSeconds: 60, posts: 100_000 };
const FULL = { starts: 7, scheduled: 73_000, restSeconds: 60, useSeconds: 3_600, posts: 1_000_000 };

/** After a start or a change, the readers of the event log and the deliveries look often for this long before they rest. */
const UNTIL_REST_MS = 30_000;

/**
 * Measures what the whole product needs when it starts, when it has nothing to do and after it was used, and reads one account with
 * very many posts. A value that misses its target is bold. The full form takes about two hours.
 */
export async function measureRest({ short }: { short: boolean }): Promise<void> {
  const size = short ? SHORT : FULL;
  showHead();
  if (!short) for (const row of await freshClone()) show(row);
  const env = { TIME_FACTOR: "1", QUOTA_PUBLICATIONS_PER_DAY: "1000000" };
  const product = await startProduct({ env });
  try {
    show(await starts(product, size.starts));
    const client = await openClient((await attachToCluster(product.dataDir)) ?? "");
    try {
      show(await memory(product, "memory at rest, web process with worker and sandbox", 200));
      for (const row of await rest(product, client, 0, size.restSeconds)) show(row);
      const person = await createUser(product, "busy");
      await fill(client, person, size.scheduled);
      await client.query("analyze");
      for (const row of await rest(product, client, size.scheduled, size.restSeconds)) show(row);
      await use(product, person, size.useSeconds);
      show(await memory(product, `the same after ${size.useSeconds / 60} min of use`, 300));
      for (const row of await measureLargeAccount(product, client, size.posts)) show(row);
    } finally {
      await client.end();
    }
  } finally {
    await product.stop();
  }
}

/** `git clone` and `npm start` on a machine with npm's cache, until the product is ready. */
async function freshClone(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "carillon-bench-clone-"));
  const [port, sandboxPort] = await Promise.all([ownPort(), ownPort()]);
  const settings = {
    ...{ PORT: String(port), SANDBOX_PORT: String(sandboxPort), BASE_URL: `http://localhost:${port}` },
    DATA_DIR: join(folder, "data"),
  };
  const checkout = join(folder, "checkout");
  try {
    const since = performance.now();
    await promisify(execFile)("git", ["clone", "--quiet", root, checkout]);
    const options = { node: "npm", cwd: checkout, readyMs: 600_000 };
    const service = await startService(["start"], settings, "Carillon is ready", options);
    const seconds = (performance.now() - since) / 1_000;
    await service.terminate();
    const what = "fresh clone until `npm start` is ready";
    const row = { what, value: `${Math.round(seconds)} s`, target: "≤ 45 s", isMet: seconds <= 45 };
    return [row, ...(await sizesOf(checkout))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Without what the benchmark itself needs: the checkout has only what `npm start` installed and built. */
async function sizesOf(checkout: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [folder, most] of [
    [".next", 100],
    ["node_modules", 400],
  ] as const) {
    const { stdout } = await promisify(execFile)("du", ["-sm", folder], { cwd: checkout });
    const mb = Number.parseInt(stdout, 10);
    rows.push({ what: `size of ${folder}`, value: `${mb} MB`, target: `≤ ${most} MB`, isMet: mb <= most });
  }
  return rows;
}

/** From the start of the process to the last byte of the first page. */
async function starts(product: OwnProduct, count: number): Promise<Row> {
  const seconds: number[] = [];
  for (let n = 0; n < count; n++) {
    await product.stopWeb();
    const since = performance.now();
    await product.restart();
    const { status } = await send(product.url, "/sign-in");
    if (status !== 200) throw new Error(`GET /sign-in returned ${status}`);
    seconds.push((performance.now() - since) / 1_000);
  }
  const [middle, worst] = [percentile(seconds, 0.5), Math.max(...seconds)];
  const value = `${middle.toFixed(1)}; ${worst.toFixed(1)} s`;
  const what = `start of a built product to the first page, ${count} starts: median; worst`;
  return { what, value, target: "≤ 2 s", isMet: worst <= 2 };
}

async function memory(product: OwnProduct, what: string, most: number): Promise<Row> {
  await sleep(UNTIL_REST_MS);
  const mb = await restMb(product.webPid());
  return { what, value: `${Math.round(mb)} MB`, target: `≤ ${most} MB`, isMet: mb <= most };
}

async function rest(product: OwnProduct, client: Client, scheduled: number, seconds: number): Promise<Row[]> {
  const postmaster = await postmasterOf(product.dataDir);
  const used = async () => {
    const { rows } = await client.query(
      "select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()",
    );
    return {
      cpu: (await cpuSecondsOfAll(product.webPid())) + (await clusterSeconds(postmaster)),
      transactions: Number(rows[0].n),
    };
  };
  await sleep(UNTIL_REST_MS);
  const [before, since] = [await used(), performance.now()];
  await sleep(seconds * 1_000);
  const [after, took] = [await used(), (performance.now() - since) / 1_000];
  const cpu = ((after.cpu - before.cpu) / took) * 100;
  const where = `at rest with ${scheduled} posts scheduled, ${seconds} s`;
  return [
    {
      ...{ what: `CPU ${where}: web process and PostgreSQL, of one core`, value: `${cpu.toFixed(1)} %` },
      ...{ target: "≤ 1 %", isMet: cpu <= 1 },
    },
    {
      what: `transactions per second ${where}`,
      value: ((after.transactions - before.transactions) / took).toFixed(0),
      target: "",
    },
  ];
}

const PAGES = ["/", "/posts", "/library", "/accounts", "/settings", "/docs", "/v1/openapi.json"];

/** What people and programs do, in turn: create posts, list them and read pages. */
async function use(product: OwnProduct, person: Awaited<ReturnType<typeof createUser>>, seconds: number) {
  const until = performance.now() + seconds * 1_000;
  const calls = { port: Number(new URL(product.url).port), token: person.token, concurrency: 8, seconds: 2 };
  const cookie = await signIn(product, person.email);
  while (performance.now() < until) {
    await load({ ...calls, method: "POST", path: "/v1/posts", body: bodyOf(person), status: 201 });
    await load({ ...calls, method: "GET", path: "/v1/posts?limit=50", status: 200 });
    for (const page of PAGES) {
      const { status } = await send(product.url, page, { headers: { cookie } });
      if (status !== 200) throw new Error(`GET ${page} returned ${status}`);
    }
    await sleep(2_000);
  }
}
