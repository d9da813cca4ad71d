"use client";
import { Plus } from "lucide-react";
import type { ApiSchedule } from "../api/types";
import { type Day, startOf } from "../time/days";
import { language } from "../time/format";
import { Link } from "../ui/link";
import { Chip, type ChipProps } from "./chip";
import { Cell, composeAt } from "./drag";
import { calendarWords } from "./words";

const weekday = new Intl.DateTimeFormat(language, { weekday: "short" });
const fullDay = new Intl.DateTimeFormat(language, { day: "numeric", month: "long" });
/** Further posts of a day are folded into "+3 more". */
const SHOWN_A_DAY = 3;

type Props = Omit<ChipProps, "schedule"> & {
  weeks: Day[][];
  month: string;
  today: Day;
  byDay: Map<Day, ApiSchedule[]>;
  open: (day: Day) => void;
};

/** A month as a table of whole weeks. A schedule that is dragged to another date keeps its time of day. */
export function MonthGrid({ weeks, month, today, byDay, open, ...chip }: Props) {
  return (
    <table className="w-full table-fixed border-collapse">
      <caption className="sr-only">{calendarWords.month}</caption>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className="pb-1 font-medium text-muted text-sm">
              {weekday.format(startOf(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                isOther={!day.startsWith(month)}
                today={today}
                schedules={byDay.get(day) ?? []}
                open={open}
                {...chip}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type DayProps = Omit<ChipProps, "schedule"> & {
  day: Day;
  isOther: boolean;
  today: Day;
  schedules: ApiSchedule[];
  open: (day: Day) => void;
};

function DayCell({ day, isOther, today, schedules, open, ...chip }: DayProps) {
  const over = schedules.length - SHOWN_A_DAY;
  const shown = over > 0 ? schedules.slice(0, SHOWN_A_DAY) : schedules;
  const full = fullDay.format(startOf(day));
  const writeAt = day < today ? undefined : `${day}T09:00`;
  return (
    <Cell slot={{ day }} writeAt={writeAt} className={`h-32 ${isOther ? "bg-sunk/50" : ""}`}>
      <div className="flex items-center justify-between">
        <button
          type="button"
          onClick={() => open(day)}
          aria-label={calendarWords.openDay(full)}
          aria-current={day === today ? "date" : undefined}
          className={`inline-flex size-7 items-center justify-center rounded-full text-sm hover:bg-sunk aria-[current=date]:bg-accent aria-[current=date]:font-semibold aria-[current=date]:text-on-accent ${isOther ? "text-muted" : ""}`}
        >
          {Number(day.slice(8))}
        </button>
        {writeAt && (
          <Link
            href={composeAt(writeAt)}
            aria-label={calendarWords.writeFor(full)}
            className="inline-flex size-7 items-center justify-center rounded-md text-muted opacity-60 hover:bg-sunk hover:opacity-100 focus-visible:opacity-100"
          >
            <Plus aria-hidden className="size-4" />
          </Link>
        )}
      </div>
      {shown.map((schedule) => (
        <Chip key={schedule.id} schedule={schedule} {...chip} />
      ))}
      {over > 0 && (
        <button
          type="button"
          onClick={() => open(day)}
          className="min-h-7 rounded-md text-accent text-sm hover:bg-sunk"
        >
          {calendarWords.more(over)}
        </button>
      )}
    </Cell>
  );
}
