"use client";
import { useDroppable } from "@dnd-kit/core";
import { useRouter } from "next/navigation";
import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import type { ApiSchedule } from "../api/types";
import { atMinute, type Day, minutesOf, startOf } from "../time/days";
import { timeOfDay, toLocalField } from "../time/format";
import { Plus } from "../ui/icons";
import { Link } from "../ui/link";
import { Chip, type ChipProps, Opening, type Openings, openingsByDay } from "./chip";
import { dayAndMonth, weekday } from "./month-grid";
import type { GoInCalendar, View } from "./views";
import { composeAt, composeOn } from "./views";
import { calendarWords } from "./words";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** A day without a clock change, for the names of the hours. */
const ANY_DAY = "2026-01-01";
const DAY_MINUTES = 24 * 60;
const HOUR_PX = 52;
/** The height of a chip with its margin, as a duration. */
const CHIP_MINUTES = 50;
const OPENING_MINUTES = 40;
/** Free times closer than this to a post are not shown. */
const STEP_MINUTES = 15;
/** When the hours open, they are scrolled to this long before the current time, or before eight in the morning on other days. */
const ABOVE_MINUTES = 90;
const MORNING_MINUTES = 480;
/** How many chips lie side by side: in a day on a wide screen, in a week that has room, and in one that has not. */
const MOST_COLUMNS = { day: 8, week: 3, narrowWeek: 1 };

type Props = Omit<ChipProps, "schedule"> & {
  days: Day[];
  today: Day;
  byDay: Map<Day, ApiSchedule[]>;
  openings: Openings;
  isWide: boolean;
  /** Whether a day of a week is wide enough for chips side by side. */
  hasRoom: boolean;
  go: GoInCalendar;
};

/** One or seven days by the hour. A dragged post takes the day and the quarter of an hour where its upper edge lands. */
export function TimeGrid({ days, openings, isWide, hasRoom, ...rest }: Props) {
  const { today, nowMs } = rest;
  const free = openingsByDay(openings);
  const frame = useRef<HTMLElement>(null);
  const isDay = days.length === 1;
  const week = hasRoom || isDay ? MOST_COLUMNS.week : MOST_COLUMNS.narrowWeek;
  const isNow = days.includes(today);
  const first = isNow ? minutesOf(new Date(nowMs)) - ABOVE_MINUTES : MORNING_MINUTES;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when other days open, so that the clock does not scroll
  useEffect(() => {
    if (frame.current) frame.current.scrollTop = (first / 60) * HOUR_PX;
  }, [days[0]]);
  return (
    <section
      ref={frame}
      aria-label={calendarWords.hours}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="min-h-96 overflow-auto rounded-xl border border-line max-md:h-[60dvh]"
    >
      <div className="sticky top-0 z-20 flex border-line border-b bg-sunk">
        <span className="w-13.5 shrink-0" />
        {days.map((day) => (
          <DayHead key={day} {...rest} day={day} count={rest.byDay.get(day)?.length ?? 0} />
        ))}
      </div>
      <div className="relative flex">
        <div aria-hidden className="w-13.5 shrink-0">
          {HOURS.map((hour) => (
            <p key={hour} className="h-13 pr-2 text-right text-[0.6875rem] text-muted leading-3.5">
              {timeOfDay(atMinute(ANY_DAY, hour * 60))}
            </p>
          ))}
        </div>
        {days.map((day) => (
          <DayColumn
            key={day}
            {...rest}
            day={day}
            most={isDay && isWide ? MOST_COLUMNS.day : week}
            viewOfMore={isDay ? "list" : "day"}
            schedules={rest.byDay.get(day) ?? []}
            free={free.get(day) ?? []}
          />
        ))}
      </div>
    </section>
  );
}

type HeadProps = Pick<Props, "today" | "nowMs" | "go"> & { day: Day; count: number };

function DayHead({ day, today, nowMs, count, go }: HeadProps) {
  const full = dayAndMonth.format(startOf(day));
  const write = composeOn(day, today, nowMs);
  return (
    <div className="group/day @container flex min-w-0 flex-1 basis-0 flex-wrap content-start items-center gap-x-1 border-line border-l px-1.5 py-1">
      <button
        type="button"
        data-day={day}
        onClick={() => go({ view: "day", day })}
        aria-current={day === today ? "date" : undefined}
        aria-label={calendarWords.openDay(full)}
        className="group/head flex min-h-7 shrink-0 max-md:py-2.5 items-baseline gap-1.5 rounded-md px-1 text-muted text-xs hover:bg-accent-soft"
      >
        {weekday.format(startOf(day))}
        <span className="rounded-full font-bold font-display text-base text-ink group-aria-[current=date]/head:bg-gold group-aria-[current=date]/head:px-2 group-aria-[current=date]/head:text-on-gold">
          {Number(day.slice(8))}
        </span>
      </button>
      <span className="ml-auto flex items-center justify-end gap-1 text-muted text-xs @max-[7.5rem]:w-full">
        <span aria-hidden>{count || ""}</span>
        <span className="sr-only">{calendarWords.posts(count)}</span>
        {write && (
          <Link
            href={write}
            aria-label={calendarWords.writeFor(full)}
            className="grid size-6 shrink-0 place-items-center rounded-md hover:bg-accent-soft max-md:size-11"
          >
            <Plus aria-hidden className="size-3.5" />
          </Link>
        )}
      </span>
    </div>
  );
}

type ColumnProps = Omit<ChipProps, "schedule"> & {
  day: Day;
  today: Day;
  most: number;
  /** Shows the posts that found no room. */
  viewOfMore: View;
  schedules: ApiSchedule[];
  free: Openings;
  go: GoInCalendar;
};

function DayColumn({ day, today, most, viewOfMore, schedules, free, go, ...chip }: ColumnProps) {
  const router = useRouter();
  const { setNodeRef, isOver } = useDroppable({ id: day, data: { day, isTimed: true } });
  const timed = schedules.map((schedule) => ({ schedule, minute: minutesOf(new Date(schedule.scheduledTime ?? "")) }));
  const shown = placed(timed, CHIP_MINUTES, most);
  const openings = free
    .map((opening) => ({ opening, minute: minutesOf(new Date(opening.time)) }))
    .filter(({ minute }) => timed.every((other) => isApart(minute, other.minute)));
  function writeHere({ target, currentTarget, clientY }: MouseEvent) {
    if (target !== currentTarget) return;
    const { top, height } = currentTarget.getBoundingClientRect();
    const steps = Math.floor(((clientY - top) / height) * (DAY_MINUTES / STEP_MINUTES));
    const at = atMinute(day, steps * STEP_MINUTES);
    if (at.getTime() > chip.nowMs) router.push(composeAt(toLocalField(at)));
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for pointers only; the "+" of the day's heading does the same
    <ol
      ref={setNodeRef}
      data-drop={day}
      aria-label={dayAndMonth.format(startOf(day))}
      onClick={writeHere}
      className={`relative min-w-0 flex-1 basis-0 border-line border-l bg-[repeating-linear-gradient(180deg,transparent_0_51px,var(--line)_51px_52px)] ${day === today ? "bg-warn-soft/50" : ""} ${isOver ? "bg-accent-soft" : ""}`}
    >
      {openings.map(({ opening, minute }) => (
        <At key={opening.time} minute={minute} length={OPENING_MINUTES}>
          <Opening opening={opening} accounts={chip.accounts} />
        </At>
      ))}
      {shown.map(({ item: { schedule }, minute, column, columns, rest }) => (
        <At key={schedule.id} minute={minute} length={CHIP_MINUTES} column={column} columns={columns}>
          <Chip schedule={schedule} size={rest > 0 ? "beside" : "chip"} {...chip} />
          {rest > 0 && (
            <button
              type="button"
              onClick={() => go({ view: viewOfMore, day })}
              aria-label={calendarWords.moreOf(rest, dayAndMonth.format(startOf(day)))}
              className="absolute top-4.5 right-0.5 block min-h-6 max-md:before:absolute max-md:before:-inset-3 whitespace-nowrap rounded-full border border-line bg-surface px-1.5 font-semibold text-accent text-xs shadow-sm hover:bg-accent-soft"
            >
              +{rest}
            </button>
          )}
        </At>
      ))}
      {day === today && (
        <li
          aria-hidden
          style={topOf(minutesOf(new Date(chip.nowMs)))}
          className="pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-gold before:absolute before:-top-1 before:-left-1.25 before:size-2.5 before:rounded-full before:bg-gold"
        />
      )}
    </ol>
  );
}

type AtProps = {
  minute: number;
  length: number;
  column?: number;
  columns?: number;
  children: ReactNode;
};

/** A place in a day. What would begin near midnight is moved up, so that it ends with the day. */
function At({ minute, length, column = 0, columns = 1, children }: AtProps) {
  const style = {
    ...topOf(Math.min(minute, DAY_MINUTES - length)),
    left: `${(column / columns) * 100}%`,
    width: `${100 / columns}%`,
  };
  return (
    <li style={style} className="absolute px-0.5">
      {children}
    </li>
  );
}

function topOf(minute: number): CSSProperties {
  return { top: `${(minute / DAY_MINUTES) * 100}%` };
}

const isApart = (one: number, other: number) => one + OPENING_MINUTES <= other || other + CHIP_MINUTES <= one;

/** Where a chip lies that shares its time with others. `rest`: how many found no room beside it. */
type Placed<T> = { item: T; minute: number; column: number; columns: number; rest: number };

/**
 * Places items that overlap side by side. Items of one group share the width equally. Items that find no free column are counted
 * on the chip in the last one.
 * @param items in order of their minutes
 * @param lengthMinutes how long an item is
 * @param most the largest number of columns
 */
export function placed<T extends { minute: number }>(items: T[], lengthMinutes: number, most: number): Placed<T>[] {
  const shown: Placed<T>[] = [];
  let group: Placed<T>[] = [];
  /** When each column is free again. */
  let ends: number[] = [];
  function close() {
    for (const one of group) one.columns = ends.length;
    shown.push(...group);
    [group, ends] = [[], []];
  }
  for (const item of items) {
    const { minute } = item;
    if (ends.every((end) => end <= minute)) close();
    const free = ends.findIndex((end) => end <= minute);
    const column = free < 0 ? ends.length : free;
    if (column === most) {
      const last = group.findLast((one) => one.column === most - 1);
      if (last) last.rest += 1;
      continue;
    }
    ends[column] = minute + lengthMinutes;
    group.push({ item, minute, column, columns: 1, rest: 0 });
  }
  close();
  return shown;
}
