"use client";
import { type KeyboardEvent, memo } from "react";
import type { UseFormReturn } from "react-hook-form";
import { NetworkBadge } from "../../networks/badge";
import { type ComposeProblem, targetName } from "../check/problems";
import type { Draft } from "../draft/draft";
import { composeWords } from "../words";
import { TargetCard } from "./target-card";
import type { Target } from "./targets";

type Props = {
  targets: Target[];
  /** The selected account; the first if it is not among the targets. */
  at: string | undefined;
  look: (accountKey: string) => void;
  form: UseFormReturn<Draft>;
  problems: { [accountKey: string]: ComposeProblem[] | undefined };
  announce: (text: string) => void;
};

const NONE: ComposeProblem[] = [];
const PANEL = "target-panel";
const tabId = (key: string) => `tab-${key}`;

/**
 * What each account will get, one tab per account. A tab shows its number of problems and whether it has its own
 * text.
 */
export const TargetTabs = memo(function TargetTabs({ targets, at, look, form, problems, announce }: Props) {
  const active = targets.find(({ key }) => key === at) ?? targets[0];
  if (!active) {
    return (
      <p className="rounded-2xl border border-line border-dashed p-5 text-muted text-sm">
        {composeWords.chooseAccount}
      </p>
    );
  }
  function onKey(event: KeyboardEvent) {
    const index = targets.findIndex(({ key }) => key === active?.key);
    const last = targets.length - 1;
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: last }[event.key];
    const next = to === undefined ? undefined : targets[to > last ? 0 : to < 0 ? last : to];
    if (!next) return;
    event.preventDefault();
    look(next.key);
    document.getElementById(tabId(next.key))?.focus();
  }
  return (
    <>
      {targets.length > 1 && (
        <div role="tablist" aria-label={composeWords.accounts} className="flex flex-wrap gap-2">
          {targets.map((target) => (
            <Tab
              key={target.key}
              target={target}
              isActive={target === active}
              wrong={(problems[target.key] ?? NONE).filter(({ isWarning }) => !isWarning).length}
              onClick={() => look(target.key)}
              onKeyDown={onKey}
            />
          ))}
        </div>
      )}
      <div
        id={PANEL}
        {...(targets.length > 1 && { role: "tabpanel", "aria-labelledby": tabId(active.key) })}
        className="min-w-0"
      >
        <TargetCard
          key={active.key}
          target={active}
          form={form}
          problems={problems[active.key] ?? NONE}
          announce={announce}
        />
      </div>
    </>
  );
});

type TabProps = {
  target: Target;
  isActive: boolean;
  wrong: number;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function Tab({ target, isActive, wrong, onClick, onKeyDown }: TabProps) {
  const marks = [wrong > 0 && composeWords.inTheWay(wrong), target.isOwnText && composeWords.withOwnText].filter(
    Boolean,
  );
  return (
    <button
      id={tabId(target.key)}
      type="button"
      role="tab"
      aria-selected={isActive}
      aria-controls={PANEL}
      tabIndex={isActive ? 0 : -1}
      title={targetName(target)}
      onClick={onClick}
      onKeyDown={onKeyDown}
      className="relative flex size-11 items-center justify-center rounded-xl border border-edge bg-surface aria-selected:border-2 aria-selected:border-accent aria-selected:bg-accent-soft"
    >
      <NetworkBadge platform={target.account.platform} className="size-7" />
      <span className="sr-only">{[targetName(target), ...marks].join(", ")}</span>
      {wrong > 0 && (
        <span
          aria-hidden
          className="-top-1.5 -right-1.5 absolute flex size-5 items-center justify-center rounded-full border border-surface bg-wrong font-bold text-surface text-xs"
        >
          {wrong}
        </span>
      )}
      {target.isOwnText && (
        <span aria-hidden className="-right-1 -bottom-1 absolute size-3 rounded-full border-2 border-surface bg-busy" />
      )}
    </button>
  );
}
