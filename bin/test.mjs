import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

const RESULTS = join(root, "test-results");
const filters = process.argv.slice(2);

await ensureInstalled({ dev: true });
const { bundle, buildNext } = await import("./build.mjs");
const { findBrowser } = await import("./browser.mjs");
const { ensureSwift } = await import("./swift.mjs");
await rm(RESULTS, { recursive: true, force: true });
await mkdir(RESULTS, { recursive: true });

const counts = [];
if (filters.length > 0) {
  counts.push(await vitest(filters)); // a developer's part of the unit tests
} else {
  await ensureSwift();
  await bundle();
  await buildNext();
  counts.push(await vitest([]));
  counts.push(await playwright(await findBrowser()));
}
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exit(sum("failed") === 0 ? 0 : 1);

async function vitest(args) {
  const file = join(RESULTS, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await run("vitest/vitest.mjs", ["run", ...reporters, ...args]);
  const report = await readReport(file);
  const broken = report?.testResults.filter(
    (suite) => suite.status === "failed" && suite.assertionResults.length === 0,
  );
  return countsOf(code, {
    passed: report?.numPassedTests,
    failed: report && report.numFailedTests + broken.length,
    skipped: report && report.numPendingTests + report.numTodoTests,
  });
}

async function playwright(browser) {
  const file = join(RESULTS, "playwright.json");
  const env = { ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const args = browser ? ["--reporter=list,json"] : ["--list", "--reporter=json"];
  const code = await run("@playwright/test/cli.js", ["test", "--pass-with-no-tests", ...args], env);
  const report = await readReport(file);
  if (!browser) return skipAll(report);
  const { expected, flaky, unexpected, skipped } = report?.stats ?? {};
  return countsOf(code, { passed: report && expected + flaky, failed: unexpected, skipped });
}

/** No browser can be had here: its tests are named, so that nobody takes them for passed. */
function skipAll(report) {
  const names = namesIn(report?.suites ?? []);
  console.log("No browser was found or could be installed. Skipped:");
  for (const name of names) console.log(`  - ${name}`);
  return { passed: 0, failed: report ? 0 : 1, skipped: names.length };
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
function countsOf(code, { passed = 0, failed = 0, skipped = 0 }) {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
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
