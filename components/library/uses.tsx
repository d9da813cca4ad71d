"use client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { callApi } from "../api/client";
import type { ApiSchedule, SchedulePage } from "../api/types";
import { textsOf } from "../posts/facts";
import { Status } from "../posts/status";
import { dateAndTime } from "../time/format";
import { Link } from "../ui/link";
import { libraryWords } from "./words";

const MOST = 100;

export type Uses = { all: ApiSchedule[]; isMore: boolean };

function usesQuery(path: string) {
  return {
    queryKey: ["schedules", "using", path],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Uses> => {
      const query = new URLSearchParams({ attachment: path, limit: String(MOST) });
      const { items, nextCursor } = await callApi<SchedulePage>(`/v1/posts?${query}`, { signal });
      return { all: items, isMore: Boolean(nextCursor) };
    },
  };
}

/** The schedules that use a file, newest first; undefined while loading. */
export function useUses(path: string): Uses | undefined {
  return useQuery(usesQuery(path)).data;
}

/** The same of several files, as far as they are loaded. */
export function useUsesOf(paths: string[], isAsked: boolean): Map<string, Uses> {
  const found = useQueries({ queries: paths.map((path) => ({ ...usesQuery(path), enabled: isAsked })) });
  return new Map(paths.flatMap((path, at) => (found[at]?.data ? [[path, found[at].data] as const] : [])));
}

/** The schedules that may still publish it. */
export function stillNeeding({ all }: Uses): ApiSchedule[] {
  return all.filter(({ overallStatus }) => !["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"].includes(overallStatus));
}

/** The uses of a file, each with its status and a link. */
export function UsedIn({ uses }: { uses: Uses | undefined }) {
  const titleId = useId();
  if (!uses) return null;
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-1 gap-2 text-sm">
      <h3 id={titleId} className="font-semibold">
        {libraryWords.usedIn}
      </h3>
      {uses.all.length === 0 ? <p className="text-muted">{libraryWords.notUsed}</p> : <UseList schedules={uses.all} />}
      {uses.isMore && <p className="text-muted">{libraryWords.usedInOlder}</p>}
    </section>
  );
}

/** Schedules, one per line. */
export function UseList({ schedules }: { schedules: ApiSchedule[] }) {
  return (
    <ul className="grid grid-cols-1 gap-2">
      {schedules.map((schedule) => (
        <li key={schedule.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link href={`/posts/${schedule.id}`} className="min-w-0 flex-1 basis-40 truncate text-accent underline">
            {textsOf(schedule)[0] ?? libraryWords.post(schedule.id)}
          </Link>
          {schedule.scheduledTime && (
            <time dateTime={schedule.scheduledTime} className="text-muted">
              {dateAndTime(new Date(schedule.scheduledTime))}
            </time>
          )}
          <Status of={schedule.overallStatus} />
        </li>
      ))}
    </ul>
  );
}
