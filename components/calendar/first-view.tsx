import type { ApiSchedule } from "../api/types";
import { canChange, stateWith } from "../posts/facts";
import type { Day } from "../time/days";
import { SkeletonRows } from "../ui/loading";
import { ChipFace, DayHeading, type Owner } from "./chip-face";
import { titleOf } from "./views";
import { calendarWords } from "./words";

/** More than these are below the edge of a phone's screen. */
const MOST = 8;

type Props = {
  day: Day;
  today: Day;
  /** The number of weeks of the month. */
  weeks: number;
  /** The language of dates. */
  language: string;
  schedules: ApiSchedule[];
  accounts: Owner[];
  nowMs: number;
  /** Formats the time of a post. */
  clock: (instant: string) => string;
};

/**
 * What the page's HTML shows of a month on a phone: the heading, and the posts of the chosen day. The rest needs the script, which
 * replaces all this, and has its place left free. Other windows show the places alone. Rendered on the server only.
 */
export function FirstView({ day, today, weeks, language, schedules, accounts, nowMs, clock }: Props) {
  const format = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
  return (
    <>
      <div className="max-md:hidden">
        <SkeletonRows label={calendarWords.loading} rows={4} height="h-32" />
      </div>
      <div className="grid grid-cols-1 gap-3 md:hidden">
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5">
          <h1 className="min-w-0 flex-1 text-xl leading-tight">
            <span className="sr-only">{calendarWords.title}</span>
            {titleOf("month", day, [])}
          </h1>
          <div className="h-11 w-40.5" />
          <div className="h-12.5 w-full rounded-xl bg-sunk" />
          <div className="h-11 w-full" />
        </div>
        <div className="grid gap-4.5">
          <div aria-hidden className="overflow-hidden rounded-xl border border-line">
            <div className="h-7 bg-sunk" />
            {Array.from({ length: weeks }, (_, week) => week).map((week) => (
              <div key={week} className="h-13.25 border-line border-t" />
            ))}
          </div>
          <section className="grid gap-1.5">
            <DayHeading date={format.format(Date.parse(day))} isToday={day === today} count={schedules.length} />
            {schedules.slice(0, MOST).map((schedule) => (
              <div key={schedule.id} className="flex items-center gap-2">
                <div className="min-w-0 flex-1">
                  <ChipFace
                    schedule={schedule}
                    accounts={accounts}
                    state={stateWith(schedule, accounts, nowMs)}
                    size="row"
                    clock={clock}
                  />
                </div>
                {canChange(schedule) && <span className="w-10.5 shrink-0" />}
              </div>
            ))}
          </section>
        </div>
      </div>
    </>
  );
}
