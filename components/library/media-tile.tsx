"use client";
import { stillOf } from "../networks/formats";
import { Still } from "../previews/media";
import { Check, FileText, Play } from "../ui/icons";
import { isDocument, isVideo, lengthWords } from "./facts";
import type { ApiMedia } from "./queries";
import { libraryWords } from "./words";

type Props = {
  media: ApiMedia;
  isOpen: boolean;
  isChosen: boolean;
  /** Whether any file is chosen; the boxes are then in sight. */
  isChoosing: boolean;
  open: () => void;
  choose: () => void;
};

/** The narrowest and the widest proportions of a tile; beyond them the picture is cut. */
const [NARROWEST, WIDEST] = [0.5, 2.5];

/** A file in the grid, in its own proportions. Pressing it shows its details; the box chooses it. */
export function MediaTile({ media, isOpen, isChosen, isChoosing, open, choose }: Props) {
  const { filename, width = 4, height = 3, placeholder } = media;
  const ratio = isDocument(media) ? 1 : Math.min(Math.max(width / height, NARROWEST), WIDEST);
  return (
    <li
      style={{ flexGrow: ratio, flexBasis: `calc(${ratio} * var(--row))`, aspectRatio: ratio }}
      className="group relative max-w-full"
    >
      <button
        type="button"
        data-file={media.key}
        aria-pressed={isOpen}
        title={filename}
        onClick={open}
        style={placeholder ? { backgroundImage: `url(${placeholder})`, backgroundSize: "cover" } : undefined}
        className="relative grid size-full place-items-center overflow-hidden rounded-xl bg-sunk hover:brightness-95 aria-pressed:outline-3 aria-pressed:outline-accent aria-pressed:outline-offset-2"
      >
        <Face media={media} />
        <span className="sr-only">{filename}</span>
      </button>
      {!media.altText && !isDocument(media) && (
        <span
          className={`pointer-events-none absolute left-2 mr-2 rounded-md bg-warn-soft px-2 py-0.5 font-semibold text-warn text-xs ${isVideo(media) ? "bottom-9" : "bottom-2"}`}
        >
          {libraryWords.shelves.noAltText}
        </span>
      )}
      <label
        className={`absolute top-1.5 left-1.5 grid size-7 cursor-pointer place-items-center rounded-md border border-edge bg-surface has-checked:border-accent has-checked:bg-accent has-checked:text-on-accent has-focus-visible:opacity-100 has-focus-visible:outline-3 has-focus-visible:outline-accent group-hover:opacity-100 ${isChoosing ? "" : "opacity-0 pointer-coarse:opacity-100"}`}
      >
        <input
          type="checkbox"
          checked={isChosen}
          onChange={choose}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
        />
        <Check aria-hidden className={`pointer-events-none size-4 ${isChosen ? "" : "opacity-0"}`} />
        <span className="sr-only">{libraryWords.choose(filename)}</span>
      </label>
    </li>
  );
}

function Face({ media }: { media: ApiMedia }) {
  const { thumbnailUrl, durationSeconds } = media;
  const src = thumbnailUrl ?? (isVideo(media) ? stillOf(media.url, "video") : undefined);
  return (
    <>
      {src ? (
        <Still src={src} alt="" className="size-full object-cover" />
      ) : (
        <FileText aria-hidden className="size-8 text-muted" />
      )}
      {isVideo(media) && (
        <span className="absolute right-2 bottom-2 flex items-center gap-1 rounded-md bg-black/75 px-2 py-0.5 font-semibold text-white text-xs">
          <Play aria-hidden className="size-3" />
          {durationSeconds ? (
            <>
              <span className="sr-only">{libraryWords.videoOf}</span>
              {lengthWords(durationSeconds)}
            </>
          ) : (
            libraryWords.video
          )}
        </span>
      )}
    </>
  );
}
