import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
let script: string;

/** A process that reports how it is told to stop, answers messages, and can send itself two signals without a pause. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-signals-"));
  script = join(folder, "main.mjs");
  const contents = `import { onStopSignals } from "./lib/jobs/stop-signals";
    onStopSignals((how) => process.send(how));
    process.on("message", (message) => {
      if (message === "Ctrl-C twice") for (const _ of [1, 2]) process.kill(process.pid, "SIGINT");
      process.send(message);
    });
    process.send("ready");`;
  await build({
    ...{ stdin: { contents, resolveDir: process.cwd() }, outfile: script, bundle: true, platform: "node" },
    format: "esm",
  });
});
afterAll(() => rm(folder, { recursive: true }));

async function told() {
  const child = fork(script);
  const heard: unknown[] = [];
  child.on("message", (message) => heard.push(message));
  await expect.poll(() => heard).toEqual(["ready"]);
  return { child, heard: () => heard.slice(1) };
}

test("SIGTERM stops a process in order, and a second signal at once", async () => {
  const { child, heard } = await told();
  child.kill("SIGTERM");
  await expect.poll(heard).toEqual(["inOrder"]);
  // Until a repeated signal is no longer taken for the first one.
  await expect.poll(() => child.kill("SIGTERM") && heard(), { interval: 100 }).toContain("now");
  child.kill("SIGKILL");
  await once(child, "exit");
});

test("a Ctrl-C that npm passes on counts once", async () => {
  const { child, heard } = await told();
  child.send("Ctrl-C twice");
  await expect.poll(heard).toEqual(["Ctrl-C twice", "soon"]);
  child.send("the next message");
  await expect.poll(heard).toEqual(["Ctrl-C twice", "soon", "the next message"]);
  child.kill("SIGKILL");
  await once(child, "exit");
});
