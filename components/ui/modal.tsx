"use client";
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

type Props = {
  /** The ID of its title. */
  titleId: string;
  /** Called on Escape and on a press outside. */
  close: () => void;
  /** Called after the focus is restored. */
  onClosed?: () => void;
  className: string;
  children: ReactNode;
};

/**
 * A modal dialog that is open while it is rendered. It uses the browser's `dialog`: the page behind is inert, and
 * afterwards the focus, the scroll position and a field's selection are restored.
 */
export function Modal({ titleId, close, onClosed, className, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressBeside = useRef(false);
  const closed = useEffectEvent(() => onClosed?.());
  useLayoutEffect(() => {
    const shown = dialog.current;
    const goBack = keepPlace();
    shown?.showModal();
    return () => {
      shown?.close();
      goBack();
      closed();
    };
  }, []);
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same for the keyboard
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault(); // the parent decides when it closes
        close();
      }}
      onClose={() => {
        if (dialog.current?.open) return;
        close(); // browsers close it eventually despite `preventDefault`
        setTimeout(() => dialog.current?.open === false && dialog.current.showModal()); // kept open while something is running
      }}
      // A press that starts inside, such as selecting text, does not close it.
      onMouseDown={({ target, currentTarget }) => {
        isPressBeside.current = target === currentTarget;
      }}
      onClick={({ target, currentTarget }) => {
        if (isPressBeside.current && target === currentTarget) close();
      }}
      className={`rounded-2xl border border-line bg-surface p-0 text-ink shadow-xl backdrop:bg-black/50 ${className}`}
    >
      {children}
    </dialog>,
    document.body,
  );
}

/** Remembers the focus and the selection, which browsers forget, and returns a function that restores them. */
function keepPlace(): () => void {
  const { activeElement: at } = document;
  if (!(at instanceof HTMLElement)) return () => {};
  const field = at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement ? at : undefined;
  const [start, end, direction] = [field?.selectionStart, field?.selectionEnd, field?.selectionDirection];
  return () => {
    at.focus({ preventScroll: true });
    if (typeof start === "number" && typeof end === "number") field?.setSelectionRange(start, end, direction ?? "none");
  };
}
