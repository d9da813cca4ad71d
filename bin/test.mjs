import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { readArguments } from "./arguments.mjs";
import { failedJourneys, failedUnits } from "./failures.mjs";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

// `npm test` installs, builds and runs everything. Unit tests and journeys wait for about half of their time, so they run
// at once: the unit tests in two shards, the journeys in one Playwright run. `npm test -- <filter>` runs some unit tests, and
// `npm run test:long` the long tests.

const RESULTS = join(root, "test-results");
/** The projects of vitest.config.ts, without the long run. */
const UNITS = ["together", "alone", "s3"];
/** The projects of playwright.config.ts. */
const WITHOUT_BROWSER = ["processes", "http"];
const WITH_BROWSER = ["pages", "phone", "desktop"];
const LONG = ["long", "long-desktop"];
/** Shards of the unit tests. Each has its own database, sandbox and store. */
const SHARDS = 2;
/** Lower than that of the unit tests, which run one file after the other and would end last: three journeys use both cores by themselves. */
const PRIORITY_OF_JOURNEYS = 5;
/** A larger space for young objects, so that the runners, which live for minutes, collect garbage less often. */
const NODE_OPTIONS = ["--max-semi-space-size=64"];
const filters = process.argv.slice(2);
const { values, refuse } = readArguments({
  usage: `npm test, npm test -- FILTER …, npm run test:long
  FILTER   a part of the path of unit tests; options are those of Vitest, such as -t NAME`,
  options: { long: { type: "boolean" } },
  names: true,
  passesOn: true,
});
if (values.long && filters.length > 1) refuse("--long runs all long tests and takes no other argument");

await ensureInstalled({ dev: true });
const { bundle, buildNext } = await import("./build.mjs");
const { findBrowser } = await import("./browser.mjs");
const { ensureClients, ensureGrammars, ensureMcpTools } = await import("./clients.mjs");
const { ensureNodeVersions } = await import("./beside.mjs");
const { ensureN8n } = await import("./n8n.mjs");
const { ensurePds } = await import("./pds.mjs");
const { ensureTestParts } = await import("./test-parts.mjs");
const { ensurePromtool } = await import("./promtool.mjs");
await rm(RESULTS, { recursive: true, force: true });
await mkdir(RESULTS, { recursive: true });

const counts = await chosenTests();
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
// The failures are repeated at the end, because the concurrent runs have printed thousands of lines since.
for (const { test, why } of counts.flatMap(({ failures }) => failures)) console.log(`\nFAILED ${test}\n${why}`);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exit(sum("failed") === 0 ? 0 : 1);

function chosenTests() {
  if (values.long) return longTests();
  return filters.length > 0 ? Promise.all([vitest([...chosen(UNITS), ...filters])]) : everything();
}

async function longTests() {
  await Promise.all([bundle().then(buildNext), ...installBeside(), installTools()]);
  await installPrograms();
  const browser = await findBrowser();
  if (!browser) {
    console.error(
      "The long tests need a browser, and none was found or could be installed: set CHROME_PATH to a Chromium",
    );
    process.exit(1);
  }
  return [await vitest(["--project=long"]), await playwrightRun(LONG, browser)];
}

/** Starts each run as soon as what it needs is installed and built. */
async function everything() {
  const bundled = bundle();
  const built = bundled.then(buildNext);
  const beside = installBeside();
  const tools = installTools();
  await installPrograms();
  const browser = await findBrowser();
  const journeys = Promise.all([built, tools]).then(() => playwright(browser), failedBuild);
  await Promise.all([bundled, ...beside]);
  const shards = Array.from({ length: SHARDS }, (_, index) => index + 1);
  const units = shards.map((shard) => vitest([...chosen(UNITS), `--shard=${shard}/${SHARDS}`], `-${shard}`));
  return Promise.all([...units, journeys]);
}

/** Servers and clients that the unit tests call. */
function installBeside() {
  return [ensurePds(), ensureClients(), ensureN8n()];
}

/** What only the journeys use. */
function installTools() {
  return Promise.all([ensureNodeVersions(), ensureMcpTools(), ensureGrammars()]);
}

async function installPrograms() {
  await ensureTestParts();
  await ensurePromtool(); // afterwards, because both may run apt-get
}

/** Counts a failed build as one failure, so that the unit tests still run to their end. */
function failedBuild(error) {
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
  const file = join(RESULTS, "playwright.json");
  const env = { ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const args = ["test", "--reporter=list,json", ...chosen(projects)];
  const code = await run("playwright/cli.js", args, env, PRIORITY_OF_JOURNEYS);
  const report = await readReport(file);
  const { expected, flaky, skipped } = report?.stats ?? {};
  return countsOf(code, { passed: report && expected + flaky, failures: report && failedJourneys(report), skipped });
}

/** Lists the tests that need a browser by name, so that a run without a browser does not look complete. */
async function skippedBy(projects) {
  const file = join(RESULTS, "playwright-skipped.json");
  const args = ["test", "--list", "--reporter=json", ...chosen(projects)];
  const code = await run("playwright/cli.js", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
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

/** A runner that fails without a failed test (it did not start, or an error outside of tests) counts as one failure. */
function countsOf(code, { passed = 0, failures = [], skipped = 0 }) {
  const failed = failures.length === 0 && code !== 0 ? 1 : failures.length;
  return { passed, failed, failures, skipped };
}

async function readReport(file) {
  return JSON.parse(await readFile(file, "utf8").catch(() => "null")) ?? undefined;
}

async function run(script, args, env = {}, priority = 0) {
  const child = spawn(process.execPath, [...NODE_OPTIONS, join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  if (child.pid) setPriority(child.pid, priority);
  return new Promise((resolve) => child.on("error", () => resolve(1)).on("close", (code) => resolve(code ?? 1)));
}
