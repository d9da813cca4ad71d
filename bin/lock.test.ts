import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const lock = pathToFileURL("bin/lock.mjs").href;

/** A process that takes the lock, says so, and holds it until its input ends. */
function startHolder(name: string) {
  const script = `
    const { withLock } = await import(${JSON.stringify(lock)});
    await withLock(${JSON.stringify(name)}, async () => {
      console.log("held");
      for await (const _ of process.stdin);
      console.log("done");
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "ignore"] });
  const said: string[] = [];
  const lines = createInterface(child.stdout).on("line", (line) => said.push(line));
  return {
    said,
    held: once(lines, "line"),
    ended: once(child, "exit"),
    release: () => child.stdin.end(),
    kill: () => child.kill("SIGKILL"),
  };
}

test("a second process waits until the first one is done", async () => {
  const name = `test-${process.pid}-wait`;
  const first = startHolder(name);
  await first.held;
  const second = startHolder(name);
  second.release();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(second.said).toEqual([]);
  first.release();
  await Promise.all([first.ended, second.ended]);
  expect(second.said).toEqual(["held", "done"]);
});

test("a killed process holds no lock", async () => {
  const name = `test-${process.pid}-kill`;
  const first = startHolder(name);
  await first.held;
  const second = startHolder(name);
  first.kill();
  await second.held;
  second.release();
  await second.ended;
  expect(second.said).toEqual(["held", "done"]);
});
