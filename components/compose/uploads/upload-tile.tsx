import type { ReactNode } from "react";
import { Still } from "../../previews/media";
import { ArrowUp, RotateCcw, SpriteIcon, X } from "../../ui/icons";
import type { Attachment } from "../draft/draft";
import { IconButton } from "../icon-button";
import type { Upload, Uploads } from "./use-uploads";
import { uploadWords } from "./words";

type Props = {
  upload: Upload;
  uploads: Uploads;
  move: (upload: Upload, by: -1 | 1) => void;
  /** Called when a file is dropped on another, whose position it takes. */
  drop: (id: string, onto: string) => void;
  isFirst: boolean;
  isLast: boolean;
  /** Rendered on the picture. */
  onPicture?: ReactNode;
  /** Rendered below the picture. */
  children?: ReactNode;
};

/** The dragged file; a private type, so that files from elsewhere are not confused with it. */
const DRAGGED = "application/x-carillon-file";

/** The look of controls on top of a picture, readable on any picture. */
export const onPictureLook = "bg-black/75 text-white hover:bg-black";

/** One file with its progress and actions. */
export function UploadTile({ upload, uploads, move, drop, isFirst, isLast, onPicture, children }: Props) {
  const { id, name, share, path, error } = upload;
  const isSending = !path && !error;
  return (
    <li
      draggable={!(isFirst && isLast)}
      onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, id)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={({ dataTransfer }) => {
        const dragged = dataTransfer.getData(DRAGGED);
        if (dragged && dragged !== id) drop(dragged, id);
      }}
      className="grid w-32 content-start gap-1 max-md:w-36"
    >
      <div className="relative">
        <MediaThumb media={upload} alt="" className="aspect-square" />
        <button
          type="button"
          aria-label={isSending ? uploadWords.cancel(name) : uploadWords.remove(name)}
          onClick={() => uploads.remove(id)}
          className={`absolute top-1 right-1 grid size-7 place-items-center rounded-full max-md:size-9 ${onPictureLook}`}
        >
          <X aria-hidden className="size-4" />
        </button>
        {onPicture}
      </div>
      <p className="sr-only">{name}</p>
      {isSending && (
        <>
          <progress
            aria-label={uploadWords.uploading(name)}
            value={share}
            className="h-1.5 w-full overflow-hidden rounded-full accent-(--accent)"
          />
          <p className="text-muted text-xs">{share < 1 ? `${Math.round(share * 100)} %` : uploadWords.checking}</p>
        </>
      )}
      {error && (
        <p role="alert" className="text-wrong text-xs">
          {error}
        </p>
      )}
      {children}
      <div className="mt-auto flex flex-wrap gap-1 empty:hidden">
        {!(isFirst && isLast) && (
          <>
            <IconButton
              id={`${id}-forward`}
              label={uploadWords.moveForward(name)}
              isOff={isFirst}
              onClick={() => move(upload, -1)}
            >
              <ArrowUp aria-hidden className="-rotate-90 size-4" />
            </IconButton>
            <IconButton
              id={`${id}-back`}
              label={uploadWords.moveBack(name)}
              isOff={isLast}
              onClick={() => move(upload, 1)}
            >
              <ArrowUp aria-hidden className="size-4 rotate-90" />
            </IconButton>
          </>
        )}
        {error && (
          <IconButton label={uploadWords.tryAgain(name)} onClick={() => uploads.retry(id)}>
            <RotateCcw aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
    </li>
  );
}

type MediaThumbProps = { media: Pick<Attachment, "kind" | "thumb">; alt: string; className?: string };

/** A thumbnail; `alt` is empty if the name is next to it. */
function MediaThumb({ media: { kind, thumb }, alt, className = "" }: MediaThumbProps) {
  return (
    <span className={`relative flex items-center justify-center overflow-hidden rounded-xl bg-sunk ${className}`}>
      {thumb ? (
        <Still src={thumb} alt={alt} className="size-full object-cover" />
      ) : (
        <>
          <SpriteIcon name={kind} className="size-8 text-muted" />
          <span className="sr-only">{alt}</span>
        </>
      )}
      {thumb && kind === "video" && (
        <SpriteIcon name="play" className="absolute size-8 rounded-full bg-black/60 fill-white p-1.5 text-white" />
      )}
    </span>
  );
}
