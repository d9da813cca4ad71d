import { spawn } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ownPort } from "../testing/own-port";
import { attachToCluster, openCluster } from "./cluster";
import { prepareLocation } from "./embedded/location";
import { socketDirOf } from "./embedded/postmaster";
import { makeFolder, queryValue, startHolder } from "./testing/clusters";

// These tests create, kill and restart whole servers, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

type Place = { folder: string; dataDir: string };

/** Runs a test in a folder of its own, so that some can run at once: they mostly wait. */
const inFolder = (work: (place: Place) => Promise<void>) => async () => {
  const folder = await makeFolder();
  const dataDir = join(folder, "data");
  try {
    await work({ folder, dataDir });
  } finally {
    if (await attachToCluster(dataDir)) await (await openCluster({ dataDir, purpose: "command" })).release();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** A process of PostgreSQL's user that has ended and whose parent, like node as PID 1, never asks how. */
async function makeZombie(dataDir: string) {
  const { user } = await prepareLocation(dataDir);
  const parent = spawn("/bin/sh", ["-c", "sleep 0 & exec sleep 60"], { ...user, cwd: "/", stdio: "ignore" });
  const state = (pid: string) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const pid = await vi.waitFor(
    async () => {
      const [child = ""] = (await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8")).split(" ");
      expect(await state(child)).toContain(" Z ");
      return child;
    },
    { timeout: 45_000 },
  );
  return { pid, end: () => parent.kill() };
}

describe("the embedded PostgreSQL", () => {
  // Creating a cluster takes a second of CPU, so one test looks at all that is true of a new one and of its next starts.
  test(
    "is created on first use with UTF-8, durable writes and a Unix socket with a password, stops with its last process, and starts again after it was killed in a container in which it stays a zombie",
    inFolder(async ({ dataDir }) => {
      const cluster = await openCluster({ dataDir, purpose: "command" });
      expect(await queryValue(cluster.url, "SHOW server_encoding")).toBe("UTF8");
      expect(await queryValue(cluster.url, "SHOW fsync")).toBe("on");
      expect(await queryValue(cluster.url, "SHOW synchronous_commit")).toBe("on");
      expect(await queryValue(cluster.url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")).toBe(false);
      expect(await attachToCluster(dataDir)).toBe(cluster.url);
      await cluster.release();
      expect(await attachToCluster(dataDir)).toBeUndefined();

      // Files without the socket, as another version may have written them, are replaced at the start.
      const { dir } = await prepareLocation(dataDir);
      await writeFile(join(dir, "pg_hba.conf"), "host carillon carillon 127.0.0.1/32 scram-sha-256\n");
      const second = await openCluster({ dataDir, purpose: "command" });
      expect(await queryValue(second.socketUrl, "SELECT inet_server_addr()")).toBeNull(); // not TCP
      const wrong = second.socketUrl.replace(/:[^:@]+@/, ":wrong@");
      await expect(queryValue(wrong, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
      expect(await attachToCluster(dataDir)).toBe(second.url);
      await second.release();
      expect(await attachToCluster(dataDir)).toBeUndefined();

      const { pid, end } = await makeZombie(dataDir);
      const lock = [pid, join(dataDir, "postgres"), 1_700_000_000, await ownPort()].join("\n");
      await writeFile(join(dataDir, "postgres", "postmaster.pid"), `${lock}\n`);
      const third = await openCluster({ dataDir, purpose: "command" });
      expect(await queryValue(third.url, "SELECT 1")).toBe(1);
      await third.release();
      end();
    }),
  );

  test(
    "looking for a running cluster creates nothing",
    inFolder(async ({ folder, dataDir }) => {
      expect(await attachToCluster(dataDir)).toBeUndefined();
      expect(await readdir(folder)).toEqual([]);
    }),
  );

  test("has no socket where a socket cannot be", () => {
    const long = `/${"a".repeat(90)}`;
    const dirs = ["/data/postgres", long, "/data, old/postgres", "/data/'/postgres"];
    expect(dirs.map((dir) => socketDirOf(dir, "linux"))).toEqual([dirs[0], undefined, undefined, undefined]);
    expect(socketDirOf("/data/postgres", "win32")).toBeUndefined();
  });

  test.concurrent(
    "starts again after it was killed, however long its processes need to end",
    inFolder(async ({ dataDir }) => {
      const lost: Error[] = [];
      const cluster = await openCluster({ dataDir, purpose: "command", onLost: (reason) => lost.push(reason) });
      const { dir, log } = await prepareLocation(dataDir);
      const [postmaster = ""] = (await readFile(join(dir, "postmaster.pid"), "utf8")).split("\n");
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
      const checkpointer = Number(children.split(" ")[0]);
      process.kill(checkpointer, "SIGSTOP"); // like a process that waits for a disk
      try {
        process.kill(Number(postmaster), "SIGKILL");
        const since = Date.now();
        // Longer than a start without such processes may take.
        await vi.waitFor(() => expect(Date.now() - since).toBeGreaterThan(17_000), { timeout: 20_000, interval: 500 });
        expect(await readFile(log, "utf8")).toContain("shared memory block");
      } finally {
        process.kill(checkpointer, "SIGCONT");
      }
      await vi.waitFor(async () => expect(await queryValue(cluster.url, "SELECT 1")).toBe(1), { timeout: 30_000 });
      expect(lost).toEqual([]);
      await cluster.release();
    }),
  );

  test.concurrent(
    "works in a folder with a long path",
    inFolder(async ({ dataDir }) => {
      const long = join(dataDir, "a long name ".repeat(10), "another ".repeat(12), "data");
      const cluster = await openCluster({ dataDir: long, purpose: "command" });
      expect(await queryValue(cluster.url, "SELECT 1")).toBe(1);
      expect(await queryValue(cluster.socketUrl, "SELECT 1")).toBe(1);
      await cluster.release();
    }),
  );

  test.concurrent(
    "three concurrent first starts share one cluster",
    inFolder(async ({ dataDir }) => {
      const holders = [1, 2, 3].map(() => startHolder(dataDir, "command"));
      const urls = await Promise.all(holders.map((holder) => holder.url()));
      expect(new Set(urls).size).toBe(1);
      await Promise.all(holders.map((holder) => holder.release()));
      expect(await attachToCluster(dataDir)).toBeUndefined();
      expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres-password", "postgres.log"]);
    }),
  );

  test.concurrent(
    "a start that is killed while it creates the cluster leaves no partial cluster",
    inFolder(async ({ dataDir }) => {
      const holder = startHolder(dataDir, "command");
      await vi.waitFor(
        async () => {
          const made = (await readdir(dataDir)).find((name) => name.startsWith("postgres.new-"));
          await readFile(join(dataDir, made ?? "", "data", "PG_VERSION"));
        },
        { timeout: 45_000, interval: 5 },
      );
      await holder.kill();
      const cluster = await openCluster({ dataDir, purpose: "command" });
      expect(await queryValue(cluster.url, "SELECT 1")).toBe(1);
      await cluster.release();
      expect((await readdir(dataDir)).filter((name) => name.includes("new"))).toEqual([]);
    }),
  );
});
