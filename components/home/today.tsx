"use client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from "react";
import { everySchedule } from "../api/every-schedule";
import { nextLookMs, useIsLive } from "../api/live";
import { scheduleCounts } from "../api/queries";
import type { ApiAccount, ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { AHEAD, isAhead, OVER, textsOf } from "../posts/facts";
import { PostRow } from "../posts/post-row";
import { addDays, atMinute, type Day, dayOf, minutesOf, startOf } from "../time/days";
import { localFormat, timeOfDay } from "../time/format";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { homeWords } from "./words";

const words = homeWords.today;

/** Posts that are closer together than this share of the beam, in per cent, are one bell: about an hour. */
const LEAST_DISTANCE = 7;

type State = "failed" | "unknown" | "next" | "ahead" | "published";
/** One post, or several that go out at about the same time. */
type Bell = {
  at: number;
  /** Its place on the beam, in per cent. */
  place: number;
  href: string;
  state: State;
  /** Number of accounts, which decides the size. */
  accounts: number;
  label: string;
};

type Props = {
  name: string;
  /** The hour on the reader's clock. Undefined if the server does not know the reader's time zone. */
  hour: number | undefined;
  /** The posts of today in the order of their times. Undefined while they are loaded. */
  posts: ApiSchedule[] | undefined;
  nowMs: number;
};

/** The greeting, and today as bells on a beam: rung, next, failed and to come. */
export function Today({ name, hour, posts, nowMs }: Props) {
  const isHydrated = useIsHydrated(); // before, all that depends on the reader's clock is as in the page's HTML
  const now = new Date(nowMs);
  const hourNow = isHydrated ? Math.floor(minutesOf(now) / 60) : hour;
  return (
    <header className="rounded-[1.125rem] bg-linear-to-tr from-accent-soft from-40% to-warn-soft px-4 pt-5 pb-3 md:px-7">
      <h1 className="text-2xl md:text-[2.125rem] md:leading-tight">
        {hour === undefined || hourNow === undefined ? homeWords.hello(name) : words.greeting(hourNow, name)}
      </h1>
      <p className="mt-1 min-h-6 max-sm:min-h-12">{isHydrated && posts && summary(now, posts)}</p>
      <div className="h-20 sm:h-28">{isHydrated && <Beam posts={posts ?? []} nowMs={nowMs} />}</div>
    </header>
  );
}

function summary(now: Date, posts: ApiSchedule[]): string {
  const next = posts.find(isAhead);
  const day = localFormat({ weekday: "long", day: "numeric", month: "long" }).format(now);
  const out = posts.filter(({ overallStatus }) => overallStatus === "COMPLETED").length;
  const upcoming = next?.scheduledTime;
  return [
    `${day}.`,
    posts.length === 0 ? words.none : words.posts(posts.length, out),
    next && upcoming ? words.next(next.publications.length, timeOfDay(new Date(upcoming))) : "",
  ].join(" ");
}

function stateOf({ overallStatus, id, publications }: ApiSchedule, next: ApiSchedule | undefined): State {
  if (overallStatus === "COMPLETED") return "published";
  if (id === next?.id || overallStatus === "IN_PROGRESS") return "next";
  if (overallStatus === "SCHEDULED" || overallStatus === "AWAITING_MEDIA") return "ahead";
  const has = (wanted: string) => publications.some(({ status }) => status === wanted);
  return has("UNKNOWN") && !has("FAILED") ? "unknown" : "failed";
}

const timeOf = ({ scheduledTime = "" }: ApiSchedule) => Date.parse(scheduledTime);

/** The most important of the states of a bell's posts is first. */
const STATES: State[] = ["failed", "unknown", "next", "ahead", "published"];

function bellsOf(posts: ApiSchedule[], placeOf: (at: number) => number): Bell[] {
  const groups: ApiSchedule[][] = [];
  for (const post of posts) {
    const [first] = groups.at(-1) ?? [];
    const isNear = first && placeOf(timeOf(post)) - placeOf(timeOf(first)) < LEAST_DISTANCE;
    if (isNear) groups.at(-1)?.push(post);
    else groups.push([post]);
  }
  const next = posts.find(isAhead);
  return groups.map((group) => bellOf(group, next, placeOf));
}

function bellOf(group: ApiSchedule[], next: ApiSchedule | undefined, placeOf: (at: number) => number): Bell {
  const [post, ...more] = group as [ApiSchedule, ...ApiSchedule[]]; // no group is empty
  const states = group.map((one) => stateOf(one, next));
  const state = STATES.find((one) => states.includes(one)) ?? "ahead";
  const at = timeOf(post);
  const time = timeOfDay(new Date(at));
  const accounts = group.reduce((sum, { publications }) => sum + publications.length, 0);
  const isOne = more.length === 0;
  return {
    ...{ at, place: placeOf(at), state, accounts },
    href: isOne ? `/posts/${post.id}` : `/calendar?view=day&day=${dayOf(new Date(at))}`,
    label: isOne
      ? words.bell(time, words.states[state], accounts, textsOf(post)[0])
      : words.bells(group.length, time, words.states[state]),
  };
}

const STEPS: { [key: string]: number | undefined } = { ArrowRight: 1, ArrowLeft: -1 };

/** The part of the day that the beam shows, in hours. Earlier and later posts extend it. */
const [FIRST_HOUR, LAST_HOUR] = [6, 23];

function Beam({ posts, nowMs }: { posts: ApiSchedule[]; nowMs: number }) {
  const router = useRouter();
  const list = useRef<SVGSVGElement>(null);
  const [from, to] = spanOf(posts, nowMs);
  /** Where an instant is, in per cent, with room for half a bell at both ends. */
  const placeOf = (at: number) => 3 + (94 * (at - from)) / (to - from);
  const bells = bellsOf(posts, placeOf);
  const first = Math.max(
    bells.findIndex(({ state }) => state === "next"),
    0,
  );

  function onKey(event: KeyboardEvent) {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll<SVGAElement>("a") ?? [])];
    const at = links.findIndex((link) => link.matches(":focus"));
    links[(at + by + links.length) % links.length]?.focus();
  }
  function follow(event: MouseEvent, href: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.push(href);
  }

  const now = placeOf(Math.min(Math.max(nowMs, from), to));
  return (
    // The arrow keys move between the links in it.
    <fieldset aria-label={words.beam} onKeyDown={onKey}>
      <svg ref={list} width="100%" height="104" overflow="visible">
        <title>{words.beam}</title>
        <g transform="translate(0 22)">
          <rect width="100%" height="5" rx="2.5" className="fill-accent/30" />
          <rect width={`${now}%`} height="5" rx="2.5" className="fill-accent" />
          {bells.map((bell, index) => (
            <svg key={`${bell.at} ${bell.href}`} x={`${bell.place}%`} y="9" overflow="visible">
              <title>{bell.label}</title>
              <a
                href={bell.href}
                aria-label={bell.label}
                tabIndex={index === first ? 0 : -1}
                onClick={(event) => follow(event, bell.href)}
                className="outline-none [&:focus-visible>rect]:stroke-2 [&:focus-visible>rect]:stroke-accent"
              >
                <rect x="-12" y="-6" width="24" height="50" rx="8" className="fill-transparent" />
                <BellShape state={bell.state} accounts={bell.accounts} />
              </a>
              <text y="66" textAnchor="middle" aria-hidden className="fill-ink text-xs tabular-nums max-sm:hidden">
                {timeOfDay(new Date(bell.at))}
              </text>
            </svg>
          ))}
          <svg x={`${now}%`} overflow="visible" aria-hidden>
            <line y1="0" y2="46" strokeDasharray="2 3" className="stroke-warn" />
            <circle cy="2.5" r="5.5" className="fill-gold stroke-warn" />
            <text y="-9" textAnchor="middle" className="fill-warn font-semibold text-xs tabular-nums">
              {timeOfDay(new Date(nowMs))}
            </text>
          </svg>
        </g>
      </svg>
    </fieldset>
  );
}

/** From 6:00 to 23:00, or as long as there are posts, and the present moment. */
function spanOf(posts: ApiSchedule[], nowMs: number): [from: number, to: number] {
  const hour = (of: number) => atMinute(dayOf(new Date(nowMs)), of * 60).getTime();
  const times = [...posts.map(timeOf), nowMs];
  return [Math.min(hour(FIRST_HOUR), ...times), Math.max(hour(LAST_HOUR), ...times)];
}

const looks: { [state in State]: string } = {
  published: "fill-accent stroke-accent [&>circle]:fill-gold [&>circle]:stroke-none",
  next: "fill-gold stroke-warn [&>circle]:fill-warn motion-safe:animate-pulse",
  ahead: "fill-surface stroke-accent",
  failed: "fill-wrong-soft stroke-wrong [stroke-dasharray:3_2] [&>circle]:fill-wrong",
  unknown: "fill-warn-soft stroke-warn [stroke-dasharray:3_2] [&>circle]:fill-warn",
};

function BellShape({ state, accounts }: Pick<Bell, "state" | "accounts">) {
  const scale = Math.min(0.8 + 0.11 * (accounts - 1), 1.4);
  return (
    <g transform={`translate(${-16 * scale} 0) scale(${scale})`} strokeWidth="1.6" className={looks[state]}>
      <path d="M16 -6v10" />
      <path d="M16 3.5a2 2 0 0 1 2 2v.4c4.3.9 7 4.400 7 9.100 0 4.600 1 6.500 2.600 8.100.7.7.2 1.900-.8 1.900H5.200c-1 0-1.500-1.200-.8-1.900C6 21.500 7 19.600 7 15c0-4.700 2.700-8.200 7-9.100v-.4a2 2 0 0 1 2-2z" />
      <circle cx="16" cy="27.6" r="2.9" />
    </g>
  );
}

export function Heading({
  id,
  title,
  count,
  isMore = false,
  children,
}: {
  id: string;
  title: string;
  count?: number;
  /** There are more than `count`. */
  isMore?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="flex items-baseline gap-2">
      <h2 id={id} className="font-semibold text-[0.9375rem]">
        {title}
      </h2>
      {count !== undefined && (
        <span className="text-muted text-xs tabular-nums">
          {count.toLocaleString("en")}
          {isMore && "+"}
        </span>
      )}
      {children && <span className="ml-auto text-sm">{children}</span>}
    </div>
  );
}

export function MoreLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-accent underline">
      {children}
    </Link>
  );
}

export type ListProps = { accounts: ApiAccount[]; networks: NetworkFacts[]; nowMs: number };

/** How many posts of today the list shows, and how many of them may be over. */
export const SHOWN_TODAY = 10;
const SHOWN_OVER = 3;

/** All posts of a day that are not drafts, in the order of their times. */
export function useDay(day: Day) {
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

const isOver = ({ scheduledTime = "" }: ApiSchedule, nowMs: number) => Date.parse(scheduledTime) <= nowMs;

/** The posts of a day that Home shows: those around now. */
export function aroundNow(posts: ApiSchedule[], nowMs: number): ApiSchedule[] {
  const over = posts.filter((post) => isOver(post, nowMs)).length;
  const first = Math.max(0, Math.min(over - SHOWN_OVER, posts.length - SHOWN_TODAY));
  return posts.slice(first, first + SHOWN_TODAY);
}

/** The posts of today around now. @param count how many posts there are today */
export function TodayList({ posts, count, ...shown }: ListProps & { posts: ApiSchedule[]; count: number }) {
  const { nowMs } = shown;
  const ahead = posts.findIndex((post) => !isOver(post, nowMs));
  const row = (schedule: ApiSchedule) => <PostRow key={schedule.id} isBeside schedule={schedule} {...shown} />;
  const parts = ahead < 0 ? [posts, []] : [posts.slice(0, ahead), posts.slice(ahead)];
  return (
    <section aria-labelledby="today" className="grid grid-cols-1 gap-3">
      <Heading id="today" title={homeWords.today.list} count={count}>
        <MoreLink href={`/calendar?view=day&day=${dayOf(new Date(nowMs))}`}>{homeWords.today.openDay}</MoreLink>
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
export function NextDays({ today }: { today: Day }) {
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
        <MoreLink href="/calendar">{homeWords.openCalendar}</MoreLink>
      </Heading>
      <Card className="p-4">
        <ol className="grid grid-cols-7 gap-1">
          {days.map((day, index) => {
            const count = counts[index];
            const height = Math.max(LEAST_BAR, (BAR_HEIGHT * (count ?? 0)) / most);
            return (
              <li key={day}>
                <Link
                  href={`/calendar?view=day&day=${day}`}
                  className="grid justify-items-center gap-1 rounded-lg py-1 text-muted text-xs hover:bg-sunk"
                >
                  <svg aria-hidden viewBox="0 0 18 56" className="h-14">
                    {count !== undefined && (
                      <rect
                        x="2.5"
                        y={55 - height}
                        width="13"
                        height={height}
                        rx="4"
                        strokeDasharray={count === 0 ? "3 2" : undefined}
                        className={count === 0 ? "fill-none stroke-edge" : "fill-accent"}
                      />
                    )}
                  </svg>
                  <span aria-hidden>{dayWords(day, { weekday: "short" })}</span>
                  <span
                    aria-hidden
                    className={`rounded-full px-2 font-semibold text-sm tabular-nums ${index === 0 ? "bg-gold text-on-gold" : "text-ink"}`}
                  >
                    {Number(day.slice(8))}
                  </span>
                  <span className="sr-only">
                    {count === undefined ? dayWords(day, LONG) : homeWords.postsOn(count, dayWords(day, LONG))}
                  </span>
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

/** Formats a day of a list: `Mon 30` within a week, `14 Mar` or, in another year, `14 Mar 2028`. */
export function rowDay(day: Day, today: Day): string {
  if (day > addDays(today, -DAYS) && day < addDays(today, DAYS))
    return dayWords(day, { weekday: "short", day: "numeric" });
  const year = day.slice(0, 4) === today.slice(0, 4) ? undefined : "numeric";
  return dayWords(day, { day: "numeric", month: "short", year });
}

function totalOf({ DRAFT: _, ...counts }: { [status: string]: number }): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
