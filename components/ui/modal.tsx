"use client";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

type Props = {
  title: string;
  close: () => void;
  children: ReactNode;
  className?: string;
  /** Where the keyboard goes on when what opened it is gone with it: a selector. */
  otherwise?: string;
};

/**
 * Over the page, by the browser's own means: it keeps the keyboard inside, closes on Escape and leads back to where the
 * keyboard was.
 */
export function Modal({ title, close, children, className = "w-[min(40rem,calc(100vw-2rem))]", otherwise }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      setTimeout(() => {
        const isLost = document.activeElement === document.body;
        if (isLost && otherwise) document.querySelector<HTMLElement>(otherwise)?.focus();
      });
    };
  }, [otherwise]);
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault(); // it goes when whoever opened it says so
        close();
      }}
      onClose={() => dialog.current?.open || close()} // a browser closes it in the end whatever is asked of it
      onKeyDown={keepIn}
      onClick={(event) => isBehind(event) && close()}
      className={`m-auto max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-2xl border border-line bg-surface p-0 text-ink shadow-xl backdrop:bg-black/50 ${className}`}
    >
      <div className="grid gap-4 p-4 sm:p-6">
        <h2 id={titleId} className="wrap-anywhere font-semibold text-lg">
          {title}
        </h2>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}

/** A form around it in React's tree would take its keys for its own. */
function keepIn(event: KeyboardEvent) {
  event.stopPropagation();
}

/** Its inside covers all of it, so that only what lies behind is pressed as the dialog itself. */
function isBehind({ target, currentTarget }: MouseEvent): boolean {
  return target === currentTarget;
}
