"use client";
import { useQueries } from "@tanstack/react-query";
import { useId } from "react";
import { callApi } from "../api/client";
import type { ApiSchedule, SchedulePage } from "../api/types";
import { textsOf } from "../posts/facts";
import { Status } from "../posts/status";
import { dateAndTime } from "../time/format";
import { Link } from "../ui/link";
import { LoadFailed } from "../ui/loading";
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

/** The schedules that use each of these files, newest first, as far as they are loaded. */
export function useUsesOf(paths: string[], isAsked = true) {
  const found = useQueries({ queries: paths.map((path) => ({ ...usesQuery(path), enabled: isAsked })) });
  return {
    uses: new Map(paths.flatMap((path, at) => (found[at]?.data ? [[path, found[at].data] as const] : []))),
    failed: found.find(({ error, data }) => error && !data)?.error,
    retry: () => Promise.all(found.map(({ refetch }) => refetch())),
  };
}

type Search = ReturnType<typeof useUsesOf>;

/** In place of the uses of files, while they are loaded and if that failed. */
export function UsesUnknown({ failed, retry }: Search) {
  if (failed) return <LoadFailed text={libraryWords.usesUnknown(failed.message)} retry={retry} />;
  return <p role="status">{libraryWords.lookingForUses}</p>;
}

/** The schedules that may still publish it. */
export function stillNeeding({ all }: Uses): ApiSchedule[] {
  return all.filter(({ overallStatus }) => !["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"].includes(overallStatus));
}

/** The uses of a file, each with its status and a link. */
export function UsedIn({ path, search }: { path: string; search: Search }) {
  const titleId = useId();
  const uses = search.uses.get(path);
  if (!uses) return search.failed ? <UsesUnknown {...search} /> : null;
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
