import { type Product, type ProductOptions, startProduct } from "../setup/product";
import { randomOf } from "./random";

export type Size = "short" | "whole";
export type Figures = { [name: string]: unknown };

/** What a trial has to work with: a running product of its own, chance from a seed, and where to say what it finds. */
export type Field = {
  product: Product;
  seed: number;
  /** From 0 up to 1, the same row of numbers for the same seed. */
  random(): number;
  /** Whether the part with this name (a network, a route) is to be tried: all of them, unless some were asked for. */
  isWanted(part: string): boolean;
  /** Tells a person how far it is. */
  say(line: string): void;
  /** Records that a promise was broken; the trial goes on, so that one run shows all of them. */
  breach(what: string): void;
};

/** One row of the reliability figures: what is done to the product, and what it may not do then. */
export type Trial = {
  id: string;
  promise: string;
  /** Settings of the product beside the usual ones of the tests; asked for before it is started. */
  settings?(): Promise<ProductOptions["env"]>;
  /** False where it stops the product itself at its end. */
  endsUp?: false;
  /** Does it, and answers the figures that it measured. */
  run(field: Field, size: Size): Promise<Figures>;
};

export type Result = {
  trial: string;
  size: Size;
  seed: number;
  held: boolean;
  seconds: number;
  figures: Figures;
  breaches: string[];
};

/** `only`: what the parts that are tried have in their names, where not all are. */
type Options = { size: Size; seed: number; only?: string[]; product?: Product; say?: (line: string) => void };

/** Runs a trial on a product of its own, or on one that runs already. */
export async function runTrial(trial: Trial, { size, seed, only, product, say = () => {} }: Options): Promise<Result> {
  const since = performance.now();
  const breaches: string[] = [];
  const breach = (what: string) => {
    breaches.push(what);
    say(`breach: ${what}`); // at once: a long run may be ended early
  };
  const unmet = new Set(only);
  const isWanted = (part: string) => {
    const met = only?.filter((text) => part.toLowerCase().includes(text.toLowerCase()));
    for (const text of met ?? []) unmet.delete(text);
    return met === undefined || met.length > 0;
  };
  const field = { seed, random: randomOf(seed), isWanted, say, breach };
  const own = product ?? (await startProduct({ env: await trial.settings?.() }));
  let figures: Figures = {};
  try {
    // What an earlier trial armed on the same product, and did not use up, is none of this one's.
    if (product) await fetch(`${product.sandboxUrl}/_control/faults`, { method: "DELETE" });
    figures = await trial.run({ ...field, product: own }, size);
    for (const text of unmet) breach(`nothing that this trial tries has "${text}" in its name`);
  } catch (error) {
    breach(`the trial did not come to its end: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    const isUp = await fetch(own.url).then(
      () => true,
      () => false,
    );
    if (!isUp && trial.endsUp !== false) breach(`the product is down; it said last: ${own.output().slice(-3000)}`);
    if (!product) await own.stop();
  }
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  return { trial: trial.id, size, seed, held: breaches.length === 0, seconds, figures, breaches };
}
