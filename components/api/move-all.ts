"use client";
import { useQueryClient } from "@tanstack/react-query";
import { ApiFailure, api, readAnew, serverNow } from "./client";
import { isSameTime, type Move, movable, pathOf } from "./move-schedule";
import type { Schedule } from "./types";
import { apiWords } from "./words";

/** `isUnknown`: nobody knows whether it was. */
export type NotMoved = { schedule: Schedule; why: string; isUnknown: boolean };
/** `back`: what was moved, each to the time that it had. `untried`: how many were left when it was stopped. */
export type Outcome = { back: Move[]; notMoved: NotMoved[]; untried: number };

type Watch = {
  /** Told after each how many were tried. */
  onTried?: (count: number) => void;
  /** Stops between two of them. */
  signal?: AbortSignal;
};

/** Gives several schedules other times, one after the other: what cannot be moved stays, and is answered with the reason. */
export function useMoveAll() {
  const cache = useQueryClient();
  return async (moves: Move[], { onTried, signal }: Watch = {}): Promise<Outcome> => {
    const outcome: Outcome = { back: [], notMoved: [], untried: 0 };
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

/** As the person reads it who knows the post by its text and not by its number. */
function reasonOf(error: unknown): string {
  const status = error instanceof ApiFailure ? error.status : undefined;
  if (status === 404) return apiWords.moves.deleted;
  if (status === 409) return apiWords.moves.begun;
  return error instanceof Error ? error.message : String(error);
}

/** Waits where too much was asked for in one minute: a long queue is more than that. */
async function moveInTime(move: Move, signal?: AbortSignal): Promise<Schedule> {
  if (signal?.aborted) throw new Stopped();
  if (move.to.getTime() <= serverNow()) throw new ApiFailure(400, apiWords.moves.timeOver);
  try {
    const put = await movable(move);
    return await put().catch((error: unknown) => asItStands(move, error));
  } catch (error) {
    const seconds = error instanceof ApiFailure && error.status === 429 ? error.retryAfterSeconds : undefined;
    if (seconds === undefined) throw error;
    await waited(seconds, signal);
    return moveInTime(move, signal);
  }
}

/** After silence and 5xx it may have been moved all the same: whoever looks knows. @throws what was answered where it was not */
async function asItStands({ schedule, to }: Move, error: unknown): Promise<Schedule> {
  if (!(error instanceof ApiFailure) || (error.status > 0 && error.status < 500)) throw error;
  const now = await api<Schedule>(pathOf(schedule)).catch(() => {
    throw new Unknown(apiWords.moves.unknown);
  });
  if (!isSameTime(now, { ...schedule, scheduledTime: to.toISOString() })) throw error;
  return now;
}

function waited(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
