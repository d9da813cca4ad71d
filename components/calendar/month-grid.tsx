"use client";
import { useDroppable } from "@dnd-kit/core";
import { type ReactNode, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { Thumbnail } from "../library/thumbnail";
import { stateOf, textsOf } from "../posts/facts";
import { statusWord } from "../posts/status";
import { postWords } from "../posts/words";
import { type Day, startOf } from "../time/days";
import { localFormat } from "../time/format";
import { ChevronDown, ChevronRight, Plus, SpriteIcon } from "../ui/icons";
import { Link } from "../ui/link";
import { Chip, type ChipProps, Opening, type Openings, openingsByDay } from "./chip";
import { pictureOf, scheduleTime } from "./chip-face";
import type { GoInCalendar } from "./views";
import { composeOn } from "./views";
import { calendarWords } from "./words";

export const weekday = localFormat({ weekday: "short" });
export const dayAndMonth = localFormat({ day: "numeric", month: "long" });
const monthAndDay = localFormat({ day: "numeric", month: "short" });

/** Formats `1 Nov` on the first day of a month or of the grid, and only the number on the others. */
export function dayLabel(day: Day, first: Day | undefined) {
  return day === first || day.endsWith("-01") ? monthAndDay.format(startOf(day)) : Number(day.slice(8));
}

/** Further posts of a day are folded into "4 more". */
const SHOWN_A_DAY = 3;
const SHOWN_IN_STRIP = 4;
const SHOWN_FREE = 2;
/** Heights in pixels: a chip of two lines, the rest of a day, a week without posts, and one with free times. */
const [CHIP, DAY, EMPTY, WITH_FREE] = [43, 35, 64, 101];
/** If the weeks would be higher with chips of two lines, chips have one line, so that a month fits a screen of 900 px. */
const MOST_PX = 700;

type Props = Omit<ChipProps, "schedule"> & {
  weeks: Day[][];
  /** The chosen day, in whose month everything is. */
  day: Day;
  today: Day;
  byDay: Map<Day, ApiSchedule[]>;
  openings: Openings;
  go: GoInCalendar;
};

/** A month as a table of whole weeks. In the current month, weeks that are over are strips of pictures until they are unfolded. */
export function MonthGrid({ weeks, day: chosen, openings, ...rest }: Props) {
  const { today } = rest;
  const [unfolded, setUnfolded] = useState<readonly Day[]>([]);
  const isCurrent = weeks.some((week) => week.includes(today));
  const isOver = (week: Day[]) => isCurrent && (week.at(-1) ?? today) < today;
  const isFolded = (week: Day[]) => isOver(week) && !unfolded.includes(week[0] ?? "");
  const free = openingsByDay(openings);
  const heightOf = (week: Day[]) => {
    const most = Math.max(...week.map((day) => rest.byDay.get(day)?.length ?? 0));
    if (isFolded(week)) return EMPTY;
    return Math.max(free.size > 0 ? WITH_FREE : EMPTY, DAY + CHIP * Math.min(most, SHOWN_A_DAY));
  };
  const size = weeks.reduce((sum, week) => sum + heightOf(week), 0) > MOST_PX ? "line" : "chip";
  const toggle = (first: Day) =>
    setUnfolded((all) => (all.includes(first) ? all.filter((one) => one !== first) : [...all, first]));
  return (
    <table className="h-full w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-xl border border-line">
      <caption className="sr-only">{calendarWords.month}</caption>
      <thead>
        <tr className="bg-sunk text-muted text-xs">
          {isCurrent && (
            <td className="h-7.5 w-5.5 border-line border-b">
              <span className="sr-only">{calendarWords.weeks}</span>
            </td>
          )}
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className="h-7.5 border-line border-b px-2.5 text-left font-medium">
              {weekday.format(startOf(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]} className={isFolded(week) ? "h-16" : ""}>
            {isCurrent && (
              <Edge week={week} isOver={isOver(week)} isFolded={isFolded(week)} toggle={() => toggle(week[0] ?? "")} />
            )}
            {week.map((day) => (
              <DayCell
                key={day}
                {...rest}
                day={day}
                first={weeks[0]?.[0]}
                isChosen={day === chosen}
                isOther={day.slice(0, 7) !== chosen.slice(0, 7)}
                isFolded={isFolded(week)}
                size={size}
                schedules={rest.byDay.get(day) ?? []}
                free={free.get(day) ?? []}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type EdgeProps = { week: Day[]; isOver: boolean; isFolded: boolean; toggle: () => void };

/** The edge of a week that is over folds and unfolds it. */
function Edge({ week, isOver, isFolded, toggle }: EdgeProps) {
  const Sign = isFolded ? ChevronRight : ChevronDown;
  return (
    <td className="relative h-15 border-line border-b bg-sunk">
      {isOver && (
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-label={calendarWords.weekOf(dayAndMonth.format(startOf(week[0] ?? "")))}
          onClick={toggle}
          className="absolute inset-0 grid w-full place-items-center text-muted hover:bg-accent-soft hover:text-accent focus-visible:-outline-offset-2"
        >
          <Sign aria-hidden className="size-3.5" />
        </button>
      )}
    </td>
  );
}

type DayProps = Omit<ChipProps, "schedule"> & {
  day: Day;
  /** The first day of the grid. */
  first: Day | undefined;
  today: Day;
  isChosen: boolean;
  isOther: boolean;
  isFolded: boolean;
  size: "line" | "chip";
  schedules: ApiSchedule[];
  free: Openings;
  go: GoInCalendar;
};

function DayCell(props: DayProps) {
  const { day, first, today, isChosen, isOther, isFolded, size, schedules, free, go, ...chip } = props;
  const shown = isFolded ? SHOWN_IN_STRIP : SHOWN_A_DAY;
  const over = schedules.length - shown;
  const full = dayAndMonth.format(startOf(day));
  const write = composeOn(day, today, chip.nowMs);
  const open = () => go({ view: "day", day });
  return (
    <Cell day={day} write={write} isOther={isOther} isToday={day === today}>
      <div className="flex h-6.5 items-center gap-0.5 px-0.5">
        <button
          type="button"
          data-day={day}
          tabIndex={isChosen ? 0 : -1}
          onClick={open}
          aria-label={calendarWords.openDay(full)}
          aria-current={day === today ? "date" : undefined}
          className={`h-6 min-w-6 whitespace-nowrap rounded-full px-1.5 text-left font-semibold text-xs hover:bg-accent-soft aria-[current=date]:bg-gold aria-[current=date]:text-on-gold ${isOther ? "text-muted" : ""}`}
        >
          {dayLabel(day, first)}
        </button>
        {write && (
          <Link
            href={write}
            aria-label={calendarWords.writeFor(full)}
            className="hidden size-6 place-items-center rounded-md text-muted opacity-0 hover:bg-sunk focus-visible:opacity-100 group-hover/day:opacity-100 wide:grid"
          >
            <Plus aria-hidden className="size-3.5" />
          </Link>
        )}
        {over > 0 && (
          <button
            type="button"
            onClick={open}
            aria-label={calendarWords.moreOf(over, full)}
            className="ml-auto min-h-6 truncate rounded-md px-1 font-medium text-accent text-xs hover:bg-accent-soft"
          >
            {calendarWords.more(over)}
          </button>
        )}
      </div>
      {isFolded ? (
        <ul className="flex gap-1 px-0.5">
          {schedules.slice(0, shown).map((schedule) => (
            <li key={schedule.id} className="min-w-0">
              <StripTile schedule={schedule} nowMs={chip.nowMs} />
            </li>
          ))}
        </ul>
      ) : (
        schedules
          .slice(0, shown)
          .map((schedule) => <Chip key={schedule.id} schedule={schedule} size={size} {...chip} />)
      )}
      {schedules.length === 0 &&
        free
          .slice(0, SHOWN_FREE)
          .map((opening) => <Opening key={opening.time} opening={opening} accounts={chip.accounts} />)}
    </Cell>
  );
}

type CellProps = { day: Day; write: string | undefined; isOther: boolean; isToday: boolean; children: ReactNode };

/** A day that accepts drops. Its empty area opens the composer for the day; a past day has no such link. */
function Cell({ day, write, isOther, isToday, children }: CellProps) {
  const { setNodeRef, isOver } = useDroppable({ id: day, data: { day } });
  const ground = isToday ? "bg-warn-soft/60" : isOther ? "bg-sunk" : "";
  return (
    <td
      ref={setNodeRef}
      data-drop={day}
      className={`group/day relative h-15 border-line border-b border-l p-0 align-top last:border-r-0 ${isOver ? "bg-accent-soft outline-2 outline-accent -outline-offset-2" : ground}`}
    >
      {/* For pointers only; the day's "+" is the same link. */}
      {write && <Link href={write} tabIndex={-1} aria-hidden className="absolute inset-0" />}
      <div className="pointer-events-none relative grid grid-cols-1 gap-0.75 px-1 pt-0.5 pb-1.5 [&_a]:pointer-events-auto [&_button]:pointer-events-auto">
        {children}
      </div>
    </td>
  );
}

/** A post of a week that is over, as its picture alone. */
function StripTile({ schedule, nowMs }: Pick<ChipProps, "schedule" | "nowMs">) {
  const state = stateOf(schedule, nowMs);
  const [text = postWords.card.noText] = textsOf(schedule);
  const path = pictureOf(schedule);
  const time = schedule.scheduledTime ? scheduleTime(schedule.scheduledTime) : "";
  const words = calendarWords.tile(statusWord(state), time, text.slice(0, 120));
  const isWrong = ["FAILED", "PARTIALLY_COMPLETED", "MEDIA_IMPORT_FAILED", "LATE", "UNKNOWN"].includes(state);
  return (
    <Link
      href={`/posts/${schedule.id}`}
      title={words}
      className={`block size-8 max-w-full rounded-lg hover:shadow-md ${isWrong ? "outline-2 outline-wrong outline-offset-1" : ""}`}
    >
      <span className="sr-only">{words}</span>
      {path ? (
        <Thumbnail path={path} className="size-full rounded-lg" />
      ) : (
        <span className="grid size-full place-items-center rounded-lg bg-sunk text-muted">
          <SpriteIcon name="document" className="size-4" />
        </span>
      )}
    </Link>
  );
}
