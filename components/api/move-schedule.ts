"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiFailure, apiTagged, callApi, readAnew } from "./client";
import type { Shown } from "./every-schedule";
import type { ApiPost, ApiSchedule } from "./types";
import { apiWords } from "./words";

/** Prefix of the calendar's query keys; one query per time range. */
export const BETWEEN = ["schedules", "between"];

export type Move = { schedule: ApiSchedule; to: Date };

/**
 * Moves a schedule and keeps everything else as it is on the server now.
 * @throws ApiFailure if it cannot be moved (409 once it has begun), or if someone else changed it at the same time
 */
async function moveSchedule(move: Move): Promise<ApiSchedule> {
  const put = await movable(move);
  return put();
}

/** Reads the schedule to be moved and returns the call that moves it. */
export async function movable({ schedule, to }: Move): Promise<() => Promise<ApiSchedule>> {
  const path = schedulePathOf(schedule);
  const { value: now, tag } = await apiTagged<ApiSchedule>(path);
  if (!isSameTime(now, schedule)) throw new ApiFailure(412, apiWords.moves.movedAlready);
  const body = replacementOf(now, { scheduledTime: to.toISOString() });
  return () => callApi<ApiSchedule>(path, { method: "PUT", body, ifMatch: tag });
}

export const schedulePathOf = ({ id }: ApiSchedule) => `/v1/posts/${id}`;

/** Whether two schedules have the same instant. */
export function isSameTime({ scheduledTime: a = "" }: ApiSchedule, { scheduledTime: b = "" }: ApiSchedule): boolean {
  return Date.parse(a) === Date.parse(b);
}

const MOVES = ["move"];

/**
 * Moves schedules one at a time. The new time is shown at once and reverted if the API refuses. The calendar is
 * refetched only after the last move; earlier, waiting moves would jump back to their old times.
 */
export function useMoveSchedule() {
  const cache = useQueryClient();
  const show = (id: number, as: (item: ApiSchedule) => ApiSchedule) =>
    cache.setQueriesData<Shown>(
      { queryKey: BETWEEN },
      (shown) => shown && { ...shown, items: shown.items.map((item) => (item.id === id ? as(item) : item)) },
    );
  return useMutation({
    mutationKey: MOVES,
    scope: { id: "moves" },
    mutationFn: moveSchedule,
    onMutate: async ({ schedule, to }) => {
      await cache.cancelQueries({ queryKey: BETWEEN });
      show(schedule.id, () => ({ ...schedule, scheduledTime: to.toISOString() }));
    },
    // Unless it has been moved again.
    onError: (_, { schedule, to }) =>
      show(schedule.id, (item) => (item.scheduledTime === to.toISOString() ? schedule : item)),
    onSettled: (_, __, { schedule }) => {
      const isLast = cache.isMutating({ mutationKey: MOVES }) === 1;
      const one = { queryKey: ["schedule", String(schedule.id)] };
      return isLast ? readAnew(cache, { queryKey: ["schedules"] }, one) : readAnew(cache, one);
    },
  });
}

type Changes = { scheduledTime?: string };

/** The body of `PUT /v1/posts/{id}` that changes only `changes`. Responses contain fields that requests must not. */
export function replacementOf(schedule: ApiSchedule, changes: Changes) {
  const { scheduledTime, overallStatus, publications } = schedule;
  return {
    scheduledTime,
    isDraft: overallStatus === "DRAFT",
    publications: publications.map(({ socialMediaAccountId, platformSettings, posts }) => ({
      socialMediaAccountId,
      platformSettings,
      posts: posts.map(postOf),
    })),
    ...changes,
  };
}

function postOf({ content, attachmentPaths, chatId, thumbnail }: ApiPost) {
  return { content, attachmentPaths, chatId, thumbnailPath: thumbnail };
}
