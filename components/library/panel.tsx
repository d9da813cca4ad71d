/* biome-ignore-all lint/performance/noImgElement: the addresses are signed */
"use client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { callApi } from "../api/client";
import { loadWindows } from "../compose/load-windows";
import { storedAttachment } from "../compose/uploads/library-tile";
import { sendFile } from "../compose/uploads/send-file";
import { storedUpload } from "../compose/uploads/use-uploads";
import { stillOf } from "../networks/formats";
import { Button, buttonClass } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { Crop, Download, X } from "../ui/icons";
import { loadedLater } from "../ui/toast";
import { AltText } from "./alt-text";
import { downloadOf, factsOf, isDocument, isVideo } from "./facts";
import { type ApiMedia, useChangeMedia, useDeleteMedia, useLabels, useMediaChanged } from "./queries";
import { addressOf } from "./stored-files";
import { useCopyAltText, useMedium } from "./use-alt-text";
import { stillNeeding, UsedIn, UseList, UsesUnknown, useUsesOf } from "./uses";
import { libraryWords } from "./words";

// Loaded when a picture is cropped.
const CropWindow = loadedLater(() => loadWindows().then(({ CropWindow }) => CropWindow));

type Props = { media: ApiMedia; use: (media: ApiMedia) => void; close: () => void };

/** Everything about one file: beside the grid, and over its lower part on a narrow screen. */
export function MediaPanel({ media, use, close }: Props) {
  const search = useUsesOf([media.path]);
  useFreshLists(media);
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section
      aria-labelledby={titleId}
      onKeyDown={({ key }) => key === "Escape" && close()}
      className="grid grid-cols-1 content-start overflow-y-auto rounded-2xl border border-line bg-surface max-md:bottom-[calc(3.3125rem+env(safe-area-inset-bottom))] max-wide:fixed max-wide:inset-x-0 max-wide:bottom-0 max-wide:z-30 max-wide:max-h-[75dvh] max-wide:rounded-b-none max-wide:shadow-xl wide:sticky wide:top-4 wide:max-h-[calc(100dvh-2rem)]"
    >
      <Whole media={media} />
      <div className="grid grid-cols-1 gap-4 p-4">
        <div className="flex items-start gap-2">
          <h2
            id={titleId}
            ref={title}
            tabIndex={-1}
            className="wrap-anywhere min-w-0 flex-1 font-semibold outline-none"
          >
            {media.filename}
          </h2>
          <button
            type="button"
            aria-label={libraryWords.close}
            onClick={close}
            className="grid size-8 shrink-0 place-items-center rounded-lg hover:bg-sunk max-md:size-11"
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
        <Actions media={media} use={use} close={close} search={search} />
        <AltText path={media.path} name={media.filename} />
        <Name media={media} />
        <Labels media={media} />
        <Details media={media} />
        <UsedIn path={media.path} search={search} />
      </div>
    </section>
  );
}

/** Refetches the lists when the alt text was saved, because they show which files have none. */
function useFreshLists({ path, altText }: ApiMedia): void {
  const changed = useMediaChanged();
  const { data: stored } = useMedium(path);
  const isOutdated = stored !== undefined && stored.altText !== altText;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each alt text
  useEffect(() => {
    if (isOutdated) changed();
  }, [isOutdated, stored?.altText]);
}

function Whole({ media }: { media: ApiMedia }) {
  const look = "max-h-72 w-full bg-sunk object-contain max-wide:max-h-40";
  if (isDocument(media))
    return (
      <a
        href={media.url}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-11 items-center px-4 pt-3 text-accent underline"
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

/** The file's name, saved when the field is left. */
function Name({ media }: { media: ApiMedia }) {
  const change = useChangeMedia();
  const [name, setName] = useState(media.filename);
  function save() {
    const filename = name.trim();
    const goBack = () => setName(media.filename);
    if (filename === "") goBack();
    // Enter saves, and so does leaving the field a moment later.
    else if (filename !== media.filename && !change.isPending)
      change.mutate({ key: media.key, change: { filename } }, { onError: goBack });
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    save();
  }
  return (
    <form onSubmit={submit} className="grid gap-1 text-xs">
      <label className="grid gap-1 font-medium">
        {libraryWords.name}
        <input
          value={name}
          maxLength={255}
          onChange={(event) => setName(event.target.value)}
          onBlur={save}
          className="min-h-9 w-full rounded-md border border-edge bg-surface px-2 font-normal text-sm max-md:min-h-11"
        />
      </label>
      <p role="status" className={change.isError ? "text-wrong" : "text-muted"}>
        {change.isSuccess && libraryWords.saved}
        {change.isError && libraryWords.notSaved(change.error.message)}
      </p>
    </form>
  );
}

function Labels({ media }: { media: ApiMedia }) {
  const change = useChangeMedia();
  const set = (labels: string[]) => change.mutate({ key: media.key, change: { labels } });
  return (
    <fieldset aria-label={libraryWords.labels.title} className="min-w-0 grid gap-1.5 text-xs">
      <p className="font-medium">{libraryWords.labels.title}</p>
      {media.labels.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {media.labels.map((label) => (
            <li key={label}>
              <button
                type="button"
                aria-label={libraryWords.labels.remove(label)}
                onClick={() => set(media.labels.filter((other) => other !== label))}
                className="inline-flex min-h-7 items-center gap-1 rounded-full bg-accent-soft px-2.5 text-accent hover:brightness-95 max-md:min-h-11"
              >
                {label} <X aria-hidden className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <NewLabel add={(label) => set([...media.labels, label])} />
      {change.isError && (
        <p role="alert" className="text-wrong">
          {libraryWords.notSaved(change.error.message)}
        </p>
      )}
    </fieldset>
  );
}

/** A field for a label, which suggests the labels that exist. */
export function NewLabel({ add }: { add: (label: string) => void }) {
  const { data: labels = [] } = useLabels();
  const [label, setLabel] = useState("");
  const listId = useId();
  function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation(); // events of a dialog bubble through React's tree
    if (label.trim() === "") return;
    add(label.trim());
    setLabel("");
  }
  return (
    <form onSubmit={submit} className="flex gap-2">
      <input
        aria-label={libraryWords.labels.add}
        placeholder={libraryWords.labels.add}
        value={label}
        maxLength={60}
        list={listId}
        onChange={(event) => setLabel(event.target.value)}
        className="min-h-9 min-w-0 flex-1 rounded-md border border-edge bg-surface px-2 text-sm max-md:min-h-11"
      />
      <datalist id={listId}>
        {labels.map((one) => (
          <option key={one.label} value={one.label} />
        ))}
      </datalist>
      <button type="submit" className="rounded-md border border-edge px-3 font-semibold text-sm hover:bg-sunk">
        {libraryWords.labels.addIt}
      </button>
    </form>
  );
}

function Details({ media }: { media: ApiMedia }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">
      {factsOf(media).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Smaller than other buttons, because the panel is narrow. */
const small = "px-2.5! text-sm md:min-h-9! md:py-1!";

type ActionProps = Props & { search: ReturnType<typeof useUsesOf> };

function Actions({ media, use, close, search }: ActionProps) {
  const uses = search.uses.get(media.path);
  const needing = uses ? stillNeeding(uses) : [];
  const remove = useDeleteMedia();
  const crop = useCrop(media);
  const [isCropping, setCropping] = useState(false);
  const failure = remove.error ?? crop.error;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button className={small} onClick={() => use(media)}>
          {libraryWords.use}
        </Button>
        {!isDocument(media) && !isVideo(media) && (
          <Button
            look="quiet"
            className={small}
            aria-disabled={crop.isPending}
            onClick={() => crop.isPending || setCropping(true)}
          >
            <Crop aria-hidden className="size-4" /> {libraryWords.crop}
          </Button>
        )}
        <a href={downloadOf(media)} download className={buttonClass("quiet", small)}>
          <Download aria-hidden className="size-4" /> {libraryWords.download}
        </a>
        <Confirm
          trigger={
            <Button look="danger" className={small} aria-disabled={remove.isPending}>
              {remove.isPending ? libraryWords.removing : libraryWords.remove}
            </Button>
          }
          title={libraryWords.removeQuestion}
          action={libraryWords.remove}
          isOff={!uses}
          onConfirm={() => remove.mutate(media, { onSuccess: close })}
        >
          {uses ? (
            <div className="grid gap-3">
              <p>{needing.length > 0 ? libraryWords.stillNeeded : libraryWords.removeForGood}</p>
              {needing.length === 0 && uses.all.length > 0 && <p>{libraryWords.wasUsed}</p>}
              <UseList schedules={needing.length > 0 ? needing : uses.all} />
            </div>
          ) : (
            <UsesUnknown {...search} />
          )}
        </Confirm>
      </div>
      {failure && (
        <p role="alert" className="text-sm text-wrong">
          {failure.message}
        </p>
      )}
      <p role="status" className="text-muted text-sm empty:hidden">
        {crop.isPending && libraryWords.savingCrop}
        {crop.isSuccess && libraryWords.savedCrop(crop.variables.name)}
      </p>
      {isCropping && (
        <CropWindow
          path={media.path}
          file={storedUpload(storedAttachment(media))}
          targets={[]}
          crop={(cropped) => {
            setCropping(false);
            crop.mutate(cropped);
          }}
          close={() => setCropping(false)}
        />
      )}
    </div>
  );
}

/** Adds a part of a picture to the library, with the picture's alt text and labels. */
function useCrop({ path, labels }: ApiMedia) {
  const copyAltText = useCopyAltText();
  const changed = useMediaChanged();
  return useMutation({
    mutationFn: async (cropped: File) => {
      const made = await sendFile(cropped, { onProgress: () => undefined, signal: new AbortController().signal });
      await copyAltText(path, made);
      if (labels.length > 0) await callApi(addressOf(made), { method: "PATCH", body: { labels } });
    },
    onSettled: changed,
  });
}
