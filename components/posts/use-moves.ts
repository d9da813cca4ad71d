"use client";
import { useCallback, useEffect, useRef } from "react";
import { serverNow } from "../api/clock";
import { useMoveSchedule } from "../api/move-schedule";
import type { Schedule } from "../api/types";
import { dateAndTime } from "../time/format";
import { say } from "../ui/toast";

/** How long a move can be taken back by one key or one button. */
const UNDO_MS = 10_000;

export type MoveTo = (schedule: Schedule, to: Date) => void;

/** Moves schedules to other times: at once, with a word about it, and with a way back for ten seconds (also Ctrl or ⌘ Z). */
export function useMoves(): MoveTo {
  const { mutate } = useMoveSchedule();
  const undo = useRef<() => void>(undefined);

  const move = useCallback<MoveTo>(
    (schedule, to) => {
      const from = schedule.scheduledTime && new Date(schedule.scheduledTime);
      if (!from || from.getTime() === to.getTime()) return;
      if (to.getTime() < serverNow()) {
        say((toast) => toast.error("That time is over. The post stays where it was."));
        return;
      }
      const onError = ({ message }: Error) => say((toast) => toast.error(`Not moved: ${message}`));
      const onSuccess = (moved: Schedule) => {
        const id = `moved ${moved.id} ${performance.now()}`;
        undo.current = () => {
          undo.current = undefined;
          say((toast) => toast.dismiss(id));
          const onSuccess = () => say((toast) => toast.success("Moved back."));
          mutate({ schedule: moved, to: from }, { onError, onSuccess });
        };
        const forget = () => {
          undo.current = undefined;
        };
        const action = { label: "Undo", onClick: () => undo.current?.() };
        const way = { id, duration: UNDO_MS, action, onAutoClose: forget, onDismiss: forget };
        say((toast) => toast.success(`Moved to ${dateAndTime(to)}.`, way));
      };
      mutate({ schedule, to }, { onError, onSuccess });
    },
    [mutate],
  );

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
      if (!isUndo || !undo.current || isWriting(event.target)) return;
      event.preventDefault();
      undo.current();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return move;
}

/** Whether a key belongs to a field or to an open dialog rather than to the page. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable], dialog, [role=dialog], [role=alertdialog]") !== null
  );
}
