import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import type { ApiSchedule } from "@/components/api/types";
import { CalendarPage } from "@/components/calendar/calendar";
import { FirstView } from "@/components/calendar/first-view";
import { calendarWords } from "@/components/calendar/words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { WEEK_COOKIE, weekStartIn, zoneInCookies } from "@/components/shell/preferences";
import { addDays, firstWeekday, monthOf, parseDay } from "@/components/time/days";
import { languageFor } from "@/components/time/format";
import { SkeletonRows } from "@/components/ui/loading";
import { listAccounts } from "@/lib/accounts";
import { listSchedulesByTime, presentSchedule } from "@/lib/schedules";
import { firstInstantAt, zoneOf } from "@/lib/time/zone";

export const metadata: Metadata = { title: calendarWords.page.calendar };

type Query = { [name: string]: string | string[] | undefined };

export default async function CalendarRoute({ searchParams }: { searchParams: Promise<Query> }) {
  const { id } = await signedIn("/calendar");
  const { day, view = "month", ...filters } = await searchParams;
  const weekStart = weekStartIn((await cookies()).get(WEEK_COOKIE)?.value);
  const isMonth = view === "month" && Object.keys(filters).length === 0;
  return (
    <CalendarPage networks={networkFacts()} weekStart={weekStart}>
      {isMonth ? (
        <FirstView {...(await firstView(id, typeof day === "string" ? day : null))} />
      ) : (
        <SkeletonRows label={calendarWords.loading} rows={4} height="h-32" />
      )}
    </CalendarPage>
  );
}

/** The maximum of one page; a day with more is rare, and the browser counts them. */
const MOST = 100;

/**
 * Reads the posts of one day for the page's HTML. The server knows the time zone only from a cookie. Without it, the day is that of
 * UTC, and the posts show no time, because it could be wrong.
 */
async function firstView(ownerId: string, wanted: string | null) {
  const kept = await cookies();
  const language = languageFor((await headers()).get("accept-language") ?? undefined);
  const known = zoneInCookies((name) => kept.get(name)?.value);
  const zone = zoneOf(known ?? "UTC");
  const nowMs = Date.now();
  const today = new Date(nowMs + zone.offsetAt(nowMs)).toISOString().slice(0, 10);
  const day = parseDay(wanted) ?? today;
  const startOf = (day: string) => firstInstantAt(zone, Date.parse(day));
  const first = weekStartIn(kept.get(WEEK_COOKIE)?.value) ?? firstWeekday(language, known ?? "UTC");
  const clock = known && new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone: known });
  const [{ items }, accounts] = await Promise.all([
    listSchedulesByTime(ownerId, {
      from: new Date(startOf(day)),
      to: new Date(startOf(addDays(day, 1)) - 1),
      sort: "scheduledTime",
      limit: MOST,
    }),
    listAccounts(ownerId),
  ]);
  return {
    day,
    today,
    weeks: monthOf(day, first).length,
    language,
    schedules: items.map((item) => presentSchedule(item) as ApiSchedule), // the API's schema leaves the settings open
    accounts,
    nowMs,
    clock: (instant: string) => (clock ? clock.format(new Date(instant)) : ""),
  };
}
