import { type OwnProduct, type ProductOptions, startProduct } from "../setup/product";
import { randomOf } from "./random";

export type Size = "short" | "whole";
export type Figures = { [name: string]: unknown };

/** What a trial receives: a running product, a seeded source of randomness, and functions to report. */
export type TrialContext = {
  product: OwnProduct;
  seed: number;
  /** A number from 0 up to 1. The same seed gives the same sequence. */
  random(): number;
  /** Whether `--only` selects the part with this name (a network, a route). Without `--only` every part is selected. */
  isWanted(part: string): boolean;
  /** The release that `--from` names, for the trial that upgrades from it. */
  from?: string;
  /** Prints the progress. */
  log(line: string): void;
  /** Records that the guarantee does not hold. The trial continues, so that one run shows all failures. */
  fail(what: string): void;
};

/** One reliability test: what is done to the product, and what must hold meanwhile. */
export type Trial = {
  id: string;
  guarantee: string;
  /** Settings added to the tests' usual ones. Called before the product starts. */
  settings?(): Promise<ProductOptions["env"]>;
  /** The names of the parts that `--only` can choose. Absent if the trial has none. */
  parts?: (() => string[]) | "known while it runs";
  /** False if the trial stops the product itself. */
  endsUp?: false;
  /** Runs the trial and returns what it measured. */
  run(context: TrialContext, size: Size): Promise<Figures>;
};

export type Result = {
  trial: string;
  size: Size;
  seed: number;
  held: boolean;
  seconds: number;
  figures: Figures;
  failures: string[];
};

/** `only`: texts in the names of the parts to try. All parts by default. */
type Options = {
  size: Size;
  seed: number;
  only?: string[];
  from?: string;
  product?: OwnProduct;
  log?: (line: string) => void;
};

/** Runs a trial on a new product, or on one that is already running. */
export async function runTrial(
  trial: Trial,
  { size, seed, only, from, product, log = () => {} }: Options,
): Promise<Result> {
  const since = performance.now();
  const failures: string[] = [];
  const fail = (what: string) => {
    failures.push(what);
    log(`failure: ${what}`); // immediately, because a long run may be stopped early
  };
  const unmet = new Set(only);
  const isWanted = (part: string) => {
    const met = only?.filter((text) => part.toLowerCase().includes(text.toLowerCase()));
    for (const text of met ?? []) unmet.delete(text);
    return met === undefined || met.length > 0;
  };
  const context = { seed, random: randomOf(seed), isWanted, from, log, fail };
  const own = product ?? (await startProduct({ env: await trial.settings?.() }));
  let figures: Figures = {};
  try {
    // Removes faults that an earlier trial on the same product armed and did not use up.
    if (product) await fetch(`${product.sandboxUrl}/_control/faults`, { method: "DELETE" });
    figures = await trial.run({ ...context, product: own }, size);
    for (const text of unmet) fail(`no part of this trial has "${text}" in its name`);
  } catch (error) {
    fail(`the trial did not finish: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    const isUp = await fetch(own.url).then(
      () => true,
      () => false,
    );
    if (!isUp && trial.endsUp !== false) fail(`the product is down; its last output: ${own.output().slice(-3000)}`);
    if (!product) await own.stop();
  }
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  return { trial: trial.id, size, seed, held: failures.length === 0, seconds, figures, failures };
}
