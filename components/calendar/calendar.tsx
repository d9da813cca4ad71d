"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { everySchedule } from "../api/every-schedule";
import { nextLookMs, useIsLive } from "../api/live";
import { BETWEEN } from "../api/move-schedule";
import { useAccounts } from "../api/queries";
import { useNextSlots } from "../api/slots";
import type { ApiAccount, ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { areSingleKeysOn, calendarKeys as keys } from "../palette/keys";
import { StatusAnnouncer } from "../posts/status-announcer";
import { useMoves } from "../posts/use-moves";
import { isWriting } from "../posts/use-undo";
import { type Day, dayOf, firstWeekday, monthOf } from "../time/days";
import { zoneAt } from "../time/format";
import { useNow } from "../time/use-now";
import { buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { DayList } from "./day-list";
import { Drag } from "./drag";
import { CalendarFilters } from "./filters";
import { MonthGrid } from "./month-grid";
import type { Openings } from "./opening";
import { groupByDay, TimeGrid } from "./time-grid";
import { Toolbar } from "./toolbar";
import { type CalendarPlace, type ScheduleFilters, usePlace } from "./use-place";
import { boundsOf, daysIn, step, titleOf, views } from "./views";
import { calendarWords } from "./words";
import { ZoneNotice } from "./zone-notice";

const none: ApiSchedule[] = [];
const NO_ACCOUNTS: ApiAccount[] = [];

/** Planned and published posts by month, week, day or as a list. A narrow screen always shows the list. */
export function Calendar({ networks }: { networks: NetworkFacts[] }) {
  const nowMs = useNow(10_000);
  const today = dayOf(new Date(nowMs));
  const [chosen, go] = usePlace(nowMs);
  const isWide = useIsWide();
  const place: CalendarPlace = isWide || chosen.view === "day" ? chosen : { ...chosen, view: "list" };
  useKeys(place, today, go);

  const first = firstWeekday(navigator.language);
  const days = daysIn(place.view, place.day, first);
  const { from, to } = boundsOf(days);
  const { platform, accountId, status } = place;
  const shown = useSchedulesBetween(from, to, { platform, accountId, status });
  const { data: accounts = NO_ACCOUNTS } = useAccounts();
  const move = useMoves();
  const isGrid = isWide && (place.view === "week" || place.view === "day");
  const openings = useOpenings(days, place, { accounts, today, isShown: isGrid });

  // A stable map, so that unchanged days are not rendered again.
  const byDay = useMemo(() => groupByDay(shown.data?.items ?? none), [shown.data]);
  if (shown.error && !shown.data)
    return <LoadFailed text={calendarWords.couldNotLoad(shown.error.message)} retry={() => shown.refetch()} />;
  const items = shown.data?.items ?? none;
  const chip = { accounts, nowMs, move };
  return (
    <div className="grid gap-5">
      <StatusAnnouncer schedules={items} />
      <Toolbar
        place={place}
        today={today}
        title={titleOf(place.view, place.day, days)}
        go={go}
        zone={zoneAt(from)}
        isWide={isWide}
      />
      <ZoneNotice />
      <CalendarFilters place={place} go={go} accounts={chip.accounts} networks={networks} />
      {shown.data?.isCut && <Notice tone="info">{calendarWords.notAll}</Notice>}
      {!shown.data && <SkeletonRows label={calendarWords.loading} rows={4} height="h-32" />}
      {shown.data && items.length === 0 && <Nothing />}
      {shown.data && (
        <Drag {...chip}>
          {place.view === "month" && (
            <MonthGrid
              weeks={monthOf(place.day, first)}
              month={place.day.slice(0, 7)}
              today={today}
              byDay={byDay}
              open={(day) => go({ view: "day", day })}
              {...chip}
            />
          )}
          {isGrid && (
            <TimeGrid key={place.view} days={days} today={today} byDay={byDay} openings={openings} {...chip} />
          )}
          {(place.view === "list" || !isWide) && (
            <DayList key={days[0]} byDay={byDay} today={today} networks={networks} {...chip} />
          )}
        </Drag>
      )}
    </div>
  );
}

function Nothing() {
  return (
    <div className="flex flex-wrap items-center gap-4">
      <p className="text-muted">{calendarWords.nothing}</p>
      <Link href="/compose" className={buttonClass("quiet")}>
        {calendarWords.write}
      </Link>
    </div>
  );
}

const wide = "(min-width: 768px)";

function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(wide);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(wide).matches,
    () => true,
  );
}

/** The maximum per request; more would hide the planned posts. */
const MOST = 100;

/** Free slots of the visible days and accounts; none for past days or when filtering by status. */
function useOpenings(
  days: Day[],
  { platform, accountId, status }: ScheduleFilters,
  { accounts, today, isShown }: { accounts: ApiAccount[]; today: Day; isShown: boolean },
): Openings {
  const { from, to } = boundsOf(days);
  const chosen = accounts
    .filter((account) => !platform || account.platform === platform)
    .filter(({ id }) => !accountId || String(id) === accountId)
    .map(({ id }) => id);
  const accountIds = platform || accountId ? chosen : undefined;
  const isAsked = isShown && !status && chosen.length > 0 && dayOf(to) >= today;
  const after = new Date(from.getTime() - 1);
  const { data } = useNextSlots({ accountIds, match: "any", count: MOST, after }, isAsked);
  return (data?.items ?? []).filter(({ time }) => Date.parse(time) <= to.getTime());
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

/** Single-key shortcuts: today, views, previous and next, new post; ignored while typing. */
function useKeys(place: CalendarPlace, today: Day, go: (to: Partial<CalendarPlace>) => void) {
  const router = useRouter();
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || !areSingleKeysOn()) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const view = views.find((one) => keys[one] === key);
      if (view) go({ view });
      else if (key === keys.today) go({ day: today });
      else if (key === keys.write) router.push("/compose");
      else if (key === keys.earlier) go({ day: step(place.view, place.day, -1) });
      else if (key === keys.later) go({ day: step(place.view, place.day, 1) });
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
