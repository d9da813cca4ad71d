"use client";
import { useId } from "react";
import { uploadWords } from "../compose/uploads/words";
import { Still } from "../previews/media";
import { Button } from "../ui/button";
import { TitledModal } from "../ui/titled-modal";
import { uiWords } from "../ui/words";
import { useAltText } from "./use-alt-text";

const MOST = 4086;

type FieldProps = {
  alt: ReturnType<typeof useAltText>;
  /** The file's name. */
  name: string;
  /** Renders the length of the text, if there is a limit. */
  count?: (text: string) => React.ReactNode;
};

type Props = Omit<FieldProps, "alt"> & {
  /** The file's storage key. */
  path: string;
};

/** The alt text field of a file, saved automatically. */
export function AltText({ path, ...shown }: Props) {
  return <AltTextField alt={useAltText(path)} {...shown} />;
}

function AltTextField({ alt: { text, state, change, flush }, name, count }: FieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1 text-xs">
      <label htmlFor={id} className="font-medium">
        {uiWords.altText.label}
        <span className="sr-only">{uiWords.altText.ofFile(name)}</span>
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={MOST}
        value={text}
        placeholder={uiWords.altText.placeholder}
        onChange={(event) => change(event.target.value)}
        onBlur={flush}
        className="field-sizing-content max-h-48 min-h-14 w-full rounded-md border border-edge bg-surface px-2 py-1 text-sm"
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

type WindowProps = FieldProps & { thumb: string | undefined; close: () => void };

/** The alt text of a file below its picture. */
export function AltTextWindow({ thumb, close, ...field }: WindowProps) {
  return (
    <TitledModal title={uploadWords.altText.title(field.name)} close={close}>
      {thumb && (
        <Still src={thumb} alt="" className="max-h-[40dvh] justify-self-center rounded-lg bg-sunk object-contain" />
      )}
      <AltTextField {...field} />
      <p className="text-muted text-sm">{uploadWords.altText.goesAlong}</p>
      <Button onClick={close} className="justify-self-end">
        {uploadWords.altText.done}
      </Button>
    </TitledModal>
  );
}
