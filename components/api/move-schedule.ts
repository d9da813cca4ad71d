"use client";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { readAnew } from "./anew";
import { api } from "./client";
import { replacementOf } from "./replacement";
import type { Schedule } from "./types";

/** Where the calendar keeps what it shows; an answer for each stretch of time. */
export const BETWEEN = ["schedules", "between"];

/** What stands between two instants; `isCut` where there was more than was read. */
export type Shown = { items: Schedule[]; isCut: boolean };

export type Move = { schedule: Schedule; to: Date };

/** Gives a schedule another time. It stands there at once, and goes back where the API refuses. */
export function useMoveSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ schedule, to }: Move) =>
      api<Schedule>(`/v1/posts/${schedule.id}`, {
        method: "PUT",
        body: replacementOf(schedule, { scheduledTime: to.toISOString() }),
      }),
    onMutate: async ({ schedule, to }) => {
      await cache.cancelQueries({ queryKey: BETWEEN });
      const before = cache.getQueriesData<Shown>({ queryKey: BETWEEN });
      const moved = { ...schedule, scheduledTime: to.toISOString() };
      cache.setQueriesData<Shown>({ queryKey: BETWEEN }, (shown) => shown && withMoved(shown, moved));
      return { before };
    },
    onError: (_, __, context) => restore(context?.before ?? [], cache.setQueryData.bind(cache)),
    onSettled: (_, __, { schedule }) =>
      readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule", String(schedule.id)] }),
  });
}

function withMoved(shown: Shown, moved: Schedule): Shown {
  return { ...shown, items: shown.items.map((item) => (item.id === moved.id ? moved : item)) };
}

function restore(before: [QueryKey, Shown | undefined][], put: (key: QueryKey, shown: Shown | undefined) => unknown) {
  for (const [key, shown] of before) put(key, shown);
}
