"use client";
import { Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ApiSchedule } from "../api/types";
import { type Day, dayOf, startOf } from "../time/days";
import { language } from "../time/format";
import { Link } from "../ui/link";
import { Chip, type ChipProps } from "./chip";
import { Cell, composeAt } from "./drag";
import { byHour, hourKey, Opening, type Openings } from "./opening";
import { calendarWords } from "./words";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const hours = new Intl.DateTimeFormat(language, { hour: "numeric" });
const shortDay = new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric" });
const fullDay = new Intl.DateTimeFormat(language, { day: "numeric", month: "long" });
/** The hour at the top when a week opens. */
const MORNING = 7;

type Props = Omit<ChipProps, "schedule"> & {
  days: Day[];
  today: Day;
  byDay: Map<Day, ApiSchedule[]>;
  openings: Openings;
};

/** One or seven days with a row per hour. A dragged schedule changes its day and hour and keeps its minutes. */
export function TimeGrid({ days, today, byDay, openings, ...chip }: Props) {
  const free = byHour(openings);
  const morning = useRef<HTMLTableRowElement>(null);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (frame.current && morning.current) frame.current.scrollTop = morning.current.offsetTop - 56;
  }, []);
  return (
    <section
      ref={frame}
      aria-label={calendarWords.hours}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="h-[70dvh] overflow-auto rounded-xl border border-line"
    >
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{calendarWords.byHour}</caption>
        <thead className="sticky top-0 z-10 bg-paper">
          <tr>
            <th scope="col" className="w-16">
              <span className="sr-only">{calendarWords.hour}</span>
            </th>
            {days.map((day) => (
              <DayHead key={day} day={day} today={today} />
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour) => (
            <tr key={hour} ref={hour === MORNING ? morning : undefined} className="h-14">
              <th
                scope="row"
                className="border-line border-t pt-1 pr-2 text-right align-top font-normal text-muted text-xs"
              >
                {hourWord(hour)}
              </th>
              {days.map((day) => (
                <Cell
                  key={day}
                  slot={{ day, hour }}
                  writeAt={day < today ? undefined : `${day}T${String(hour).padStart(2, "0")}:00`}
                >
                  {inHour(byDay.get(day), hour).map((schedule) => (
                    <Chip key={schedule.id} schedule={schedule} {...chip} />
                  ))}
                  {free.get(hourKey(day, hour))?.map((opening) => (
                    <Opening key={opening.time} opening={opening} accounts={chip.accounts} />
                  ))}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DayHead({ day, today }: { day: Day; today: Day }) {
  const [name, full] = [shortDay.format(startOf(day)), fullDay.format(startOf(day))];
  return (
    <th
      scope="col"
      aria-current={day === today ? "date" : undefined}
      className="h-12 border-line border-x px-2 font-medium text-sm aria-[current=date]:text-accent"
    >
      <span className="flex items-center justify-between gap-1">
        {name}
        {day >= today && (
          <Link
            href={composeAt(`${day}T09:00`)}
            aria-label={calendarWords.writeFor(full)}
            className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-sunk"
          >
            <Plus aria-hidden className="size-4" />
          </Link>
        )}
      </span>
    </th>
  );
}

function inHour(schedules: ApiSchedule[] = [], hour: number): ApiSchedule[] {
  return schedules.filter(({ scheduledTime }) => scheduledTime && new Date(scheduledTime).getHours() === hour);
}

function hourWord(hour: number): string {
  return hours.format(new Date(2026, 0, 1, hour));
}

/** Groups schedules by local day, earliest first. */
export function groupByDay(schedules: ApiSchedule[]): Map<Day, ApiSchedule[]> {
  const byDay = new Map<Day, ApiSchedule[]>();
  const timed = schedules.flatMap((schedule) =>
    schedule.scheduledTime ? [{ schedule, time: schedule.scheduledTime }] : [],
  );
  for (const { schedule, time } of timed.sort((a, b) => Date.parse(a.time) - Date.parse(b.time))) {
    const day = dayOf(new Date(time));
    byDay.set(day, [...(byDay.get(day) ?? []), schedule]);
  }
  return byDay;
}
