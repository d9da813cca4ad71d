"use client";
import dynamic from "next/dynamic";
import { SkeletonRows } from "../ui/skeleton";
import * as words from "../words/calendar";

/** In the browser only: what day it is, and when it begins, only the reader's own clock and zone say. */
export const CalendarPage = dynamic(() => import("./calendar").then(({ Calendar }) => Calendar), {
  ssr: false,
  loading: () => <SkeletonRows label={words.loading} rows={4} height="h-32" />,
});
