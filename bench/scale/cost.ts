import { percentile, type Row } from "../rows";
import { BASE, type Scale, waitForArrivals } from "./rig";

const PER_SECOND = 40;
const ROUND = 400;
const ROUNDS = 3;
const SPREAD = 1.2;

/** Milliseconds of CPU per publication while this many schedules are stored. */
export type Cost = { stored: number; ms: number };

/**
 * Measures the CPU time of workers and PostgreSQL per publication while more and more schedules are stored, at a rate that
 * leaves the machine idle most of the time.
 */
export async function measureCost(scale: Scale, sizes: number[], show: (row: Row) => void): Promise<Cost[]> {
  const points: Cost[] = [];
  let stored = BASE;
  await costOf(scale); // warms up
  for (const size of sizes) {
    await scale.store(stored, size);
    stored = size;
    const rounds: Awaited<ReturnType<typeof costOf>>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await costOf(scale));
    const ms = percentile(
      rounds.map(({ workers, database }) => workers + database),
      0.5,
    );
    const [workers, database] = (["workers", "database"] as const).map((part) =>
      percentile(
        rounds.map((round) => round[part]),
        0.5,
      ).toFixed(1),
    );
    points.push({ stored, ms });
    const value = `${ms.toFixed(1)} ms (${workers} + ${database})`;
    show({
      what: `CPU per publication of workers + PostgreSQL, ${size.toLocaleString("en")} schedules stored`,
      value,
      target: "",
    });
  }
  const all = points.map(({ ms }) => ms);
  const ratio = Math.max(...all) / Math.min(...all);
  show({ what: "largest ÷ smallest", value: ratio.toFixed(2), target: "≤ 1.2", isMet: ratio <= SPREAD });
  return points;
}

/** Milliseconds of CPU per publication in one round. */
async function costOf(scale: Scale): Promise<{ workers: number; database: number }> {
  const at = Date.now() + 3_000;
  const first = await scale.plan({ count: ROUND, at, perSecond: PER_SECOND });
  await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
  const before = await scale.cpu();
  const arrived = await waitForArrivals(scale, first, ROUND, at + 120_000);
  if (arrived.size < ROUND) throw new Error(`${ROUND - arrived.size} publications did not arrive`);
  const after = await scale.cpu();
  const each = (part: "workers" | "database") => ((after[part] - before[part]) * 1000) / ROUND;
  return { workers: each("workers"), database: each("database") };
}
