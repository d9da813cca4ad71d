"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useCopyAltText } from "../../library/use-alt-text";
import { Sentence } from "../../ui/sentence";
import { withFileLeftOut } from "../draft/draft";
import type { EditDraft } from "../draft/use-draft";
import { loadWindows } from "../load-windows";
import type { Target } from "../targets/targets";
import type { Upload, Uploads } from "../uploads/use-uploads";
import { cropWords } from "./words";

// Loaded when a picture is cropped.
const CropWindow = dynamic(() => loadWindows().then(({ CropWindow }) => CropWindow), { ssr: false });

type Props = {
  file: Upload;
  targets: Target[];
  uploads: Uploads;
  replace: ReplaceByCrop;
};

export type ReplaceByCrop = (file: Upload, cropped: File) => void;

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

/** Replaces a picture by a part of it, and back. */
export function CropField({ file, targets, uploads, replace }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { id, name, path, kind, before } = file;
  if (kind !== "image") return null;
  return (
    <div className="flex flex-wrap gap-x-3 text-accent text-sm">
      {path && (
        <button type="button" onClick={() => setOpen(true)} className="min-h-8 underline">
          <Sentence text={cropWords.crop} parts={{ name: <span className="sr-only">{name}</span> }} />
        </button>
      )}
      {before && (
        <button type="button" onClick={() => uploads.restore(id)} className="min-h-8 underline">
          <Sentence
            text={cropWords.undo}
            parts={{ theCrop: <span className="sr-only">{cropWords.theCropOf(before.name)}</span> }}
          />
        </button>
      )}
      {isOpen && path && (
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
    </div>
  );
}
