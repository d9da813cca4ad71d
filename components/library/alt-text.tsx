"use client";
import { useId } from "react";
import { uiWords } from "../ui/words";
import { useAltText } from "./use-alt-text";

const MOST = 4086;

type Props = {
  /** The file's storage key. */
  path: string;
  name: string;
  id?: string;
  /** Renders the length of the text, if there is a limit. */
  count?: (text: string) => React.ReactNode;
};

/** The alt text field of a file, saved automatically. */
export function AltText({ path, name, id, count }: Props) {
  const ownId = useId();
  const { text, state, change, flush } = useAltText(path);
  return (
    <div className="grid gap-1 text-xs">
      <label htmlFor={id ?? ownId} className="font-medium">
        {uiWords.altText.label}
        <span className="sr-only">{uiWords.altText.ofFile(name)}</span>
      </label>
      <textarea
        id={id ?? ownId}
        rows={2}
        maxLength={MOST}
        value={text}
        placeholder={uiWords.altText.placeholder}
        onChange={(event) => change(event.target.value)}
        onBlur={flush}
        className="w-full rounded-md border border-edge bg-surface px-2 py-1 text-sm"
      />
      <p className="flex flex-wrap justify-between gap-x-2">
        <span role="status" className={state === "failed" ? "text-wrong" : "text-muted"}>
          {uiWords.altText.states[state]}
        </span>
        {count?.(text)}
      </p>
    </div>
  );
}
