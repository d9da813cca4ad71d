import { dateAndTime } from "../time/format";

/** An Account's time, which is in UTC and carries no offset, as an instant and as people read it where they are. */
export function instantOf(time: string): { ms: number; words: string } {
  const instant = new Date(`${time}Z`);
  return { ms: instant.getTime(), words: dateAndTime(instant) };
}
