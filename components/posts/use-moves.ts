"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { callApi, readAnew, serverNow } from "../api/client";
import { replacementOf, schedulePathOf, useMoveSchedule } from "../api/move-schedule";
import type { ApiSchedule } from "../api/types";
import { dateAndTime } from "../time/format";
import { say } from "../ui/toast";
import { useUndo } from "./use-undo";
import { postWords } from "./words";

export type MoveTo = (schedule: ApiSchedule, to: Date) => void;

/** Moves schedules at once, and schedules copies of them, with a notice and undo. */
export function useMoves(): { move: MoveTo; copy: MoveTo } {
  const cache = useQueryClient();
  const { mutateAsync } = useMoveSchedule();
  const offerUndo = useUndo();
  const move = useCallback<MoveTo>(
    (schedule, to) => {
      const from = schedule.scheduledTime && new Date(schedule.scheduledTime);
      if (!from || from.getTime() === to.getTime()) return;
      if (to.getTime() < serverNow()) {
        say((toast) => toast.error(postWords.move.isOver(dateAndTime(from))));
        return;
      }
      const onError = ({ message }: Error) => say((toast) => toast.error(postWords.move.notMoved(message)));
      const onSuccess = (moved: ApiSchedule) =>
        offerUndo(postWords.move.moved(dateAndTime(to)), () => {
          const onSuccess = () => say((toast) => toast.success(postWords.move.movedBack));
          mutateAsync({ schedule: moved, to: from }).then(onSuccess, onError);
        });
      // `mutate` calls only the latest callbacks, which would lose the first of two moves.
      mutateAsync({ schedule, to }).then(onSuccess, onError);
    },
    [mutateAsync, offerUndo],
  );
  const copy = useCallback<MoveTo>(
    (schedule, to) => {
      const show = () => readAnew(cache, { queryKey: ["schedules"] });
      const onError = ({ message }: Error) => say((toast) => toast.error(postWords.move.notCopied(message)));
      const body = replacementOf(schedule, { scheduledTime: to.toISOString() });
      const onSuccess = (copied: ApiSchedule) => {
        const undo = () => callApi<void>(schedulePathOf(copied), { method: "DELETE" }).catch(onError).finally(show);
        offerUndo(postWords.move.copied(dateAndTime(to)), undo);
      };
      callApi<ApiSchedule>("/v1/posts", { method: "POST", body }).then(onSuccess, onError).finally(show);
    },
    [cache, offerUndo],
  );
  return { move, copy };
}
