"use client";
import { useCallback, useEffect, useRef } from "react";
import { toast } from "sonner";
import { serverNow } from "../api/clock";
import { useMoveSchedule } from "../api/move-schedule";
import type { Schedule } from "../api/types";
import { dateAndTime } from "../time/format";

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
        toast.error("That time is over. The post stays where it was.");
        return;
      }
      const onError = ({ message }: Error) => toast.error(`Not moved: ${message}`);
      const onSuccess = (moved: Schedule) => {
        undo.current = () => {
          undo.current = undefined;
          toast.dismiss(said);
          mutate({ schedule: moved, to: from }, { onError, onSuccess: () => toast.success("Moved back.") });
        };
        const forget = () => {
          undo.current = undefined;
        };
        const said = toast.success(`Moved to ${dateAndTime(to)}.`, {
          duration: UNDO_MS,
          action: { label: "Undo", onClick: () => undo.current?.() },
          onAutoClose: forget,
          onDismiss: forget,
        });
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
    target instanceof Element && target.closest("input, textarea, select, [contenteditable], [role=dialog]") !== null
  );
}
