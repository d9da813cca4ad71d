"use client";
import { useId } from "react";
import { shellWords } from "../shell/words";
import { X } from "../ui/icons";
import { KeyCaps } from "./key-caps";
import { setSingleKeys, useSingleKeys } from "./keys";
import { paletteWords } from "./words";

/** `mod` is Ctrl, or ⌘ on Apple keyboards. */
type Combination = readonly string[];
type Line = { keys: readonly Combination[]; does: string };

/** All keyboard shortcuts. */
export const everyKey: readonly { where: string; lines: readonly Line[] }[] = [
  {
    where: paletteWords.keyList.everywhere,
    lines: [
      { keys: [["mod", "K"]], does: paletteWords.keyList.open },
      { keys: [["N"]], does: shellWords.newPost },
      { keys: [["G", "H"]], does: shellWords.home },
      { keys: [["?"]], does: paletteWords.keyList.list },
      { keys: [[paletteWords.keyList.esc]], does: paletteWords.keyList.leave },
    ],
  },
  {
    where: paletteWords.keyList.calendar,
    lines: [
      { keys: [["T"]], does: paletteWords.keyList.today },
      { keys: [["1"], ["2"], ["3"], ["4"]], does: paletteWords.keyList.views },
      { keys: [["←"], ["→"], ["↑"], ["↓"]], does: paletteWords.keyList.days },
      { keys: [["M"]], does: paletteWords.keyList.move },
      { keys: [["mod", "Z"]], does: paletteWords.keyList.undo },
    ],
  },
  {
    where: paletteWords.keyList.posts,
    lines: [
      { keys: [["/"]], does: paletteWords.keyList.searchPosts },
      { keys: [["J"], ["K"]], does: paletteWords.keyList.rows },
      { keys: [["X"], [paletteWords.keyList.shift, "X"]], does: paletteWords.keyList.select },
      { keys: [["E"]], does: paletteWords.keyList.edit },
    ],
  },
  {
    where: paletteWords.keyList.writing,
    lines: [
      { keys: [["mod", paletteWords.keyList.enter]], does: paletteWords.keyList.send },
      { keys: [["mod", paletteWords.keyList.shift, paletteWords.keyList.enter]], does: paletteWords.keyList.sendNow },
      { keys: [["mod", paletteWords.keyList.shift, "P"]], does: paletteWords.keyList.pickTime },
      { keys: [[shellWords.palette.alt, "1–9"]], does: paletteWords.keyList.versions },
      { keys: [[shellWords.palette.alt, paletteWords.keyList.enter]], does: paletteWords.keyList.addPart },
      {
        keys: [
          [shellWords.palette.alt, "↑"],
          [shellWords.palette.alt, "↓"],
        ],
        does: paletteWords.keyList.movePart,
      },
    ],
  },
];

/** The list of shortcuts, with a switch for single-key shortcuts. */
export function KeyList({ titleId, close }: { titleId: string; close: () => void }) {
  const areOn = useSingleKeys();
  const hintId = useId();
  return (
    <div className="grid gap-6 overflow-y-auto p-6">
      <div className="flex items-start justify-between gap-4">
        <h2 id={titleId} className="font-semibold text-lg">
          {paletteWords.keyList.title}
        </h2>
        <CloseButton close={close} autoFocus />
      </div>
      {everyKey.map(({ where, lines }) => (
        <section key={where} aria-label={where} className="grid gap-2">
          <h3 className="font-semibold text-muted text-sm">{where}</h3>
          <dl className="grid gap-1">
            {lines.map(({ keys, does }) => (
              <div key={does} className="flex items-center justify-between gap-4">
                <dt>{does}</dt>
                <dd className="flex shrink-0 gap-3">
                  {keys.map((together) => (
                    <span key={together.join()}>
                      <KeyCaps keys={together} />
                      <span className="sr-only">{together.map(spoken).join(" ")}</span>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="border-line border-t pt-4">
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={areOn}
            onChange={(event) => setSingleKeys(event.target.checked)}
            aria-describedby={hintId}
            className="size-5 accent-accent"
          />
          {paletteWords.keyList.singleKeys}
        </label>
        <p id={hintId} className="text-muted text-sm">
          {paletteWords.keyList.singleKeysHint}
        </p>
      </div>
    </div>
  );
}

const names: { [key: string]: string } = {
  mod: paletteWords.keyList.ctrlSpoken,
  [paletteWords.keyList.esc]: paletteWords.keyList.escSpoken,
  "?": paletteWords.keyList.questionMark,
  "/": paletteWords.keyList.slash,
  "←": paletteWords.keyList.left,
  "→": paletteWords.keyList.right,
  "↑": paletteWords.keyList.up,
  "↓": paletteWords.keyList.down,
};

/** A key's spoken name. */
function spoken(key: string): string {
  return names[key] ?? key;
}

type CloseProps = { close: () => void; autoFocus?: boolean };

/** A button that closes like Escape, for touch. */
export function CloseButton({ close, autoFocus }: CloseProps) {
  return (
    <button
      type="button"
      onClick={close}
      // biome-ignore lint/a11y/noAutofocus: the list replaces the commands, whose field had the focus
      autoFocus={autoFocus}
      className="-m-2 inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
    >
      <X aria-hidden className="size-5" />
      <span className="sr-only">{paletteWords.keyList.close}</span>
    </button>
  );
}
