/* biome-ignore-all lint/performance/noImgElement: thumbnails are already small, and their addresses are signed */
"use client";
import { kindOf, stillOf } from "../networks/formats";
import { SpriteIcon } from "../ui/icons";
import { useStoredFiles } from "./stored-files";

/**
 * A small square picture of a stored file, which says nothing to screen readers. A video is drawn by the browser. Until the file is
 * known, and for a file of the web, it shows the kind of the file.
 * @param path the file's storage key
 */
export function Thumbnail({ path, className }: { path: string; className: string }) {
  const file = useStoredFiles([path]).get(path);
  const kind = kindOf(path, file);
  const look = `shrink-0 bg-sunk object-cover ${className}`;
  if (file?.thumbnailUrl)
    return <img src={file.thumbnailUrl} alt="" loading="lazy" draggable={false} className={look} />;
  if (file && kind === "video")
    return <video src={stillOf(file.url, kind)} muted preload="metadata" aria-hidden className={look} />;
  return (
    <span aria-hidden className={`inline-grid place-items-center text-muted ${look}`}>
      <SpriteIcon name={kind} className="size-1/2" />
    </span>
  );
}
