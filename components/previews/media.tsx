/* biome-ignore-all lint/performance/noImgElement: the pictures are already small, as data URLs or from our own store */
"use client";
import { type CSSProperties, useState } from "react";
import { isFirstFrame } from "../networks/formats";
import { SpriteIcon } from "../ui/icons";
import type { PlacedName, PreviewMedia } from "./types";
import { previewWords } from "./words";

/** A picture, or the first frame of a video. */
export function Still({ src, alt, className }: { src: string; alt: string; className: string }) {
  if (!isFirstFrame(src)) return <img src={src} alt={alt} className={className} />;
  return (
    <>
      <video src={src} muted preload="metadata" aria-hidden className={className} />
      <span className="sr-only">{alt}</span>
    </>
  );
}

/** One file that fills its container. */
export function Picture({
  file,
  className = "",
  isWhole = false,
}: {
  file: PreviewMedia;
  className?: string;
  isWhole?: boolean;
}) {
  return (
    <span
      className={`relative flex items-center justify-center overflow-hidden bg-neutral-200 dark:bg-neutral-800 ${className}`}
    >
      {file.src ? (
        <Still
          src={file.src}
          alt={file.name}
          className={isWhole ? "max-h-96 w-full object-cover" : "size-full object-cover"}
        />
      ) : (
        <span className="flex min-h-32 items-center">
          <SpriteIcon name={file.kind} className="size-8 text-neutral-500" />
          <span className={file.kind === "document" ? "ml-2 break-all" : "sr-only"}>{file.name}</span>
        </span>
      )}
      {file.kind === "video" && (
        <span className="absolute flex size-11 items-center justify-center rounded-full bg-black/60">
          <SpriteIcon name="play" className="size-5 fill-white text-white" />
          <span className="sr-only">{previewWords.video}</span>
        </span>
      )}
      {file.tags?.map((tag) => (
        <button key={tag.name} type="button" className="tag-mark" style={placeOf(tag)}>
          <span>{tag.name}</span>
        </button>
      ))}
    </span>
  );
}

/** The place of a mark, for its rules in app/globals.css. React's type of a style lists no custom properties. */
function placeOf({ x, y }: PlacedName): CSSProperties {
  return { "--x": x, "--y": y } as CSSProperties;
}

/** The grid cells of two to four pictures. */
const CELLS: { [count: number]: string[] } = {
  2: ["row-span-2", "row-span-2"],
  3: ["row-span-2", "", ""],
  4: ["", "", "", ""],
};

/** One picture in its own proportions, or a mosaic of two to four; the last cell shows how many more there are. */
export function Mosaic({
  media,
  most = 4,
  className = "",
}: {
  media: PreviewMedia[];
  most?: number;
  className?: string;
}) {
  const [only, ...others] = media;
  if (!only) return null;
  if (others.length === 0) return <Picture file={only} isWhole className={className} />;
  const shown = media.slice(0, Math.min(most, 4));
  const hidden = media.length - shown.length;
  return (
    <div className={`relative grid aspect-video grid-cols-2 grid-rows-2 gap-0.5 overflow-hidden ${className}`}>
      {shown.map((file, index) => (
        <span key={file.key} className={`relative grid min-h-0 ${CELLS[shown.length]?.[index] ?? ""}`}>
          <Picture file={file} className="size-full" />
          {hidden > 0 && index === shown.length - 1 && (
            <span className="absolute inset-0 flex items-center justify-center bg-black/60 font-semibold text-2xl text-white">
              +{hidden}
              <span className="sr-only">{previewWords.morePictures}</span>
            </span>
          )}
        </span>
      ))}
    </div>
  );
}

type CarouselProps = {
  media: PreviewMedia[];
  /** A class. Without it, each picture has its own proportions. */
  ratio?: string;
  hasDots?: boolean;
};

/** One picture at a time, with a counter and optional dots. */
export function Carousel({ media, ratio = "", hasDots = false }: CarouselProps) {
  const [at, setAt] = useState(0);
  const index = Math.min(at, media.length - 1);
  const file = media[index];
  if (!file) return null;
  return (
    <div>
      <div className="relative overflow-hidden">
        <Picture file={file} className={`w-full ${ratio}`} />
        {media.length > 1 && (
          <>
            <span className="absolute top-2 right-2 rounded-full bg-black/75 px-2 py-0.5 text-white text-xs">
              {index + 1}/{media.length}
            </span>
            <Step label={previewWords.pictureBefore} isOff={index === 0} side="left-2" go={() => setAt(index - 1)}>
              <SpriteIcon name="chevron-down" className="size-5 rotate-90" />
            </Step>
            <Step
              label={previewWords.nextPicture}
              isOff={index === media.length - 1}
              side="right-2"
              go={() => setAt(index + 1)}
            >
              <SpriteIcon name="chevron-down" className="-rotate-90 size-5" />
            </Step>
          </>
        )}
      </div>
      {hasDots && media.length > 1 && <Dots count={media.length} at={index} />}
    </div>
  );
}

type StepProps = { label: string; isOff: boolean; side: string; go: () => void; children: React.ReactNode };

function Step({ label, isOff, side, go, children }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => isOff || go()}
      className={`-translate-y-1/2 absolute top-1/2 flex size-8 items-center justify-center rounded-full bg-white text-black shadow aria-disabled:opacity-40 ${side}`}
    >
      {children}
    </button>
  );
}

/** A horizontally scrolling row of pictures. */
export function Strip({ media }: { media: PreviewMedia[] }) {
  const [only, ...others] = media;
  if (!only) return null;
  if (others.length === 0) return <Picture file={only} isWhole className="rounded-xl" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1)
    <section aria-label={previewWords.pictures} tabIndex={0} className="flex gap-1.5 overflow-x-auto">
      {media.map((file) => (
        <Picture key={file.key} file={file} className="h-52 w-40 shrink-0 rounded-xl" />
      ))}
    </section>
  );
}

/** The position in a carousel. */
function Dots({ count, at }: { count: number; at: number }) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return (
    <span aria-hidden className="flex justify-center gap-1 py-2">
      {numbers.map((number) => (
        <span key={number} className={`size-1.5 rounded-full ${number === at ? "bg-sky-600" : "bg-neutral-400"}`} />
      ))}
    </span>
  );
}
