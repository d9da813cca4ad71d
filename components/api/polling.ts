import { serverNow } from "./clock";
import type { Schedule } from "./types";

const SOON_MS = 1_500;
const IDLE_MS = 30_000;

/** Where nothing is told (`live.tsx`), when to look again: soon while something is being sent or is due, otherwise now and then, and never late for the next. */
export function nextLookMs(schedules: Schedule[], now = serverNow()): number {
  return schedules.reduce((soonest, schedule) => Math.min(soonest, waitFor(schedule, now)), IDLE_MS);
}

function waitFor({ overallStatus, scheduledTime }: Schedule, now: number): number {
  if (overallStatus === "IN_PROGRESS" || overallStatus === "AWAITING_MEDIA") return SOON_MS;
  if (overallStatus !== "SCHEDULED" || !scheduledTime) return IDLE_MS;
  return Math.max(SOON_MS, Date.parse(scheduledTime) - now);
}
