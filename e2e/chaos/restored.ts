import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { existingDir } from "../../lib/db/embedded/location";
import { type Platform, platformValues } from "../../lib/platforms";
import type { RestoreSummary } from "../../lib/schedules";
import { type OwnProduct, startProduct } from "../setup/product";
import { root, surroundings } from "../setup/service";
import type { Size, Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { killDatabase } from "./on-database";
import { openServers } from "./postgres";
import { ledger, type Person, pause, peopleOf, type Sent, scheduleAll, settledAll, textsOf } from "./rig";

/** Networks that do not list an account's posts, so that a lost outcome stays unknown. */
const UNREADABLE = ["telegram", "linkedin", "tiktok"];
/** How long the trial watches that nothing is published while publishing is held. */
const HELD_MS = { short: 1_000, whole: 5_000 } satisfies { [size in Size]: number };
/** Posts of the first attempt are due this long after they are created. The database must be kept before. */
const SOON_MS = 10_000;
/** The short form publishes on three networks: one of them cannot be read, and two of them find a post in different ways. */
const NETWORKS = { short: ["X_TWITTER", "BLUE_SKY", "TELEGRAM"], whole: platformValues } satisfies {
  [size in Size]: readonly Platform[];
};

/** A way in which a database goes back in time: it is saved, and later replaced by the saved one. */
type Accident = {
  product: OwnProduct;
  /** Keeps the database of this instant, while the product runs, and returns the instant. */
  keep(): Promise<string>;
  /** Puts the kept database in place of the current one. The product runs afterwards. */
  goBack(): Promise<void>;
  close(): Promise<void>;
};

/**
 * T26: posts are published after a backup, and then the database is the one of the backup. In the first case, the machine with
 * database and files is lost in the middle of publishing, and everything comes from the backup.
 */
export const restored: Trial = {
  id: "T26",
  guarantee:
    "the database goes back in time under load: publishing is held until every post is looked up; doubled 0, no live post FAILED",
  parts: () => Object.keys(accidents),
  async run(context, size) {
    const figures: { [name: string]: unknown } = {};
    for (const [name, prepare] of Object.entries(accidents)) {
      if (!context.isWanted(name)) continue;
      context.log(name);
      const accident = await prepare(context);
      try {
        figures[name] = await survive({ ...context, product: accident.product }, accident, size);
      } finally {
        await accident.close();
      }
    }
    return figures;
  },
};

const accidents: { [name: string]: (context: TrialContext) => Promise<Accident> } = {
  async "embedded database, everything lost"({ product }) {
    const backups = await openBackups(product);
    return {
      product,
      keep: backups.create,
      async goBack() {
        await product.kill();
        await killDatabase(product);
        await loseEverything(product);
        await command(product.settings, "restore", backups.newest());
        await product.restart();
      },
      close: backups.remove,
    };
  },

  async "external database, restored to another server"() {
    const [here, there] = [await openServers(), await openServers()];
    const [lost, other] = [await here.createPrimary(), await there.createPrimary()];
    const product = await startProduct({ env: { DATABASE_URL: lost.url } });
    const backups = await openBackups(product);
    return {
      product,
      keep: backups.create,
      async goBack() {
        await product.stopWeb();
        await command({ ...product.settings, DATABASE_URL: other.url }, "restore", backups.newest());
        await product.restart({ DATABASE_URL: other.url });
      },
      async close() {
        await product.stop();
        await Promise.all([here.close(), there.close(), backups.remove()]);
      },
    };
  },

  async "external database, snapshot put back under running processes"() {
    const servers = await openServers();
    const server = await servers.createPrimary();
    let putBack = async () => {};
    const product = await startProduct({ env: { DATABASE_URL: server.url } });
    await product.startWorker();
    return {
      product,
      async keep() {
        const takenAt = new Date().toISOString();
        const start = await server.takeSnapshot();
        putBack = async () => void (await start());
        return takenAt;
      },
      goBack: () => putBack(),
      async close() {
        await product.stop();
        await servers.close();
      },
    };
  },
};

async function survive(context: TrialContext, { product, keep, goBack }: Accident, size: Size) {
  const { fail, log, seed } = context;
  const [accounts, few, many] = size === "short" ? [1, 1, 3] : [3, 3, 9];
  const people = await peopleOf(
    product,
    NETWORKS[size].map((platform) => ({ platform, accounts })),
  );
  const load = (name: string, each: number, inMs = 0) => loadAll(product, people, textsOf(name, seed, each), inMs);

  const before = await load("before", few);
  await settledAll(product, before, 60);
  const { earlier, between, later, takenAt, during } = await keepBeforeTheirTime(context, keep, async (round) => {
    const laterMs = size === "short" ? 20_000 : 36_000;
    return {
      between: [
        ...(await load(`soon${round}`, many, SOON_MS * round)),
        ...(await load(`then${round}`, few, (SOON_MS + 5_000) * round)),
      ],
      later: await load(`later${round}`, few, laterMs * round),
      during: () => load(`during${round}`, many),
    };
  });
  const lost = await load("lost", few);
  await untilLive(product, between, 0.8);
  await goBack();

  await isHeld(context, later[0]);
  const atNetworks = await countAll(product, before);
  await pause(HELD_MS[size]);
  if ((await countAll(product, before)) !== atNetworks) fail("something was published while publishing was held");
  const finish = ["restore", "finish", "--taken-at", takenAt];
  const { printed: summary, messages } = await command<RestoreSummary>(product.settings, ...finish);
  log(`restore finish: ${JSON.stringify({ ...summary, unknownPublications: summary.unknownPublications.length })}`);
  const { due, found, unknown, safeToSend, lookedUpLater } = summary;
  for (const line of messages.filter((one) => !/^(restore finish: |due \d)/.test(one))) fail(`a person reads: ${line}`);
  if (due !== found + unknown + safeToSend + lookedUpLater) fail("the summary does not add up");
  if (found === 0 || unknown === 0) fail("the summary has nothing found or nothing unknown");
  if (lookedUpLater > 0) fail(`${lookedUpLater} publications were not looked up`);

  const after = await load("after", few);
  const sent = [...before, ...earlier, ...between, ...later, ...during, ...lost, ...after];
  const listed = await settledAll(product, sent, 0);
  const known = sent.filter(({ scheduleId }) => listed.has(scheduleId));
  const counts = await invariants(context, known, 120);
  await verdicts(context, known, summary);
  const doubled = await doubledOf(product, sent);
  for (const one of doubled) fail(`doubled: ${one}`);
  const reused = after.filter(({ scheduleId }) => lost.some((one) => one.scheduleId >= scheduleId));
  if (reused.length > 0) fail(`${reused.length} IDs of lost schedules were issued again`);
  return {
    posts: sent.length,
    forgotten: sent.length - known.length,
    summary: { due, found, unknown, safeToSend },
    ...counts,
  };
}

type Loaded = { between: Sent[]; later: Sent[]; during: () => Promise<Sent[]> };

/**
 * Schedules posts and keeps the database before their time comes. If the machine was too slow for that, it does so again with
 * more time. `earlier` are the posts of those attempts.
 */
async function keepBeforeTheirTime(
  { log }: TrialContext,
  keep: () => Promise<string>,
  load: (round: number) => Promise<Loaded>,
) {
  const earlier: Sent[] = [];
  for (let round = 1; ; round += 1) {
    const startedAt = Date.now();
    const { between, later, during: loadDuring } = await load(round);
    const [takenAt, during] = await Promise.all([keep(), loadDuring()]);
    if (Date.parse(takenAt) < startedAt + SOON_MS * round) return { earlier, between, later, takenAt, during };
    log(`the database was kept after the time of the posts; again with ${round + 1} times the time`);
    earlier.push(...between, ...later, ...during);
  }
}

async function loadAll(product: OwnProduct, people: Person[], texts: string[], inMs: number): Promise<Sent[]> {
  const at = new Date(Date.now() + inMs);
  return (await Promise.all(people.map((one) => scheduleAll(product, one, texts, at)))).flat();
}

/** Only posts on networks that cannot be read are unknown, and `restore finish` has named each of them. */
async function verdicts({ product, fail }: TrialContext, known: Sent[], { unknownPublications }: RestoreSummary) {
  const seen = await settledAll(product, known, 0);
  const named = new Set(unknownPublications.map(({ scheduleId }) => scheduleId));
  for (const { scheduleId, network, text, token } of known) {
    const status = seen.get(scheduleId)?.publications[0]?.status;
    const isNamed = named.has(scheduleId);
    if ((status === "UNKNOWN") !== isNamed) fail(`${text} on ${network} is ${status}, and named: ${isNamed}`);
    if (status === "FAILED") fail(`${text} on ${network} is FAILED`);
    if (status === "UNKNOWN" && !UNREADABLE.includes(network)) {
      const headers = { authorization: `Bearer ${token}` };
      const receipt = await (await fetch(`${product.url}/v1/posts/${scheduleId}/receipt`, { headers })).text();
      fail(`${text} on ${network} is UNKNOWN: ${receipt}`);
    }
  }
}

/** Waits until this share of the posts is at the networks, so that others are being published. */
async function untilLive(product: OwnProduct, sent: Sent[], share: number): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    const live = await liveOf(product, sent);
    const count = sent.filter(({ network, text }) => live.get(network)?.some((post) => post.includes(text))).length;
    if (count >= share * sent.length) return;
    if (performance.now() > until) throw new Error(`only ${count} of ${sent.length} were published in a minute`);
    await pause(250);
  }
}

/** The posts that are at the networks of these. */
async function liveOf(product: OwnProduct, sent: Sent[]): Promise<Map<string, string[]>> {
  const read = async (network: string) => [network, (await ledger(product, network)).map(({ text }) => text)] as const;
  return new Map(await Promise.all([...new Set(sent.map(({ network }) => network))].map(read)));
}

async function countAll(product: OwnProduct, sent: Sent[]): Promise<number> {
  return [...(await liveOf(product, sent)).values()].flat().length;
}

/** Posts that are at their network more than once, also those that the database has forgotten. */
async function doubledOf(product: OwnProduct, sent: Sent[]): Promise<string[]> {
  const live = await liveOf(product, sent);
  const isDoubled = ({ network, text }: Sent) => live.get(network)?.filter((post) => post.includes(text)).length !== 1;
  return sent
    .filter((one) => isDoubled(one) && live.get(one.network)?.some((post) => post.includes(one.text)))
    .map(({ network, text }) => `${text} on ${network}`);
}

/** Publishing is held, and every surface shows that and why. */
async function isHeld({ product, fail }: TrialContext, waiting: Sent | undefined): Promise<void> {
  const status = async () =>
    (await product.carillon("publishing", "status")) as { held?: { reason: string; fix: string } };
  const until = performance.now() + 15_000;
  let { held } = await status();
  while (!held && performance.now() < until) {
    await pause(500);
    held = (await status()).held;
  }
  if (!held) throw new Error("publishing is not held");
  const headers = { authorization: `Bearer ${waiting?.token}` };
  const page = (path: string) => async () => (await fetch(`${product.url}${path}`, { headers })).text();
  const surfaces: { [name: string]: [read: () => Promise<string>, ...texts: string[]] } = {
    doctor: [async () => JSON.stringify(await product.carillon("doctor")), held.reason, held.fix],
    "the banner of every page": [page("/v1/me"), '"publishingHeld":true', held.reason],
    "the receipt of a post": [page(`/v1/posts/${waiting?.scheduleId}/receipt`), '"publishingHeld":true', held.reason],
    metrics: [page("/metrics"), "carillon_publishing_held 1"],
  };
  for (const [name, [read, ...texts]] of Object.entries(surfaces)) {
    let text = await read();
    // Figures of the metrics are up to ten seconds old.
    while (!texts.every((one) => text.includes(one)) && performance.now() < until) {
      await pause(500);
      text = await read();
    }
    for (const one of texts) if (!text.includes(one)) fail(`${name} does not show “${one}”: ${text.slice(0, 300)}`);
  }
}

/** Creates backups of the product, each in a folder of its own. `create` returns the instant of the backup. */
async function openBackups(product: OwnProduct) {
  const parent = await mkdtemp(join(tmpdir(), "carillon-backup-"));
  let count = 0;
  const newest = () => join(parent, String(count));
  return {
    newest,
    async create(): Promise<string> {
      count += 1;
      const { takenAt } = (await product.carillon("backup", "create", "--to", newest())) as { takenAt: string };
      return takenAt;
    },
    remove: () => rm(parent, { recursive: true }),
  };
}

/** Deletes database, files and counts. The simulated networks are elsewhere, and the operator has a copy of the key. */
async function loseEverything({ dataDir }: OwnProduct): Promise<void> {
  const database = await existingDir(dataDir);
  if (database) await rm(database, { recursive: true, force: true, maxRetries: 5 });
  for (const name of await readdir(dataDir)) {
    if (name !== "sandbox" && name !== "secrets") await rm(join(dataDir, name), { recursive: true, maxRetries: 5 });
  }
}

/** Runs a command in a process of its own, as an operator does while the product is stopped. Returns what it printed. */
async function command<T>(settings: OwnProduct["settings"], ...args: string[]) {
  const options = { cwd: root, env: { ...surroundings, ...settings } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["bin/carillon.mjs", ...args], options);
  return { printed: JSON.parse(stdout) as T, messages: stderr.split("\n").filter(Boolean) };
}
