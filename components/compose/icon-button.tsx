import type { ReactNode } from "react";

type Props = { label: string; id?: string; isOff?: boolean; onClick: () => void; children: ReactNode };

/** A small button with a sign. Off it stays reachable, so that the cursor is not lost where a row of moves ends. */
export function IconButton({ label, id, isOff = false, onClick, children }: Props) {
  return (
    <button
      id={id}
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={() => isOff || onClick()}
      className="inline-flex size-9 items-center justify-center rounded-md border border-line hover:bg-sunk aria-disabled:cursor-default aria-disabled:text-muted aria-disabled:opacity-50"
    >
      {children}
    </button>
  );
}
