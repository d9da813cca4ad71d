"use client";
import type { ApiScheduleStatus } from "../api/types";
import { remembered, WEEK_COOKIE, weekStartIn } from "../shell/preferences";
import { addDays, addMonths, type Day, dayOf, firstWeekday, startOf, weekOf } from "../time/days";
import { language } from "../time/format";
import { deviceZone } from "../time/zone";
import { useAddress } from "../ui/use-address";
import { AHEAD, WITH_PUBLISHED } from "./facts";

export const tabs = ["all", "scheduled", "drafts", "proposed", "published", "attention"] as const;
export type PostsTab = (typeof tabs)[number];
export const spans = ["today", "week", "next7", "month", "last30"] as const;
export type Span = (typeof spans)[number];
/** `near`: today and what is ahead, then the past. */
export const postSorts = ["near", "earliest", "latest"] as const;
export type Sort = (typeof postSorts)[number];

/** What the list of posts shows. It is in the address, so that it can be bookmarked and shared. */
export type PostsPlace = {
  tab: PostsTab;
  text?: string;
  platform?: string;
  accountId?: string;
  span?: Span;
  /** Absent: the usual order of the tab. */
  sort?: Sort;
};

/** The statuses of each tab; of all if undefined. */
export const statusesOf: Record<PostsTab, ApiScheduleStatus[] | undefined> = {
  all: undefined,
  scheduled: AHEAD,
  drafts: ["DRAFT"],
  proposed: ["DRAFT"],
  published: WITH_PUBLISHED,
  attention: ["FAILED", "PARTIALLY_COMPLETED", "MEDIA_IMPORT_FAILED"],
};

/** The usual order of a tab. A chosen time has no "near". */
export function usualSort({ tab, span }: PostsPlace): Sort {
  if (tab === "all" && !span) return "near";
  return tab === "published" || tab === "attention" ? "latest" : "earliest";
}

/** The place in the URL, and a function that changes it. */
export function usePostsPlace(): [PostsPlace, (to: Partial<PostsPlace>) => void] {
  return useAddress(placeIn, fieldsOf);
}

const fieldsOf = ({ tab, ...rest }: PostsPlace) => ({ tab: tab === "all" ? undefined : tab, ...rest });

function placeIn(params: URLSearchParams): PostsPlace {
  const one = <T extends string>(name: string, choices: readonly T[]) =>
    choices.find((choice) => choice === params.get(name));
  return {
    tab: one("tab", tabs) ?? "all",
    text: params.get("text")?.trim() || undefined,
    platform: params.get("platform") ?? undefined,
    accountId: params.get("accountId") ?? undefined,
    span: one("span", spans),
    sort: one("sort", postSorts),
  };
}

/** A query of the API without its page. */
export type ListQuery = { [parameter: string]: string };

/** The filters of the API that the place means. @param today the reader's day */
export function postFiltersOf({ text, platform, accountId, span }: PostsPlace, today: Day): ListQuery {
  const [from, to] = span ? daysOf(span, today) : [];
  return defined({
    ...{ text: text?.slice(0, 200), platform, accountId },
    from: from && startOf(from).toISOString(),
    to: to && new Date(startOf(to).getTime() - 1).toISOString(),
  });
}

/** The first day of a span and the day after it. */
function daysOf(span: Span, today: Day): [from: Day, to: Day] {
  const first = weekStartIn(remembered(WEEK_COOKIE)) ?? firstWeekday(language, deviceZone());
  const week = weekOf(today, first)[0] ?? today;
  const month = `${today.slice(0, 7)}-01`;
  switch (span) {
    case "today":
      return [today, addDays(today, 1)];
    case "week":
      return [week, addDays(week, 7)];
    case "next7":
      return [today, addDays(today, 7)];
    case "month":
      return [month, addMonths(month, 1)];
    case "last30":
      return [addDays(today, -30), addDays(today, 1)];
  }
}

/** The queries whose answers make up the list, one after the other. Drafts without a time have no place in the order of time. */
export function listQueriesOf(place: PostsPlace, today: Day): ListQuery[] {
  const { tab, span, sort = usualSort(place) } = place;
  const filters = postFiltersOf(place, today);
  const status = statusesOf[tab]?.join();
  const base = defined({ ...filters, status, proposed: tab === "proposed" ? "true" : undefined });
  const timed = { ...base, sort: sort === "latest" ? "-scheduledTime" : "scheduledTime" };
  const isOfDrafts = tab === "drafts" || tab === "proposed";
  const undated = (tab === "all" || isOfDrafts) && !span ? [{ ...base, status: "DRAFT", hasTime: "false" }] : [];
  if (tab === "attention") {
    // What still waits for an account comes first: a reconnect in time saves it.
    const waiting = {
      ...filters,
      status: "SCHEDULED,AWAITING_MEDIA",
      needsReconnecting: "true",
      sort: "scheduledTime",
    };
    return [waiting, timed];
  }
  if (sort !== "near") return isOfDrafts ? [...undated, timed] : [timed, ...undated];
  const start = startOf(today);
  return [
    { ...base, from: start.toISOString(), sort: "scheduledTime" },
    ...undated,
    { ...base, to: new Date(start.getTime() - 1).toISOString(), sort: "-scheduledTime" },
  ];
}

function defined(fields: { [name: string]: string | undefined }): ListQuery {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

export function todayOf(nowMs: number): Day {
  return dayOf(new Date(nowMs));
}
