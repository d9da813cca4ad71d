"use client";
import { type TouchEvent, useRef } from "react";
import type { ApiSchedule } from "../api/types";
import { addDays, type Day, startOf } from "../time/days";
import { weekdayAndDay } from "./day-list";
import { dayLabel, weekday } from "./month-grid";
import type { GoInCalendar } from "./views";
import { calendarWords } from "./words";

const MOST_DOTS = 4;

type Props = {
  weeks: Day[][];
  day: Day;
  today: Day;
  byDay: Map<Day, ApiSchedule[]>;
  go: GoInCalendar;
};

/** The days of a month or of a week on a phone, with a dot for each post. Pressing one chooses it. */
export function PhoneDays({ weeks, day: chosen, today, byDay, go }: Props) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-xl border border-line">
      <caption className="sr-only">{calendarWords.month}</caption>
      <thead>
        <tr className="bg-sunk text-muted text-xs">
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className="h-7 font-medium">
              {weekday.format(startOf(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const count = byDay.get(day)?.length ?? 0;
              const isOther = weeks.length > 1 && day.slice(0, 7) !== chosen.slice(0, 7);
              return (
                <td
                  key={day}
                  className={`border-line border-t border-l p-0 first:border-l-0 ${isOther ? "bg-sunk" : ""}`}
                >
                  <button
                    type="button"
                    data-day={day}
                    aria-pressed={day === chosen}
                    aria-current={day === today ? "date" : undefined}
                    aria-label={calendarWords.dayWith(weekdayAndDay.format(startOf(day)), count)}
                    onClick={() => go({ day })}
                    className="group/dot grid h-13 w-full content-start justify-items-center gap-1 pt-1.5 focus-visible:-outline-offset-3 aria-pressed:shadow-[inset_0_0_0_2px_var(--gold)]"
                  >
                    <span
                      className={`whitespace-nowrap rounded-full px-1.5 font-semibold text-xs leading-5 group-aria-[current=date]/dot:bg-gold group-aria-[current=date]/dot:text-on-gold ${isOther ? "text-muted" : ""}`}
                    >
                      {dayLabel(day, weeks[0]?.[0])}
                    </span>
                    <span aria-hidden className="flex gap-0.75">
                      {Array.from({ length: Math.min(count, MOST_DOTS) }, (_, dot) => dot).map((dot) => (
                        <span key={dot} className="size-1.25 rounded-full bg-accent" />
                      ))}
                    </span>
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A swipe is longer than this, and more sideways than up or down. */
const SWIPE_PX = 60;

/** Handlers that lead to the next or the previous day when a finger swipes sideways. */
export function useSwipe(day: Day, go: GoInCalendar) {
  const start = useRef<{ x: number; y: number }>(undefined);
  return {
    onTouchStart({ touches }: TouchEvent) {
      const touch = touches[0];
      start.current = touch && { x: touch.clientX, y: touch.clientY };
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const touch = changedTouches[0];
      if (!touch || !start.current) return;
      const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y];
      if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) go({ day: addDays(day, x < 0 ? 1 : -1) });
    },
  };
}
