import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  accounts,
  databasePool,
  db,
  dbOrTransaction,
  networkHealth,
  publications,
  shareTransaction,
  users,
  workers,
} from "../lib/db";
import type { ServerFacts } from "../lib/db/server-facts";
import { env } from "../lib/env";
import { announceWorker } from "../lib/jobs/presence";
import {
  listOverdue,
  listOverdueComments,
  type PublishingState,
  pausePublishing,
  resumePublishing,
} from "../lib/schedules";
import { as, connectAccount, fault, inAnHour, newOwner, schedule } from "../lib/testing";
import { version } from "../lib/version";
import {
  backupProblems,
  checkLive,
  databaseProblems,
  migrationProblems,
  publishingProblems,
  workerProblems,
} from "./doctor-live";

const listed = (problems: { severity: string; problem: string }[]) =>
  problems.map(({ severity, problem }) => [severity, problem]);

describe("the running service", () => {
  test("the database, the schema and the store are read from the service's own sessions", async () => {
    const { database, schema, store } = await checkLive();
    const settings = { fsync: "on", full_page_writes: "on", TimeZone: "UTC", transaction_read_only: "off" };
    expect(database.settings).toMatchObject(settings);
    expect(Math.abs(database.clockAheadSeconds)).toBeLessThan(2);
    expect(database.connections.max).toBeGreaterThan(0);
    expect(schema).toEqual({ applied: expect.any(Number), pending: [], unknown: 0 });
    expect(store).toMatchObject({ isWorking: true, freeBytes: expect.any(Number) });
  });

  test("a process of another machine counts with its pool and its own connections", async () => {
    const { default: pg } = await import("pg");
    const connectionString = databasePool().options.connectionString?.split("?")[0]; // by TCP, as from another machine
    const names = ["carillon 900001", "carillon 900001 worker", "carillon-worker 900001"];
    const clients = names.map((application_name) => new pg.Client({ connectionString, application_name }));
    await Promise.all(clients.map((client) => client.connect()));
    try {
      const { connections } = (await checkLive()).database;
      const one = connections.processes.find(({ pid }) => pid === 900_001);
      expect(one).toEqual({ host: "127.0.0.1", pid: 900_001, connections: 3, ownConnections: 2 });
      expect(connections.processes.some(({ pid }) => pid === process.pid)).toBe(false);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  test("workers are listed with the version that they run; a worker of an earlier release stored none", async () => {
    const earlier = randomUUID();
    await db.insert(workers).values({ id: earlier, heartbeatAt: sql`now() + interval '1 minute'` });
    onTestFinished(async () => void (await db.delete(workers).where(eq(workers.id, earlier))));
    const { worker, leave } = await announceWorker(async () => {});
    onTestFinished(leave);
    const { workers: found } = await checkLive();
    expect(found).toContainEqual(expect.objectContaining({ id: worker.id, version: version(), isAlive: true }));
    expect(found.find(({ id }) => id === earlier)).not.toHaveProperty("version");
  });

  test("a store that cannot be written to is a failure", async () => {
    const objects = join(env.dataDir, "objects");
    await rename(objects, `${objects}.kept`);
    onTestFinished(() => rename(`${objects}.kept`, objects));
    await writeFile(objects, "");
    onTestFinished(() => rename(objects, `${objects}.file`));
    const { store, problems } = await checkLive();
    expect(store.isWorking).toBe(false);
    expect(listed(problems)).toContainEqual([
      "failure",
      expect.stringMatching(/^The store cannot be used from here: E/),
    ]);
  });
});

describe.each([
  ["publication", "dueAt", listOverdue],
  ["first comment", "commentDueAt", listOverdueComments],
] as const)("an overdue %s", (_, column, list) => {
  class Undone extends Error {}
  let [ownerId, accountId, publicationId] = ["", 0, 0];
  beforeAll(async () => {
    ownerId = await newOwner();
    accountId = (await connectAccount(ownerId, "X_TWITTER")).id;
    const on = { socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] };
    publicationId = (await schedule(as(ownerId), [on], inAnHour())).publications[0]?.id ?? 0;
  });

  /** How many more are overdue on X if this one is due since then, in a transaction that is rolled back. */
  async function overdueWith(seconds: number, change: () => Promise<unknown> = async () => {}): Promise<number> {
    let added = Number.NaN;
    const onX = async () => (await list()).find(({ platform }) => platform === "X_TWITTER")?.count ?? 0;
    const undone = shareTransaction(async () => {
      await dbOrTransaction.delete(networkHealth);
      await change(); // first, because it may also affect what other tests have left
      const before = await onX();
      const due = { [column]: sql`now() - make_interval(secs => ${seconds})` };
      await dbOrTransaction.update(publications).set(due).where(eq(publications.id, publicationId));
      added = (await onX()) - before;
      throw new Undone();
    });
    await expect(undone).rejects.toThrow(Undone);
    return added;
  }

  const onAccount = (set: object) => dbOrTransaction.update(accounts).set(set).where(eq(accounts.id, accountId));
  const later = sql`now() + interval '1 minute'`;

  test("counts after a minute in which no worker claimed it", async () => {
    expect(await overdueWith(30)).toBe(0);
    expect(await overdueWith(90)).toBe(1);
  });

  test.each<[why: string, change: () => Promise<unknown>]>([
    [
      "its owner is suspended",
      async () => dbOrTransaction.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, ownerId)),
    ],
    ["its account waits to be confirmed", async () => onAccount({ heldSince: sql`now()` })],
    ["its account was told to wait", async () => onAccount({ waitUntil: later })],
    [
      "its network is closed",
      async () =>
        dbOrTransaction
          .insert(networkHealth)
          .values({ platform: "X_TWITTER", consecutiveFailures: 9, closedUntil: later }),
    ],
    [
      "a worker works on it",
      async () =>
        dbOrTransaction.update(publications).set({ claimUntil: later }).where(eq(publications.id, publicationId)),
    ],
  ])("does not count while %s", async (_, change) => {
    expect(await overdueWith(90, change)).toBe(0);
  });
});

describe("the problems of publishing", () => {
  const running: PublishingState = { paused: false, waiting: 3 };
  const overdue = (oldestSeconds: number) => [{ platform: "BLUE_SKY" as const, count: 3, oldestSeconds }];
  const found = (late: Parameters<typeof publishingProblems>[1], state = running) =>
    publishingProblems(state, late, []);

  test.each(["publications", "comments"] as const)(
    "overdue %s are a warning, a failure after five minutes, and no problem of the workers while publishing is paused",
    (what) => {
      const of = (seconds: number, state = running) =>
        listed(found({ publications: [], comments: [], [what]: overdue(seconds) }, state));
      const name = { publications: "3 publications", comments: "3 first comments" }[what];
      expect(of(120)).toEqual([["warning", `${name} on Bluesky are overdue, the oldest by 120 s`]]);
      expect(of(301)).toEqual([["failure", `${name} on Bluesky are overdue, the oldest by 301 s`]]);
      const held = { reason: "restored", since: "2026-11-24T10:00:00.000Z", fix: "" };
      expect(of(301, { ...running, held })).toEqual([]);
      const paused = { paused: true, since: "2026-11-24T10:00:00.000Z", reason: "a test", waiting: 3 };
      expect(of(301, paused)).toEqual([
        ["warning", "Publishing is paused since 2026-11-24T10:00:00.000Z (a test); 3 due publications wait"],
      ]);
    },
  );

  test("overdue comments say that workers of an earlier release do not send them", () => {
    const [problem] = found({ publications: [], comments: overdue(90) });
    expect(problem?.fix).toMatch(/^Check that enough workers of this release run, .* fails 24 hours after/);
  });
});

describe("the facts of the database server", () => {
  const fine: ServerFacts = {
    versionNumber: 180_004,
    settings: {
      fsync: "on",
      full_page_writes: "on",
      synchronous_commit: "on",
      TimeZone: "UTC",
      transaction_read_only: "off",
    },
    clockAheadSeconds: 0.3,
    connections: { max: 97, open: 30, processes: [], poolSize: 20, peak: 80 },
  };
  const withSetting = (set: Partial<ServerFacts["settings"]>) => ({ ...fine, settings: { ...fine.settings, ...set } });
  const withConnections = (set: Partial<ServerFacts["connections"]>) => ({
    ...fine,
    connections: { ...fine.connections, ...set },
  });

  test.each<[what: string, facts: ServerFacts, expected: [string, RegExp][]]>([
    ["everything is fine", fine, []],
    ["PostgreSQL 13", { ...fine, versionNumber: 130_015 }, [["failure", /^PostgreSQL 13 is too old/]]],
    ["commits that do not wait", withSetting({ synchronous_commit: "off" }), [["failure", /synchronous_commit=off/]]],
    ["local sessions", withSetting({ TimeZone: "Europe/Berlin" }), [["failure", /time zone Europe\/Berlin/]]],
    ["a standby", withSetting({ transaction_read_only: "on" }), [["failure", /read-only/]]],
    ["a clock that is 3 s late", { ...fine, clockAheadSeconds: -3 }, [["warning", /differ by 3 s/]]],
    ["a clock that is 31 s early", { ...fine, clockAheadSeconds: 31 }, [["failure", /differ by 31 s/]]],
    ["more pools than connections", withConnections({ peak: 98 }), [["warning", /may need 98 connections/]]],
    ["no free connection", withConnections({ open: 97 }), [["failure", /^All 97 connections/]]],
  ])("%s", (_, facts, expected) => {
    const found = listed(databaseProblems(facts));
    expect(found).toEqual(expected.map(([severity, text]) => [severity, expect.stringMatching(text)]));
  });

  test("no worker is a failure; a silent one and one of another build are warnings", () => {
    const worker = { id: "a", version: "1", startedTime: "", silentSeconds: 1, isAlive: true };
    expect(workerProblems([worker], "1")).toEqual([]);
    expect(listed(workerProblems([worker, { ...worker, id: "b", version: "0" }], "1"))).toEqual([
      ["warning", "Worker b runs 0, and this machine has 1"],
    ]);
    expect(listed(workerProblems([{ ...worker, silentSeconds: 40.4, isAlive: false }], "1"))).toEqual([
      ["failure", "No worker is running: nothing is published, imported or delivered"],
      ["warning", "Worker a has not answered for 40 s"],
    ]);
  });

  test("a backup older than 26 hours is a failure, and on one machine a warning, as is a missing one", () => {
    const now = new Date("2026-11-24T12:00:00Z");
    const of = (time: string | null, isLocal: boolean) => listed(backupProblems(time, now, isLocal));
    expect(of("2026-11-23T10:00:00Z", false)).toEqual([]);
    expect(of("2026-11-23T09:59:00Z", false)).toEqual([["failure", "The last backup is 26 hours old"]]);
    expect(of("2026-11-23T09:59:00Z", true)).toEqual([["warning", "The last backup is 26 hours old"]]);
    expect(of(null, false)).toEqual([["warning", "No backup was made with backup create"]]);
  });

  test("missing migrations are a failure, and those of a newer release a warning", () => {
    expect(migrationProblems({ applied: 3, pending: [], unknown: 0 })).toEqual([]);
    expect(listed(migrationProblems({ applied: 3, pending: ["0003_a"], unknown: 2 }))).toEqual([
      ["failure", "The database lacks the migrations 0003_a"],
      ["warning", "The database has 2 migrations of a newer release"],
    ]);
  });
});

describe("with a network", () => {
  const withNetwork = async (platform: "TELEGRAM" | "BLUE_SKY" | "X_TWITTER") => {
    const { network, problems } = await checkLive(platform);
    const isAbout = /^(Telegram|Bluesky|X)[ ,]/;
    return { network, problems: listed(problems).filter(([, problem]) => isAbout.test(problem ?? "")) };
  };

  test("calls it with the service's credentials and reads the profile of an account", async () => {
    const { id } = await connectAccount(await newOwner(), "X_TWITTER");
    const account = { id, username: expect.any(String) };
    const network = {
      platform: "X_TWITTER",
      mode: "sandbox",
      credentials: "accepted",
      account,
      checks: expect.any(Array),
    };
    expect(await withNetwork("X_TWITTER")).toEqual({ network, problems: [] });
  });

  test("a network that fails is a failure with its reason", async () => {
    await connectAccount(await newOwner(), "X_TWITTER");
    await fault({ network: "x", operation: "profile", fault: "http_500", times: 1 });
    expect((await withNetwork("X_TWITTER")).problems).toEqual([["failure", expect.stringMatching(/^X, identity: ./)]]);
  });

  test("one that is not offered is a failure", async () => {
    const kept = env.networks.telegram;
    env.networks.telegram = { mode: "off" };
    onTestFinished(() => {
      env.networks.telegram = kept;
    });
    expect((await withNetwork("TELEGRAM")).problems).toContainEqual([
      "failure",
      "Telegram was not called: it is not offered here",
    ]);
  });
});

test("the report lists overdue first comments", async () => {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "THREADS");
  const on = { socialMediaAccountId: id, platformSettings: { type: "THREADS" }, posts: [{ content: "a" }] };
  const made = await schedule(as(owner), [on], inAnHour());
  const publication = eq(publications.scheduleId, made.id);
  const due = (commentDueAt: ReturnType<typeof sql> | null) =>
    db.update(publications).set({ commentDueAt }).where(publication);
  await due(sql`now() - interval '20 days'`); // longer than any other test leaves one
  onTestFinished(async () => void (await due(null)));
  const { publishing, problems } = await checkLive();
  const onThreads = publishing.overdueComments.find(({ platform }) => platform === "THREADS");
  expect(onThreads?.oldestSeconds).toBeGreaterThan(19 * 86_400);
  expect(listed(problems)).toContainEqual(["failure", expect.stringMatching(/first comments? on Threads/)]);
});

test("while publishing is paused, the report says so", async () => {
  await pausePublishing("a test of doctor");
  onTestFinished(async () => void (await resumePublishing()));
  expect((await checkLive()).publishing).toMatchObject({ paused: true, reason: "a test of doctor" });
});
