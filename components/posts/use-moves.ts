"use client";
import { useCallback } from "react";
import { serverNow } from "../api/client";
import { useMoveSchedule } from "../api/move-schedule";
import type { Schedule } from "../api/types";
import { dateAndTime } from "../time/format";
import { say } from "../ui/toast";
import { useUndo } from "./use-undo";
import { postWords } from "./words";

export type MoveTo = (schedule: Schedule, to: Date) => void;

/** Moves schedules to other times: at once, with a word about it and a way back. */
export function useMoves(): MoveTo {
  const { mutateAsync } = useMoveSchedule();
  const offerUndo = useUndo();
  return useCallback<MoveTo>(
    (schedule, to) => {
      const from = schedule.scheduledTime && new Date(schedule.scheduledTime);
      if (!from || from.getTime() === to.getTime()) return;
      if (to.getTime() < serverNow()) {
        say((toast) => toast.error(postWords.move.isOver));
        return;
      }
      const onError = ({ message }: Error) => say((toast) => toast.error(postWords.move.notMoved(message)));
      const onSuccess = (moved: Schedule) =>
        offerUndo(postWords.move.moved(dateAndTime(to)), () => {
          const onSuccess = () => say((toast) => toast.success(postWords.move.movedBack));
          mutateAsync({ schedule: moved, to: from }).then(onSuccess, onError);
        });
      // Callbacks given to `mutate` are those of the latest call alone: of two moves, one would be told of.
      mutateAsync({ schedule, to }).then(onSuccess, onError);
    },
    [mutateAsync, offerUndo],
  );
}
