import { handleOf } from "../accounts/names";
import { fromLocalField } from "../time/format";
import type { Draft } from "./draft";
import type { Target } from "./targets";
import type { Upload } from "./use-uploads";

/** Why the schedule button is off; `accountId` where leaving that account out would help. */
export type Obstacle = { text: string; accountId?: number };

export function obstaclesOf(draft: Draft, targets: Target[], uploads: Upload[], nowMs: number): Obstacle[] {
  const found: Obstacle[] = [];
  if (targets.length === 0) found.push({ text: "Choose at least one account." });
  if (draft.text.trim() === "" && uploads.length === 0 && targets.every(({ isOwnText }) => !isOwnText)) {
    return [...found, { text: "Write something or add a picture." }, ...timeObstacles(draft, nowMs)];
  }
  if (uploads.some(({ path, error }) => !path && !error)) found.push({ text: "Files are still being uploaded." });
  if (uploads.some(({ error }) => error)) found.push({ text: "A file did not upload. Try it again or remove it." });
  for (const { account, network, problems } of targets) {
    const who = `${network.name} (${handleOf(account)})`;
    found.push(...problems.map((problem) => ({ text: `${who}: ${problem}`, accountId: account.id })));
  }
  return [...found, ...timeObstacles(draft, nowMs)];
}

function timeObstacles({ when, at }: Draft, nowMs: number): Obstacle[] {
  if (when === "now") return [];
  const instant = fromLocalField(at);
  if (!instant) return [{ text: "Pick a date and a time." }];
  return instant.getTime() < nowMs - 60_000 ? [{ text: "The time you picked has passed." }] : [];
}
