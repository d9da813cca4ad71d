import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { addressOf, countOf } from "./on-database";
import { personOf, scheduleAll, textsOf } from "./rig";

const newKey = () => randomBytes(32).toString("base64url");

/** T28: a second host starts with a key, a store or an address that differs, while posts are published. */
export const otherHost: Trial = {
  id: "T28",
  guarantee: "a host with another key, store or address is refused with the name of the setting, and claims nothing",
  async run(context, size) {
    const { product, fail } = context;
    const posts = size === "short" ? 40 : 400;
    const person = await personOf(product, { accounts: 10 });
    const scheduling = scheduleAll(product, person, textsOf("host", context.seed, posts), new Date());
    const own = await mkdtemp(join(tmpdir(), "carillon-host-"));
    const key = (await readFile(join(product.dataDir, "secrets/key"), "utf8")).trim();
    const apart = { DATABASE_URL: await addressOf(product), DATA_DIR: own };
    const other = product.url.replace("localhost", "127.0.0.1");
    const cases: { [name: string]: [setting: string, settings: { [name: string]: string }] } = {
      "another key": ["SECRETS_KEY", { SECRETS_KEY: newKey() }],
      "a key and a folder of its own": ["SECRETS_KEY,DATA_DIR", { ...apart }],
      "another folder": ["DATA_DIR", { ...apart, SECRETS_KEY: key }],
      "another BASE_URL": ["BASE_URL", { BASE_URL: other, AUTH_URL: product.url, APP_URL: product.url }],
      "another AUTH_URL": ["AUTH_URL", { AUTH_URL: other }],
      "another APP_URL": ["APP_URL", { APP_URL: other }],
    };
    try {
      for (const [name, [setting, settings]] of Object.entries(cases)) await refused(context, name, setting, settings);
    } finally {
      await rm(own, { recursive: true, force: true });
    }
    const counts = await invariants(context, await scheduling, 120);
    if (counts.published !== posts) fail(`${posts - counts.published} of ${posts} did not go out`);
    await changedOnPurpose(context, key, other);
    return { posts, refused: Object.keys(cases).length, ...counts };
  },
};

/** The host must end before it is ready and name the setting or settings that differ, and no other. */
async function refused({ product, fail, log }: TrialContext, name: string, setting: string, settings: object) {
  const workers = await countOf(product, "select count(*) from workers");
  const started = await product.startWorker({ ...settings }).catch((error: Error) => error);
  if (!(started instanceof Error)) {
    await started.stop();
    return fail(`a host with ${name} was not refused`);
  }
  const named = [...started.message.matchAll(/✗ (\w+):/g)].map(([, one]) => one);
  if (named.join() !== setting) fail(`a host with ${name} was told about ${named}: ${started.message}`);
  if ((await countOf(product, "select count(*) from workers")) !== workers) fail(`a host with ${name} became a worker`);
  log(`${name}: refused, ${setting}`);
}

/** The documented ways to change an address and a key, after which the earlier values are refused. */
async function changedOnPurpose(context: TrialContext, key: string, other: string): Promise<void> {
  const { product } = context;
  const fresh = newKey();
  await product.restart({ AUTH_URL: other, SECRETS_KEY: `${fresh},${key}` });
  await refused(context, "the earlier AUTH_URL", "AUTH_URL", { AUTH_URL: product.url });
  await refused(context, "only the earlier key", "SECRETS_KEY", { SECRETS_KEY: key });
  await product.carillon("keys", "reseal");
  await product.restart({ SECRETS_KEY: fresh });
  const worker = await product.startWorker();
  await worker.stop();
}
