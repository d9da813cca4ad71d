import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, onTestFinished, test } from "vitest";
import { db, dedicatedConnection, installation, publishCounts } from "../db";
import { publishingHold, readInstallation } from "../db/installation";
import { env } from "../env";
import "../testing/database";
import { checkInstallation, problemOf } from "./check";
import { writeToDataDir } from "./copies";
import { advanceSequences } from "./finish";
import type { Mark } from "./mark";
import { foldOldCounts, readCluster, readState, type State } from "./state";
import { knownMarks, noteAnnounced, watchInstallation } from "./watch";

const AT = "2026-11-24T12:00:00.000Z";
const mark = (published: number, counts = {}, epoch = 0, at = AT): Mark => {
  return { installationId: "a", epoch, published, counts, at };
};
const known = mark(10, { one: 6, two: 4 });
const state = (given: Partial<State> = {}): State => ({
  mark: known,
  copy: known,
  storedCluster: { systemIdentifier: "1", timeline: 1 },
  cluster: { systemIdentifier: "1", timeline: 1 },
  heldAt: null,
  heartbeatAt: null,
  ...given,
});
const moved = { cluster: { systemIdentifier: "2", timeline: 1 } };
const switched = { cluster: { systemIdentifier: "1", timeline: 2 } };
const neverChecked = { storedCluster: { systemIdentifier: null, timeline: null } };

describe("publishing starts held", () => {
  const cases: [string, State, Mark[]][] = [
    ["the database has fewer calls than a copy", state(), [mark(11, { one: 7, two: 4 })]],
    ["one worker's calls are missing, although another worker has more", state(), [mark(9, { two: 5 })]],
    ["a worker that a copy knows is missing", state(), [mark(10, { three: 1 })]],
    ["only one of several copies is ahead", state(), [known, mark(12)]],
    ["the database is from before the last restore", state(), [mark(3, {}, 1)]],
    ["it was failed over and lost calls", state(switched), [mark(11)]],
    ["it was failed over, and there is no copy", state(switched), []],
    ["it was moved to another server, and there is no copy", state(moved), []],
    ["it was moved to another server, and the copy is older", state(moved), [mark(8, { one: 4, two: 4 })]],
  ];
  test.each(cases)("if %s", (_, given, marks) => {
    expect(problemOf(given, marks)).toEqual(expect.any(String));
  });
});

describe("publishing is not held", () => {
  const cases: [string, State, Mark[]][] = [
    ["at the first start", state(neverChecked), []],
    ["after a restart", state(), [known]],
    ["after a crash, with a copy that is a little older than the database", state(), [mark(8, { one: 4, two: 4 })]],
    ["if DATA_DIR was lost", state(), []],
    ["after a planned move in which nothing was lost", state(moved), [known]],
    ["after a failover that lost nothing", state(switched), [known]],
    ["for a copy from before the last restore", state({ mark: mark(10, {}, 1) }), [mark(99, { one: 99 })]],
    [
      "if an old copy lists a worker whose calls were folded",
      state(),
      [mark(9, { old: 9 }, 0, "2026-11-20T12:00:00Z")],
    ],
    [
      "if the role may no longer read the identifier",
      state({ cluster: { systemIdentifier: "oid:7", timeline: 1 } }),
      [],
    ],
  ];
  test.each(cases)("%s", (_, given, marks) => {
    expect(problemOf(given, marks)).toBeUndefined();
  });
});

type Sequence = { name: string; value: number; type: string };

async function readSequences(): Promise<Map<string, Sequence>> {
  const { rows } = await db.execute<Sequence>(sql`
    select sequencename as name, coalesce(last_value, 1)::float8 as value, data_type::text as type
    from pg_sequences where schemaname = 'public'`);
  return new Map(rows.map((row) => [row.name, row]));
}

describe("in a database", () => {
  const worker = randomUUID();
  afterEach(async () => {
    const { timeline } = await readCluster();
    await db.update(installation).set({ timeline, heldAt: null, heldReason: null, heldSincePoint: null });
    await db.delete(publishCounts).where(sql`worker_id = ${worker}`);
    await db.update(installation).set({ installationId: randomUUID() });
  });
  // Other test files of this process must not be held for the counts that were deleted here.
  afterAll(async () => {
    await db.update(installation).set({ epoch: sql`epoch + 1` });
    await (await watchInstallation()).stop();
    expect([await publishingHold(), knownMarks()[0]?.counts]).toEqual([undefined, (await readState()).mark.counts]);
  });
  const count = (published: number) =>
    db
      .insert(publishCounts)
      .values({ workerId: worker, published })
      .onConflictDoUpdate({ target: publishCounts.workerId, set: { published } });
  const pathOfCopy = async () => join(env.dataDir, "marks", `${(await readInstallation()).installationId}.json`);
  const copy = async () => JSON.parse(await readFile(await pathOfCopy(), "utf8")) as Mark;

  test("a process writes the counts before it stops, and the next start is held if they went back", async () => {
    await count(5);
    await (await watchInstallation()).stop();
    expect((await copy()).counts).toMatchObject({ [worker]: 5 });
    await checkInstallation();
    expect(await publishingHold()).toBeUndefined();
    await count(4);
    await (await watchInstallation()).stop();
    expect(await publishingHold()).toMatchObject({ reason: expect.stringContaining("went back in time") });
    expect((await copy()).counts).toMatchObject({ [worker]: 5 });
  });

  if (env.s3) {
    test("if DATA_DIR was lost too, the copy in the bucket shows that the counts went back", async () => {
      await count(5);
      await (await watchInstallation()).stop();
      await rm(await pathOfCopy());
      await checkInstallation();
      expect(await publishingHold()).toBeUndefined();
      await count(4);
      await checkInstallation();
      expect(await publishingHold()).toMatchObject({ reason: expect.stringContaining("went back in time") });
    });
  }

  test("restore finish moves every sequence ahead, and further for each call that a copy knows to be missing", async () => {
    const { copy } = await readState();
    await writeToDataDir({ ...copy, published: copy.published + 3 });
    const before = await readSequences();
    await advanceSequences();
    const after = await readSequences();
    expect(before.size).toBeGreaterThan(10);
    for (const [name, { value, type }] of before) {
      const ahead = type === "bigint" ? 103_000 : 100_000;
      // Rows that another test file left in a buffer can be written in between.
      expect(after.get(name)?.value, name).toBeGreaterThanOrEqual(value + ahead);
    }
  });

  test("if the connection breaks before the IDs are moved ahead, the next check does both: the hold and the IDs", async () => {
    const { copy } = await readState();
    await writeToDataDir({ ...copy, published: copy.published + 1 });
    const before = await readSequences();
    const [name = ""] = before.keys();
    const blocker = await dedicatedConnection("test");
    onTestFinished(() => blocker.end());
    await blocker.query(`begin; alter sequence ${name} cache 1`); // until its end, nobody can move this sequence
    const broken = checkInstallation().catch(() => "broken");
    const movers = sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%setval%' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await db.execute(movers)).rowCount, { timeout: 20_000 }).toBe(1);
    await db.execute(sql`select pg_terminate_backend(pid) from (${movers})`);
    expect(await broken).toBe("broken");
    await blocker.query("rollback");
    await checkInstallation();
    expect(await publishingHold()).toMatchObject({ reason: expect.stringContaining("went back in time") });
    const after = await readSequences();
    for (const [other, { value }] of before) {
      expect(after.get(other)?.value, other).toBeGreaterThanOrEqual(value + 100_000);
    }
  });

  test("the hold starts at the last heartbeat that the database knows", async () => {
    await db.update(installation).set({ heartbeatAt: "2026-11-01T10:00:00Z" });
    const { copy } = await readState();
    await writeToDataDir({ ...copy, published: copy.published + 1 });
    await checkInstallation();
    expect(await publishingHold()).toMatchObject({ sincePoint: "2026-11-01T10:00:00.000Z" });
  });

  test("a hold moves every sequence ahead, so that posts written meanwhile get IDs that were never issued", async () => {
    const { copy } = await readState();
    await writeToDataDir({ ...copy, published: copy.published + 1 });
    const before = await readSequences();
    await checkInstallation();
    const after = await readSequences();
    const moved = [...before].map(([name, { value }]) => (after.get(name)?.value ?? 0) - value);
    expect(Math.min(...moved)).toBeGreaterThanOrEqual(100_000);
  });

  test("after a failover, no process goes on while another one knows that calls are missing", async () => {
    const { timeline } = await readCluster();
    await db.update(installation).set({ timeline: timeline + 1 });
    const { copy } = await readState();
    await writeToDataDir(copy); // the copy of the first process lacks nothing
    const first = checkInstallation([], 3_000);
    const second = checkInstallation([{ ...copy, counts: { [randomUUID()]: 1 } }]);
    await first;
    expect(await publishingHold()).toMatchObject({ reason: expect.stringContaining("went back in time") });
    await second;
  });

  test("after a failover, a process without a copy leaves the decision to those that have one", async () => {
    const { timeline } = await readCluster();
    await db.update(installation).set({ timeline: timeline + 1 });
    const { copy } = await readState();
    const fresh = checkInstallation([], 2_000);
    await checkInstallation([copy], 800);
    await fresh;
    expect(await publishingHold()).toBeUndefined();
    expect((await readInstallation()).timeline).toBe(timeline);
  });

  test("a call that a database without the last ones still announces does not hide that they are missing", async () => {
    await count(5);
    const watch = await watchInstallation();
    await expect.poll(() => knownMarks().length).toBe(1);
    noteAnnounced(worker, 7);
    noteAnnounced(worker, 5);
    await watch.stop();
    expect(await publishingHold()).toMatchObject({ reason: expect.stringContaining("went back in time") });
  });

  test("a hold that came back with the rows of a backup begins anew: publishing had gone on after it", async () => {
    const { copy } = await readState();
    const held = {
      heldAt: "2026-11-01T10:00:00Z",
      heldReason: "an earlier restore",
      heldSincePoint: "2026-11-01T09:00:00Z",
    };
    await db.update(installation).set(held);
    await writeToDataDir({ ...copy, at: "2026-11-01T09:59:59.000Z", published: copy.published + 1 });
    await checkInstallation();
    expect(await publishingHold()).toMatchObject({ since: "2026-11-01T10:00:00.000Z", reason: "an earlier restore" });
    await writeToDataDir({ ...copy, published: copy.published + 1 });
    await checkInstallation();
    const hold = await publishingHold();
    expect(hold).toMatchObject({
      reason: expect.stringContaining("went back in time"),
      sincePoint: "2026-11-01T09:00:00.000Z",
    });
    expect(Date.parse(hold?.since ?? "")).toBeGreaterThan(Date.parse(copy.at));
    await checkInstallation();
    expect(await publishingHold()).toEqual(hold);
  });

  test("a copy that cannot be written leaves no file: on a full disk, there would be one more each second", async () => {
    const { copy } = await readState();
    const path = await pathOfCopy();
    await mkdir(path, { recursive: true });
    onTestFinished(() => rm(path, { recursive: true }));
    await expect(writeToDataDir(copy)).rejects.toThrow("EISDIR");
    expect((await readdir(join(env.dataDir, "marks"))).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("a copy that was not written completely is ignored", async () => {
    const { installationId } = await readInstallation();
    await mkdir(join(env.dataDir, "marks"), { recursive: true });
    await writeFile(join(env.dataDir, "marks", `${installationId}.json`), '{"installationId":');
    await checkInstallation();
    expect(await publishingHold()).toBeUndefined();
  });

  test("counts of workers that ended long ago are folded into the total", async () => {
    await count(5);
    await db.execute(sql`update publish_counts set counted_at = now() - interval '8 days' where worker_id = ${worker}`);
    const before = (await readState()).mark;
    await foldOldCounts();
    const after = (await readState()).mark;
    expect(after.published).toBe(before.published);
    expect(after.counts).not.toHaveProperty(worker);
  });

  test("an ordinary role can read the server's identifier and timeline", async () => {
    expect(await readCluster()).toEqual({
      systemIdentifier: expect.stringMatching(/^(\d{15,}|oid:\d+)$/),
      timeline: expect.any(Number),
    });
  });

  test("sessions wait until a commit is on disk", async () => {
    const { rows } = await db.execute(sql`show synchronous_commit`);
    expect(rows).toEqual([{ synchronous_commit: "on" }]);
  });
});
