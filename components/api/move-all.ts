"use client";
import { useQueryClient } from "@tanstack/react-query";
import { ApiFailure, callApi, readAnew, serverNow } from "./client";
import { isSameTime, type Move, movable, schedulePathOf } from "./move-schedule";
import type { ApiSchedule } from "./types";
import { apiWords } from "./words";

/** `isUnknown`: the request may or may not have succeeded. */
export type NotMoved = { schedule: ApiSchedule; why: string; isUnknown: boolean };
/** `back`: the moves that restore the original times. `untried`: how many were left when it was stopped. */
export type MoveOutcome = { back: Move[]; notMoved: NotMoved[]; untried: number };

type Watch = {
  /** Called after each move with the number tried. */
  onTried?: (count: number) => void;
  /** Aborting stops before the next move. */
  signal?: AbortSignal;
};

/** Moves several schedules one after the other. A schedule that cannot be moved is returned with the reason. */
export function useMoveAll() {
  const cache = useQueryClient();
  return async (moves: Move[], { onTried, signal }: Watch = {}): Promise<MoveOutcome> => {
    const outcome: MoveOutcome = { back: [], notMoved: [], untried: 0 };
    for (const [index, move] of moves.entries()) {
      try {
        const schedule = await moveInTime(move, signal);
        outcome.back.push({ schedule, to: new Date(move.schedule.scheduledTime ?? move.to) });
      } catch (error) {
        if (error instanceof Stopped) {
          outcome.untried = moves.length - index;
          break;
        }
        const isUnknown = error instanceof Unknown;
        outcome.notMoved.push({ schedule: move.schedule, why: reasonOf(error), isUnknown });
      }
      onTried?.(index + 1);
    }
    await readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule"] });
    return outcome;
  };
}

class Stopped extends Error {}
class Unknown extends Error {}

/** The reason in words that do not depend on the post's ID. */
function reasonOf(error: unknown): string {
  const status = error instanceof ApiFailure ? error.status : undefined;
  if (status === 404) return apiWords.moves.deleted;
  if (status === 409) return apiWords.moves.begun;
  return error instanceof Error ? error.message : String(error);
}

/** Moves one schedule, waiting when the rate limit is reached: a long queue exceeds it. */
function moveInTime(move: Move, signal?: AbortSignal): Promise<ApiSchedule> {
  return inTime(async () => {
    if (move.to.getTime() <= serverNow()) throw new ApiFailure(400, apiWords.moves.timeOver);
    const put = await movable(move);
    return put().catch((error: unknown) => currentVersion(move, error));
  }, signal);
}

/** Calls the API, and again once the rate limit allows it. @throws Stopped before a call, if it was aborted */
async function inTime<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal?.aborted) throw new Stopped();
  try {
    return await call();
  } catch (error) {
    const seconds = error instanceof ApiFailure && error.status === 429 ? error.retryAfterSeconds : undefined;
    if (seconds === undefined) throw error;
    await waited(seconds, signal);
    return inTime(call, signal);
  }
}

/** `done`: what the calls answered. `untried`: how many were left when it was stopped. */
export type EachOutcome<T> = { done: T[]; failed: { schedule: ApiSchedule; why: string }[]; untried: number };

/** Calls the API for several schedules, one after the other. Those that it refuses are returned with the reason. */
export async function forEachSchedule<T>(
  schedules: ApiSchedule[],
  call: (schedule: ApiSchedule) => Promise<T>,
  { onTried, signal }: Watch = {},
): Promise<EachOutcome<T>> {
  const outcome: EachOutcome<T> = { done: [], failed: [], untried: 0 };
  for (const [index, schedule] of schedules.entries()) {
    try {
      outcome.done.push(await inTime(() => call(schedule), signal));
    } catch (error) {
      if (error instanceof Stopped) return { ...outcome, untried: schedules.length - index };
      outcome.failed.push({ schedule, why: error instanceof Error ? error.message : String(error) });
    }
    onTried?.(index + 1);
  }
  return outcome;
}

/**
 * After no response or a 5xx the move may have succeeded, so this reads the schedule.
 * @throws the original error if it has not moved
 */
async function currentVersion({ schedule, to }: Move, error: unknown): Promise<ApiSchedule> {
  if (!(error instanceof ApiFailure) || (error.status > 0 && error.status < 500)) throw error;
  const now = await callApi<ApiSchedule>(schedulePathOf(schedule)).catch(() => {
    throw new Unknown(apiWords.moves.unknown);
  });
  if (!isSameTime(now, { ...schedule, scheduledTime: to.toISOString() })) throw error;
  return now;
}

/** Waits this long, or until the signal. */
export function waited(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
