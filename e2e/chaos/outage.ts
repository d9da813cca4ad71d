import { ownPort } from "../../lib/testing/own-port";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { openRelay } from "./relay";
import { pause, peopleOf, scheduleAll, settledAll, textsOf } from "./rig";

const HOUR_SECONDS = 3_600;
const OUTAGE_HOURS = 6;
/** With this factor six hours take half a minute. */
const FACTOR = 720;

/** The port of the relay between the product and X. During the outage no server listens on it. */
const line = { port: 0 };

/** T9: a network is unreachable for six hours. */
export const outage: Trial = {
  id: "T9",
  guarantee:
    "a network that cannot be reached for six hours: the others are on time, and everything goes out afterwards",
  async settings() {
    line.port = await ownPort();
    return { TIME_FACTOR: String(FACTOR), X_API_URL: `http://127.0.0.1:${line.port}/x` };
  },
  async run(context, size) {
    const { product, fail, seed } = context;
    const posts = size === "short" ? 30 : 500;
    const up = await openRelay(product.sandboxUrl, line.port);
    const [x, telegram] = await peopleOf(product, [
      { accounts: Math.max(10, posts / 50) },
      { platform: "TELEGRAM", accounts: 5 },
    ]);
    if (!x || !telegram) throw new Error("no people were created");
    await up.close();
    const since = performance.now();
    const sent = await scheduleAll(product, x, textsOf("outage", seed, posts), new Date());
    const others = await scheduleAll(product, telegram, textsOf("beside", seed, 20), new Date());
    await onTime(context, others);
    await pause((OUTAGE_HOURS * HOUR_SECONDS * 1000) / FACTOR - (performance.now() - since));
    const again = await openRelay(product.sandboxUrl, line.port);
    const counts = await invariants(context, [...sent, ...others], 120);
    await again.close();
    const missing = sent.length + others.length - counts.published;
    if (missing > 0) fail(`${missing} did not go out after the outage`);
    return { posts, hours: OUTAGE_HOURS, ...counts };
  },
};

/** Posts for another network are published long before the outage ends. */
async function onTime({ product, fail }: TrialContext, others: Awaited<ReturnType<typeof scheduleAll>>): Promise<void> {
  const seen = await settledAll(product, others, 12);
  const open = others.filter(({ scheduleId }) => seen.get(scheduleId)?.overallStatus !== "COMPLETED");
  if (open.length > 0) fail(`${open.length} on another network waited for the one that was down`);
}
