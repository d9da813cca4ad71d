"use client";
import { ImagePlus } from "lucide-react";
import { Button } from "../ui/button";
import { UploadTile } from "./upload-tile";
import type { Uploads } from "./use-uploads";

type Props = { uploads: Uploads; open: () => void; isDragging: boolean; refused: string[]; title?: string };

/** Pictures and videos; files can also be dropped anywhere on the page or pasted into the text. */
export function MediaField({ uploads, open, isDragging, refused, title = "Pictures and videos" }: Props) {
  return (
    <section aria-labelledby="media">
      <h2 id="media" className="mb-2 font-semibold">
        {title}
      </h2>
      <div
        className={`grid gap-3 rounded-xl border border-dashed p-4 ${isDragging ? "border-accent bg-accent-soft" : "border-edge"}`}
      >
        {uploads.items.length > 0 && (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
            {uploads.items.map((upload, index) => (
              <UploadTile
                key={upload.id}
                upload={upload}
                uploads={uploads}
                isFirst={index === 0}
                isLast={index === uploads.items.length - 1}
              />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button look="quiet" onClick={open}>
            <ImagePlus aria-hidden className="size-5" /> Add files
          </Button>
          <p className="text-muted text-sm">
            {isDragging ? "Drop to add" : "or drop or paste them, up to 100 MB each"}
          </p>
        </div>
        {refused.length > 0 && (
          <div role="alert" className="text-sm text-wrong">
            {refused.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}
