"use client";
import { Button } from "../../ui/button";
import { Sentence } from "../../ui/sentence";
import { composeWords } from "../words";
import type { ProblemFix } from "./fixes";
import { type ComposeProblem, targetName } from "./problems";

type Props = {
  problems: ComposeProblem[];
  isFresh: boolean;
  applyFix: (fix: ProblemFix) => void;
  /** Moves the focus to a field, which may belong to another account. */
  goToField: (field: string, accountKey: string | undefined) => void;
};

export const PROBLEMS_ID = "problems";

/** All problems, each with buttons that fix it or leave its account out. */
export function ProblemList({ problems, isFresh, applyFix, goToField }: Props) {
  return (
    <div aria-live="polite">
      {problems.length > 0 && (
        <section
          id={PROBLEMS_ID}
          aria-labelledby="problems-title"
          tabIndex={-1}
          className="grid gap-3 rounded-xl border border-line bg-surface p-4 text-sm"
        >
          <h2 id="problems-title" className="font-semibold">
            {composeWords.thingsInTheWay(problems.length)}
          </h2>
          <ul className="grid gap-3">
            {problems.map(({ id, text, target, fixes }) => (
              <li key={id} className="grid gap-1.5 border-line border-t pt-3 first:border-t-0 first:pt-0">
                <p>
                  {target && <span className="font-medium">{targetName(target)}: </span>}
                  {text}
                </p>
                {fixes.length > 0 && (
                  <div className="flex flex-wrap gap-2">
                    {fixes.map((fix) => (
                      <FixButton
                        key={fix.label}
                        fix={fix}
                        isFresh={isFresh}
                        press={() => ("change" in fix ? applyFix(fix) : goToField(fix.goTo, target?.key))}
                      />
                    ))}
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** A fix is disabled while its problem belongs to an older text. */
function FixButton({ fix, isFresh, press }: { fix: ProblemFix; isFresh: boolean; press: () => void }) {
  const isOff = "change" in fix && !isFresh;
  return (
    <button
      type="button"
      aria-disabled={isOff}
      onClick={() => isOff || press()}
      className="inline-flex min-h-9 items-center rounded-lg border border-edge px-3 text-left font-medium hover:bg-sunk aria-disabled:opacity-60"
    >
      {fix.label}
    </button>
  );
}

type SubmitBarProps = { label: string; isSending: boolean; problems: number };

/** The submit button, with the reason while it is disabled. */
export function SubmitBar({ label, isSending, problems }: SubmitBarProps) {
  const isOff = problems > 0 || isSending;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        type="submit"
        aria-disabled={isOff}
        aria-describedby="submit-why"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        className="w-full sm:w-auto sm:px-8"
      >
        {isSending ? composeWords.sending : label}
      </Button>
      <p id="submit-why" className="text-muted text-sm">
        {problems > 0 ? (
          composeWords.offBecause(problems)
        ) : (
          <Sentence
            text={composeWords.sendKeys}
            parts={{
              ctrl: <kbd>{composeWords.ctrl}</kbd>,
              enter: <kbd>{composeWords.enter}</kbd>,
              command: <kbd>⌘</kbd>,
            }}
          />
        )}
      </p>
    </div>
  );
}
