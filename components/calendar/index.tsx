"use client";
import dynamic from "next/dynamic";
import { SkeletonRows } from "../ui/loading";
import { calendarWords } from "./words";

/** In the browser only: what day it is, and when it begins, only the reader's own clock and zone say. */
export const CalendarPage = dynamic(() => import("./calendar").then(({ Calendar }) => Calendar), {
  ssr: false,
  loading: () => <SkeletonRows label={calendarWords.loading} rows={4} height="h-32" />,
});
