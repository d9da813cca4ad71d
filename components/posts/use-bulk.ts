"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, useSyncExternalStore } from "react";
import { callApi, readAnew } from "../api/client";
import { type EachOutcome, forEachSchedule, useMoveAll } from "../api/move-all";
import { type Move, replacementOf, schedulePathOf } from "../api/move-schedule";
import type { ApiSchedule } from "../api/types";
import { canChange, canDelete, canRetry } from "./facts";
import { tableWords } from "./table-words";

export type BulkAction = "move" | "retry" | "duplicate" | "remove" | "undo";
type Failure = { schedule: ApiSchedule; why: string };
/** The result of the last change. `undo` is absent if nothing can be undone. */
export type BulkReport = {
  action: BulkAction;
  done: number;
  failed: Failure[];
  untried: number;
  undo?: () => Promise<void>;
};
export type BulkProgress = { action: BulkAction; tried: number; all: number };

/** Changes several posts one after the other, and reports honestly what was not changed and why. */
export function useBulk() {
  const cache = useQueryClient();
  const moveAll = useMoveAll();
  const [progress, setProgress] = useState<BulkProgress>();
  const [report, setReport] = useState<BulkReport>();
  const stopper = useRef<AbortController>(undefined);

  function begin(action: BulkAction, all: number) {
    stopper.current = new AbortController();
    setReport(undefined);
    setProgress({ action, tried: 0, all });
    const onTried = (tried: number) => setProgress({ action, tried, all });
    return { onTried, signal: stopper.current.signal };
  }

  function end(told: BulkReport) {
    setProgress(undefined);
    setReport(told);
  }

  /** @param undoes the call that undoes one answer */
  async function each<T>(
    action: BulkAction,
    schedules: ApiSchedule[],
    call: (schedule: ApiSchedule) => Promise<T>,
    undoes?: (outcome: EachOutcome<T>) => (() => Promise<void>) | undefined,
    refused: Failure[] = [],
  ): Promise<void> {
    const outcome = await forEachSchedule(schedules, call, begin(action, schedules.length));
    await readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule"] });
    const { done, failed, untried } = outcome;
    end({ action, done: done.length, failed: [...refused, ...failed], untried, undo: undoes?.(outcome) });
  }

  async function move(moves: Move[], refused: Failure[], action: BulkAction = "move"): Promise<void> {
    const { back, notMoved, untried } = await moveAll(moves, begin(action, moves.length));
    const undo = action === "move" && back.length > 0 ? () => move(back, [], "undo") : undefined;
    end({ action, done: back.length, failed: [...refused, ...notMoved], untried, undo });
  }

  return {
    progress,
    report,
    stop: () => stopper.current?.abort(),
    forget: () => setReport(undefined),
    /** @param to the new time of each post that has a time and can be moved */
    move(schedules: ApiSchedule[], to: (from: Date) => Date) {
      const [able, refused] = divided(schedules, canMove, tableWords.cannot.move);
      const moves = able.map((schedule) => ({ schedule, to: to(new Date(schedule.scheduledTime ?? "")) }));
      return move(moves, refused);
    },
    retry(schedules: ApiSchedule[]) {
      const [able, refused] = divided(schedules, canRetry, tableWords.cannot.retry);
      const call = (schedule: ApiSchedule) =>
        callApi<ApiSchedule>(`${schedulePathOf(schedule)}/retry`, { method: "POST", body: {} });
      return each("retry", able, call, undefined, refused);
    },
    /** Creates drafts without a time. */
    duplicate(schedules: ApiSchedule[]) {
      const call = (schedule: ApiSchedule) =>
        create({ ...replacementOf(schedule, {}), scheduledTime: undefined, isDraft: true });
      return each("duplicate", schedules, call, ({ done }) =>
        done.length > 0 ? () => each("undo", done, erase) : undefined,
      );
    },
    remove(schedules: ApiSchedule[]) {
      const [able, refused] = divided(schedules, canDelete, tableWords.cannot.remove);
      const call = async (schedule: ApiSchedule) => {
        await erase(schedule);
        return schedule;
      };
      // The time of a failed post is over, so it cannot be scheduled again.
      const restore = (schedule: ApiSchedule) => create(replacementOf(schedule, {}), `restore-${schedule.id}`);
      const undoes = ({ done }: EachOutcome<ApiSchedule>) => {
        const again = done.filter(canChange);
        return again.length > 0 ? () => each("undo", again, restore) : undefined;
      };
      return each("remove", able, call, undoes, refused);
    },
  };
}

export function canMove(schedule: ApiSchedule): boolean {
  return canChange(schedule) && schedule.scheduledTime !== undefined;
}

const erase = (schedule: ApiSchedule) => callApi<void>(schedulePathOf(schedule), { method: "DELETE" });
const create = (body: object, idempotencyKey?: string) =>
  callApi<ApiSchedule>("/v1/posts", { method: "POST", body, idempotencyKey });

/** The posts that can be changed, and the others with the reason. */
function divided(
  schedules: ApiSchedule[],
  can: (schedule: ApiSchedule) => boolean,
  why: string,
): [ApiSchedule[], Failure[]] {
  const others = schedules.filter((schedule) => !can(schedule));
  return [schedules.filter(can), others.map((schedule) => ({ schedule, why }))];
}

/**
 * The posts that are selected in a list. It is kept outside of React's state, so that a press re-renders one row and the bar
 * instead of thousands of rows.
 */
export class Selection {
  #ids: ReadonlySet<number> = new Set();
  #last: number | undefined;
  #watchers = new Set<() => void>();

  readonly watch = (notify: () => void) => {
    this.#watchers.add(notify);
    return () => void this.#watchers.delete(notify);
  };
  readonly ids = () => this.#ids;
  has(id: number): boolean {
    return this.#ids.has(id);
  }

  set(ids: Iterable<number>): void {
    this.#ids = new Set(ids);
    for (const notify of this.#watchers) notify();
  }

  /** @param order the IDs as they are shown, to select from the last press up to this one */
  toggle(id: number, order?: number[]): void {
    const [from, to] = [order?.indexOf(this.#last ?? id) ?? -1, order?.indexOf(id) ?? -1];
    const isSelected = !this.has(id);
    const meant = order && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    const next = new Set(this.#ids);
    for (const one of meant) {
      if (isSelected) next.add(one);
      else next.delete(one);
    }
    this.#last = id;
    this.set(next);
  }
}

export function useIsSelected(selection: Selection, id: number): boolean {
  return useSyncExternalStore(
    selection.watch,
    () => selection.has(id),
    () => false,
  );
}

const NONE: ReadonlySet<number> = new Set();

export function useSelected(selection: Selection): ReadonlySet<number> {
  return useSyncExternalStore(selection.watch, selection.ids, () => NONE);
}
