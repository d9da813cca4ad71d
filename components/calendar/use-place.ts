"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type Day, dayOf, parseDay } from "../time/days";
import { type View, views } from "./views";

export type ScheduleFilters = { platform?: string; accountId?: string; status?: string };

/**
 * The calendar's view, day and filters. They are in the URL, so that they can be bookmarked, shared and navigated.
 */
export type CalendarPlace = { view: View; day: Day } & ScheduleFilters;
export type Go = (to: Partial<CalendarPlace>) => void;

/**
 * Reads the place from the URL, and returns a function that changes it.
 * @param todayMs the day to show if the URL names none
 */
export function usePlace(todayMs: number): [CalendarPlace, Go] {
  const params = useSearchParams();
  const path = usePathname();
  const today = dayOf(new Date(todayMs));
  const place = useMemo(() => placeIn(params, today), [params, today]);
  function go(to: Partial<CalendarPlace>) {
    const next = Object.entries({ ...place, ...to }).filter((entry): entry is [string, string] => Boolean(entry[1]));
    // Without the router, which would ask the server for the same page at each press of a key.
    history.replaceState(null, "", `${path}?${new URLSearchParams(next)}`);
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
