import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

/** The log lines of a separate process that runs a script. */
async function loggedBy(script: string): Promise<string[]> {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    env: { ...process.env, LOG_LEVEL: "info", RATE_LIMIT_AUTH: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return (await text(child.stderr)).split("\n").filter((line) => line.startsWith("{"));
}

test.each([
  { how: "normally", end: "" },
  { how: "with process.exit", end: "process.exit(0);" },
  { how: "with an uncaught error", end: 'throw new Error("out");' },
])("no log line is lost if a process ends $how", async ({ end }) => {
  const script = `import { log } from "./lib/log"; for (const n of [1, 2, 3]) log.info({ n }, "a line"); ${end}`;
  const lines = await loggedBy(script);
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([1, 2, 3]);
});

test("the log does not contain the secret address of a calendar, also if requests for it are refused", async () => {
  const path = "/calendars/0123456789-0123456789-0123456789-0123456789.ics";
  const lines = await loggedBy(`
    import { createServer } from "node:http";
    import { announce } from "./lib/http/page-request";
    import { isRefused } from "./lib/http/gateway";
    const limited = [{ path: "/calendars/*", purpose: "calendars" }];
    const server = createServer(async (request, response) => {
      if (await isRefused(request, response, limited)) return;
      announce(request, response);
      response.end();
    }).listen(0, "127.0.0.1", async () => {
      const { port } = server.address();
      for (let count = 0; count < 2; count += 1) await fetch("http://127.0.0.1:" + port + "${path}?a=1");
      process.exit();
    });`);
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
  expect(requests.map((line) => [line.status, line.path])).toEqual([
    [200, "/calendars/…"],
    [429, "/calendars/…"],
  ]);
});
