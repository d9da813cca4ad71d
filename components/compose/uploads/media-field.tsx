"use client";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { SpriteIcon } from "../../ui/icons";
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
  /** Whether the order cannot be changed here. */
  isFixed?: boolean;
  /** Rendered beside the button that adds files. */
  beside?: ReactNode;
  /** Rendered on the picture of each file. */
  onPicture?: (upload: Upload) => ReactNode;
  /** Rendered below it. */
  below?: (upload: Upload) => ReactNode;
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
  isFixed = false,
  beside,
  onPicture,
  below,
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
    <section aria-labelledby={titleId} className="grid gap-2 py-1">
      <h2 id={titleId} className="sr-only">
        {title}
      </h2>
      {region}
      <div className="flex flex-wrap gap-2.5">
        {items.length > 0 && (
          <ul className="contents">
            {items.map((upload, index) => (
              <UploadTile
                key={upload.id}
                upload={upload}
                uploads={uploads}
                move={move}
                drop={drop}
                isFirst={isFixed || index === 0}
                isLast={isFixed || index === items.length - 1}
                onPicture={onPicture?.(upload)}
              >
                {below?.(upload)}
              </UploadTile>
            ))}
          </ul>
        )}
        <button
          id={buttonId}
          type="button"
          onClick={open}
          className={`flex items-center gap-2 rounded-xl border border-dashed px-3.5 text-muted text-sm [&_*]:pointer-events-none hover:border-accent hover:bg-accent-soft hover:text-accent ${items.length > 0 ? "min-h-32 w-32 flex-col justify-center self-start px-2! text-center" : "min-h-11"} ${isDragging ? "border-accent bg-accent-soft" : "border-edge"}`}
        >
          <SpriteIcon name="image-plus" className="size-5 shrink-0" />
          <span>
            <span className="block font-semibold">{uploadWords.addFiles}</span>
            {/* Both are laid out: if something else came below the pointer while a file is dragged, the drop would be lost. */}
            <span className="grid text-xs [&>*]:[grid-area:1/1]">
              <span className={isDragging ? "invisible" : ""}>{uploadWords.orDrop}</span>
              <span className={isDragging ? "" : "invisible"}>{uploadWords.dropToAdd}</span>
            </span>
          </span>
        </button>
        {beside}
        <p role="status" className="text-sm empty:hidden">
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
    </section>
  );
}
