/* biome-ignore-all lint/performance/noImgElement: a data address that the browser drew itself has nothing to optimise */
import { FileImage, Film, Play } from "lucide-react";
import type { Attachment } from "./draft";

type Props = { media: Pick<Attachment, "kind" | "thumb">; alt: string; className?: string };

/** A file as the browser sees it; `alt` is empty where its name stands beside it. */
export function MediaThumb({ media: { kind, thumb }, alt, className = "" }: Props) {
  const Icon = kind === "video" ? Film : FileImage;
  return (
    <span className={`relative flex items-center justify-center overflow-hidden rounded-md bg-sunk ${className}`}>
      {thumb ? (
        <img src={thumb} alt={alt} className="size-full object-cover" />
      ) : (
        <>
          <Icon aria-hidden className="size-8 text-muted" />
          <span className="sr-only">{alt}</span>
        </>
      )}
      {thumb && kind === "video" && (
        <Play aria-hidden className="absolute size-8 rounded-full bg-black/60 fill-white p-1.5 text-white" />
      )}
    </span>
  );
}
