import { type Product, type ProductOptions, startProduct } from "../setup/product";
import { randomOf } from "./random";

export type Size = "short" | "whole";
export type Figures = { [name: string]: unknown };

/** What a trial has to work with: a running product of its own, chance from a seed, and where to log what it finds. */
export type TrialContext = {
  product: Product;
  seed: number;
  /** From 0 up to 1, the same row of numbers for the same seed. */
  random(): number;
  /** Whether the part with this name (a network, a route) is to be tried: all of them, unless some were asked for. */
  isWanted(part: string): boolean;
  /** Tells a person how far it is. */
  log(line: string): void;
  /** Records that a promise was broken; the trial goes on, so that one run shows all of them. */
  fail(what: string): void;
};

/** One row of the reliability figures: what is done to the product, and what it may not do then. */
export type Trial = {
  id: string;
  guarantee: string;
  /** Settings of the product beside the usual ones of the tests; asked for before it is started. */
  settings?(): Promise<ProductOptions["env"]>;
  /** False where it stops the product itself at its end. */
  endsUp?: false;
  /** Does it, and answers the figures that it measured. */
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

/** `only`: what the parts that are tried have in their names, where not all are. */
type Options = { size: Size; seed: number; only?: string[]; product?: Product; log?: (line: string) => void };

/** Runs a trial on a product of its own, or on one that runs already. */
export async function runTrial(trial: Trial, { size, seed, only, product, log = () => {} }: Options): Promise<Result> {
  const since = performance.now();
  const failures: string[] = [];
  const fail = (what: string) => {
    failures.push(what);
    log(`fail: ${what}`); // at once: a long run may be ended early
  };
  const unmet = new Set(only);
  const isWanted = (part: string) => {
    const met = only?.filter((text) => part.toLowerCase().includes(text.toLowerCase()));
    for (const text of met ?? []) unmet.delete(text);
    return met === undefined || met.length > 0;
  };
  const context = { seed, random: randomOf(seed), isWanted, log, fail };
  const own = product ?? (await startProduct({ env: await trial.settings?.() }));
  let figures: Figures = {};
  try {
    // What an earlier trial armed on the same product, and did not use up, is none of this one's.
    if (product) await fetch(`${product.sandboxUrl}/_control/faults`, { method: "DELETE" });
    figures = await trial.run({ ...context, product: own }, size);
    for (const text of unmet) fail(`nothing that this trial tries has "${text}" in its name`);
  } catch (error) {
    fail(`the trial did not come to its end: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    const isUp = await fetch(own.url).then(
      () => true,
      () => false,
    );
    if (!isUp && trial.endsUp !== false) fail(`the product is down; it said last: ${own.output().slice(-3000)}`);
    if (!product) await own.stop();
  }
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  return { trial: trial.id, size, seed, held: failures.length === 0, seconds, figures, failures };
}
