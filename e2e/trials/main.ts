import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { chaos } from "../chaos/all";
import { trials } from "./all";
import { type Result, runTrial, type Trial } from "./trial";

/** The trials of `npm run chaos` and `npm run trials`. */
const commands: { [command: string]: { [name: string]: Trial } } = { chaos, trials };

const { values, positionals } = parseArgs({
  options: {
    seed: { type: "string" },
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    from: { type: "string" },
  },
  allowPositionals: true,
});
const [command = "", ...names] = positionals;
const known = commands[command] ?? {};
const wanted = names.map((name) => known[name.toLowerCase()]);
const chosen = names.length > 0 ? wanted.filter((trial) => trial !== undefined) : Object.values(known);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);

if (chosen.length === 0 || chosen.length < names.length || !Number.isSafeInteger(seed)) {
  console.error(
    `Usage: npm run ${command} -- [<trial>…] [--seed N] [--short] [--only <network or route>…] [--from <release>]`,
  );
  for (const [name, { guarantee }] of Object.entries(known)) console.error(`  ${name}  ${guarantee}`);
  process.exit(2);
}

const results: Result[] = [];
for (const trial of chosen) {
  const log = (line: string) => console.error(`${trial.id}  ${line}`);
  log(`${trial.guarantee} (seed ${seed})`);
  const { only, from } = values;
  const result = await runTrial(trial, { size: values.short ? "short" : "whole", seed, only, from, log });
  log(`${JSON.stringify(result.figures)} after ${result.seconds} s`);
  results.push(result);
}
console.log(JSON.stringify(results, null, 2));
for (const { trial, held, failures } of results) {
  console.error(held ? `${trial}  held` : `${trial}  ${failures.length} failures; repeat with --seed ${seed}`);
}
process.exit(results.every(({ held }) => held) ? 0 : 1);
