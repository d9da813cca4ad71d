/* biome-ignore-all lint/performance/noImgElement: thumbnails are already small, and their addresses are signed */
"use client";
import { FileText, Play } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ApiSchedule } from "../api/types";
import { stillOf } from "../networks/formats";
import { Still } from "../previews/media";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { AltText } from "./alt-text";
import { factsOf, isDocument, isVideo, lengthWords } from "./facts";
import { type ApiMedia, useDeleteMedia } from "./queries";
import { stillNeeding, UsedIn, UseList, useUses } from "./uses";
import { libraryWords } from "./words";

type Props = { media: ApiMedia; use: (media: ApiMedia) => void };

/** A file in the grid, which opens a dialog with its details. */
export function MediaTile({ media, use }: Props) {
  return (
    <li>
      <Dialog.Root>
        <Dialog.Trigger className="grid w-full gap-1.5 rounded-lg border border-line bg-surface p-2 text-left hover:border-edge">
          <Face media={media} />
          <span className="truncate text-sm" title={media.filename}>
            {media.filename}
          </span>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
          <Dialog.Content
            aria-describedby={undefined}
            onOpenAutoFocus={toWhole}
            className="fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-2rem)] w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto rounded-2xl border border-line bg-surface p-6 shadow-xl"
          >
            <Dialog.Title className="wrap-anywhere font-semibold text-lg">{media.filename}</Dialog.Title>
            <Opened media={media} use={use} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </li>
  );
}

/** Focuses the whole dialog instead of its first field, which would open a phone's keyboard over the picture. */
function toWhole(event: Event) {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

function Opened({ media, use }: Props) {
  const uses = useUses(media.path);
  return (
    <>
      <Whole media={media} />
      <AltText path={media.path} name={media.filename} />
      <Details media={media} />
      <UsedIn uses={uses} />
      <Actions media={media} use={use} needing={uses ? stillNeeding(uses) : []} />
    </>
  );
}

function Face({ media }: { media: ApiMedia }) {
  const { thumbnailUrl, placeholder, durationSeconds } = media;
  const src = thumbnailUrl ?? (isVideo(media) ? stillOf(media.url, "video") : undefined);
  return (
    <span
      style={placeholder ? { backgroundImage: `url(${placeholder})`, backgroundSize: "cover" } : undefined}
      className="relative flex aspect-square items-center justify-center overflow-hidden rounded-md bg-sunk"
    >
      {src ? (
        <Still src={src} alt="" className="size-full object-cover" />
      ) : (
        <FileText aria-hidden className="size-8 text-muted" />
      )}
      {isVideo(media) && (
        <span className="absolute right-1 bottom-1 flex items-center gap-1 rounded bg-black/75 px-1.5 py-0.5 text-white text-xs">
          <Play aria-hidden className="size-3 fill-white" />
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
    </span>
  );
}

function Whole({ media }: { media: ApiMedia }) {
  const look = "max-h-[50dvh] w-full rounded-lg bg-sunk object-contain";
  if (isDocument(media))
    return (
      <a
        href={media.url}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-11 items-center text-accent underline"
      >
        {libraryWords.openDocument}
      </a>
    );
  if (!isVideo(media)) return <img src={media.url} alt={media.altText ?? media.filename} className={look} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: a user's own upload has no captions
    <video src={stillOf(media.url, "video")} poster={media.thumbnailUrl} controls preload="metadata" className={look} />
  );
}

function Details({ media }: { media: ApiMedia }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {factsOf(media).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actions({ media, use, needing }: Props & { needing: ApiSchedule[] }) {
  const remove = useDeleteMedia();
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => use(media)}>{libraryWords.use}</Button>
        <Confirm
          trigger={
            <Button look="danger" aria-disabled={remove.isPending}>
              {remove.isPending ? libraryWords.removing : libraryWords.remove}
            </Button>
          }
          title={libraryWords.removeQuestion}
          action={libraryWords.remove}
          onConfirm={() => remove.mutate(media)}
        >
          {needing.length === 0 ? (
            libraryWords.removeForGood
          ) : (
            <div className="grid gap-3">
              <p>{libraryWords.stillNeeded}</p>
              <UseList schedules={needing} />
            </div>
          )}
        </Confirm>
        <Dialog.Close asChild>
          <Button look="quiet" className="ml-auto">
            {libraryWords.close}
          </Button>
        </Dialog.Close>
      </div>
      {remove.isError && (
        <p role="alert" className="text-sm text-wrong">
          {remove.error.message}
        </p>
      )}
    </div>
  );
}
