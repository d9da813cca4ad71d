"use client";
import { useCallback } from "react";
import { serverNow } from "../api/client";
import { useMoveSchedule } from "../api/move-schedule";
import type { ApiSchedule } from "../api/types";
import { dateAndTime } from "../time/format";
import { say } from "../ui/toast";
import { useUndo } from "./use-undo";
import { postWords } from "./words";

export type MoveTo = (schedule: ApiSchedule, to: Date) => void;

/** Moves schedules at once, with a notice and undo. */
export function useMoves(): MoveTo {
  const { mutateAsync } = useMoveSchedule();
  const offerUndo = useUndo();
  return useCallback<MoveTo>(
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
}
