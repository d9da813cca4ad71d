"use client";
import { type ReactNode, useState } from "react";
import { useAltText, useCopyAltText } from "../../library/use-alt-text";
import { Crop, SpriteIcon } from "../../ui/icons";
import { Sentence } from "../../ui/sentence";
import { loadedLater } from "../../ui/toast";
import { FILES_ID } from "../check/fixes";
import { CoverField } from "../cover/cover-field";
import { type Draft, type Part, withFileLeftOut } from "../draft/draft";
import type { EditDraft } from "../draft/use-autosave";
import { loadWindows } from "../load-windows";
import { altTextId, altTextLimitOf, filesIn, type Target, textCountOf } from "../targets/targets";
import { keysOf, type NetworkVersion } from "../targets/versions";
import { MediaField } from "../uploads/media-field";
import { onPictureLook } from "../uploads/upload-tile";
import type { FileDrop } from "../uploads/use-drop";
import type { Upload, Uploads } from "../uploads/use-uploads";
import { uploadWords } from "../uploads/words";
import { composeWords } from "../words";
import { Counter, PartCounters } from "./counter";

// Loaded when they are opened.
const AltTextWindow = loadedLater(() => loadWindows().then(({ AltTextWindow }) => AltTextWindow));
const CropWindow = loadedLater(() => loadWindows().then(({ CropWindow }) => CropWindow));

export type ReplaceByCrop = (file: Upload, cropped: File) => void;

type Props = {
  draft: Draft;
  edit: EditDraft;
  targets: Target[];
  /** The version that is being written; undefined for all accounts. */
  version: NetworkVersion | undefined;
  uploads: Uploads;
  replace: ReplaceByCrop;
  drop: FileDrop;
  /** The shared part that new files belong to. */
  part: Part;
  index: number;
  isThread: boolean;
  /** Rendered beside the button that adds files. */
  beside?: ReactNode;
};

/** The length of a thread's part, and its files. A version can leave shared files out and have more of its own. */
export function PartFiles({
  draft,
  edit,
  targets,
  version,
  uploads,
  replace,
  drop,
  part,
  index,
  isThread,
  beside,
}: Props) {
  const target = version?.targets[0];
  const keys = version ? keysOf(version) : [];
  const leave = (path: string, isLeftOut: boolean) => edit((now) => withFileLeftOut(now, keys, path, isLeftOut));
  const shared = uploads.items.filter(({ only }) => !only);
  const items = version ? (target?.posts[index]?.files ?? []) : filesIn(draft, shared)(part);
  const left =
    index > 0 || !target ? [] : shared.filter(({ path }) => path && draft.without[target.key]?.includes(path));
  const ofVersion: Uploads = {
    ...uploads,
    remove(id) {
      const file = items.find((item) => item.id === id);
      if (file?.path && !file.only) leave(file.path, true);
      else uploads.remove(id);
    },
  };
  return (
    <>
      {isThread && (
        <p className="flex px-2">
          <PartCounters {...{ targets, index, isThread }} written={version?.targets} />
        </p>
      )}
      <div className="px-3.5">
        <MediaField
          uploads={version ? ofVersion : uploads}
          items={items}
          open={() => drop.openFor(part.id)}
          isDragging={drop.isDragging}
          isReading={index === 0 && drop.isReading}
          refused={index === 0 ? drop.refused : []}
          title={isThread ? composeWords.filesOfPart(index + 1) : undefined}
          isFixed={version !== undefined}
          buttonId={index === 0 ? FILES_ID : undefined}
          beside={beside}
          onPicture={(file) =>
            file.path && (
              <>
                {file.kind !== "document" && <AltTextChip file={file} path={file.path} targets={targets} />}
                {file.kind === "image" && (
                  <CropButton file={file} path={file.path} targets={targets} replace={replace} />
                )}
              </>
            )
          }
          below={(file) => (
            <>
              {file.before && (
                <TextButton onClick={() => uploads.restore(file.id)}>
                  <Sentence
                    text={composeWords.undoCrop}
                    parts={{ theCrop: <span className="sr-only">{composeWords.theCropOf(file.before.name)}</span> }}
                  />
                </TextButton>
              )}
              <CoverField file={file} targets={targets} uploads={uploads} />
            </>
          )}
        />
        {left.map(({ id, name, path = "" }) => (
          <TextButton key={id} onClick={() => leave(path, false)}>
            {composeWords.giveFileBack(name)}
          </TextButton>
        ))}
      </div>
    </>
  );
}

export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" onClick={onClick} className="min-h-8 text-left font-semibold text-accent text-sm">
      {children}
    </button>
  );
}

type FileProps = { file: Upload; path: string; targets: Target[] };

const chipLook = "absolute bottom-1.5 inline-flex min-h-7 items-center rounded-md font-semibold text-xs max-md:min-h-9";

/** Says whether a file has an alt text and opens its field, with its length by the tightest limit of the chosen accounts. */
function AltTextChip({ file, path, targets }: FileProps) {
  const { id, name, thumb } = file;
  const [isOpen, setOpen] = useState(false);
  const alt = useAltText(path);
  const limit = altTextLimitOf(file, targets);
  const has = alt.text.trim() !== "";
  const words = uploadWords.altText;
  return (
    <>
      <button
        id={altTextId(id)}
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={`${chipLook} left-1.5 gap-1 px-2 ${has ? onPictureLook : "bg-warn-soft text-warn"}`}
      >
        {has ? words.has : words.add}
        <span className="sr-only">{has ? words.of(name) : words.to(name)}</span>
        {has && <SpriteIcon name="check" className="size-3 [stroke-width:3]" />}
      </button>
      {alt.state === "failed" && (
        <p role="alert" className="absolute inset-x-0 top-0 rounded-t-xl bg-wrong-soft p-1 pr-9 text-wrong text-xs">
          {words.notSaved}
        </p>
      )}
      {isOpen && (
        <AltTextWindow
          alt={alt}
          name={name}
          thumb={thumb}
          count={limit && ((text) => <Counter count={textCountOf(limit, text)} />)}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Returns a function that replaces a picture by a part of it. The alt text is copied, and who does not get the picture. */
export function useReplaceByCrop(uploads: Uploads, edit: EditDraft): ReplaceByCrop {
  const copyAltText = useCopyAltText();
  return ({ id, path = "" }, cropped) =>
    uploads.replace(id, cropped, async (made) => {
      await copyAltText(path, made);
      edit((now) => {
        const without = Object.keys(now.without).filter((key) => now.without[key]?.includes(path));
        return withFileLeftOut(now, without, made, true);
      });
    });
}

/** Replaces a picture by a part of it. */
function CropButton({ file, path, targets, replace }: FileProps & { replace: ReplaceByCrop }) {
  const [isOpen, setOpen] = useState(false);
  const label = composeWords.cropOf(file.name);
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
        className={`${chipLook} right-1.5 w-7 justify-center max-md:w-9 ${onPictureLook}`}
      >
        <Crop aria-hidden className="size-3.5" />
      </button>
      {isOpen && (
        <CropWindow
          path={path}
          file={file}
          targets={targets}
          crop={(cropped) => {
            setOpen(false);
            replace(file, cropped);
          }}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}
