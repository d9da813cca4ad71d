"use client";
import { useCallback, useEffect, useRef } from "react";
import { say } from "../ui/toast";
import { uiWords } from "../ui/words";

/** How long something can be taken back by one key or one button. */
const UNDO_MS = 10_000;

/** @param says what was done @param undo what takes it back */
export type OfferUndo = (says: string, undo: () => void) => void;

/** Says that something was done, with a way back for ten seconds (also Ctrl or ⌘ Z); a later offer takes the key from an earlier one. */
export function useUndo(): OfferUndo {
  const latest = useRef<() => void>(undefined);

  const offer = useCallback<OfferUndo>((says, undo) => {
    const id = `undo ${performance.now()}`;
    const forget = () => {
      if (latest.current === back) latest.current = undefined;
    };
    const back = () => {
      forget();
      say((toast) => toast.dismiss(id));
      undo();
    };
    latest.current = back;
    const action = { label: uiWords.undo, onClick: back };
    say((toast) => toast.success(says, { id, duration: UNDO_MS, action, onAutoClose: forget, onDismiss: forget }));
  }, []);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
      const isTheirs = isWriting(event.target) && !(event.target instanceof HTMLSelectElement); // which has no undo of its own
      if (!isUndo || !latest.current || isTheirs) return;
      event.preventDefault();
      latest.current();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return offer;
}

/** Whether a key belongs to a field or to an open dialog rather than to the page. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable], dialog, [role=dialog], [role=alertdialog]") !== null
  );
}
