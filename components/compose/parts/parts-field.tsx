"use client";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useReducer, useRef } from "react";
import { Button } from "../../ui/button";
import { ArrowUp, Plus, X } from "../../ui/icons";
import { partFieldId } from "../check/fixes";
import type { Part } from "../draft/draft";
import { IconButton } from "../icon-button";
import { composeWords } from "../words";
import { withoutPart, withPartAfter, withPartMoved } from "./parts";

type Props = {
  parts: Part[];
  /** The account, if the texts are not the common ones. */
  accountKey?: string;
  /** The label of a single part. */
  label: string;
  placeholder?: string;
  rows: number;
  /** The latest parts, with keys that the rest of the page does not show yet. */
  now: () => Part[];
  /** @param isTyped whether the text field shows the change itself */
  change: (parts: Part[], isTyped?: boolean) => void;
  /** Called when a part is removed, with the part that takes over its files. */
  onRemoved?: (from: string, heir: string) => void;
  onEnter?: (partId: string) => void;
  announce: (text: string) => void;
  /** Rendered below a part. */
  below?: (part: Part, index: number) => ReactNode;
};

/** A text or the parts of a thread, which can be added, removed and reordered with buttons or Alt shortcuts. */
export function PartsField({
  parts,
  accountKey,
  label,
  placeholder,
  rows,
  now,
  change,
  onRemoved,
  onEnter,
  announce,
  below,
}: Props) {
  const next = useRef<string>(undefined);
  const idOf = (part: Pick<Part, "id">) => partFieldId(accountKey, part.id);
  useEffect(() => {
    if (!next.current) return;
    document.getElementById(next.current)?.focus();
    next.current = undefined;
  });

  function add(after: string) {
    const { parts: more, added } = withPartAfter(now(), after);
    next.current = idOf(added);
    change(more);
    announce(composeWords.partAdded(more.indexOf(added) + 1, more.length));
  }
  function remove(id: string) {
    const before = now();
    const { parts: fewer, heir } = withoutPart(before, id);
    if (fewer === before || !heir) return;
    next.current = idOf(heir);
    onRemoved?.(id, heir.id);
    change(fewer);
    announce(composeWords.partRemoved(fewer.length));
  }
  function move(part: Part, by: -1 | 1) {
    const before = now();
    const moved = withPartMoved(before, part.id, by);
    if (moved === before) return;
    next.current = document.activeElement?.id || idOf(part);
    change(moved);
    announce(composeWords.partMoved(moved.findIndex(({ id }) => id === part.id) + 1, moved.length));
  }
  function onKey(event: KeyboardEvent, part: Part) {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter") add(part.id);
    else if (event.key === "ArrowUp") move(part, -1);
    else if (event.key === "ArrowDown") move(part, 1);
    else return;
    event.preventDefault();
  }

  const isThread = parts.length > 1;
  return (
    <div className="grid gap-2">
      {parts.map((part, index) => {
        const name = isThread ? composeWords.part(index + 1) : label;
        return (
          <div key={part.id} className="grid gap-1">
            <div className={isThread ? "flex min-h-9 items-center justify-between gap-2 px-3.5" : "sr-only"}>
              <label htmlFor={idOf(part)} className="font-semibold text-sm">
                {name}
              </label>
              {isThread && (
                <span className="flex gap-1">
                  <IconButton
                    id={`${idOf(part)}-up`}
                    label={composeWords.movePartUp(index + 1)}
                    isOff={index === 0}
                    onClick={() => move(part, -1)}
                  >
                    <ArrowUp aria-hidden className="size-4" />
                  </IconButton>
                  <IconButton
                    id={`${idOf(part)}-down`}
                    label={composeWords.movePartDown(index + 1)}
                    isOff={index === parts.length - 1}
                    onClick={() => move(part, 1)}
                  >
                    <ArrowUp aria-hidden className="size-4 rotate-180" />
                  </IconButton>
                  <IconButton label={composeWords.removePart(index + 1)} onClick={() => remove(part.id)}>
                    <X aria-hidden className="size-4" />
                  </IconButton>
                </span>
              )}
            </div>
            <PartText
              id={idOf(part)}
              rows={isThread ? Math.min(rows, 4) : rows}
              placeholder={index === 0 ? placeholder : undefined}
              read={() => now().find(({ id }) => id === part.id)?.text}
              write={(text) =>
                change(
                  now().map((one) => (one.id === part.id ? { ...one, text } : one)),
                  true,
                )
              }
              onFocus={() => onEnter?.(part.id)}
              onKeyDown={(event) => onKey(event, part)}
              className={`field-sizing-content max-h-96 w-full resize-none bg-transparent px-3.5 py-2.5 text-[1.0625rem] leading-normal ${isThread ? "-outline-offset-3!" : "outline-none!"}`}
              style={{ minHeight: `${(isThread ? Math.min(rows, 3) : rows) * 1.5 + 1.5}rem` }}
            />
            {below?.(part, index)}
          </div>
        );
      })}
      <Button
        look="bare"
        className="mx-1.5 min-h-9! justify-self-start px-2! py-1! text-muted text-sm"
        onClick={() => add(parts.at(-1)?.id ?? "")}
      >
        <Plus aria-hidden className="size-4" /> {isThread ? composeWords.addPart : composeWords.makeThread}
      </Button>
    </div>
  );
}

type PartTextProps = ComponentProps<"textarea"> & { read: () => string | undefined; write: (text: string) => void };

/** A text field that shows a key at once. The rest of the page, which depends on the text, is drawn after the key's frame. */
function PartText({ read, write, ...others }: PartTextProps) {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  return (
    <textarea
      {...others}
      value={read() ?? ""}
      onChange={({ target }) => {
        write(target.value);
        draw();
      }}
    />
  );
}
