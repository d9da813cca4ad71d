import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "./arguments.mjs";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

/** Each benchmark has a folder. */
const folders = readdirSync(join(root, "bench"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const benchmarks = folders.map(({ name }) => name).sort();
const { values, positionals, refuse } = readArguments({
  usage: `npm run bench -- ${benchmarks.join("|")} [--short]`,
  options: { short: { type: "boolean" } },
  names: true,
});
const [name, unexpected] = positionals;
if (name === undefined) refuse("The name of the benchmark is missing");
if (!benchmarks.includes(name)) refuse(`There is no benchmark ${name}`);
if (unexpected !== undefined) refuse(`Unexpected argument: ${unexpected}`);

await ensureInstalled({ dev: true });
// The benchmarks measure the product as `npm start` runs it. The build is not measured.
const { buildNext, bundle } = await import("./build.mjs");
await bundle();
await buildNext();
if (name === "pages") {
  const { findBrowser } = await import("./browser.mjs");
  Object.assign(process.env, await findBrowser());
  await ensureLighthouse();
}
const { register } = await import("tsx/esm/api");
register();
const { measures } = await import("../bench/main.ts");
await measures[name]({ short: values.short ?? false });

/** Installs Lighthouse (100 MB); `bench/pages/lighthouse.ts` expects it there. */
async function ensureLighthouse() {
  const { installBeside } = await import("./beside.mjs");
  await installBeside({
    name: "Lighthouse",
    folder: "lighthouse",
    packages: { lighthouse: "12.8.2" }, // the newest that runs on Node 20
    without: "its results are left out",
    patienceMs: 480_000,
  });
}
