import { readArguments } from "./arguments.mjs";
import { ensureInstalled } from "./install.mjs";

// Runs the long trials of the built product. A wrong argument is refused before anything is built.
const [command, ...argv] = process.argv.slice(2);
const isChaos = command === "chaos";
const { values, positionals, refuse } = readArguments({
  usage: `npm run ${command} -- [TRIAL …] [--short] [--seed N] [--only PART …]${isChaos ? " [--from RELEASE]" : ""}
  TRIAL            such as ${isChaos ? "t2" : "t13"}; all by default. docs/trials.md describes them
  --short          the size that npm test uses
  --seed N         repeats a failed run
  --only PART      only the parts of the trials with this text in their names, such as a network or a route${
    isChaos ? "\n  --from RELEASE   the tag or commit from which t29 upgrades" : ""
  }`,
  options: {
    seed: { type: "string" },
    short: { type: "boolean" },
    only: { type: "string", multiple: true },
    ...(isChaos ? { from: { type: "string" } } : {}),
  },
  names: true,
  argv,
});
const { seed, only, from, short = false } = values;
if (seed !== undefined && !(/^\d+$/.test(seed) && Number.isSafeInteger(Number(seed)))) {
  refuse(`--seed must be a whole number up to ${Number.MAX_SAFE_INTEGER}, not ${seed || '""'}`);
}
for (const [name, value] of Object.entries({ only, from }))
  if ([value].flat().includes("")) refuse(`--${name} is empty`);

await ensureInstalled({ dev: true });
const { register } = await import("tsx/esm/api");
register();
const { chooseTrials, runTrials } = await import("../e2e/trials/main.ts");
const { trials, problem } = chooseTrials(command, positionals, { only, from });
if (problem) refuse(problem);

const { bundle, buildNext } = await import("./build.mjs");
const { findBrowser } = await import("./browser.mjs");
await bundle();
await buildNext();
Object.assign(process.env, await findBrowser()); // a trial without one says which part it leaves out
const held = await runTrials(trials, { short, seed: seed === undefined ? undefined : Number(seed), only, from });
process.exit(held ? 0 : 1);
