import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

/** The output of a separate process that logs three lines and then ends in the given way. */
async function loggedBy(end: string): Promise<string[]> {
  const script = `import { log } from "./lib/log"; for (const n of [1, 2, 3]) log.info({ n }, "a line"); ${end}`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    env: { ...process.env, LOG_LEVEL: "info" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return (await text(child.stderr)).split("\n").filter((line) => line.startsWith("{"));
}

test.each([
  { how: "normally", end: "" },
  { how: "with process.exit", end: "process.exit(0);" },
  { how: "with an uncaught error", end: 'throw new Error("out");' },
])("no log line is lost if a process ends $how", async ({ end }) => {
  const lines = await loggedBy(end);
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([1, 2, 3]);
});
