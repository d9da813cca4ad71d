import { Button } from "../ui/button";
import type { Obstacle } from "./obstacles";

type Props = { obstacles: Obstacle[]; label: string; isSending: boolean; drop: (accountId: number) => void };

/** The button, and while it is off every reason for it with the ways out: mend it, or leave that account out. */
export function SubmitBar({ obstacles, label, isSending, drop }: Props) {
  const isOff = obstacles.length > 0 || isSending;
  return (
    <div className="grid gap-3">
      <Button
        type="submit"
        aria-disabled={isOff}
        aria-describedby={obstacles.length > 0 ? "obstacles" : undefined}
        className="w-full sm:w-auto sm:justify-self-start sm:px-8"
      >
        {isSending ? "Sending…" : label}
      </Button>
      <div id="obstacles" aria-live="polite" className="text-sm">
        {obstacles.length > 0 && (
          <ul className="grid gap-1.5">
            {obstacles.map(({ text, accountId }) => (
              <li key={text} className="flex flex-wrap items-baseline gap-x-3">
                <span className="text-muted">{text}</span>
                {accountId !== undefined && (
                  <button type="button" onClick={() => drop(accountId)} className="min-h-8 text-accent underline">
                    Leave this account out
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
