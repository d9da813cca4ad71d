import type { Schedule } from "../api/types";
import { dateAndTime, fromNow, zoneAt } from "../time/format";
import { isAhead } from "./facts";
import { postWords } from "./words";

/** How long until its time, in words, while something is still to happen. */
export function waitOf(schedule: Schedule, nowMs: number): string | undefined {
  if (!schedule.scheduledTime || !isAhead(schedule)) return undefined;
  return fromNow(new Date(schedule.scheduledTime), nowMs);
}

/** The exact date with its zone; how long until then is an extra. */
export function When({ schedule, wait }: { schedule: Schedule; wait: string | undefined }) {
  if (!schedule.scheduledTime) return <span className="text-muted text-sm">{postWords.card.noTime}</span>;
  const instant = new Date(schedule.scheduledTime);
  return (
    <p className="text-sm">
      <time dateTime={schedule.scheduledTime} className="font-medium">
        {dateAndTime(instant)}
      </time>{" "}
      <span className="text-muted">{zoneAt(instant)}</span>
      {wait && <span className="text-muted"> · {wait}</span>}
    </p>
  );
}
