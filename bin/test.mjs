import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { failedJourneys, failedUnits } from "./failures.mjs";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

const RESULTS = join(root, "test-results");
/** The projects of playwright.config.ts: journeys of processes, which mostly wait; those by HTTP alone; those in a browser. */
const WAITING = ["processes"];
const WITHOUT_BROWSER = ["spec", "connect"];
const WITH_BROWSER = ["pages", "desktop", "phone"];
/** Parts of the unit tests that run at the same time, for each waits about half of it; each with a database, a sandbox and a store of its own. */
const SHARDS = [1, 2, 3];
const filters = process.argv.slice(2);

await ensureInstalled({ dev: true });
const { bundle, buildNext } = await import("./build.mjs");
const { findBrowser } = await import("./browser.mjs");
const { ensurePds } = await import("./pds.mjs");
const { ensureSwift } = await import("./swift.mjs");
const { ensureFfmpeg } = await import("./ffmpeg.mjs");
await rm(RESULTS, { recursive: true, force: true });
await mkdir(RESULTS, { recursive: true });

const counts = [];
if (filters.length > 0) {
  counts.push(await vitest(filters)); // a developer's part of the unit tests
} else {
  // Each begins as soon as what it needs is there.
  const server = ensurePds().then(() => vitest(["--project=server"], "-server")); // takes minutes on its first time
  const bundled = bundle();
  const waiting = bundled.then(buildNext).then(() => playwrightRun(WAITING), unbuilt);
  await ensureSwift();
  await ensureFfmpeg();
  await bundled;
  const most = ["--project=together", "--project=alone", "--project=s3"];
  const units = SHARDS.map((shard) => vitest([...most, `--shard=${shard}/${SHARDS.length}`], `-${shard}`));
  counts.push(...(await Promise.all([...units, waiting])));
  counts.push(await playwright(await findBrowser()));
  counts.push(await server);
}
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
// Once more, below everything else: the runs that were at work at once have written thousands of lines since.
for (const { test, why } of counts.flatMap(({ failures }) => failures)) console.log(`\nFAILED ${test}\n${why}`);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exit(sum("failed") === 0 ? 0 : 1);

/** The unit tests that run beside it come to their end all the same. */
function unbuilt(error) {
  return countsOf(1, { failures: [{ test: "the dashboard's build", why: String(error) }] });
}

async function vitest(args, name = "") {
  const file = join(RESULTS, `vitest${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await run("vitest/vitest.mjs", ["run", ...reporters, ...args]);
  const report = await readReport(file);
  return countsOf(code, {
    passed: report?.numPassedTests,
    failures: report && failedUnits(report),
    skipped: report && report.numPendingTests + report.numTodoTests,
  });
}

async function playwright(browser) {
  if (browser) return playwrightRun([...WITHOUT_BROWSER, ...WITH_BROWSER], browser);
  const [ran, skipped] = [await playwrightRun(WITHOUT_BROWSER), await skippedBy(WITH_BROWSER)];
  return {
    passed: ran.passed,
    failed: ran.failed + skipped.failed,
    skipped: ran.skipped + skipped.skipped,
    failures: ran.failures,
  };
}

async function playwrightRun(projects, browser) {
  const file = join(RESULTS, `playwright-${projects[0]}.json`);
  const env = { ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const output = `--output=${join(RESULTS, `e2e-${projects[0]}`)}`; // each run empties its own before it begins
  const args = ["test", "--reporter=list,json", output, ...chosen(projects)];
  const code = await run("@playwright/test/cli.js", args, env);
  const report = await readReport(file);
  const { expected, flaky, skipped } = report?.stats ?? {};
  return countsOf(code, { passed: report && expected + flaky, failures: report && failedJourneys(report), skipped });
}

/** No browser can be had here: the tests that need one are named, so that nobody takes them for passed. */
async function skippedBy(projects) {
  const file = join(RESULTS, "playwright-skipped.json");
  const args = ["test", "--list", "--reporter=json", ...chosen(projects)];
  const code = await run("@playwright/test/cli.js", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const names = namesIn((await readReport(file))?.suites ?? []);
  console.log("No browser was found or could be installed. Skipped:");
  for (const name of names) console.log(`  - ${name}`);
  return countsOf(code, { skipped: names.length });
}

function chosen(projects) {
  return projects.map((name) => `--project=${name}`);
}

function namesIn(suites) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => `[${test.projectName}] ${spec.file} › ${spec.title}`),
    ),
    ...namesIn(suite.suites ?? []),
  ]);
}

/** A runner that ends badly without a failed test (it did not start, an error outside tests) counts as one failure. */
function countsOf(code, { passed = 0, failures = [], skipped = 0 }) {
  const failed = failures.length === 0 && code !== 0 ? 1 : failures.length;
  return { passed, failed, failures, skipped };
}

async function readReport(file) {
  return JSON.parse(await readFile(file, "utf8").catch(() => "null")) ?? undefined;
}

async function run(script, args, env = {}) {
  const child = spawn(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => child.on("error", () => resolve(1)).on("close", (code) => resolve(code ?? 1)));
}
