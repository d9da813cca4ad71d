"use client";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type Day, dayOf, parseDay } from "../time/days";
import { type View, views } from "./views";

export type ScheduleFilters = { platform?: string; accountId?: string; status?: string };

/**
 * The calendar's view, day and filters. They are in the URL, so that they can be bookmarked, shared and navigated.
 */
export type CalendarPlace = { view: View; day: Day } & ScheduleFilters;

/**
 * Reads the place from the URL, and returns a function that changes it.
 * @param todayMs the day to show if the URL names none
 */
export function usePlace(todayMs: number): [CalendarPlace, (to: Partial<CalendarPlace>) => void] {
  const params = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const today = dayOf(new Date(todayMs));
  const place = useMemo(() => placeIn(params, today), [params, today]);
  function go(to: Partial<CalendarPlace>) {
    const next = Object.entries({ ...place, ...to }).filter((entry): entry is [string, string] => Boolean(entry[1]));
    router.replace(`${path}?${new URLSearchParams(next)}`, { scroll: false });
  }
  return [place, go];
}

function placeIn(params: URLSearchParams, today: Day): CalendarPlace {
  const one = (name: string) => params.get(name) ?? undefined;
  return {
    view: views.find((view) => view === one("view")) ?? "month",
    day: parseDay(params.get("day")) ?? today,
    platform: one("platform"),
    accountId: one("accountId"),
    status: one("status"),
  };
}
