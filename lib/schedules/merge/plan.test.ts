import { expect, test } from "vitest";
import { normalizedText } from "../near-duplicates";
import type { Schedule } from "../read";
import { planMerge } from "./plan";

const SCHEDULES = 20;
const PUBLICATIONS = 100;

/** A schedule with as many long texts for one account as a request of 1 MB holds. Only what a merge reads is there. */
function longSchedule(id: number): Schedule {
  const publications = Array.from({ length: PUBLICATIONS }, (_, index) => ({
    id: id * PUBLICATIONS + index,
    accountId: 1,
    settings: { type: "FACEBOOK" },
    posts: [
      { content: `${"a b ".repeat(2_300)} ${id} ${index}`, attachmentPaths: [], chatId: null, thumbnailPath: null },
    ],
  }));
  return { id, publications } as unknown as Schedule;
}

/** The processor time of some work in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("comparing long texts takes time linear in their length, although each one is compared with a hundred others", async () => {
  const [kept, ...others] = Array.from({ length: SCHEDULES }, (_, id) => longSchedule(id));
  if (!kept) throw new Error("no schedule");
  const once = await costOf(() => {
    for (const { publications } of [kept, ...others]) for (const { posts } of publications) normalizedText(posts as []);
  });
  const whole = await costOf(async () => {
    const parts = await planMerge(kept, others);
    expect(parts.filter(({ outcome }) => outcome === "clashing")).toHaveLength((SCHEDULES - 1) * PUBLICATIONS);
  });
  expect(whole / once).toBeLessThan(15);
});
