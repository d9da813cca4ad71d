"use client";
import { useNextSlots } from "../api/next-slots";
import { dateAndTime, zoneAt } from "../time/format";
import { queueWords } from "./words";

const SHOWN = 5;

/** What the queue comes to: its next free times, as the reader's own clock shows them. */
export function NextTimes({ accountId }: { accountId: number }) {
  const { data } = useNextSlots({ accountIds: [accountId], match: "any", count: SHOWN });
  const [first] = data?.items ?? [];
  if (!data || !first) return null;
  return (
    <section aria-labelledby="next-free">
      <h2 id="next-free" className="font-semibold">
        {queueWords.nextFree}
      </h2>
      <p className="text-muted text-sm">{queueWords.asYourClock(zoneAt(new Date(first.time)))}</p>
      <ol className="mt-2 grid gap-1">
        {data.items.map(({ time }) => (
          <li key={time}>
            <time dateTime={time}>{dateAndTime(new Date(time))}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}
