import { fault, type Person, pause, peopleOf, scheduleAll } from "../../e2e/chaos/rig";
import { type Product, startProduct } from "../../e2e/setup/product";
import { arrivals, bareLoop, type Network } from "./arrivals";

/** A network of 100 ms, and a slow one. */
const CALL_SECONDS = 0.1;
const SLOW_SECONDS = 10;
/** What one owner has at once of a network in one process (`paceOf`). */
const PARALLEL = 32;

type Row = { what: string; value: string; beside: string };

/**
 * How punctually publications go out: from their time to the arrival of the final call at the network, whose own time is
 * taken off. In one run, beside a bare loop of the same calls with the same parallelism.
 */
export async function measureDispatch({ short }: { short: boolean }): Promise<void> {
  const product = await startProduct({ env: { TIME_FACTOR: "1" } });
  try {
    const [lone, burst, flood, slow] = short ? [15, 200, 0, 60] : [60, 1_000, 10_000, 500];
    const accounts = Math.max(PARALLEL, burst / 50);
    const [x, flooding, slowed, telegram] = await peopleOf(product, [
      { accounts },
      { accounts: Math.max(1, flood / 50) },
      { accounts: Math.max(1, slow / 10) },
      { platform: "TELEGRAM", accounts: 1 },
    ]);
    if (!x || !flooding || !slowed || !telegram) throw new Error("somebody is missing");
    console.log("| what | measured | beside |\n|---|---|---|");
    const show = ({ what, value, beside }: Row) => console.log(`| ${what} | ${value} | ${beside} |`);
    show(await lonePosts(product, x, lone));
    show(await burstOf(product, x, burst));
    if (flood > 0) show(await floodOf(product, flooding, flood));
    show(await oneSlow(product, slowed, slow, telegram));
  } finally {
    await product.stop();
  }
}

/** Each alone at its own instant. */
async function lateness(product: Product, person: Person, count: number, name: string, network: Network) {
  const begin = Date.now() + 3_000;
  const apart = network === "x" ? 400 : 3_100; // Telegram takes 20 messages a minute in one chat
  const sent = [];
  for (let n = 0; n < count; n++) {
    sent.push(...(await scheduleAll(product, person, [`${name} ${n}`], new Date(begin + n * apart))));
  }
  const arrived = await arrivals(
    product,
    network,
    sent.map(({ text }) => text),
    60 + (count * apart) / 1000,
  );
  return sent.map(({ text, at }) => (arrived.get(text) ?? Number.POSITIVE_INFINITY) - at).sort((a, b) => a - b);
}

async function lonePosts(product: Product, person: Person, count: number): Promise<Row> {
  const late = await lateness(product, person, count, "lone", "x");
  const value = `median ${middle(late)} ms, 99th ${late.at(Math.ceil(late.length * 0.99) - 1)} ms, earliest ${late[0]} ms`;
  return { what: `lateness of a lone post (${count})`, value, beside: "–" };
}

async function burstOf(product: Product, person: Person, count: number): Promise<Row> {
  const at = new Date(Date.now() + 10_000 + count * 20);
  const texts = Array.from({ length: count }, (_, n) => `burst ${n}`);
  await scheduleAll(product, person, texts, at);
  await fault(product, { operation: "publish", fault: "slow", times: 2 * count, afterSeconds: CALL_SECONDS });
  const arrived = await arrivals(product, "x", texts, at.getTime() / 1000 - Date.now() / 1000 + 300);
  const seconds = (Math.max(...arrived.values()) - at.getTime()) / 1000;
  const bare = await bareLoop(product, count, PARALLEL);
  const value = `last after ${seconds.toFixed(1)} s, ${(seconds / bare).toFixed(2)} × the loop`;
  const what = `${count} at one instant, a network of 100 ms`;
  return { what, value, beside: `bare loop, ${PARALLEL} at once: ${bare.toFixed(1)} s` };
}

async function floodOf(product: Product, person: Person, count: number): Promise<Row> {
  const at = new Date(Date.now() + 20_000 + count * 15);
  const texts = Array.from({ length: count }, (_, n) => `flood ${n}`);
  await scheduleAll(product, person, texts, at);
  const arrived = await arrivals(product, "x", texts, at.getTime() / 1000 - Date.now() / 1000 + 600);
  const seconds = (Math.max(...arrived.values()) - at.getTime()) / 1000;
  const value = `last after ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`;
  return { what: `${count} in one second`, value, beside: "–" };
}

async function oneSlow(product: Product, slowed: Person, count: number, telegram: Person): Promise<Row> {
  const without = middle(await lateness(product, telegram, 8, "alone", "telegram"));
  await pause(61_000); // a chat's minute
  await fault(product, { operation: "publish", fault: "slow", times: count, afterSeconds: SLOW_SECONDS });
  const texts = Array.from({ length: count }, (_, n) => `slow ${n}`);
  await scheduleAll(product, slowed, texts, new Date());
  const beside = middle(await lateness(product, telegram, 8, "beside", "telegram"));
  const value = `median lateness on another ${beside} ms, ${(beside / without).toFixed(2)} × without`;
  return { what: `one network at 10 s a call, ${count} due`, value, beside: `without: ${without} ms` };
}

function middle(sorted: number[]): number {
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
}
