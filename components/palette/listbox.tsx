"use client";
import { type ReactNode, useEffect, useRef } from "react";
import { KeyCaps } from "./key-caps";
import { paletteWords } from "./words";

type Props = {
  id: string;
  groups: OptionGroup[];
  /** The index of the marked option. */
  at: number;
  mark: (at: number) => void;
};

/** An option's element ID, for `aria-activedescendant`. */
export function optionId(listId: string, at: number): string {
  return `${listId}-${at}`;
}

/** Grouped options; the focus stays in the field above (WAI-ARIA, "Combobox"). */
export function Listbox({ id, groups, at, mark }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at === 0) list.current?.scrollTo({ top: 0 });
    else document.getElementById(optionId(id, at))?.scrollIntoView({ block: "nearest" });
  }, [id, at]);
  let next = 0;
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={paletteWords.list}
      className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain"
    >
      {groups.map(({ heading, options }, group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
        <div key={heading} role="group" aria-labelledby={`${id}-group-${group}`} className="p-2">
          <div id={`${id}-group-${group}`} aria-hidden className="px-3 py-1.5 font-semibold text-muted text-sm">
            {heading}
          </div>
          {options.map((option) => {
            const here = next++;
            return (
              <Line
                key={option.id}
                id={optionId(id, here)}
                option={option}
                isMarked={here === at}
                mark={() => here !== at && mark(here)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

type LineProps = { id: string; option: Option; isMarked: boolean; mark: () => void };

function Line({ id, option: { sign, label, note, hint, run }, isMarked, mark }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      aria-keyshortcuts={hint && !hint.where ? hint.key : undefined}
      onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
      onPointerMove={mark}
      onClick={run}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 outline-accent -outline-offset-2 aria-selected:bg-accent-soft aria-selected:outline-2"
    >
      {sign}
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{label}</span>
        {note && <span className="truncate text-muted text-sm">{note}</span>}
      </span>
      {hint && (
        <span className="hidden shrink-0 items-center gap-2 md:flex">
          {hint.where && <span className="text-muted text-xs">{hint.where}</span>}
          <KeyCaps keys={[hint.key.toUpperCase()]} />
        </span>
      )}
    </div>
  );
}

/** One option. */
export type Option = {
  /** Unique among all options. */
  id: string;
  sign: ReactNode;
  label: string;
  note?: string;
  /** Its single-key shortcut, and where it works. */
  hint?: { key: string; where?: string };
  run: () => void;
};

/** Options under a heading. */
export type OptionGroup = { heading: string; options: Option[] };
