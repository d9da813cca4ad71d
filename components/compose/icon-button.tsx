import type { ReactNode } from "react";

type Props = {
  label: string;
  id?: string;
  isOff?: boolean;
  /** Whether what it opens is open; absent if it opens nothing. */
  isOpen?: boolean;
  onClick: () => void;
  children: ReactNode;
};

/** A small icon button. When disabled it stays focusable, so that the focus is not lost at the end of a list. */
export function IconButton({ label, id, isOff = false, isOpen, onClick, children }: Props) {
  return (
    <button
      id={id}
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      aria-expanded={isOpen}
      onClick={() => isOff || onClick()}
      className="inline-flex size-9 items-center justify-center rounded-md hover:bg-sunk aria-disabled:cursor-default aria-disabled:text-muted aria-disabled:opacity-50"
    >
      {children}
    </button>
  );
}
