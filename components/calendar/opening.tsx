import { handleOf } from "../accounts/names";
import type { ApiNextSlots } from "../api/slots";
import type { ApiAccount } from "../api/types";
import { dayOf } from "../time/days";
import { toLocalField } from "../time/format";
import { Link } from "../ui/link";
import { Sentence } from "../ui/sentence";
import { scheduleTime } from "./chip";
import { composeAt } from "./drag";
import { calendarWords } from "./words";

export type Openings = ApiNextSlots["items"];

/** A free queue slot, shown faintly; it opens the composer with that time. */
export function Opening({
  opening: { time, accountIds },
  accounts,
}: {
  opening: Openings[number];
  accounts: ApiAccount[];
}) {
  const whose = accounts.filter(({ id }) => accountIds.includes(id)).map(handleOf);
  return (
    <Link
      href={composeAt(toLocalField(new Date(time)))}
      className="block min-h-6 rounded-lg border border-edge border-dashed px-1.5 text-muted text-xs leading-6 hover:bg-sunk"
    >
      <Sentence
        text={calendarWords.free}
        parts={{
          time: <time dateTime={time}>{scheduleTime(time)}</time>,
          slot: <span className="sr-only">{calendarWords.slotOf(whose.join(", "))}</span>,
        }}
      />
    </Link>
  );
}

/** Groups slots by local day and hour, `2026-11-22 9`. */
export function byHour(openings: Openings): Map<string, Openings> {
  const found = new Map<string, Openings>();
  for (const opening of openings) {
    const instant = new Date(opening.time);
    const hour = hourKey(dayOf(instant), instant.getHours());
    found.set(hour, [...(found.get(hour) ?? []), opening]);
  }
  return found;
}

export function hourKey(day: string, hour: number): string {
  return `${day} ${hour}`;
}
