import { randomUUID } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import type { Client } from "pg";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { db, dedicatedConnection, installation, users } from "../db";
import { readInstallation } from "../db/installation";
import { listenOn } from "../db/listen";
import { RUNNING_PROCESS_LOCK } from "../db/locks";
import { perProcess } from "../db/per-process";
import { env, SettingsError } from "../env";
import { ApiError } from "../errors";
import { defineJob, enqueue, startWorker } from "../jobs";
import { dispatch, releaseClaims } from "../schedules";
import { keyChecks } from "../secrets";
import { as, connectAccount, newOwner, schedule, settled } from "../testing";
import {
  acceptConfiguration,
  assertKeys,
  configurationProblems,
  forgetOlderKeys,
  joinInstallation,
  keyProblems,
  leaderConnection,
} from "./configuration";

const kept = { ...env };
const joined: { leave(): Promise<void> }[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const { leave } of joined.splice(0)) await leave();
  Object.assign(env, kept);
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  await db.update(installation).set({ keyChecks: null, storeId: null, addresses: null, notifies: null });
});

/** Starts another process, as far as the installation can see it, with these settings. */
async function start(changed: Partial<typeof env> = {}): Promise<void> {
  Object.assign(env, kept, changed);
  joined.push(await joinInstallation());
}

const stored = async () => {
  const { keyChecks, storeId, addresses } = await readInstallation();
  return { keyChecks, storeId, addresses };
};
/** A publication on a new account of the owner. */
const onX = async (owner: string) => {
  const { id } = await connectAccount(owner, "X_TWITTER");
  return { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] };
};
const own = async () => keyChecks((await readInstallation()).installationId)[0] ?? "";
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "carillon-other-"));
  folders.push(folder);
  return folder;
};

test("the first process writes its configuration, and the same one may start again beside it", async () => {
  await start();
  const written = await stored();
  expect(written).toEqual({
    keyChecks: { [await own()]: expect.any(String) },
    storeId: expect.any(String),
    addresses: { BASE_URL: env.baseUrl, AUTH_URL: env.authUrl, APP_URL: env.appUrl },
  });
  await start();
  expect(await stored()).toEqual(written);
});

describe("an address that differs", () => {
  test.each([
    ["BASE_URL", { isAddressSet: true, baseUrl: "https://other.example" }],
    ["AUTH_URL", { isAddressSet: true, authUrl: "https://other.example" }],
    ["APP_URL", { isAddressSet: true, appUrl: "https://other.example" }],
  ])("%s is refused while another process runs, and stored when none does", async (setting, changed) => {
    await start();
    const before = await stored();
    const refused = start(changed);
    await expect(refused).rejects.toThrow(SettingsError);
    await expect(refused).rejects.toThrow(
      new RegExp(`^${setting}: is https://other.example here, and http://localhost:\\d+ for the processes`),
    );
    expect(await stored()).toEqual(before);
    await joined.pop()?.leave();
    await start(changed);
    expect((await stored()).addresses).toEqual({ ...before.addresses, [setting]: "https://other.example" });
  });
});

test("addresses that follow from PORT may differ on one machine, and the first ones stay stored", async () => {
  await start();
  const before = await stored();
  await start({
    isAddressSet: false,
    baseUrl: "http://localhost:1",
    authUrl: "http://localhost:1",
    appUrl: "http://localhost:1",
  });
  expect(await stored()).toEqual(before);
});

describe("DATABASE_NOTIFY=off", () => {
  test("is refused while a process runs that relies on notifications, and the other way round", async () => {
    for (const databaseNotify of [true, false]) {
      await start({ databaseNotify });
      const [here, there] = databaseNotify ? ["off", "on"] : ["on", "off"];
      await expect(start({ databaseNotify: !databaseNotify })).rejects.toThrow(
        `DATABASE_NOTIFY: is ${here} here, and ${there} for the processes that are running`,
      );
      await joined.pop()?.leave();
    }
  });

  test.each([true, false])("notifications are sent and heard only if it is on (%s)", async (databaseNotify) => {
    await start({ databaseNotify });
    const listening = await dedicatedConnection("test");
    onTestFinished(() => listening.end());
    const heard: string[] = [];
    listening.on("notification", ({ channel }) => heard.push(channel));
    for (const channel of ["publications_due", "access_changed", "last"]) await listening.query(`listen ${channel}`);
    const owner = await newOwner();
    await schedule(as(owner), [await onX(owner)]);
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    await db.execute(sql`select pg_notify('last', '')`);
    await expect.poll(() => heard.at(-1)).toBe("last");
    expect([...new Set(heard)]).toEqual([...(databaseNotify ? ["publications_due", "access_changed"] : []), "last"]);
  });

  test("no connection listens, and a worker finds a post and a job that are due at once", async () => {
    await start({ databaseNotify: false });
    const listener = listenOn("nothing", { notice: () => {}, lost: () => {} });
    expect([listener.isLive(), await listener.catchUp()]).toEqual([false, false]);
    const ran: number[] = [];
    const job = defineJob({
      name: `test.${randomUUID()}`,
      payload: z.object({ number: z.number() }),
      run: async ({ number }) => void ran.push(number),
    });
    const worker = await startWorker({ jobs: [job as never], duties: [dispatch()], loops: [], releaseClaims });
    onTestFinished(worker.stop);
    const owner = await newOwner();
    const { id: due } = await schedule(as(owner), [await onX(owner)]);
    await enqueue(db, job, { number: 7 });
    await expect.poll(() => ran).toEqual([7]);
    expect(await settled(as(owner), due)).toMatchObject({ overallStatus: "COMPLETED" });
    const { rows } = await db.execute(sql`select query from pg_stat_activity
      where application_name = ${`carillon ${process.pid}`} and query like 'LISTEN "jobs:insert"%'`);
    expect(rows).toEqual([]);
  });
});

describe("a store that differs", () => {
  test("is refused, until it has all files of the first one or is accepted", async () => {
    await start();
    const dataDir = await newFolder();
    const { storeId } = await stored();
    const missing = `${dataDir}/objects has no object stores/${storeId}`;
    const reason = `DATA_DIR: the files of this installation are in another store: ${missing}`;
    await expect(start({ dataDir })).rejects.toThrow(reason);
    expect(await configurationProblems()).toEqual([expect.stringContaining(reason)]);
    await cp(join(kept.dataDir, "objects", "stores"), join(dataDir, "objects", "stores"), { recursive: true });
    await start({ dataDir });
    expect((await stored()).storeId).toBe(storeId);
  });

  test("is accepted by the command only while no process runs", async () => {
    await start();
    Object.assign(env, { dataDir: await newFolder() });
    await expect(acceptConfiguration("store")).rejects.toThrow(
      new ApiError(409, "Stop all web and worker processes first"),
    );
    await joined.pop()?.leave();
    await acceptConfiguration("store");
    await start({ dataDir: env.dataDir });
  });
});

describe("keys", () => {
  test("a process without a stored key is refused with the check values, also a command", async () => {
    await db.update(installation).set({ keyChecks: { "00ff": "2026-11-24T12:00:00.000Z" } });
    const before = await stored();
    const reason = `SECRETS_KEY: lacks a key of this installation (check value 00ff, in use since 2026-11-24T12:00:00.000Z; SECRETS_KEY here has ${await own()})`;
    for (const begin of [start, assertKeys]) await expect(begin()).rejects.toThrow(reason);
    expect(await configurationProblems()).toEqual([expect.stringContaining(reason)]);
    expect((await stored()).keyChecks).toEqual(before.keyChecks);
  });

  test("after keys reseal, a process may start without the older key", async () => {
    await start();
    await db.update(installation).set({ keyChecks: { "00ff": "2026-11-24T12:00:00.000Z" } });
    await forgetOlderKeys();
    await start();
    expect(Object.keys((await stored()).keyChecks ?? {})).toEqual([await own()]);
  });

  test("docs/operate.md, Replace SECRETS_KEY: processes restart one after the other, and none is refused", async () => {
    const keys = perProcess<string[]>("secrets.master", () => []);
    const own = [...keys];
    const startWith = async (...given: string[]) => {
      keys.splice(0, keys.length, ...given);
      await start();
    };
    onTestFinished(() => void keys.splice(0, keys.length, ...own));
    const [old, fresh] = ["the old key", "the new key"];
    const whileSomeAreNotYet = async (before: string[], after: string[]) => {
      for (const given of [before, after, before, after]) await startWith(...given);
    };
    await whileSomeAreNotYet([old], [old, fresh]);
    await whileSomeAreNotYet([old, fresh], [fresh, old]);
    await expect(startWith(old)).rejects.toThrow("lacks a key of this installation");
    await expect(startWith(fresh)).rejects.toThrow("lacks a key of this installation");
    await startWith(fresh, old);
    await forgetOlderKeys(); // keys reseal
    await whileSomeAreNotYet([fresh, old], [fresh]);
    await expect(startWith(old)).rejects.toThrow("lacks a key of this installation");
  });

  test("lost ones are replaced by the command", async () => {
    await db.update(installation).set({ keyChecks: { "00ff": "2026-11-24T12:00:00.000Z" } });
    await acceptConfiguration("keys");
    await start();
  });

  test.each<[what: string, stored: string[], given: string[], isAccepted: boolean]>([
    ["the same key", ["a"], ["a"], true],
    ["a new key in front", ["a"], ["b", "a"], true],
    ["a new key behind", ["a"], ["a", "b"], true],
    ["the old key alone, while a new one is in use", ["a", "b"], ["a"], false],
    ["the new key alone, before keys reseal", ["a", "b"], ["b"], false],
    ["another key", ["a"], ["c"], false],
  ])("%s", (_, used, given, isAccepted) => {
    const since = Object.fromEntries(used.map((check) => [check, "2026-11-24T12:00:00.000Z"]));
    expect(keyProblems(since, given).length === 0).toBe(isAccepted);
  });

  test("a check value has 64 bits and differs for each installation", () => {
    const [one, other] = [keyChecks("one"), keyChecks("other")];
    expect(one[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(one).not.toEqual(other);
    expect(keyChecks("one")).toEqual(one);
  });
});

test("a worker holds its locks on the connection that shows that its process runs, and on the next one if it breaks", async () => {
  const pidOf = async (client: Client) => Number((await client.query("select pg_backend_pid() as pid")).rows[0]?.pid);
  const running = async () =>
    (
      await db.execute<{ pid: number }>(sql`select pid from pg_locks where locktype = 'advisory'
      and objid = ${RUNNING_PROCESS_LOCK} and objsubid = 1 and granted`)
    ).rows.map(({ pid }) => pid);
  const others = await running();
  await start();
  const first = await leaderConnection();
  expect(await running()).toEqual([...others, await pidOf(first)]);
  const ended = new Promise((resolve) => first.once("end", resolve));
  await db.execute(sql`select pg_terminate_backend(${await pidOf(first)})`);
  await ended;
  const second = await leaderConnection();
  expect(await running()).toEqual([...others, await pidOf(second)]);
  await joined.pop()?.leave();
  await second.end();
});
