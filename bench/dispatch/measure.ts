import { fault, type Person, pause, peopleOf, scheduleAll } from "../../e2e/chaos/rig";
import { type OwnProduct, startProduct } from "../../e2e/setup/product";

/** Response times of the normal and the slow network. */
const CALL_SECONDS = 0.1;
const SLOW_SECONDS = 10;
/** Parallel calls per owner, network and process (`paceOf`). */
const PARALLEL = 32;
/** Many accounts, because posts of one account are published one after the other. */
const ACCOUNTS = 100;
/** Chats for posts with separate times, and the distance of these times: Telegram allows 20 messages a minute in one chat. */
const CHATS = 10;
const APART_MS = 400;
/** Such posts per round, with and without a slow network. */
const SAMPLES = 25;

type Row = { what: string; value: string; beside: string };

/**
 * Measures how punctually publications go out: from the scheduled time to the arrival of the publish call at the network.
 * Each result is compared with a bare loop of the same calls and the same parallelism in the same run.
 */
export async function measureDispatch({ short }: { short: boolean }): Promise<void> {
  const product = await startProduct({ env: { TIME_FACTOR: "1" } });
  try {
    const [lone, burst, rounds, flood, slow] = short ? [15, 200, 3, 0, 60] : [60, 1_000, 5, 10_000, 500];
    const [x, flooding, small, slowed, telegram] = await peopleOf(product, [
      { accounts: ACCOUNTS },
      { accounts: Math.max(1, flood / 50) },
      { accounts: 1 },
      { accounts: Math.max(1, slow / 10) },
      { platform: "TELEGRAM", accounts: CHATS },
    ]);
    if (!x || !flooding || !small || !slowed || !telegram) throw new Error("peopleOf returned too few users");
    console.log("| what | measured | reference |\n|---|---|---|");
    const show = ({ what, value, beside }: Row) => console.log(`| ${what} | ${value} | ${beside} |`);
    show(await lonePosts(product, x, lone));
    show(await burstsOf(product, x, burst, rounds));
    if (flood > 0) for (const row of await floodOf(product, flooding, small, flood)) show(row);
    show(await oneSlow(product, slowed, slow, telegram, rounds));
  } finally {
    await product.stop();
  }
}

/** Publishes posts at separate times. Returns their lateness in milliseconds, sorted. */
async function lateness(product: OwnProduct, person: Person, count: number, name: string, network: Network) {
  const begin = Date.now() + 3_000;
  const sent = [];
  for (let n = 0; n < count; n++) {
    // Networks limit the posts of one account, so rotate the accounts.
    const accounts = person.accounts.slice(n % person.accounts.length);
    const at = new Date(begin + n * APART_MS);
    sent.push(...(await scheduleAll(product, { ...person, accounts }, [`${name} ${n}.`], at)));
  }
  const texts = sent.map(({ text }) => text);
  const arrived = await arrivals(product, network, texts, 60 + (count * APART_MS) / 1000);
  return sent.map(({ text, at }) => (arrived.get(text) ?? Number.POSITIVE_INFINITY) - at).sort(byNumber);
}

async function lonePosts(product: OwnProduct, person: Person, count: number): Promise<Row> {
  const late = await lateness(product, person, count, "lone", "x");
  const value = `median ${middle(late)} ms, 99th ${late.at(Math.ceil(late.length * 0.99) - 1)} ms, earliest ${late[0]} ms`;
  return { what: `lateness of a single post (${count})`, value, beside: "–" };
}

/** Alternates bursts with a bare loop of the same calls. Reports the medians and their ratio. */
async function burstsOf(product: OwnProduct, person: Person, count: number, rounds: number): Promise<Row> {
  const times: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await burstOf(product, person, count, round);
    times.push({ ours, bare: await bareLoop(product, count, PARALLEL) });
  }
  const median = (of: (time: { ours: number; bare: number }) => number) =>
    (times.map(of).sort(byNumber)[Math.floor(rounds / 2)] ?? Number.NaN).toFixed(2);
  const value = `last after ${median(({ ours }) => ours)} s, ${median(({ ours, bare }) => ours / bare)} × the loop`;
  const what = `${count} posts at one time, a network of 100 ms (${rounds} rounds)`;
  return { what, value, beside: `bare loop, ${PARALLEL} in parallel: ${median(({ bare }) => bare)} s` };
}

/** Seconds from the scheduled time to the last arrival. */
async function burstOf(product: OwnProduct, person: Person, count: number, round: number): Promise<number> {
  const at = new Date(Date.now() + 10_000 + count * 20);
  const texts = Array.from({ length: count }, (_, n) => `burst ${round} ${n}`);
  await scheduleAll(product, person, texts, at);
  await faultless(product);
  await fault(product, { operation: "publish", fault: "slow", times: 2 * count, afterSeconds: CALL_SECONDS });
  const arrived = await arrivals(product, "x", texts, at.getTime() / 1000 - Date.now() / 1000 + 300);
  return (Math.max(...arrived.values()) - at.getTime()) / 1000;
}

async function floodOf(product: OwnProduct, person: Person, small: Person, count: number): Promise<Row[]> {
  await faultless(product);
  const at = new Date(Date.now() + 20_000 + count * 15);
  const texts = Array.from({ length: count }, (_, n) => `flood ${n}`);
  const few = Array.from({ length: 10 }, (_, n) => `few ${n}.`);
  await scheduleAll(product, person, texts, at);
  await scheduleAll(product, small, few, at);
  const until = at.getTime() / 1000 - Date.now() / 1000 + 600;
  const last = async (some: string[]) => {
    const arrived = await arrivals(product, "x", some, until);
    return (Math.max(...arrived.values()) - at.getTime()) / 1000;
  };
  const [seconds, fewSeconds] = [await last(texts), await last(few)];
  const value = `last after ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} per second`;
  return [
    { what: `${count} posts in one second, ${person.accounts.length} accounts`, value, beside: "–" },
    {
      what: "ten posts of another owner at the same time",
      value: `last after ${fewSeconds.toFixed(1)} s`,
      beside: "–",
    },
  ];
}

/** Alternates rounds with and without a slow network. Reports the median lateness of each. */
async function oneSlow(
  product: OwnProduct,
  slowed: Person,
  count: number,
  telegram: Person,
  rounds: number,
): Promise<Row> {
  const [without, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await faultless(product);
    without.push(...(await lateness(product, telegram, SAMPLES, `alone ${round}`, "telegram")));
    await fault(product, { operation: "publish", fault: "slow", times: count, afterSeconds: SLOW_SECONDS });
    const texts = Array.from({ length: count }, (_, n) => `slow ${round} ${n}.`);
    await scheduleAll(product, slowed, texts, new Date());
    beside.push(...(await lateness(product, telegram, SAMPLES, `beside ${round}`, "telegram")));
    await faultless(product);
    await arrivals(product, "x", texts, 300); // wait until this round is finished
  }
  const [alone, together] = [middle(without.sort(byNumber)), middle(beside.sort(byNumber))];
  return {
    what: `one network at 10 s per call, ${count} posts due (${rounds} rounds)`,
    value: `median lateness on another network ${together} ms, ${(together / alone).toFixed(2)} × without`,
    beside: `without: ${alone} ms`,
  };
}

async function faultless(product: OwnProduct): Promise<void> {
  await fetch(`${product.sandboxUrl}/_control/faults`, { method: "DELETE" });
}

const byNumber = (a: number, b: number) => a - b;

function middle(sorted: number[]): number {
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
}

type Network = "x" | "telegram";

/** Waits until all texts arrived at the network. Returns their arrival times in milliseconds since 1970. */
async function arrivals(product: OwnProduct, network: Network, texts: string[], seconds: number) {
  const until = performance.now() + seconds * 1000;
  const wanted = new Set(texts);
  for (;;) {
    const posts: { text: string; receivedTime: string }[] = await (
      await fetch(`${product.sandboxUrl}/_control/posts?network=${network}`)
    ).json();
    const arrived = posts.filter(({ text }) => wanted.has(text));
    if (arrived.length === texts.length)
      return new Map(arrived.map((post) => [post.text, Date.parse(post.receivedTime)]));
    if (performance.now() > until)
      throw new Error(`${texts.length - arrived.length} of ${texts.length} posts did not arrive`);
    await pause(500);
  }
}

/** Seconds that a bare loop of the same network calls takes, with the given parallelism. */
async function bareLoop(product: OwnProduct, count: number, parallel: number): Promise<number> {
  const since = performance.now();
  let left = count;
  const one = async () => {
    while (left-- > 0) {
      // An invalid token: the network takes as long as for a valid one, then rejects it.
      const headers = { authorization: "Bearer invalid", "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ text: "bare" }) };
      await (await fetch(`${product.sandboxUrl}/x/2/tweets`, init)).text();
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return (performance.now() - since) / 1000;
}
