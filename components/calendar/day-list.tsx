"use client";
import { memo, startTransition, useEffect, useState } from "react";
import type { ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { canChange } from "../posts/facts";
import { MoveDialog } from "../posts/move-dialog";
import { ScheduleCard } from "../posts/schedule-card";
import { type Day, startOf } from "../time/days";
import { language } from "../time/format";
import type { ChipProps } from "./chip";
import { calendarWords } from "./words";

const fullDay = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" });

type Common = Omit<ChipProps, "schedule"> & { today: Day; networks: NetworkFacts[] };

/** The days with their schedules, which a phone shows instead of a grid. */
export function DayList({ byDay, ...common }: Common & { byDay: Map<Day, ApiSchedule[]> }) {
  const drawn = useGrowing(byDay.size);
  return (
    <ol className="grid gap-8">
      {[...byDay].slice(0, drawn).map(([day, schedules]) => (
        <OneDay key={day} day={day} schedules={schedules} {...common} />
      ))}
    </ol>
  );
}

type DayProps = Common & { day: Day; schedules: ApiSchedule[] };

const OneDay = memo(function OneDay({ day, schedules, today, networks, accounts, nowMs, move }: DayProps) {
  const date = fullDay.format(startOf(day));
  return (
    <li className="grid gap-3">
      <h3 aria-current={day === today ? "date" : undefined} className="font-semibold aria-[current=date]:text-accent">
        {day === today ? calendarWords.todayIs(date) : date}
      </h3>
      {schedules.map((schedule) => (
        <div key={schedule.id} className="grid gap-2">
          <ScheduleCard schedule={schedule} accounts={accounts} networks={networks} nowMs={nowMs} />
          {canChange(schedule) && <MoveDialog schedule={schedule} move={move} isWide className="justify-self-start" />}
        </div>
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
