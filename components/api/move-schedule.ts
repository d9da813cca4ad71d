"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiFailure, api, apiTagged, readAnew } from "./client";
import type { Shown } from "./every-schedule";
import type { Post, Schedule } from "./types";
import { apiWords } from "./words";

/** Where the calendar keeps what it shows; an answer for each stretch of time. */
export const BETWEEN = ["schedules", "between"];

export type Move = { schedule: Schedule; to: Date };

/**
 * Gives a schedule another time and leaves all else of it as it is by now, whatever this page knows of it.
 * @throws ApiFailure where it cannot be moved (409 once it has begun), or where somebody else changed it in that moment
 */
async function moveSchedule(move: Move): Promise<Schedule> {
  const put = await movable(move);
  return put();
}

/** Looks at a schedule that is to be moved, and answers the call that moves it. */
export async function movable({ schedule, to }: Move): Promise<() => Promise<Schedule>> {
  const path = pathOf(schedule);
  const { value: now, tag } = await apiTagged<Schedule>(path);
  if (!isSameTime(now, schedule)) throw new ApiFailure(412, apiWords.moves.movedAlready);
  const body = replacementOf(now, { scheduledTime: to.toISOString() });
  return () => api<Schedule>(path, { method: "PUT", body, ifMatch: tag });
}

/** Where the API has it. */
export const pathOf = ({ id }: Schedule) => `/v1/posts/${id}`;

/** Whether two go out at the same instant. */
export function isSameTime({ scheduledTime: a = "" }: Schedule, { scheduledTime: b = "" }: Schedule): boolean {
  return Date.parse(a) === Date.parse(b);
}

const MOVES = ["move"];

/**
 * Gives a schedule another time, one after the other. It stands there at once, and goes back where the API refuses. What the
 * calendar shows is read again with the last of them: the others that wait would stand at their old times until then.
 */
export function useMoveSchedule() {
  const cache = useQueryClient();
  const show = (id: number, as: (item: Schedule) => Schedule) =>
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
    // Unless it was moved on meanwhile.
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

/** The body of `PUT /v1/posts/{id}` that keeps a schedule as it is but for the changes: answers hold more than requests take. */
export function replacementOf(schedule: Schedule, changes: Changes) {
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

function postOf({ content, attachmentPaths, chatId, thumbnail }: Post) {
  return { content, attachmentPaths, chatId, thumbnailPath: thumbnail };
}
