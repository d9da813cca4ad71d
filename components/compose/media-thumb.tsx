/* biome-ignore-all lint/performance/noImgElement: a data address that the browser drew itself has nothing to optimise */
import { FileImage, Film, Play } from "lucide-react";
import type { Attachment } from "./draft";

type Props = { media: Pick<Attachment, "name" | "kind" | "thumb">; className?: string };

export function MediaThumb({ media: { name, kind, thumb }, className = "" }: Props) {
  const Icon = kind === "video" ? Film : FileImage;
  return (
    <span className={`relative flex items-center justify-center overflow-hidden rounded-md bg-sunk ${className}`}>
      {thumb ? (
        <img src={thumb} alt={name} className="size-full object-cover" />
      ) : (
        <Icon role="img" aria-label={name} className="size-8 text-muted" />
      )}
      {thumb && kind === "video" && (
        <Play aria-hidden className="absolute size-8 rounded-full bg-black/60 fill-white p-1.5 text-white" />
      )}
    </span>
  );
}
