import { request } from "node:http";
import type { Client } from "pg";
import type { OwnProduct } from "../../e2e/setup/product";
import { type Headers, jsonOf, send } from "../../e2e/trials/http";
import { signIn } from "../../e2e/trials/people";
import { createUser, fill } from "../api/fill";
import { growthMb } from "../processes";
import { percentile, type Row } from "../rows";

/** Rows of one INSERT, so that it does not need much memory. Each schedule has two posts. */
const SCHEDULES_AT_ONCE = 50_000;
const SEARCHES = 20;

/** Searches and exports of one account with very many posts. */
export async function measureLargeAccount(product: OwnProduct, client: Client, posts: number): Promise<Row[]> {
  const person = await createUser(product, "large");
  for (let stored = 0; stored < posts / 2; stored += SCHEDULES_AT_ONCE) {
    await fill(client, person, Math.min(SCHEDULES_AT_ONCE, posts / 2 - stored));
    console.error(`${2 * (stored + SCHEDULES_AT_ONCE)} of ${posts} posts stored`);
  }
  await client.query("vacuum (analyze) schedules, publications, posts");
  const bearer = { authorization: `Bearer ${person.token}` };
  const cookie = { cookie: await signIn(product, person.email) };
  return [
    await search(product, bearer, posts, "one word that no post has", "carillonneur"),
    await search(product, bearer, posts, "two words, one of which every post has", "length carillonneur"),
    await exported(product, "/v1/posts/export", bearer),
    await exported(product, "/v1/me/export", cookie),
  ];
}

async function search({ url }: OwnProduct, headers: Headers, posts: number, words: string, text: string): Promise<Row> {
  const took: number[] = [];
  for (let n = 0; n < SEARCHES; n++) {
    const answer = await send(url, `/v1/posts?${new URLSearchParams({ text })}`, { headers });
    if (jsonOf<{ items: unknown[] }>(answer).items.length > 0) throw new Error("The search found a post");
    took.push(answer.ms);
  }
  const [middle, worst] = [percentile(took, 0.5), Math.max(...took)];
  return {
    what: `search of ${posts} posts without a hit, ${words}: median; worst of ${SEARCHES}`,
    value: `${Math.round(middle)}; ${Math.round(worst)} ms`,
    ...{ target: "≤ 300 ms", isMet: worst <= 300 },
  };
}

/** The export's size, the time to its first byte, and how much more memory the web process needs meanwhile. */
async function exported(product: OwnProduct, path: string, headers: Headers): Promise<Row> {
  let read = { bytes: 0, firstByteMs: 0 };
  const grownMb = await growthMb(product.webPid(), async () => {
    read = await download(product.url + path, headers);
  });
  const value = `${Math.round(read.firstByteMs)} ms; ${Math.round(grownMb)} MB`;
  const what = `\`GET ${path}\` of ${Math.round(read.bytes / 1_000_000)} MB: first byte; memory above rest`;
  return { what, value, target: "constant" };
}

function download(url: string, headers: Headers): Promise<{ bytes: number; firstByteMs: number }> {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers }, (incoming) => {
      if (incoming.statusCode !== 200) return reject(new Error(`GET ${url} returned ${incoming.statusCode}`));
      let [bytes, firstByteMs] = [0, 0];
      incoming.on("data", (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - since;
        bytes += chunk.length;
      });
      incoming.on("error", reject).on("end", () => resolve({ bytes, firstByteMs }));
    });
    outgoing.on("error", reject).end();
  });
}
