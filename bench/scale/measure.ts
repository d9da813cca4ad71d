import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../e2e/setup/service";
import { show, showHead } from "../rows";
import { measureCost } from "./cost";
import { curve } from "./curve";
import { measurePicking } from "./picking";
import { startScale } from "./rig";
import { measureThroughput } from "./throughput";

const SHORT = { seconds: 30, sizes: [10_000, 100_000], waiting: 100_000, single: 12, accounts: 25 };
const FULL = {
  seconds: 1_800,
  sizes: [10_000, 100_000, 1_000_000, 10_000_000],
  waiting: 1_000_000,
  single: 100,
  accounts: 50,
};
const WORKERS = 2;

/**
 * Measures scale on one machine: picking while many publications cannot start, the rate that two workers reach on ten networks,
 * and the cost per publication while more and more schedules are stored. A value that misses its target is
 * bold. The full form draws the costs into docs/performance-scale.svg.
 */
export async function measureScale({ short }: { short: boolean }): Promise<void> {
  const { seconds, sizes, waiting, single, accounts } = short ? SHORT : FULL;
  const scale = await startScale(accounts, WORKERS);
  try {
    showHead();
    await measurePicking(scale, waiting, single, show);
    for (const row of await measureThroughput(scale, seconds)) show(row);
    const costs = await measureCost(scale, sizes, show);
    if (!short) await writeFile(join(root, "docs/performance-scale.svg"), curve(costs));
  } finally {
    await scale.stop();
  }
}
