import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { authorization } from "./authorization";
import { canaries } from "./canaries/trial";
import { fuzz } from "./fuzz/trial";
import { idempotency } from "./idempotency";
import { load } from "./load";
import { type Result, runTrial, type Trial } from "./trial";
import { uploads } from "./uploads";

const trials: { [name: string]: Trial } = {
  t13: idempotency,
  t15: fuzz,
  t19: authorization,
  t21: load,
  t22: uploads,
  t23: canaries(),
};

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, short: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = positionals.map((name) => ({ name, trial: trials[name.toLowerCase()] }));
const unknown = wanted.filter(({ trial }) => !trial).map(({ name }) => name);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);

if (wanted.length === 0 || unknown.length > 0 || !Number.isSafeInteger(seed)) {
  console.error(`Usage: npm run trials -- <trial>… [--seed N] [--short]`);
  for (const [name, { promise }] of Object.entries(trials)) console.error(`  ${name}  ${promise}`);
  process.exit(2);
}

const results: Result[] = [];
for (const { trial } of wanted) {
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
