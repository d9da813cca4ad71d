import { pause } from "../../e2e/chaos/rig";
import type { Product } from "../../e2e/setup/product";

export type Network = "x" | "telegram";

/** When each text arrived at the network, in milliseconds since 1970. */
export async function arrivals(product: Product, network: Network, texts: string[], seconds: number) {
  const until = performance.now() + seconds * 1000;
  const wanted = new Set(texts);
  for (;;) {
    const held: { text: string; receivedTime: string }[] = await (
      await fetch(`${product.sandboxUrl}/_control/posts?network=${network}`)
    ).json();
    const mine = held.filter(({ text }) => wanted.has(text));
    if (mine.length === texts.length) return new Map(mine.map((post) => [post.text, Date.parse(post.receivedTime)]));
    if (performance.now() > until) throw new Error(`${texts.length - mine.length} of ${texts.length} never arrived`);
    await pause(500);
  }
}

/** Seconds that a loop of so many calls of the same network takes, so many at a time, with nothing around them. */
export async function bareLoop(product: Product, count: number, parallel: number): Promise<number> {
  const since = performance.now();
  let left = count;
  const one = async () => {
    while (left-- > 0) {
      // Nobody's token: the network waits as long as for ours, then refuses it.
      const headers = { authorization: "Bearer nobody", "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ text: "bare" }) };
      await (await fetch(`${product.sandboxUrl}/x/2/tweets`, init)).text();
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return (performance.now() - since) / 1000;
}
