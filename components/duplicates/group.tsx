import { useEffect, useId, useRef } from "react";
import type { ApiSchedule } from "../api/types";
import { stateOf } from "../posts/facts";
import { Status } from "../posts/status";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { type Choice, keep, keptOf, mergeInputFor, tick } from "./choice";
import type { Plan } from "./queries";
import { lossWords, mergeProblemWords, nameOfGroup, planWords, whensOf } from "./summary";
import { duplicateWords } from "./words";

type Props = {
  group: ApiSchedule[];
  /** How many more near-duplicates there are. */
  more: number | undefined;
  choice: Choice;
  plan: Plan | undefined;
  nameOf: (accountId: number) => string;
  nowMs: number;
  isBusy: boolean;
  change: (choice: Choice) => void;
  merge: () => void;
};

/** A group of near-duplicates: which to merge, which to keep, and a preview of the result. */
export function DuplicateGroupCard({ group, more, choice, plan, nameOf, nowMs, isBusy, change, merge }: Props) {
  const title = useId();
  const ticked = group.filter(({ id }) => choice.ticked.has(id));
  const kept = keptOf(choice, group);
  const whens = whensOf(group);
  return (
    <Card>
      <section aria-label={nameOfGroup(group).slice(0, 80)} className="grid gap-4">
        <h2 className="wrap-anywhere line-clamp-3 whitespace-pre-line font-medium">{nameOfGroup(group)}</h2>
        <TickAll
          isOn={ticked.length === group.length}
          isPartly={ticked.length > 0 && ticked.length < group.length}
          label={duplicateWords.allPosts(group.length)}
          onChange={(isOn) =>
            change(
              tick(
                choice,
                group.map(({ id }) => id),
                isOn,
              ),
            )
          }
        />
        <ul className="divide-y divide-line border-line border-y">
          {group.map((schedule, index) => (
            <Row
              key={schedule.id}
              schedule={schedule}
              when={whens[index] ?? ""}
              nameOf={nameOf}
              nowMs={nowMs}
              isTicked={choice.ticked.has(schedule.id)}
              isKept={schedule.id === kept}
              radio={title}
              onTick={(isOn) => change(tick(choice, [schedule.id], isOn))}
              onKeep={() => change(keep(choice, schedule.id, group))}
            />
          ))}
        </ul>
        {more !== undefined && <p className="text-muted text-sm">{duplicateWords.moreAlike(more, group.length)}</p>}
        {ticked.length === 1 && <p className="text-muted text-sm">{duplicateWords.tickAnother}</p>}
        {mergeInputFor(choice, group) && (
          <Planned plan={plan} known={{ group, nameOf }} count={ticked.length} isBusy={isBusy} merge={merge} />
        )}
      </section>
    </Card>
  );
}

type RowProps = {
  schedule: ApiSchedule;
  when: string;
  nameOf: (accountId: number) => string;
  nowMs: number;
  isTicked: boolean;
  isKept: boolean;
  radio: string;
  onTick: (isOn: boolean) => void;
  onKeep: () => void;
};

function Row({ schedule, when, nameOf, nowMs, isTicked, isKept, radio, onTick, onKeep }: RowProps) {
  const names = schedule.publications.map((one) => nameOf(one.socialMediaAccountId));
  return (
    <li className="flex flex-wrap items-center gap-x-4 py-2">
      <label className="flex min-h-11 min-w-0 flex-1 basis-64 cursor-pointer items-start gap-3 py-2">
        <input
          type="checkbox"
          checked={isTicked}
          onChange={({ target }) => onTick(target.checked)}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        <span className="grid min-w-0 justify-items-start gap-1">
          <span className="font-medium">{when}</span>
          <span className="wrap-anywhere text-muted text-sm">{[...new Set(names)].join(", ")}</span>
          <Status of={stateOf(schedule, nowMs)} />
        </span>
      </label>
      <span className="flex items-center gap-4 pl-8 sm:pl-0">
        <label className="flex min-h-11 cursor-pointer items-center gap-2">
          <input type="radio" name={radio} checked={isKept} onChange={onKeep} className="size-5 accent-accent" />
          {duplicateWords.stays}
          <span className="sr-only">: {when}</span>
        </label>
        <Link href={`/posts/${schedule.id}`} className="inline-flex min-h-11 items-center text-accent underline">
          {duplicateWords.seeIt}
          <span className="sr-only"> ({when})</span>
        </Link>
      </span>
    </li>
  );
}

type TickAllProps = { label: string; isOn: boolean; isPartly: boolean; onChange: (isOn: boolean) => void };

/** A checkbox for several items, indeterminate if only some are ticked. */
export function TickAll({ label, isOn, isPartly, onChange }: TickAllProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 justify-self-start">
      <input
        ref={box}
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        className="size-5 shrink-0 accent-accent"
      />
      {label}
    </label>
  );
}

type PlannedProps = {
  plan: Plan | undefined;
  known: Parameters<typeof planWords>[1];
  count: number;
  isBusy: boolean;
  merge: () => void;
};

function Planned({ plan, known, count, isBusy, merge }: PlannedProps) {
  const why = useId();
  const report = plan?.report;
  const obstacles = plan?.error ? [plan.error.message] : report ? mergeProblemWords(report, known) : [];
  const isOff = isBusy || !report || obstacles.length > 0;
  return (
    <div className="grid gap-3">
      <div id={why} className="grid gap-3">
        <div role="status" className="empty:-mb-3 grid gap-1">
          {!report && !plan?.error && <p className="text-muted">{duplicateWords.lookingAhead}</p>}
          {report && obstacles.length === 0 && planWords(report, known).map((line) => <p key={line}>{line}</p>)}
        </div>
        {report && obstacles.length === 0 && lossWords(report, known).map((line) => said("warn", line))}
        {obstacles.map((line) => said("wrong", line))}
      </div>
      <Button
        className="justify-self-start"
        aria-disabled={isOff}
        aria-describedby={why}
        onClick={() => isOff || merge()}
      >
        {isBusy ? duplicateWords.merging : duplicateWords.merge(count)}
      </Button>
    </div>
  );
}

function said(tone: "warn" | "wrong", line: string) {
  return (
    <Notice key={line} tone={tone}>
      {line}
    </Notice>
  );
}
