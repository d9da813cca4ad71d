"use client";
import type { UseFormReturn } from "react-hook-form";
import { AltText } from "../../library/alt-text";
import { Sentence } from "../../ui/sentence";
import { FILES_ID } from "../check/fixes";
import { CoverField } from "../cover/cover-field";
import { CropField } from "../crop/crop-field";
import type { Draft } from "../draft/draft";
import { altTextId, altTextLimitOf, countOf, filesIn, type Target } from "../targets/targets";
import { MediaField } from "../uploads/media-field";
import type { FileDrop } from "../uploads/use-drop";
import type { Upload, Uploads } from "../uploads/use-uploads";
import { composeWords } from "../words";
import { Counter, PartCounter } from "./counter";
import { PartsField } from "./parts-field";

type Props = {
  draft: Draft;
  form: UseFormReturn<Draft>;
  targets: Target[];
  uploads: Uploads;
  drop: FileDrop;
  announce: (text: string) => void;
};

/** The common text or its parts, each with its length and its files. */
export function PartsWithFiles({ draft, form, targets, uploads, drop, announce }: Props) {
  const { parts } = draft;
  const isThread = parts.length > 1;
  /** An account without a picture does not get its cropped version either. */
  function leaveOutToo(path: string, other: string) {
    const without = Object.entries(form.getValues("without"));
    const left = without.map(([key, paths = []]) => [key, paths.includes(path) ? [...paths, other] : paths] as const);
    form.setValue("without", Object.fromEntries(left));
  }
  const takeThreads = targets.filter(({ network }) => network.posts);
  return (
    <div className="grid gap-2">
      <PartsField
        parts={parts}
        label={composeWords.text}
        placeholder={composeWords.placeholder}
        rows={6}
        change={(next) => form.setValue("parts", next)}
        onRemoved={uploads.moveToPart}
        onEnter={drop.enter}
        announce={announce}
        below={(part, index) => (
          <>
            {targets.length > 0 && (
              <p className="flex justify-end">
                <PartCounter targets={targets} index={index} />
              </p>
            )}
            <MediaField
              uploads={uploads}
              items={filesIn(draft, uploads.items)(part)}
              open={() => drop.openFor(part.id)}
              isDragging={drop.isDragging}
              isReading={index === 0 && drop.isReading}
              refused={index === 0 ? drop.refused : []}
              title={isThread ? composeWords.filesOfPart(index + 1) : undefined}
              isSmall={isThread}
              buttonId={index === 0 ? FILES_ID : undefined}
              besides={(file) => (
                <>
                  <FileWords file={file} targets={targets} />
                  <CropField file={file} targets={targets} uploads={uploads} alsoFor={leaveOutToo} />
                  <CoverField file={file} targets={targets} uploads={uploads} />
                </>
              )}
            />
          </>
        )}
      />
      {isThread && targets.length > 0 && takeThreads.length === 0 && (
        <p className="text-muted text-sm">{composeWords.noThreads}</p>
      )}
      {isThread && (
        <p className="text-muted text-sm">
          <Sentence
            text={composeWords.partKeys}
            parts={{
              alt: <kbd>{composeWords.alt}</kbd>,
              enter: <kbd>{composeWords.enter}</kbd>,
              up: <kbd>↑</kbd>,
              down: <kbd>↓</kbd>,
            }}
          />
        </p>
      )}
    </div>
  );
}

type FileWordsProps = { file: Upload; targets: Target[] };

/** The alt text field of an uploaded file, with its length by the tightest limit of the chosen accounts. */
function FileWords({ file, targets }: FileWordsProps) {
  const { id, name, path } = file;
  if (!path) return null;
  const limit = altTextLimitOf(file, targets);
  const count = limit && ((text: string) => <Counter count={countOf(limit, text)} />);
  return <AltText path={path} name={name} id={altTextId(id)} count={count} />;
}
