"use client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { CheckCircle2, Circle } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { MissedPosts } from "../accounts/incidents";
import { everySchedule } from "../api/every-schedule";
import { nextLookMs, useIsLive } from "../api/live";
import { scheduleCounts, useAccounts, useAttention, useDrafts, useFirstSchedules } from "../api/queries";
import type { ApiAccount, ApiAttentionItem, ApiSchedule } from "../api/types";
import { hasDraft } from "../compose/draft/local-storage";
import type { NetworkFacts } from "../networks/types";
import { AHEAD, OVER, WITH_PUBLISHED } from "../posts/facts";
import { PostRow } from "../posts/post-row";
import { StatusAnnouncer } from "../posts/status-announcer";
import { addDays, type Day, dayOf, startOf } from "../time/days";
import { localFormat, timeOfDay } from "../time/format";
import { useNow } from "../time/use-now";
import { buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { AttentionItems } from "./attention";
import { Today } from "./today";
import { homeWords } from "./words";

const unchanging = () => () => {};

/** How many rows each list shows. */
const [SHOWN, SHOWN_TODAY] = [5, 10];
/** How many posts of today are shown that are over. */
const SHOWN_OVER = 3;

type Props = { networks: NetworkFacts[]; userId: string; name: string };

export function Home({ networks, userId, name }: Props) {
  const accounts = useAccounts();
  const upcoming = useFirstSchedules(AHEAD, "earliest", SHOWN);
  const recent = useFirstSchedules(OVER, "latest", SHOWN + SHOWN_TODAY);
  const published = useFirstSchedules(WITH_PUBLISHED, "latest", 1);
  const drafts = useDrafts(3);
  const attention = useAttention();
  const nowMs = useNow();
  const today = useDay(dayOf(new Date(nowMs)));
  const isWriting = useSyncExternalStore(
    unchanging,
    () => hasDraft(userId),
    () => false,
  );
  const hero = <Today name={name} posts={today.data} nowMs={nowMs} />;
  const all = [accounts, upcoming, recent, published, drafts, attention, today];
  if (
    !(accounts.data && upcoming.data && recent.data && published.data && drafts.data && attention.data && today.data)
  ) {
    const failed = all.find(({ error }) => error)?.error;
    return (
      <div className="grid gap-7">
        {hero}
        {failed ? (
          <LoadFailed text={homeWords.couldNotLoad(failed.message)} retry={() => all.map((query) => query.refetch())} />
        ) : (
          <SkeletonRows label={homeWords.loading} rows={3} height="h-32" />
        )}
      </div>
    );
  }
  const planned = [...upcoming.data, ...recent.data];
  const todayIds = today.data.map(({ id }) => id);
  const later = upcoming.data.filter(({ id }) => !todayIds.includes(id));
  const shownToday = aroundNow(today.data, nowMs);
  const before = recent.data.filter(({ id }) => shownToday.every((post) => post.id !== id)).slice(0, SHOWN);
  const steps = stepsFor({
    isConnected: accounts.data.length > 0,
    isWriting: isWriting || drafts.data.length > 0,
    isScheduled: planned.length > 0,
    isPublished: published.data.length > 0,
    hasSimulated: networks.some((it) => it.isSimulated),
    draftId: drafts.data[0]?.id,
  });
  const isNew = steps.some(({ isDone }) => !isDone);
  const shown = { accounts: accounts.data, networks, nowMs };
  const items = attention.data.items.filter((item) => !isOnlyMissed(item, accounts.data));
  return (
    <div className="grid gap-7">
      {hero}
      <StatusAnnouncer schedules={planned} />
      <div className="grid items-start gap-7 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-7">
          <MissedPosts accounts={accounts.data} networks={networks} />
          {items.length > 0 && (
            <section aria-labelledby="attention" className="grid gap-3">
              <Heading id="attention" title={homeWords.needsAttention} count={items.length} />
              <AttentionItems items={items} accounts={accounts.data} networks={networks} />
            </section>
          )}
          {isNew && <Checklist steps={steps} />}
          {!isNew && attention.data.items.length === 0 && (
            <p className="flex items-center gap-2.5 rounded-xl border border-line bg-surface px-4 py-3">
              <CheckCircle2 aria-hidden className="size-5 shrink-0 text-accent" />
              {homeWords.allClear}
            </p>
          )}
        </div>
        <NextDays today={dayOf(new Date(nowMs))} />
      </div>
      {today.data.length > 0 && <TodayList posts={shownToday} count={today.data.length} {...shown} />}
      {planned.length + drafts.data.length > 0 && (
        <>
          {(later.length > 0 || upcoming.data.length === 0) && (
            <Rows id="upcoming" title={homeWords.upcoming} schedules={later} {...shown}>
              <p className="text-muted">{homeWords.nothingScheduled}</p>
              <Link href="/compose" className={buttonClass("quiet", "justify-self-start")}>
                {homeWords.writeNext}
              </Link>
            </Rows>
          )}
          {drafts.data.length > 0 && (
            <Rows
              id="drafts"
              title={homeWords.drafts}
              schedules={drafts.data}
              more={<More href="/posts?tab=drafts">{homeWords.allDrafts}</More>}
              {...shown}
            />
          )}
          {(before.length > 0 || recent.data.length === 0) && (
            <Rows
              id="recent"
              title={homeWords.recent}
              schedules={before}
              more={<More href="/posts">{homeWords.allPosts}</More>}
              {...shown}
            >
              <p className="text-muted">{homeWords.nothingYet}</p>
            </Rows>
          )}
        </>
      )}
    </div>
  );
}

/** All posts of a day that are not drafts, in the order of their times. */
function useDay(day: Day) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ["schedules", "day", day],
    queryFn: async ({ signal }) => {
      const bounds = { from: startOf(day).toISOString(), to: lastOf(day).toISOString() };
      const { items } = await everySchedule({ ...bounds, status: [...AHEAD, ...OVER].join() }, signal);
      return items.sort((one, other) => Date.parse(one.scheduledTime ?? "") - Date.parse(other.scheduledTime ?? ""));
    },
    refetchInterval: ({ state }) => !isLive && nextLookMs(state.data ?? []),
  });
}

const lastOf = (day: Day) => new Date(startOf(addDays(day, 1)).getTime() - 1);

/** Whether an item is a post that the list of missed posts shows already. */
function isOnlyMissed(item: ApiAttentionItem, accounts: ApiAccount[]): boolean {
  if (item.kind !== "POST_FAILED") return false;
  const isConnected = (id: number) => accounts.some((account) => account.id === id && account.state === "ACTIVE");
  return item.post.publications
    .filter(({ status, leftTime }) => status !== "PUBLISHED" && !leftTime)
    .every(({ missed, socialMediaAccountId }) => missed && isConnected(socialMediaAccountId));
}

function Heading({ id, title, count, children }: { id: string; title: string; count?: number; children?: ReactNode }) {
  return (
    <div className="flex items-baseline gap-2">
      <h2 id={id} className="font-semibold text-[0.9375rem]">
        {title}
      </h2>
      {count !== undefined && <span className="text-muted text-xs tabular-nums">{count.toLocaleString("en")}</span>}
      {children && <span className="ml-auto text-sm">{children}</span>}
    </div>
  );
}

function More({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-accent underline">
      {children}
    </Link>
  );
}

type ListProps = { accounts: ApiAccount[]; networks: NetworkFacts[]; nowMs: number };
type RowsProps = ListProps & {
  id: string;
  title: string;
  schedules: ApiSchedule[];
  more?: ReactNode;
  children?: ReactNode;
};

/** A few posts under a heading, or `children` if there are none. */
function Rows({ id, title, schedules, more, children, ...shown }: RowsProps) {
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <Heading id={id} title={title}>
        {more}
      </Heading>
      {schedules.length === 0 && children}
      {schedules.length > 0 && (
        <ul className="border-line border-t">
          {schedules.map((schedule) => (
            <PostRow key={schedule.id} schedule={schedule} lead={<DayOf schedule={schedule} />} {...shown} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The day of a post, in a list of posts of several days. */
function DayOf({ schedule: { scheduledTime } }: { schedule: ApiSchedule }) {
  const day = scheduledTime && dayWords(dayOf(new Date(scheduledTime)), { weekday: "short", day: "numeric" });
  return <span className="block w-11 text-muted text-xs">{day}</span>;
}

const isOver = ({ scheduledTime = "" }: ApiSchedule, nowMs: number) => Date.parse(scheduledTime) <= nowMs;

/** The posts of a day that Home shows: those around now. */
function aroundNow(posts: ApiSchedule[], nowMs: number): ApiSchedule[] {
  const over = posts.filter((post) => isOver(post, nowMs)).length;
  const first = Math.max(0, Math.min(over - SHOWN_OVER, posts.length - SHOWN_TODAY));
  return posts.slice(first, first + SHOWN_TODAY);
}

/** The posts of today around now. @param count how many posts there are today */
function TodayList({ posts, count, ...shown }: ListProps & { posts: ApiSchedule[]; count: number }) {
  const { nowMs } = shown;
  const ahead = posts.findIndex((post) => !isOver(post, nowMs));
  const row = (schedule: ApiSchedule) => <PostRow key={schedule.id} schedule={schedule} {...shown} />;
  const parts = ahead < 0 ? [posts, []] : [posts.slice(0, ahead), posts.slice(ahead)];
  return (
    <section aria-labelledby="today" className="grid gap-3">
      <Heading id="today" title={homeWords.today.list} count={count}>
        <More href={`/calendar?view=day&day=${dayOf(new Date(nowMs))}`}>{homeWords.today.openDay}</More>
      </Heading>
      <ul className="border-line border-t">
        {parts[0]?.map(row)}
        <li className="bg-warn-soft px-3 py-1 font-semibold text-warn text-xs tabular-nums">
          {homeWords.today.now(timeOfDay(new Date(nowMs)))}
        </li>
        {parts[1]?.map(row)}
      </ul>
    </section>
  );
}

const DAYS = 7;
const [BAR_HEIGHT, LEAST_BAR] = [54, 8];

/** How many posts there are on each of the next seven days, today first. */
function NextDays({ today }: { today: Day }) {
  const days = Array.from({ length: DAYS }, (_, index) => addDays(today, index));
  const counts = useQueries({
    queries: days.map((day) => scheduleCounts({ from: startOf(day).toISOString(), to: lastOf(day).toISOString() })),
    combine: (results) => results.map(({ data }) => data && totalOf(data.counts)),
  });
  const most = Math.max(1, ...counts.map((count) => count ?? 0));
  const free = days.find((_, index) => index > 0 && counts[index] === 0);
  return (
    <section aria-labelledby="next-days" className="grid gap-3">
      <Heading id="next-days" title={homeWords.nextDays}>
        <More href="/calendar">{homeWords.openCalendar}</More>
      </Heading>
      <Card className="p-4">
        <ol className="grid grid-cols-7 gap-1">
          {days.map((day, index) => {
            const count = counts[index] ?? 0;
            const height = count === 0 ? LEAST_BAR : Math.max(LEAST_BAR, (BAR_HEIGHT * count) / most);
            return (
              <li key={day}>
                <Link
                  href={`/calendar?view=day&day=${day}`}
                  className="grid justify-items-center gap-1 rounded-lg py-1 text-muted text-xs hover:bg-sunk"
                >
                  <svg aria-hidden viewBox="0 0 18 56" className="h-14">
                    <rect
                      x="2.5"
                      y={55 - height}
                      width="13"
                      height={height}
                      rx="4"
                      strokeDasharray={count === 0 ? "3 2" : undefined}
                      className={count === 0 ? "fill-none stroke-edge" : "fill-accent"}
                    />
                  </svg>
                  <span aria-hidden>{dayWords(day, { weekday: "short" })}</span>
                  <span
                    aria-hidden
                    className={`rounded-full px-2 font-semibold text-sm tabular-nums ${index === 0 ? "bg-gold text-on-gold" : "text-ink"}`}
                  >
                    {Number(day.slice(8))}
                  </span>
                  <span className="sr-only">{homeWords.postsOn(count, dayWords(day, LONG))}</span>
                </Link>
              </li>
            );
          })}
        </ol>
        {free && (
          <p className="mt-2 flex items-center justify-between gap-3 border-line border-t pt-3 text-muted text-sm">
            {homeWords.nothingOn(dayWords(free, { weekday: "long" }))}
            <Link
              href={`/compose?at=${free}T09:00`}
              aria-label={homeWords.fillDay(dayWords(free, LONG))}
              className="font-semibold text-accent underline"
            >
              {homeWords.fill}
            </Link>
          </p>
        )}
      </Card>
    </section>
  );
}

const LONG: Intl.DateTimeFormatOptions = { weekday: "long", day: "numeric", month: "long" };

function dayWords(day: Day, options: Intl.DateTimeFormatOptions): string {
  return localFormat(options).format(startOf(day));
}

function totalOf({ DRAFT: _, ...counts }: { [status: string]: number }): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

type Circumstances = {
  isConnected: boolean;
  isWriting: boolean;
  isScheduled: boolean;
  isPublished: boolean;
  hasSimulated: boolean;
  /** The newest draft. */
  draftId: number | undefined;
};

function stepsFor(circumstances: Circumstances): Step[] {
  const { isConnected, isWriting, isScheduled, isPublished, hasSimulated, draftId } = circumstances;
  return [
    {
      title: homeWords.connect,
      text: hasSimulated ? homeWords.connectSimulated : homeWords.connectReal,
      href: "/accounts",
      action: homeWords.connect,
      isDone: isConnected || isScheduled,
    },
    {
      title: homeWords.write,
      text: homeWords.writeHow,
      href: "/compose",
      action: homeWords.write,
      isDone: isWriting || isScheduled,
    },
    {
      title: homeWords.schedule,
      text: homeWords.scheduleHow,
      href: draftId === undefined ? "/compose" : `/compose?edit=${draftId}`,
      action: homeWords.goOn,
      isDone: isScheduled,
    },
    {
      title: homeWords.published,
      text: homeWords.publishedHow,
      href: "/posts",
      action: homeWords.watch,
      isDone: isPublished,
    },
  ];
}

type Step = { title: string; text: string; href: string; action: string; isDone: boolean };

/** The first steps of a new user. Completed steps are derived from existing data, not stored. */
function Checklist({ steps }: { steps: Step[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card className="p-6">
      <h2 className="font-semibold text-lg">{homeWords.checklist}</h2>
      <ol className="mt-4 grid gap-1">
        {steps.map((step, index) => (
          <li
            key={step.title}
            aria-current={index === next ? "step" : undefined}
            className="flex gap-3 rounded-xl p-3 aria-[current=step]:bg-accent-soft"
          >
            {step.isDone ? (
              <CheckCircle2 aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            )}
            <div>
              <p className={index === next ? "font-semibold" : step.isDone ? "text-muted" : ""}>
                {step.title}
                {step.isDone && <span className="sr-only">{homeWords.done}</span>}
              </p>
              {index === next && (
                <>
                  <p className="mt-1">{step.text}</p>
                  <Link href={step.href} className={buttonClass("primary", "mt-3")}>
                    {step.action}
                  </Link>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
