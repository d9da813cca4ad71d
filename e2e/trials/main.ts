import { randomInt } from "node:crypto";
import { chaos } from "../chaos/all";
import { trials } from "./all";
import { type Result, runTrial, type Trial } from "./trial";

/** The trials of `npm run chaos` and `npm run trials`. */
const commands = { chaos, trials };

type Given = { only?: string[]; from?: string };

/**
 * Returns the trials with these names, or all of the command. If an argument is wrong, returns a sentence instead that says why.
 * @param only texts in the names of the parts to try
 * @param from the release from which T29 upgrades
 */
export function chooseTrials(
  command: keyof typeof commands,
  names: string[],
  { only = [], from }: Given,
): { trials: Trial[]; problem?: string } {
  const known = new Map(Object.entries(commands[command]));
  const unknown = names.find((name) => !known.has(name.toLowerCase()));
  const all = [...known.keys()].join(", ");
  if (unknown !== undefined) return { trials: [], problem: `There is no trial ${unknown}. The trials are ${all}` };
  const chosen = names.length > 0 ? names.map((name) => name.toLowerCase()) : [...known.keys()];
  const entries = chosen.flatMap((name) => {
    const trial = known.get(name);
    return trial ? [{ name, trial }] : [];
  });
  const problem =
    from !== undefined && !chosen.includes("t29")
      ? "Only t29 upgrades from another release, so --from needs it"
      : entries.map(({ name, trial }) => problemOfParts(name, trial, only)).find(Boolean);
  return { trials: entries.map(({ trial }) => trial), problem };
}

function problemOfParts(name: string, { parts: known }: Trial, only: string[]): string | undefined {
  if (only.length === 0 || known === "known while it runs") return undefined;
  const parts = known?.() ?? [];
  if (parts.length === 0) return `${name} has no parts, so --only cannot choose one`;
  const unmet = only.find((text) => !parts.some((part) => part.toLowerCase().includes(text.toLowerCase())));
  return unmet && `No part of ${name} has "${unmet}" in its name. The parts are ${parts.join(", ")}`;
}

/** Runs trials one after the other and prints their results as JSON. Returns whether every guarantee held. */
export async function runTrials(
  chosen: Trial[],
  { short, seed = randomInt(2 ** 31), only, from }: Given & { short: boolean; seed?: number },
): Promise<boolean> {
  const results: Result[] = [];
  for (const trial of chosen) {
    const log = (line: string) => console.error(`${trial.id}  ${line}`);
    log(`${trial.guarantee} (seed ${seed})`);
    const result = await runTrial(trial, { size: short ? "short" : "whole", seed, only, from, log });
    log(`${JSON.stringify(result.figures)} after ${result.seconds} s`);
    results.push(result);
  }
  console.log(JSON.stringify(results, null, 2));
  for (const { trial, held, failures } of results) {
    console.error(held ? `${trial}  held` : `${trial}  ${failures.length} failures; repeat with --seed ${seed}`);
  }
  return results.every(({ held }) => held);
}
