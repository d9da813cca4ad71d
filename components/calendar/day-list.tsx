"use client";
import { memo, startTransition, useEffect, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { type Day, startOf } from "../time/days";
import { localFormat } from "../time/format";
import { type ChipProps, ChipRow } from "./chip";
import { DayHeading } from "./chip-face";

export const weekdayAndDay = localFormat({ weekday: "long", day: "numeric", month: "long" });

type Common = Omit<ChipProps, "schedule"> & { today: Day };

/** The days with their posts, one below the other. */
export function DayList({ byDay, ...common }: Common & { byDay: Map<Day, ApiSchedule[]> }) {
  const drawn = useGrowing(byDay.size);
  return (
    <ol className="grid max-w-4xl gap-6">
      {[...byDay].slice(0, drawn).map(([day, schedules]) => (
        <OneDay key={day} day={day} schedules={schedules} {...common} />
      ))}
    </ol>
  );
}

type DayProps = Common & { day: Day; schedules: ApiSchedule[] };

const OneDay = memo(function OneDay({ day, schedules, today, ...chip }: DayProps) {
  return (
    <li className="grid gap-1.5">
      <DayHeading date={weekdayAndDay.format(startOf(day))} isToday={day === today} count={schedules.length} />
      {schedules.map((schedule) => (
        <ChipRow key={schedule.id} schedule={schedule} {...chip} />
      ))}
    </li>
  );
});

/** Renders a long list in steps: one item at first, then one more at a time, so that no press has to wait. */
function useGrowing(total: number): number {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= total) return;
    const timer = setTimeout(() => startTransition(() => setCount(count + 1)));
    return () => clearTimeout(timer);
  }, [count, total]);
  return count;
}
