import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import type { Client } from "pg";
import { db, dedicatedConnection, installation, type Tx } from "../db";
import { readInstallation } from "../db/installation";
import { RUNNING_PROCESS_LOCK } from "../db/locks";
import { perProcess } from "../db/per-process";
import { env, isLoopback, SettingsError } from "../env";
import { ApiError } from "../errors";
import { log } from "../log";
import { keyChecks } from "../secrets";
import { storeIdProblem, watchStoreId } from "./store-id";

// All processes of an installation need the same keys, the same store and the same addresses. The first process writes them to
// the row of the installation, and each process compares its own before it starts. ADR 32 explains how they are changed.

type Row = typeof installation.$inferSelect;
/** The listing of this process among those that run. `handOver` returns its connection, unless it broke or was given away. */
type Listing = { leave(): Promise<void>; handOver(): Client | undefined };

const joined = perProcess<{ listing?: Listing }>("installation.joined", () => ({}));

const SAME = "Every process needs the same value";
const RETRY_MS = 5_000;

/** The addresses of this process, by setting. */
const addressesHere = () => ({ BASE_URL: env.baseUrl, AUTH_URL: env.authUrl, APP_URL: env.appUrl });

/**
 * Compares the configuration of this process with that of the installation, and stores what is new. Until `leave`, other
 * processes can see that this one runs.
 * @throws SettingsError that names each setting that differs; nothing was changed then
 */
export async function joinInstallation(): Promise<{ leave(): Promise<void> }> {
  const connection = await newLeader();
  try {
    const store = await checkStore();
    await db.transaction(async (tx) => {
      const row = await lockInstallation(tx);
      const checks = keyChecks(row.installationId);
      const isAlone = await isOnlyProcess(connection);
      const shared = isAlone ? [] : [...addressProblems(row.addresses), ...notifyProblems(row.notifies)];
      const problems = [...keyProblems(row.keyChecks, checks), ...store, ...shared];
      if (problems.length > 0) throw new SettingsError(problems);
      await storeConfiguration(tx, isAlone ? row : { ...row, addresses: addressesHere() }, checks);
      if (isAlone) await tx.update(installation).set({ notifies: env.databaseNotify });
      await connection.query("select pg_advisory_lock_shared($1)", [RUNNING_PROCESS_LOCK]);
      if (isAlone) await connection.query("select pg_advisory_unlock($1)", [RUNNING_PROCESS_LOCK]);
    });
  } catch (error) {
    await connection.end().catch(() => {});
    throw error;
  }
  joined.listing = stayListed(connection);
  return joined.listing;
}

/**
 * The connection for the locks of this process's worker. It also holds the lock of running processes, so that a process needs
 * only one. The worker owns it: it ends it, and asks for another one if it broke.
 */
export async function leaderConnection(): Promise<Client> {
  const { listing } = joined;
  const first = listing?.handOver();
  if (first) return first;
  const connection = await newLeader();
  if (listing) await connection.query("select pg_advisory_lock_shared($1)", [RUNNING_PROCESS_LOCK]);
  return connection;
}

async function newLeader(): Promise<Client> {
  const connection = await dedicatedConnection("leader", "background");
  connection.on("error", () => {}); // "end" follows
  return connection;
}

/**
 * Compares the keys of a command with those of the installation. Commands neither publish nor send links, so their addresses
 * may differ.
 * @throws SettingsError
 */
export async function assertKeys(): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockInstallation(tx);
    const checks = keyChecks(row.installationId);
    const problems = keyProblems(row.keyChecks, checks);
    if (problems.length > 0) throw new SettingsError(problems);
    await storeConfiguration(tx, { ...row, addresses: addressesHere() }, checks);
  });
}

/** Names what differs between the keys and the store of this machine and those of the installation. Changes nothing. */
export async function configurationProblems(): Promise<string[]> {
  const { keyChecks: stored, installationId, storeId } = await readInstallation();
  const ofStore = storeId ? await storeIdProblem().catch(() => undefined) : undefined; // `storeProblem` tells why
  const store = ofStore && ofStore !== "unavailable" ? [ofStore] : [];
  return [...keyProblems(stored, keyChecks(installationId)), ...store];
}

/** Notes that everything is encrypted with the newest key, so that a process may start without the older ones. */
export async function forgetOlderKeys(): Promise<void> {
  await db.transaction(async (tx) => {
    const { keyChecks: stored, installationId } = await lockInstallation(tx);
    const [newest = ""] = keyChecks(installationId);
    await tx.update(installation).set({ keyChecks: { [newest]: stored?.[newest] ?? new Date().toISOString() } });
  });
}

/**
 * Makes the keys or the store of this process those of the installation, because the stored ones are gone.
 * @throws ApiError 409 if a process runs that uses the stored ones
 */
export async function acceptConfiguration(part: "keys" | "store"): Promise<void> {
  const connection = await dedicatedConnection("accept");
  try {
    if (!(await isOnlyProcess(connection))) throw new ApiError(409, "Stop all web and worker processes first");
    await db.update(installation).set(part === "keys" ? { keyChecks: null } : { storeId: null });
    await (part === "keys" ? assertKeys() : checkStore()); // stores what this process has
  } finally {
    await connection.end();
  }
}

async function lockInstallation(tx: Tx): Promise<Row> {
  await tx.execute(sql`select from installation where id = 1 for update`);
  return readInstallation(tx);
}

/** Takes the lock of running processes alone, which fails while another process runs. */
async function isOnlyProcess(connection: Client): Promise<boolean> {
  const { rows } = await connection.query("select pg_try_advisory_lock($1) as alone", [RUNNING_PROCESS_LOCK]);
  return rows[0]?.alone === true;
}

/**
 * A process needs every key with which values are encrypted. Those are the stored ones: each process stores its first key.
 * @param stored since when each key is used, by its check value
 * @param given the check values of this process, newest first
 */
export function keyProblems(stored: { [check: string]: string } | null, given: string[]): string[] {
  const missing = Object.entries(stored ?? {}).filter(([check]) => !given.includes(check));
  if (missing.length === 0) return [];
  const listed = missing.map(([check, since]) => `${check}, in use since ${since}`).join("; ");
  const here = env.secretsKey
    ? "SECRETS_KEY here has"
    : "it is not set here, so this machine uses the key in DATA_DIR:";
  return [
    `SECRETS_KEY: lacks a key of this installation (check value ${listed}; ${here} ${given.join(", ")}). ${SAME}. To replace a key, see "Replace SECRETS_KEY" in docs/operate.md; if it is lost, run: npm run carillon -- installation accept keys`,
  ];
}

/**
 * Names the addresses that differ from those of the running processes. Addresses that follow from `PORT` may differ on one
 * machine, where several web processes each need a port.
 */
export function addressProblems(stored: { [setting: string]: string } | null): string[] {
  if (!env.isAddressSet && Object.values(stored ?? {}).every(isLoopback)) return [];
  return Object.entries(addressesHere())
    .filter(([setting, url]) => (stored?.[setting] ?? url) !== url)
    .map(
      ([setting, url]) =>
        `${setting}: is ${url} here, and ${stored?.[setting]} for the processes that are running. ${SAME}. To change it, stop all of them and start them with the new one`,
    );
}

/** A process that relies on notifications must not run beside one that sends none. Null is from an earlier release. */
function notifyProblems(stored: boolean | null): string[] {
  if ((stored ?? true) === env.databaseNotify) return [];
  const [here, there] = env.databaseNotify ? ["on", "off"] : ["off", "on"];
  return [
    `DATABASE_NOTIFY: is ${here} here, and ${there} for the processes that are running. ${SAME}. To change it, stop all of them and start them with the new one`,
  ];
}

async function storeConfiguration(tx: Tx, row: Row, [newest = ""]: string[]): Promise<void> {
  const addresses = addressesHere();
  const changed = Object.entries(addresses).filter(([setting, url]) => (row.addresses?.[setting] ?? url) !== url);
  for (const [setting, url] of changed)
    log.warn({ setting, before: row.addresses?.[setting], now: url }, "an address changed");
  const set = {
    ...(row.keyChecks?.[newest] ? {} : { keyChecks: { ...row.keyChecks, [newest]: new Date().toISOString() } }),
    ...(row.addresses && changed.length === 0 ? {} : { addresses }),
  };
  if (Object.keys(set).length > 0) await tx.update(installation).set(set).where(eq(installation.id, 1));
}

/**
 * Compares the store with that of the installation. A bucket that does not answer does not prevent the start, because posts
 * without files can still be published. It is checked as soon as it answers.
 */
async function checkStore(): Promise<string[]> {
  const problem = await storeIdProblem();
  if (problem === "unavailable") {
    log.warn("the store does not answer, so it is compared with that of the installation later");
    watchStoreId((late) => {
      log.error(late);
      process.kill(process.pid, "SIGTERM");
    });
    return [];
  }
  return problem ? [problem] : [];
}

/** Holds the lock of running processes. Takes it again if the connection breaks, until a worker of this process does so. */
function stayListed(first: Client): Listing {
  const leaving = new AbortController();
  let connection: Client | undefined;
  const hold = (current: Client) => {
    connection = current;
    current.once("end", () => void retake());
  };
  async function retake(): Promise<void> {
    connection = undefined;
    while (!leaving.signal.aborted) {
      await sleep(RETRY_MS * (1 + Math.random()), undefined, { signal: leaving.signal, ref: false }).catch(() => {});
      if (leaving.signal.aborted) return;
      const next = await newLeader().catch(() => undefined);
      if (!next) continue;
      try {
        await next.query("select pg_advisory_lock_shared($1)", [RUNNING_PROCESS_LOCK]);
        if (!leaving.signal.aborted) return hold(next);
      } catch {
        // The connection broke again.
      }
      await next.end().catch(() => {});
    }
  }
  hold(first);
  const listing: Listing = {
    async leave() {
      leaving.abort();
      if (joined.listing === listing) joined.listing = undefined;
      await connection?.end().catch(() => {});
    },
    handOver() {
      leaving.abort();
      const given = connection;
      connection = undefined;
      return given;
    },
  };
  return listing;
}
