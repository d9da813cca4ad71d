import { fileKindOf } from "@/lib/networks/limits";
import type { ApiMedia } from "../../library/queries";
import { stillOf } from "../../networks/formats";
import { Still } from "../../previews/media";
import { SpriteIcon } from "../../ui/icons";
import type { Attachment } from "../draft/draft";
import { uploadWords } from "./words";

/** A stored file as a post has it. */
export function storedAttachment({ path, filename, contentType, thumbnailUrl, url }: ApiMedia): Attachment {
  const kind = fileKindOf(contentType);
  return { path, name: filename, kind, thumb: thumbnailUrl ?? (kind === "document" ? undefined : stillOf(url, kind)) };
}

type TileProps = { file: Attachment; isChosen: boolean; className: string; onClick: () => void };

/** A file of the library that can be chosen. */
export function LibraryTile({ file: { name, kind, thumb }, isChosen, className, onClick }: TileProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={uploadWords.library.use(name)}
      title={name}
      onClick={onClick}
      className={`relative grid shrink-0 place-items-center overflow-hidden rounded-lg bg-sunk hover:brightness-90 aria-pressed:ring-2 aria-pressed:ring-accent ${className}`}
    >
      {thumb ? (
        <Still src={thumb} alt="" className="size-full object-cover" />
      ) : (
        <SpriteIcon name={kind} className="size-6 text-muted" />
      )}
      {isChosen && (
        <span className="absolute top-0.5 right-0.5 grid size-4 place-items-center rounded-full bg-accent text-on-accent">
          <SpriteIcon name="check" className="size-3 [stroke-width:3]" />
        </span>
      )}
    </button>
  );
}
