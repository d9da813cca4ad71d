"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useCopyAltText } from "../../library/use-alt-text";
import { Sentence } from "../../ui/sentence";
import type { Target } from "../targets/targets";
import type { Upload, Uploads } from "../uploads/use-uploads";
import { cropWords } from "./words";

// Loaded when a picture is cropped.
const CropWindow = dynamic(() => import("../windows").then(({ CropWindow }) => CropWindow), { ssr: false });

type Props = {
  file: Upload;
  targets: Target[];
  uploads: Uploads;
  /** Copies what was chosen for one storage key to another. */
  alsoFor: (path: string, other: string) => void;
};

/** Replaces a picture by a part of it, and back. The alt text is copied. */
export function CropField({ file, targets, uploads, alsoFor }: Props) {
  const [isOpen, setOpen] = useState(false);
  const copyAltText = useCopyAltText();
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
            uploads.replace(id, cropped, async (made) => {
              await copyAltText(path, made);
              alsoFor(path, made);
            });
          }}
          close={() => setOpen(false)}
        />
      )}
    </div>
  );
}
