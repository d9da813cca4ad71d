import { percentile, type Row } from "../rows";
import { type Scale, waitForArrivals } from "./rig";

/** 20 million publications a day. */
const WANTED_PER_SECOND = 231;
const TARGET_LATE_MS = 1_000;
/** Share of the rate that the workers reached under overload, at which they should be punctual. */
const COMFORTABLE = 0.8;
/** How many times longer than planned a run may take. */
const PATIENCE = 5;

type Run = {
  perSecond: number;
  reached: number;
  startMs: number;
  finalMs: number;
  lost: number;
  doubled: number;
  cpu: string;
};

/**
 * Publishes at a fixed rate on ten networks of 100 ms per call. If the workers cannot keep up with the wanted rate, it
 * publishes again at a rate that they can, so that their lateness is measured without a growing queue.
 */
export async function measureThroughput(scale: Scale, seconds: number): Promise<Row[]> {
  await publish(scale, 20, 10); // warms up connections and prepared statements
  const wanted = await publish(scale, WANTED_PER_SECOND, seconds);
  const rows = rowsOf(scale, wanted, seconds);
  if (wanted.startMs <= TARGET_LATE_MS) return rows;
  const possible = Math.floor(wanted.reached * COMFORTABLE);
  return [...rows, ...rowsOf(scale, await publish(scale, possible, seconds), seconds)];
}

async function publish(scale: Scale, perSecond: number, seconds: number): Promise<Run> {
  const count = Math.round(perSecond * seconds);
  const at = Date.now() + 5_000 + count / 4; // storing a publication takes about 0.1 ms
  const first = await scale.plan({ count, at, perSecond });
  const { rows: ids } = await scale.client.query("select max(id) - $1 as before from publications", [count]);
  const wait = at - Date.now();
  if (wait < 0) throw new Error("storing the publications took longer than expected");
  await new Promise((resolve) => setTimeout(resolve, wait));
  const before = await scale.cpu();
  const arrived = await waitForArrivals(scale, first, count, at + (seconds * PATIENCE + 30) * 1000);
  const after = await scale.cpu();
  const late = [...arrived].map(([number, arrival]) => arrival.at - at - ((number - first) * 1000) / perSecond);
  const last = Math.max(...[...arrived.values()].map((arrival) => arrival.at).slice(-5_000));
  const { rows } = await scale.client.query(
    `select percentile_cont(0.99) within group (order by extract(epoch from a.started_at - s.scheduled_time)) * 1000 as late
     from publications p join schedules s on s.id = p.schedule_id
       join lateral (select min(started_at) as started_at from publish_attempts where publication_id = p.id) a on true
     where p.id > $1`,
    [ids[0].before],
  );
  const each = (part: keyof typeof before) => (((after[part] - before[part]) / arrived.size) * 1000).toFixed(1);
  return {
    perSecond,
    reached: (arrived.size * 1000) / (last - at),
    startMs: Number(rows[0].late),
    finalMs: percentile(late, 0.99),
    lost: count - arrived.size,
    doubled: [...arrived.values()].filter(({ times }) => times > 1).length,
    cpu: `${each("workers")} + ${each("database")} + ${each("networks")} ms`,
  };
}

function rowsOf({ workers }: Scale, run: Run, seconds: number): Row[] {
  const what = `${run.perSecond}/s for ${seconds} s on ten networks, ${workers.length} workers`;
  const ms = (value: number) => `${Math.round(value)} ms`;
  return [
    {
      what: `${what}: rate reached`,
      value: `${run.reached.toFixed(0)}/s`,
      target: "",
      isMet: run.reached >= run.perSecond * 0.95,
    },
    {
      what: "p99 from its time to the start of its first attempt",
      value: ms(run.startMs),
      target: "≤ 1 s",
      isMet: run.startMs <= TARGET_LATE_MS,
    },
    { what: "p99 from its time to its final call (up to six calls of 100 ms)", value: ms(run.finalMs), target: "" },
    {
      what: "lost; doubled",
      value: `${run.lost}; ${run.doubled}`,
      target: "0; 0",
      isMet: run.lost + run.doubled === 0,
    },
    { what: "CPU per publication: workers + PostgreSQL + simulated networks", value: run.cpu, target: "" },
  ];
}
