"use client";
import type { Schedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { canChange } from "../posts/facts";
import { MoveDialog } from "../posts/move-dialog";
import { ScheduleCard } from "../posts/schedule-card";
import { type Day, startOf } from "../time/days";
import type { ChipProps } from "./chip";

const fullDay = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });

type Props = Omit<ChipProps, "schedule"> & { byDay: Map<Day, Schedule[]>; today: Day; networks: NetworkFacts[] };

/** Day after day, each with its schedules: what a phone shows instead of a grid. */
export function DayList({ byDay, today, networks, accounts, nowMs, move }: Props) {
  return (
    <ol className="grid gap-8">
      {[...byDay].map(([day, schedules]) => (
        <li key={day} className="grid gap-3">
          <h3
            aria-current={day === today ? "date" : undefined}
            className="font-semibold aria-[current=date]:text-accent"
          >
            {fullDay.format(startOf(day))}
            {day === today && " · today"}
          </h3>
          {schedules.map((schedule) => (
            <div key={schedule.id} className="grid gap-2">
              <ScheduleCard schedule={schedule} accounts={accounts} networks={networks} nowMs={nowMs} />
              {canChange(schedule) && (
                <MoveDialog schedule={schedule} move={move} isWide className="justify-self-start" />
              )}
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
