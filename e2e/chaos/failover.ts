import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { networkNames, platformValues } from "../../lib/platforms";
import type { OwnProduct } from "../setup/product";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { openServers, type Server, type Servers, untilTrue } from "./postgres";
import { openRelay, type Relay } from "./relay";
import { ledger, type Person, pause, peopleOf, type Sent, scheduleAll, textsOf } from "./rig";

const RESUMED_SECONDS = 60;
/** For how long nothing may be sent while publishing is held: longer than processes wait before they go on. */
const HELD_MS = 15_000;
const SPREAD_MS = 12_000;

/** Two addresses that stay the same: of the database, for the product, and of its primary, for its standby. */
type Line = { servers: Servers; primary: Server; database: Relay; replication: Relay };
let line: Line | undefined;

/**
 * T35: the primary of PostgreSQL dies under load and its standby is promoted. Two workers run as on two machines: each has its
 * own DATA_DIR, so a process knows the counts of the others only from the database.
 */
export const failover: Trial = {
  id: "T35",
  guarantee:
    "the primary dies under load, the standby is promoted: synchronous: lost 0, doubled 0, misreported 0, publishing goes on within 60 s; asynchronous with a loss: held, nothing is sent again, restore finish ends it, doubled 0",
  async settings() {
    const servers = await openServers();
    const primary = await servers.createPrimary();
    line = { servers, primary, database: await openRelay(primary.url), replication: await openRelay(primary.url) };
    return { DATABASE_URL: line.database.url, WORKER: "off" };
  },
  async run(context, size) {
    if (!line) throw new Error("the trial's settings were not read");
    const { product } = context;
    const rounds = size === "short" ? 1 : 4;
    const people = await peopleOf(
      product,
      platformValues.map((platform) => ({ platform, accounts: 4 * rounds })),
    );
    const hosts = await Promise.all([newHost(product), newHost(product)]);
    const workers = await Promise.all(hosts.map(({ settings }) => product.startWorker(settings)));
    const figures: { synchronous: object[]; asynchronous: object[] } = { synchronous: [], asynchronous: [] };
    try {
      for (let round = 0; round < rounds; round++) {
        figures.synchronous.push(await withoutLoss(context, line, people, round));
        figures.asynchronous.push(await withLoss(context, line, people, round));
      }
      for (const [n, worker] of workers.entries()) if (!worker.isUp()) context.fail(`worker ${n + 1} ended`);
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
      await product.stopWeb();
      await Promise.all([line.database.close(), line.replication.close()]);
      await line.servers.close();
      await Promise.all(hosts.map(({ remove }) => remove()));
      line = undefined;
    }
    return figures;
  },
  endsUp: false,
};

/** The settings of a worker with a folder of its own that shares only the files of posts, as machines with a shared disk do. */
async function newHost({ dataDir }: OwnProduct) {
  const own = await mkdtemp(join(tmpdir(), "carillon-host-"));
  await symlink(join(dataDir, "objects"), join(own, "objects"));
  const key = (await readFile(join(dataDir, "secrets/key"), "utf8")).trim();
  return {
    settings: { DATA_DIR: own, SECRETS_KEY: key },
    remove: () => rm(own, { recursive: true, force: true }),
  };
}

/** The standby has everything that the primary has confirmed. */
async function withoutLoss(context: TrialContext, on: Line, people: Person[], round: number) {
  const { product, fail, seed, log } = context;
  const standby = await on.servers.createStandby(on.primary, on.replication.url);
  await on.primary.query("alter system set synchronous_standby_names = '*'");
  await on.primary.query("select pg_reload_conf()");
  await untilTrue(() => on.primary.query("select exists (select from pg_stat_replication where sync_state = 'sync')"));
  const load = keepScheduling(product, people, `kept ${round} ${seed}`);
  const countLive = () => countOf(product, `kept ${round} ${seed}`);
  await untilTrue(async () => (await countLive()) > 3 * people.length);
  const promotedAt = await killAndPromote(on, standby);
  log("the synchronous standby is the primary now");
  const before = await countLive();
  await untilTrue(async () => (await countLive()) > before + people.length);
  const resumedSeconds = secondsSince(promotedAt);
  if (resumedSeconds > RESUMED_SECONDS) fail(`publishing went on ${resumedSeconds} s after the promotion`);
  const sent = await load.end();
  const counts = await invariants(context, sent, 180);
  const { held } = await publishingStatus(product);
  if (held) fail(`nothing was lost, but publishing is held: ${held.reason}`);
  return { posts: sent.length, resumedSeconds, ...counts };
}

/** The primary dies while the standby is cut off, so the standby does not know the last calls. */
async function withLoss(context: TrialContext, on: Line, people: Person[], round: number) {
  const { product, fail, seed, log } = context;
  const name = `gone ${round}`;
  const standby = await on.servers.createStandby(on.primary, on.replication.url);
  const sent = await scheduleSpread(product, people, textsOf(name, seed, 12));
  await untilTrue(() =>
    on.primary.query("select bool_and(replay_lsn >= pg_current_wal_lsn()) from pg_stat_replication"),
  );
  const takenAt = new Date();
  on.replication.refuse(true);
  const countLive = () => countOf(product, `${name} ${seed}`);
  await untilTrue(async () => (await countLive()) > sent.length / 2);
  const lostId = await newId(product, people, `${name} ${seed}, only on the old primary.`);
  const known = await announced(on.primary);
  const promotedAt = await killAndPromote(on, standby);
  const lostCalls = known - (await announced(standby));
  log(`the asynchronous standby is the primary now; it lacks ${lostCalls} calls`);
  if (lostCalls <= 0) fail("the standby lost no call, so this shows nothing");
  await untilTrue(async () => (await publishingStatus(product).catch(() => undefined))?.held !== undefined);
  const heldSeconds = secondsSince(promotedAt);
  const { held } = await publishingStatus(product);
  if (!held?.reason.includes("went back in time")) fail(`publishing is held for another reason: ${held?.reason}`);
  const before = await countLive();
  await pause(HELD_MS);
  const sentWhileHeld = (await countLive()) - before;
  if (sentWhileHeld > 0) fail(`${sentWhileHeld} posts were sent while publishing was held`);
  const finished = await product.carillon("restore", "finish", "--taken-at", takenAt.toISOString());
  const { unknownPublications: _, ...summary } = finished as { unknownPublications: unknown };
  log(`restore finish: ${JSON.stringify(summary)}`);
  if ((await newId(product, people, `${name} ${seed}, afterwards.`)) <= lostId) fail("an ID was issued twice");
  const counts = await invariants(context, sent, 180);
  if ((await publishingStatus(product)).held) fail("publishing is held after restore finish");
  on.replication.refuse(false);
  return { posts: sent.length, lostCalls, heldSeconds, sentWhileHeld, finish: summary, ...counts };
}

/** Kills the primary, promotes its standby and leads both addresses to it. Returns when the promotion was complete. */
async function killAndPromote(on: Line, standby: Server): Promise<number> {
  await on.primary.kill();
  await standby.query("select pg_promote(true, 60)");
  const promotedAt = performance.now();
  on.database.leadTo(standby.url);
  on.replication.leadTo(standby.url);
  on.primary = standby;
  return promotedAt;
}

const secondsSince = (ms: number) => Math.round((performance.now() - ms) / 100) / 10;

/** Every person schedules one post after the other, each due a second later, until `end`. */
function keepScheduling(product: OwnProduct, people: Person[], name: string) {
  let isOver = false;
  const sent: Sent[] = [];
  const scheduling = people.map(async (person, n) => {
    for (let count = 0; !isOver; count++) {
      const account = person.accounts[count % person.accounts.length];
      const one = { ...person, accounts: account ? [account] : [] };
      sent.push(...(await scheduleAll(product, one, [`${name} ${n} ${count}.`], new Date(Date.now() + 1_000))));
      await pause(500);
    }
  });
  return {
    async end() {
      isOver = true;
      await Promise.all(scheduling);
      return sent;
    },
  };
}

/** Each person schedules these posts, evenly distributed over some seconds that begin soon. */
async function scheduleSpread(product: OwnProduct, people: Person[], texts: string[]): Promise<Sent[]> {
  const beginMs = Date.now() + 5_000;
  const all = people.flatMap((person, n) =>
    texts.map((text, at) => {
      const account = person.accounts[at % person.accounts.length];
      const due = new Date(beginMs + (at * SPREAD_MS) / texts.length);
      return scheduleAll(product, { ...person, accounts: account ? [account] : [] }, [`${text} ${n}.`], due);
    }),
  );
  return (await Promise.all(all)).flat();
}

/** Schedules a post for tomorrow and returns its ID. */
async function newId(product: OwnProduct, people: Person[], text: string): Promise<number> {
  const [person] = people;
  const tomorrow = new Date(Date.now() + 86_400_000);
  const sent = person ? await scheduleAll(product, person, [text], tomorrow) : [];
  return sent[0]?.scheduleId ?? 0;
}

/** How many live posts on all networks have this in their text. */
async function countOf(product: OwnProduct, text: string): Promise<number> {
  const all = await Promise.all(networkNames.map((network) => ledger(product, network)));
  return all.flat().filter((post) => post.text.includes(text)).length;
}

/** How many final calls a database knows about. */
async function announced(server: Server): Promise<number> {
  return Number(
    await server.query(
      "select published_count + (select coalesce(sum(published), 0) from publish_counts) from installation",
    ),
  );
}

const publishingStatus = (product: OwnProduct) =>
  product.carillon("publishing", "status") as Promise<{ held?: { reason: string } }>;
