"use client";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type Day, dayOf, parseDay } from "../time/days";
import { type View, views } from "./views";

export type Filters = { platform?: string; accountId?: string; status?: string };

/** Where in the calendar the reader is. It stands in the address, so that it can be kept, shared and gone back to. */
export type Place = { view: View; day: Day } & Filters;

/** The place in the address, and the way to another. @param todayMs what "today" is where the address names no day */
export function usePlace(todayMs: number): [Place, (to: Partial<Place>) => void] {
  const params = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const today = dayOf(new Date(todayMs));
  const place = useMemo(() => placeIn(params, today), [params, today]);
  function go(to: Partial<Place>) {
    const next = Object.entries({ ...place, ...to }).filter((entry): entry is [string, string] => Boolean(entry[1]));
    router.replace(`${path}?${new URLSearchParams(next)}`, { scroll: false });
  }
  return [place, go];
}

function placeIn(params: URLSearchParams, today: Day): Place {
  const one = (name: string) => params.get(name) ?? undefined;
  return {
    view: views.find((view) => view === one("view")) ?? "month",
    day: parseDay(params.get("day")) ?? today,
    platform: one("platform"),
    accountId: one("accountId"),
    status: one("status"),
  };
}
