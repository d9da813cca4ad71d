import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { type Result, runTrial, type Trial } from "../trials/trial";
import { fair } from "./fair";
import { kills } from "./kills";
import { lossy } from "./lossy";
import { rolling } from "./rolling";
import { stopped } from "./stopped";
import { storm } from "./storm";

const trials: { [name: string]: Trial } = {
  t1: kills,
  t3: lossy,
  t4: stopped,
  t8: storm,
  t10: fair,
  t25: rolling,
};

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, short: { type: "boolean", default: false } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals.map((name) => name.toLowerCase()) : Object.keys(trials);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);

if (names.some((name) => !trials[name]) || !Number.isSafeInteger(seed)) {
  console.error("Usage: npm run chaos -- [<trial>…] [--seed N] [--short]");
  for (const [name, { promise }] of Object.entries(trials)) console.error(`  ${name}  ${promise}`);
  process.exit(2);
}

const results: Result[] = [];
for (const name of names) {
  const trial = trials[name];
  if (!trial) continue;
  const say = (line: string) => console.error(`${trial.id}  ${line}`);
  say(`${trial.promise} (seed ${seed})`);
  results.push(await runTrial(trial, { size: values.short ? "short" : "whole", seed, say }));
}
console.log(JSON.stringify(results, null, 2));
for (const { trial, held, breaches } of results) {
  console.error(held ? `${trial}  held` : `${trial}  ${breaches.length} breaches; again with --seed ${seed}`);
}
process.exit(results.every(({ held }) => held) ? 0 : 1);
