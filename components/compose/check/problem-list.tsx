"use client";
import { handleOf } from "../../accounts/names";
import { NetworkBadge } from "../../networks/badge";
import { Button } from "../../ui/button";
import { SpriteIcon } from "../../ui/icons";
import { composeWords } from "../words";
import type { ProblemFix } from "./fixes";
import { type ComposeProblem, targetName } from "./problems";

type Props = {
  problems: ComposeProblem[];
  /** What the problems prevent: `scheduled`. */
  done: string;
  isFresh: boolean;
  applyFix: (fix: Exclude<ProblemFix, { goTo: string }>) => void;
  /** Moves the focus to a field, which may belong to another account. */
  goToField: (field: string, accountKey: string | undefined) => void;
};

const PROBLEMS_ID = "problems";

/** Moves the focus to the first problem's first button. */
export function goToProblems(): void {
  const list = document.getElementById(PROBLEMS_ID);
  (list?.querySelector("button") ?? list)?.focus();
}

/** All problems, a line for each with buttons that fix it or leave its account out. */
export function ProblemList({ problems, done, isFresh, applyFix, goToField }: Props) {
  return (
    <div aria-live="polite">
      {problems.length > 0 && (
        <section
          id={PROBLEMS_ID}
          aria-labelledby="problems-title"
          tabIndex={-1}
          className="overflow-hidden rounded-xl border border-wrong/40 bg-surface text-sm"
        >
          <h2
            id="problems-title"
            className="flex items-center gap-2 bg-wrong-soft px-3.5 py-2 font-semibold text-wrong"
          >
            <SpriteIcon name="circle-alert" className="size-4 shrink-0" />
            {composeWords.issuesToFix(problems.length, done)}
          </h2>
          <ul>
            {problems.map(({ id, text, target, fixes }) => (
              <li
                key={id}
                className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-wrong/25 border-t px-3.5 py-1.5"
              >
                {target && (
                  <span title={targetName(target)}>
                    <NetworkBadge platform={target.account.platform} className="size-5" />
                    <span className="sr-only">{targetName(target)}: </span>
                  </span>
                )}
                <p className="min-w-40 flex-1 py-1.5">
                  {text}
                  {target && problems.some((other) => isSameElsewhere(other.target, target)) && (
                    <span className="text-muted"> {handleOf(target.account)}</span>
                  )}
                </p>
                <div className="flex flex-wrap gap-1.5 empty:hidden md:justify-end">
                  {fixes.map((fix) => (
                    <FixButton
                      key={fix.label}
                      fix={fix}
                      isFresh={isFresh}
                      press={() => ("goTo" in fix ? goToField(fix.goTo, target?.key) : applyFix(fix))}
                    />
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Whether it is another account of the same network, so that the mark alone does not tell which. */
function isSameElsewhere(other: ComposeProblem["target"], { key, network }: NonNullable<ComposeProblem["target"]>) {
  return other !== undefined && other.key !== key && other.network.platform === network.platform;
}

/** A fix is disabled while its problem belongs to an older text. */
function FixButton({ fix, isFresh, press }: { fix: ProblemFix; isFresh: boolean; press: () => void }) {
  const isOff = !("goTo" in fix) && !isFresh;
  return (
    <button
      type="button"
      aria-disabled={isOff}
      onClick={() => isOff || press()}
      className="inline-flex min-h-9 items-center rounded-lg border border-edge px-3 text-left font-semibold hover:bg-sunk aria-disabled:opacity-60 max-md:min-h-11"
    >
      {fix.label}
    </button>
  );
}

type SubmitButtonProps = { label: string; isSending: boolean };

/** The one button. It leads to the first issue as long as there is one. */
export function SubmitButton({ label, isSending }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      aria-disabled={isSending}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      title={composeWords.sendKeys}
      className="px-6! max-sm:w-full sm:ml-auto"
    >
      {isSending ? composeWords.sending : label}
    </Button>
  );
}
