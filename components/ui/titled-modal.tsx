"use client";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Modal } from "./modal";

type Props = {
  title: string;
  close: () => void;
  children: ReactNode;
  className?: string;
  /** A selector of the element that gets the focus after closing if the opening element is gone. */
  otherwise?: string;
  /** Opened without a press: the title gets the focus, so that a stray key triggers nothing. */
  comesByItself?: boolean;
};

/** A modal dialog with a title. */
export function TitledModal({
  title,
  close,
  children,
  className = "w-[min(40rem,calc(100vw-2rem))]",
  otherwise,
  comesByItself = false,
}: Props) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (comesByItself) heading.current?.focus();
  }, [comesByItself]);
  const goOn = () =>
    setTimeout(() => {
      const isLost = document.activeElement === document.body;
      if (isLost && otherwise) document.querySelector<HTMLElement>(otherwise)?.focus();
    });
  return (
    <Modal
      titleId={titleId}
      close={close}
      onClosed={goOn}
      className={`m-auto max-h-[calc(100dvh-2rem)] overflow-y-auto ${className}`}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles no keys, it only keeps them from a surrounding form */}
      <div onKeyDown={keepIn} className="grid gap-4 p-4 sm:p-6">
        <h2
          id={titleId}
          ref={heading}
          tabIndex={comesByItself ? -1 : undefined}
          className="wrap-anywhere font-semibold text-lg"
        >
          {title}
        </h2>
        {children}
      </div>
    </Modal>
  );
}

/** Keeps key events from a form that surrounds the dialog in React's tree. */
function keepIn(event: KeyboardEvent) {
  event.stopPropagation();
}
