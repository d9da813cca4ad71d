import { randomUUID } from "node:crypto";
import { addressOf } from "../../e2e/chaos/on-database";
import { pause } from "../../e2e/chaos/rig";
import type { Platform } from "../../lib/platforms";
import { percentile, type Row } from "../rows";
import { PLATFORMS, type Scale, waitForArrivals } from "./rig";

/** The waiting publications belong to this many accounts. */
const ACCOUNTS = 1_000;
const LOOKS = 200;
const PER_SECOND = 2.5;
const [LATE_MS, LOOK_MS] = [100, 10];

/**
 * Measures picking while many publications on X are due and cannot start: the lateness of single posts on another network, from
 * the scheduled time to their arrival there, and the cost of one look of a worker.
 */
export async function measurePicking(
  scale: Scale,
  waiting: number,
  single: number,
  show: (row: Row) => void,
): Promise<void> {
  const look = await looker(scale);
  const { client } = scale;
  const count = waiting.toLocaleString("en");
  const measure = async (state: string, platforms: Platform[] = ["LINKEDIN"]) => {
    show(await look(state));
    for (const platform of platforms) show(await lonePosts(scale, single, platform, state));
  };
  await measure("nothing due");
  await client.query(closeX);
  await client.query(dueOnX(waiting));
  await client.query("vacuum (analyze) schedules, publications, accounts");
  await measure(`${count} due behind a closed network`);
  await client.query("delete from network_health");
  await client.query(`update accounts set wait_until = now() + interval '1 day' where username = 'waiting'`);
  await measure(`${count} due on accounts that the network told to wait`, ["LINKEDIN", "X_TWITTER"]);
  await client.query("insert into publishing_pause (id) values (1)");
  show(await look(`${count} due behind a pause of all publishing`));
  await client.query("delete from publishing_pause");
  await client.query("delete from users where email = 'waiting@example.com'");
}

const closeX = `
  insert into network_health (platform, consecutive_failures, closures, closed_until, allowance)
  values ('X_TWITTER', 10, 1, now() + interval '1 day', 1)`;

const dueOnX = (count: number) => `
  with owner as (
    insert into users (id, email, name) values (gen_random_uuid(), 'waiting@example.com', 'waiting') returning id
  ), account as (
    insert into accounts (owner_id, platform, network_account_id, username, display_name)
    select owner.id, 'X_TWITTER', gen_random_uuid(), 'waiting', 'waiting' from owner, generate_series(1, ${ACCOUNTS})
    returning id
  ), schedule as (
    insert into schedules (owner_id, status, scheduled_time) select id, 'SCHEDULED', now() from owner returning id
  )
  insert into publications (schedule_id, account_id, platform, position, settings, due_at)
  select schedule.id, account.id, 'X_TWITTER', 0, '{"type":"TWITTER"}', now() - n * interval '1 second'
  from schedule, account, generate_series(1, ${Math.ceil(count / ACCOUNTS)}) n`;

/** Returns a function that measures looks of a worker that can claim nothing: their time, and the pages that the first query reads. */
async function looker(scale: Scale): Promise<(state: string) => Promise<Row>> {
  const { openDatabase, databasePool } = await import("../../lib/db");
  openDatabase(await addressOf(scale.product), { poolSize: 1 });
  const { claimDue, newPickState } = await import("../../lib/schedules/publish/pick");
  const worker = { id: randomUUID(), assertAlive() {} };
  const room = JSON.stringify(PLATFORMS.map((platform) => ({ platform, free: 64 })));
  return async (state) => {
    const memory = newPickState();
    const times: number[] = [];
    for (let n = 0; n < LOOKS; n++) {
      const begun = performance.now();
      const { claims } = await claimDue(worker, [], memory);
      times.push(performance.now() - begun);
      if (claims.length > 0) throw new Error("the measurement claimed a publication");
      await pause(10);
    }
    const { rows } = await databasePool().query(
      `explain (analyze, buffers, format json) execute "publications.due" ('${room}')`,
    );
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    const median = percentile(times, 0.5);
    return {
      what: `one look, ${state}: median; p99; pages read`,
      value: `${median.toFixed(1)}; ${percentile(times, 0.99).toFixed(1)} ms; ${pages}`,
      target: "≤ 10 ms",
      isMet: percentile(times, 0.99) <= LOOK_MS,
    };
  };
}

async function lonePosts(scale: Scale, count: number, platform: Platform, state: string): Promise<Row> {
  const at = Date.now() + 3_000;
  const first = await scale.plan({ count, at, perSecond: PER_SECOND, platforms: [platform] });
  const arrived = await waitForArrivals(scale, first, count, at + (count / PER_SECOND) * 1000 + 30_000);
  const late = [...arrived].map(([number, arrival]) => arrival.at - at - ((number - first) * 1000) / PER_SECOND);
  const p99 = percentile(late, 0.99);
  const lost = count - arrived.size;
  const network = platform === "X_TWITTER" ? "the same network" : "another network";
  return {
    what: `lateness of a single post on ${network} (${count}), ${state}: median; p99`,
    value: `${Math.round(percentile(late, 0.5))}; ${Math.round(p99)} ms${lost > 0 ? `; ${lost} did not arrive` : ""}`,
    target: "≤ 100 ms",
    isMet: p99 <= LATE_MS && lost === 0,
  };
}
