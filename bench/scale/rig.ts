import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type pg from "pg";
import { addressOf } from "../../e2e/chaos/on-database";
import { pause, peopleOf, scheduleAll } from "../../e2e/chaos/rig";
import { type OwnProduct, startProduct } from "../../e2e/setup/product";
import { root, type Service } from "../../e2e/setup/service";
import type { Platform } from "../../lib/platforms";
import { openClient } from "../api/fill";
import { clusterSeconds, cpuSeconds, postmasterOf } from "../processes";

/** One network after the other, so that consecutive publications go to different ones. */
export const PLATFORMS: Platform[] = [
  ...(["X_TWITTER", "YOUTUBE", "THREADS", "TIKTOK", "INSTAGRAM"] as const),
  ...(["LINKEDIN", "BLUE_SKY", "TELEGRAM", "FACEBOOK", "PINTEREST"] as const),
];

export type Arrival = { at: number; times: number };

/** A product with accounts on all networks, whose workers call the networks of `networks.ts`. */
export type Scale = {
  product: OwnProduct;
  client: pg.Client;
  workers: Service[];
  /** The process of the simulated networks. */
  networksPid: number;
  /** Plans publications one after the other from `at` (milliseconds since 1970), and returns the number of the first one. */
  plan(wanted: { count: number; at: number; perSecond: number; platforms?: Platform[] }): Promise<number>;
  /** Stores schedules that become due in the next year, until there are `count`; `stored` exist already. */
  store(stored: number, count: number): Promise<void>;
  /** What arrived at the networks, by the number of the publication. */
  arrivals(): Promise<Map<number, Arrival>>;
  /** CPU seconds used so far. */
  cpu(): Promise<Cpu>;
  stop(): Promise<void>;
};

export type Cpu = { workers: number; database: number; networks: number };

/** @param accounts how many of each network */
export async function startScale(accounts: number, workers: number): Promise<Scale> {
  const quota = { YOUTUBE_DAILY_UPLOADS: "999999999", YOUTUBE_DAILY_UNITS: "999999999" };
  const product = await startProduct({ env: { TIME_FACTOR: "1", ...quota } });
  const stops = [() => product.stop()];
  try {
    const people = await peopleOf(
      product,
      PLATFORMS.map((platform) => ({ platform, accounts })),
    );
    const inAYear = new Date(Date.now() + 364 * 86_400_000);
    const templates = [];
    for (const person of people) {
      const [sent] = await scheduleAll(product, person, ["bench template"], inAYear);
      templates.push({ scheduleId: sent?.scheduleId, accountIds: person.accounts.map(({ id }) => id) });
    }
    // The web process stays for its database only. The workers find the lean networks at the address of the sandbox.
    await product.restart({ WORKER: "off", SANDBOX: "off" });
    const networks = spawn(
      process.execPath,
      ["--import", "tsx", join(root, "bench/scale/networks.ts"), product.settings.SANDBOX_PORT ?? ""],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    stops.unshift(async () => void networks.kill());
    await once(networks.stdout, "data");
    const url = await addressOf(product);
    const client = await openClient(url);
    stops.unshift(() => client.end());
    await prepare(client, templates);
    await store(client, 0, BASE);
    const running: Service[] = [];
    for (let n = 0; n < workers; n++) running.push(await product.startWorker({ WORKER: "on", SANDBOX: "on" }));
    const postmaster = await postmasterOf(product.dataDir);
    let planned = 0;
    return {
      ...{ product, client, workers: running, networksPid: networks.pid ?? 0 },
      async plan({ count, at, perSecond, platforms = PLATFORMS }) {
        const first = planned;
        planned += count;
        await insert(client, {
          first,
          count,
          platforms,
          time: `to_timestamp(${at / 1000} + n / ${perSecond}::float8)`,
        });
        return first;
      },
      store: (stored, count) => store(client, stored, count),
      async arrivals() {
        const lines = await (await fetch(`${product.sandboxUrl}/arrivals`)).text();
        const rows = lines
          .split("\n")
          .filter(Boolean)
          .map((line) => line.split(" ").map(Number));
        return new Map(rows.map(([number = 0, at = 0, times = 0]) => [number, { at, times }]));
      },
      async cpu() {
        const each = await Promise.all(running.map(({ pid }) => cpuSeconds(pid)));
        const sum = each.reduce((one, other) => one + other, 0);
        return {
          workers: sum,
          database: await clusterSeconds(postmaster),
          networks: await cpuSeconds(networks.pid ?? 0),
        };
      },
      async stop() {
        for (const stop of stops) await stop();
      },
    };
  } catch (error) {
    for (const stop of stops) await stop();
    throw error;
  }
}

/** Rows of one INSERT, so that it does not need much memory. */
const STORED_AT_ONCE = 500_000;
/** The numbers of stored schedules, which never go out. */
const STORED_FROM = 1_000_000_000;

/** What every measurement finds: an installation that is not empty. */
export const BASE = 10_000;

async function store(client: pg.Client, stored: number, count: number): Promise<void> {
  for (let first = stored; first < count; first += STORED_AT_ONCE) {
    const part = Math.min(STORED_AT_ONCE, count - first);
    const time = `now() + interval '1 day' + (n + 0.5) / ${part} * interval '364 days'`;
    await insert(client, { first: STORED_FROM + first, count: part, platforms: PLATFORMS, time });
  }
  await client.query("vacuum (analyze) schedules, publications, posts");
}

type Template = { scheduleId: number | undefined; accountIds: number[] };

/** Keeps for each account what its publications have in common: the rows that a create through the API stored. */
async function prepare(client: pg.Client, templates: Template[]): Promise<void> {
  await client.query(`create unlogged table bench_accounts (place int, platform text, account_id bigint, owner_id uuid,
    settings jsonb, attachment_paths text[], chat_id text, primary key (platform, place))`);
  for (const { scheduleId, accountIds } of templates) {
    await client.query(
      `insert into bench_accounts
        select a.place - 1, accounts.platform, accounts.id, s.owner_id, p.settings, q.attachment_paths, q.chat_id
        from unnest($2::bigint[]) with ordinality as a(id, place) join accounts on accounts.id = a.id,
          schedules s join publications p on p.schedule_id = s.id join posts q on q.publication_id = p.id where s.id = $1`,
      [scheduleId, accountIds],
    );
    await client.query("delete from schedules where id = $1", [scheduleId]);
  }
  // No token is renewed during a measurement, because the lean networks only accept posts.
  await client.query("update accounts set tokens_expire_at = null, profile_read_at = now() + interval '1 year'");
  // These owners publish 20 times a second, so they get no email for each post.
  await client.query("update users set muted_mails = '{postPublished}'");
}

type Insert = { first: number; count: number; platforms: Platform[]; time: string };

/** Inserts schedules of one publication each, with the same rows as a create. `time` is SQL with the number `n`, from 0. */
async function insert(client: pg.Client, { first, count, platforms, time }: Insert): Promise<void> {
  const next = async (table: string) =>
    Number((await client.query(`select coalesce(max(id), 0) + 1 as next from ${table}`)).rows[0].next);
  const [schedule, publication, post] = [await next("schedules"), await next("publications"), await next("posts")];
  const names = platforms.map((platform) => `'${platform}'`).join();
  const rows = `from generate_series(0, ${count - 1}) n
    join bench_accounts b on b.platform = (array[${names}])[n % ${platforms.length} + 1]
      and b.place = n / ${platforms.length} % (select max(place) + 1 from bench_accounts)`;
  await client.query("begin");
  await client.query(`insert into schedules (id, owner_id, status, scheduled_time) overriding system value
    select ${schedule} + n, b.owner_id, 'SCHEDULED', ${time} ${rows}`);
  await client.query(`insert into publications (id, schedule_id, account_id, platform, position, settings, due_at)
    overriding system value
    select ${publication} + n, ${schedule} + n, b.account_id, b.platform, 0, b.settings, ${time} ${rows}`);
  await client.query(`insert into posts (id, publication_id, owner_id, position, content, attachment_paths, chat_id)
    overriding system value
    select ${post} + n, ${publication} + n, b.owner_id, 0,
      'A post of the usual length with a few words more: bench-' || ${first} + n || '.', b.attachment_paths, b.chat_id ${rows}`);
  await client.query("commit");
  // As in an installation that has run for a while, the planner knows the tables.
  await client.query("analyze schedules, publications, posts, publish_steps, publish_attempts, accounts, users");
  for (const table of ["schedules", "publications", "posts"]) {
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
  }
}

/** Waits until this many publications from `first` on have arrived, or until the time is up. */
export async function waitForArrivals(
  scale: Scale,
  first: number,
  count: number,
  until: number,
): Promise<Map<number, Arrival>> {
  for (;;) {
    const all = await scale.arrivals();
    const own = new Map([...all].filter(([number]) => number >= first && number < first + count));
    if (own.size === count || Date.now() > until) return own;
    await pause(Math.max(500, count / 20)); // reading long lists often would slow down the networks
  }
}
