"use client";

import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode, useCallback, useDeferredValue, useMemo, useState, useSyncExternalStore } from "react";
import { everySchedule } from "../api/every-schedule";
import { nextLookMs, useIsLive } from "../api/live";
import { BETWEEN } from "../api/move-schedule";
import { useAccountGroups, useAccounts } from "../api/queries";
import { useNextSlots } from "../api/slots";
import type { ApiAccount, ApiAccountGroup, ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { StatusAnnouncer } from "../posts/status-announcer";
import { useMoves } from "../posts/use-moves";
import type { WeekStart } from "../shell/preferences";
import { type Day, dayOf, firstWeekday, monthOf, weekOf } from "../time/days";
import { useNow } from "../time/use-now";
import { deviceZone, zoneAt } from "../time/zone";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { useAddress } from "../ui/use-address";
import type { ChipProps, Openings } from "./chip";
import { DayList } from "./day-list";
import { Drag } from "./drag";
import { CalendarFilters } from "./filters";
import { MonthGrid } from "./month-grid";
import { PhoneDays, useSwipe } from "./phone-days";
import { TimeGrid } from "./time-grid";
import { Toolbar, ZoneNotice } from "./toolbar";
import { useKeys } from "./use-keys";
import {
  type CalendarPlace,
  daysIn,
  type GoInCalendar,
  placeIn,
  type ScheduleFilters,
  timeRangeOf,
  titleOf,
  type View,
} from "./views";
import { calendarWords } from "./words";

const none: ApiSchedule[] = [];
const NO_ACCOUNTS: ApiAccount[] = [];
const NO_GROUPS: ApiAccountGroup[] = [];

const fieldsOf = (place: CalendarPlace) => place;

type Props = {
  networks: NetworkFacts[];
  weekStart: WeekStart | undefined;
  /** What the page shows until its script runs and, on a phone, until the posts are there. */
  children: ReactNode;
};

/** Rendered only in the browser, because the current day depends on the reader's clock and time zone. */
export function CalendarPage(props: Props) {
  const isInBrowser = useDeferredValue(true, false); // deferred, so that the browser can answer presses in between
  return isInBrowser ? <Calendar {...props} /> : props.children;
}

/** Planned and published posts by month, week, day or as a list. A phone shows a month as dots and a week day by day. */
function Calendar({ networks, weekStart, children }: Props) {
  const nowMs = useNow(10_000);
  const today = dayOf(new Date(nowMs));
  const [place, go] = useAddress(
    useCallback((params) => placeIn(params, today), [today]),
    fieldsOf,
  );
  // The title changes in the frame after a press. The days take longer to draw: they follow, and another press interrupts them.
  const drawn = useDeferredValue(place);
  const isWide = useIsFrom(WIDE);
  const { view, day, platform, accountId, status } = drawn;
  const swipe = useSwipe(place.day, go);

  const [usual] = useState(() => firstWeekday(navigator.language, deviceZone())); // slow to find out
  const first = weekStart ?? usual;
  const days = daysIn(view, day, first);
  const { from, to } = timeRangeOf(days);
  const shown = useSchedulesBetween(from, to, { platform, accountId, status });
  useKeys(place, { isDrawn: drawn === place, today, nowMs, go, schedules: shown.data?.items });
  // The first posts are drawn step by step, so that the browser can answer presses in between.
  const isReady = useDeferredValue(shown.data !== undefined);
  const { data: accounts = NO_ACCOUNTS } = useAccounts();
  const { data: groups = NO_GROUPS } = useAccountGroups();
  const { move, copy } = useMoves();
  const members = groups.find(({ id }) => String(id) === drawn.group)?.accountIds;
  const isGrid = view === "week" || view === "day";
  const openings = useOpenings(days, drawn, {
    accounts: members ? accounts.filter(({ id }) => members.includes(id)) : accounts,
    isChosen: members !== undefined,
    today,
    isShown: isGrid || (isWide && view === "month"),
  });

  // A stable map, so that unchanged days are not rendered again.
  const items = useMemo(() => {
    const all = shown.data?.items ?? none;
    const isOf = ({ publications }: ApiSchedule) =>
      publications.some(({ socialMediaAccountId }) => members?.includes(socialMediaAccountId));
    return members ? all.filter(isOf) : all;
  }, [shown.data, members]);
  const byDay = useMemo(() => groupByDay(items), [items]);
  if (shown.error && !shown.data)
    return <LoadFailed text={calendarWords.couldNotLoad(shown.error.message)} retry={() => shown.refetch()} />;
  if (!isReady && !isWide && view === "month") return children;
  const chip = { accounts, nowMs, move };
  const grids = <Days {...{ view, day, first, today, byDay, openings, isWide, go }} {...chip} />;
  return (
    <div
      data-wide
      className={`grid grid-cols-1 gap-3 md:-mx-3 md:-mt-2 md:-mb-6 md:grid-rows-[auto_minmax(0,1fr)_auto] ${isGrid ? "md:h-[calc(100dvh-3.5rem)] md:min-h-128" : "md:min-h-[calc(100dvh-3.5rem)]"}`}
    >
      <div className="grid gap-3">
        <StatusAnnouncer schedules={items} />
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5">
          <Toolbar
            place={place}
            today={today}
            title={titleOf(place.view, place.day, daysIn(place.view, place.day, first))}
            go={go}
          />
          <CalendarFilters place={place} go={go} accounts={accounts} groups={groups} networks={networks} />
        </div>
        <ZoneNotice />
        {shown.data?.isCut && <Notice tone="info">{calendarWords.notAll}</Notice>}
      </div>
      {!isReady && <SkeletonRows label={calendarWords.loading} rows={4} height="h-32" />}
      {isReady && (
        <Drag {...chip} copy={copy}>
          {isGrid ? (
            <div className="grid min-h-0 grid-cols-1 gap-3 max-md:content-start" {...(isWide ? {} : swipe)}>
              {grids}
            </div>
          ) : (
            grids
          )}
        </Drag>
      )}
      <Legend zone={zoneAt(from)} isEmpty={view !== "list" && shown.data !== undefined && items.length === 0} />
    </div>
  );
}

type DaysProps = Omit<ChipProps, "schedule"> & {
  view: View;
  day: Day;
  first: number;
  today: Day;
  byDay: Map<Day, ApiSchedule[]>;
  openings: Openings;
  isWide: boolean;
  go: GoInCalendar;
};

/** The days of a view. They are the expensive part, and are not drawn again while the heading alone changes. */
const Days = memo(function Days({ view, first, openings, isWide, ...grid }: DaysProps) {
  const { day, go, ...list } = grid;
  const { byDay } = list;
  const hasRoom = useIsFrom(ROOMY);
  if (view === "month" && isWide) return <MonthGrid weeks={monthOf(day, first)} openings={openings} {...grid} />;
  if (view === "month") {
    return (
      <div className="grid gap-4.5">
        <PhoneDays weeks={monthOf(day, first)} {...grid} />
        <DayList {...list} byDay={new Map([[day, byDay.get(day) ?? none]])} />
      </div>
    );
  }
  const days = daysIn(view, day, first);
  if (view === "list") {
    return (
      <div>
        {byDay.size === 0 && <p className="text-muted">{calendarWords.nothing}</p>}
        <DayList key={days[0]} {...list} />
      </div>
    );
  }
  return (
    <>
      {view === "week" && !isWide && <PhoneDays weeks={[weekOf(day, first)]} {...grid} />}
      <TimeGrid days={isWide ? days : [day]} isWide={isWide} hasRoom={hasRoom} openings={openings} {...grid} />
    </>
  );
});

const legend = [
  ["before:bg-[#5a85c4]", calendarWords.legend.scheduled],
  ["before:bg-accent", calendarWords.legend.published],
  ["before:bg-gold", calendarWords.legend.attention],
  ["before:bg-wrong", calendarWords.legend.failed],
  ["before:w-3 before:border before:border-dashed before:border-edge", calendarWords.legend.draft],
] as const;

/** What the colours mean, the time zone, and how posts are moved. */
function Legend({ zone, isEmpty }: { zone: string; isEmpty: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4.5 gap-y-1 text-muted text-xs">
      <span className="flex flex-wrap gap-x-4.5 max-md:hidden">
        {legend.map(([look, word]) => (
          <span
            key={word}
            className={`inline-flex items-center gap-1.5 before:h-3.5 before:w-1 before:rounded-sm ${look}`}
          >
            {word}
          </span>
        ))}
      </span>
      {isEmpty && <span>{calendarWords.nothing}</span>}
      <span className="md:ml-auto">{calendarWords.timesIn(zone)}</span>
      <span className="max-md:hidden">{calendarWords.how}</span>
    </div>
  );
}

const WIDE = "(min-width: 768px)";
const ROOMY = "(min-width: 1121px)";

/** Whether the window is as wide as a media query asks. */
function useIsFrom(query: string): boolean {
  return useSyncExternalStore(
    useCallback(
      (changed) => {
        const media = matchMedia(query);
        media.addEventListener("change", changed);
        return () => media.removeEventListener("change", changed);
      },
      [query],
    ),
    () => matchMedia(query).matches,
    () => true,
  );
}

/** The maximum per request; more would hide the planned posts. */
const MOST = 100;

/** Free posting times of the visible days and accounts; none for past days or when filtering by status. */
function useOpenings(
  days: Day[],
  { platform, accountId, status }: ScheduleFilters,
  { accounts, isChosen, today, isShown }: { accounts: ApiAccount[]; isChosen: boolean; today: Day; isShown: boolean },
): Openings {
  const { from, to } = timeRangeOf(days);
  const chosen = accounts
    .filter((account) => !platform || account.platform === platform)
    .filter(({ id }) => !accountId || String(id) === accountId)
    .map(({ id }) => id);
  const accountIds = platform || accountId || isChosen ? chosen : undefined;
  const isAsked = isShown && !status && chosen.length > 0 && dayOf(to) >= today;
  const after = new Date(from.getTime() - 1);
  const { data } = useNextSlots({ accountIds, match: "any", count: MOST, after }, isAsked);
  const until = to.getTime();
  return useMemo(() => (data?.items ?? []).filter(({ time }) => Date.parse(time) <= until), [data, until]);
}

/** Schedules between two instants, both inclusive. */
function useSchedulesBetween(from: Date, to: Date, filters: ScheduleFilters) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: [...BETWEEN, from.toISOString(), to.toISOString(), filters],
    queryFn: ({ signal }) => everySchedule({ from: from.toISOString(), to: to.toISOString(), ...filters }, signal),
    refetchInterval: ({ state }) => !isLive && nextLookMs(state.data?.items ?? []),
    placeholderData: (before) => before,
  });
}

/** Groups schedules by local day, earliest first. */
function groupByDay(schedules: ApiSchedule[]): Map<Day, ApiSchedule[]> {
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
