import type { Schedule } from "../api/types";
import { dateAndTime, fromNow, zoneAt } from "../time/format";
import { isAhead } from "./facts";

/** The exact date with its zone; how long until then is an extra. */
export function When({ schedule, nowMs }: { schedule: Schedule; nowMs: number }) {
  if (!schedule.scheduledTime) return <span className="text-muted text-sm">No time yet</span>;
  const instant = new Date(schedule.scheduledTime);
  return (
    <p className="text-sm">
      <time dateTime={schedule.scheduledTime} className="font-medium">
        {dateAndTime(instant)}
      </time>{" "}
      <span className="text-muted">{zoneAt(instant)}</span>
      {isAhead(schedule) && <span className="text-muted"> · {fromNow(instant, nowMs)}</span>}
    </p>
  );
}
