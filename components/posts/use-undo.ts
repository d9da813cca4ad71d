"use client";
import { useCallback, useEffect, useRef } from "react";
import { say } from "../ui/toast";
import { uiWords } from "../ui/words";

/** How long an action can be undone. */
const UNDO_MS = 10_000;

/** @param says the notice @param undo reverts the action */
export type OfferUndo = (says: string, undo: () => void) => void;

/** Shows a notice with undo for ten seconds (also Ctrl or ⌘ Z); a later offer takes over the shortcut. */
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
      const isTheirs = isWriting(event.target) && !(event.target instanceof HTMLSelectElement); // which has no undo history
      if (!isUndo || !latest.current || isTheirs) return;
      event.preventDefault();
      latest.current();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return offer;
}

/** Whether an event's target is a field, or in an open dialog or menu, which have keys of their own. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      "input, textarea, select, [contenteditable], dialog, [role=dialog], [role=alertdialog], [role=menu]",
    ) !== null
  );
}
