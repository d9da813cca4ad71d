"use client";
import dynamic from "next/dynamic";
import { SkeletonRows } from "../ui/loading";
import { calendarWords } from "./words";

/** Rendered only in the browser, because the current day depends on the reader's clock and time zone. */
export const CalendarPage = dynamic(() => import("./calendar").then(({ Calendar }) => Calendar), {
  ssr: false,
  loading: () => <SkeletonRows label={calendarWords.loading} rows={4} height="h-32" />,
});
