"use client";
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

type Props = {
  /** The id of what names it. */
  titleId: string;
  /** Asked for by Escape and by a press beside it. */
  close: () => void;
  /** After the keyboard is back where it was. */
  onClosed?: () => void;
  className: string;
  children: ReactNode;
};

/**
 * A window over the page for as long as it is drawn. It is the browser's own: what is beneath cannot be reached meanwhile, and
 * afterwards the keyboard is where it was, the page unmoved and a field's selection kept.
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: for keys there is Escape
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault(); // it goes when whoever opened it says so
        close();
      }}
      onClose={() => {
        if (dialog.current?.open) return;
        close(); // a browser closes it in the end whatever is asked of it
        setTimeout(() => dialog.current?.open === false && dialog.current.showModal()); // kept, as while something runs
      }}
      // A press that begins inside, as when a text is selected, does not end it outside.
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

/** Notes where the keyboard is, and in a field what is selected, which browsers forget; what it answers goes back there. */
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
