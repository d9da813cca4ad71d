import type { StaffSearchResult } from "@/lib/staff";
import { Card } from "../ui/card";
import { scheduleWord } from "./facts";
import { staffWords } from "./words";

/** Search results. They use plain links, because prefetching a page would be logged as a view. */
export function FoundList({ found: { users, schedules } }: { found: StaffSearchResult }) {
  if (users.length + schedules.length === 0) {
    return <p className="text-muted">{staffWords.noneFound}</p>;
  }
  return (
    <ul className="grid gap-3">
      {users.map(({ id, name, email, matchedBy: how }) => (
        <li key={`${id} ${how}`}>
          <Card>
            <a href={`/staff/users/${id}`} className="font-medium text-accent underline">
              {name}
            </a>
            <p className="text-muted text-sm">
              {email ? staffWords.foundUserAt(email, how) : staffWords.foundUser(how)}
            </p>
          </Card>
        </li>
      ))}
      {schedules.map(({ id, status, matchedBy: how }) => (
        <li key={`${id} ${how}`}>
          <Card>
            <a href={`/staff/schedules/${id}`} className="font-medium text-accent underline">
              {staffWords.schedule(id)}
            </a>
            <p className="text-muted text-sm">{staffWords.foundSchedule(scheduleWord(status), how)}</p>
          </Card>
        </li>
      ))}
    </ul>
  );
}
