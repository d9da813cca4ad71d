import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { perProcess } from "../../db/per-process";
import { jpeg } from "../../testing";
import { UnusableFile } from "../file-errors";
import { inWorkshop } from ".";
import type { Child } from "./child";

const CHILDREN = `/proc/${process.pid}/task/${process.pid}/children`;
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-workshop-"));
  path = join(folder, "sound.jpg");
  await writeFile(path, await jpeg(40, 30));
});
afterAll(() => rm(folder, { recursive: true }));

const look = () => inWorkshop("look", { path }, { ownerId: "anyone", lane: "intake" });
const SOUND = { contentType: "image/jpeg", width: 40, height: 30 };

/** The running processes of the workshop. */
function children(): number[] {
  const found = readFileSync(CHILDREN, "utf8").split(" ").filter(Boolean).map(Number);
  return found.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workshop.js");
    } catch {
      return false; // it has ended since
    }
  });
}

/** Starts an inspection whose process is paused in the middle. */
async function lookHeldStill(): Promise<{ looking: ReturnType<typeof look>; pids: number[] }> {
  await Promise.all([look(), look()]); // two processes run
  const pids = children();
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return { looking: look(), pids };
}

/** Sends a file as this owner. Its inspection lasts until `end` is called, because it is a pipe into which nothing is written. */
function sendEndlessFile(ownerId: string) {
  const pipe = join(folder, `endless of ${ownerId}`);
  execFileSync("mkfifo", [pipe]);
  const ended = inWorkshop("look", { path: pipe }, { ownerId, lane: "intake" }).catch(() => {});
  let ending: Promise<void> | undefined;
  async function endPipe() {
    const writer = await open(pipe, "r+");
    await rm(pipe);
    await writer.close();
    await ended;
  }
  return {
    end() {
      ending ??= endPipe();
      return ending;
    },
  };
}

describe.skipIf(!existsSync(CHILDREN))("while the files of users take long", () => {
  test("another user's file is handled beside those of one user, and a post that is due never waits", async () => {
    const lookAs = (ownerId: string, lane: "intake" | "publishing") => inWorkshop("look", { path }, { ownerId, lane });
    const first = sendEndlessFile("first");
    onTestFinished(first.end);
    expect(await lookAs("second", "intake")).toMatchObject(SOUND);
    const second = sendEndlessFile("second");
    onTestFinished(second.end);
    const third = lookAs("third", "intake");
    const due = lookAs("first", "publishing");
    expect(await Promise.race([due.then(() => "due"), third.then(() => "third")])).toBe("due");
    await first.end();
    expect(await third).toMatchObject(SOUND);
  });
});

describe.skipIf(!existsSync(CHILDREN))("M4: the workshop process", () => {
  test("is replaced if it ends during a task, also if all others end too", async () => {
    const { looking, pids } = await lookHeldStill();
    for (const pid of pids) process.kill(pid, "SIGKILL");
    expect(await looking).toMatchObject(SOUND);
    for (const pid of children()) expect(pids).not.toContain(pid);
  });

  test("is replaced too if another copy of this module started it, as in the web process", async () => {
    for (const pid of children()) process.kill(pid, "SIGKILL");
    await expect.poll(children).toEqual([]);
    const copy: string = "./child?copy"; // the query makes it another module
    const { startChild }: typeof import("./child") = await import(copy);
    const resting = { ...perProcess("media.workshop", () => ({ resting: [] as Child[] })) }.resting;
    resting.splice(0, resting.length, startChild());
    // A process has no command line for a moment while it becomes another program: first the shell, then Node.
    await expect.poll(() => children().length).toBe(1);
    const [pid = 0] = children();
    process.kill(pid, "SIGSTOP");
    const looking = look();
    process.kill(pid, "SIGKILL");
    expect(await looking).toMatchObject(SOUND);
  });

  test("rejects a file that ends it twice; this process lives, and the next file works", async () => {
    const { looking } = await lookHeldStill();
    const killer = setInterval(() => {
      for (const pid of children()) process.kill(pid, "SIGKILL");
    }, 1);
    await expect(looking.finally(() => clearInterval(killer))).rejects.toThrow(UnusableFile);
    expect(await look()).toMatchObject(SOUND);
  });

  test("ends after a failure that is not the file's", async () => {
    await look();
    const before = children();
    await expect(
      inWorkshop("look", { path: join(folder, "missing.jpg") }, { ownerId: "anyone", lane: "intake" }),
    ).rejects.toMatchObject({ code: "ENOENT" });
    await expect.poll(() => children().filter((pid) => before.includes(pid)).length).toBeLessThan(before.length);
  });

  test("has limited memory and none of our settings", async () => {
    await look();
    const [pid = 0] = children();
    expect(await readFile(`/proc/${pid}/limits`, "utf8")).toMatch(/Max data size +1073741824 /);
    expect(await readFile(`/proc/${pid}/environ`, "utf8")).not.toMatch(/SECRETS_KEY|DATABASE_URL|DATA_DIR/);
  });
});
