"use client";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "../../ui/button";
import { SpriteIcon } from "../../ui/sprite-icon";
import { useAnnouncer } from "../announce";
import { UploadTile } from "./upload-tile";
import type { Upload, Uploads } from "./use-uploads";
import { uploadWords } from "./words";

type Props = {
  uploads: Uploads;
  /** The files to show; all if omitted. */
  items?: Upload[];
  open: () => void;
  isDragging: boolean;
  /** Whether a dropped folder is being read. */
  isReading: boolean;
  refused: string[];
  title?: string;
  buttonId?: string;
  /** Compact, for a part of a thread. */
  isSmall?: boolean;
  /** Rendered with each file. */
  besides?: (upload: Upload) => ReactNode;
};

/** The pictures and videos. Files can also be dropped anywhere on the page or pasted into the text. */
export function MediaField({
  uploads,
  items = uploads.items,
  open,
  isDragging,
  isReading,
  refused,
  title = uploadWords.title,
  buttonId,
  isSmall = false,
  besides,
}: Props) {
  const titleId = useId();
  const { announce, region } = useAnnouncer();
  const focused = useRef<string>(undefined);
  // A moved tile may be reinserted into the page, which loses the focus.
  useEffect(() => {
    if (focused.current) document.getElementById(focused.current)?.focus();
    focused.current = undefined;
  });
  function move(upload: Upload, by: -1 | 1) {
    focused.current = document.activeElement?.id;
    uploads.move(upload.id, by);
    announce(uploadWords.moved(upload.name, items.indexOf(upload) + by + 1, items.length));
  }
  function drop(id: string, onto: string) {
    const distance = items.findIndex((item) => item.id === onto) - items.findIndex((item) => item.id === id);
    for (let step = 0; step < Math.abs(distance); step++) uploads.move(id, distance < 0 ? -1 : 1);
  }
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className={isSmall ? "sr-only" : "mb-2 font-semibold"}>
        {title}
      </h2>
      {region}
      <div
        className={`grid gap-3 rounded-xl ${isSmall ? "" : "border border-dashed p-4"} ${isDragging ? "border-accent bg-accent-soft" : "border-edge"}`}
      >
        {items.length > 0 && (
          <ul
            className={`grid gap-3 ${isSmall ? "grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] sm:grid-cols-[repeat(auto-fill,9rem)]" : "grid-cols-[repeat(auto-fill,minmax(9rem,1fr))]"}`}
          >
            {items.map((upload, index) => (
              <UploadTile
                key={upload.id}
                upload={upload}
                uploads={uploads}
                move={move}
                drop={drop}
                isFirst={index === 0}
                isLast={index === items.length - 1}
              >
                {besides?.(upload)}
              </UploadTile>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button id={buttonId} look="quiet" onClick={open}>
            <SpriteIcon name="image-plus" className="size-5" /> {uploadWords.addFiles}
          </Button>
          <p className={isSmall ? "sr-only" : "text-muted text-sm"}>
            {isDragging ? uploadWords.dropToAdd : uploadWords.orDrop}
          </p>
          <p role="status" className="text-sm">
            {isReading && uploadWords.readingFolder}
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
