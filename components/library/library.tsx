"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { beginNewDraft, loadMedia, saveMedia } from "../compose/draft/local-storage";
import { storedAttachment } from "../compose/uploads/library-tile";
import { MediaField } from "../compose/uploads/media-field";
import { useDrop } from "../compose/uploads/use-drop";
import { useUploads } from "../compose/uploads/use-uploads";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { ChosenBar } from "./chosen-bar";
import { ImportForm } from "./import-form";
import { MediaTile } from "./media-tile";
import { MediaPanel } from "./panel";
import { type ApiMedia, useMedia, useMediaChanged } from "./queries";
import { type GoInLibrary, type LibraryPlace, librarySorts, mediaFiltersOf, Shelves, useLibraryPlace } from "./shelves";
import { libraryWords } from "./words";

/** The user's files: add, search, sort, label, view, use and delete. Files can be dropped anywhere. */
export function Library({ userId }: { userId: string }) {
  const [place, go] = useLibraryPlace();
  const media = useMedia(mediaFiltersOf(place));
  const changed = useMediaChanged();
  const use = useInPost(userId);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const items = media.data?.pages.flatMap((page) => page.items) ?? [];
  const opened = items.find(({ key }) => key === place.file);
  function close() {
    go({ file: undefined });
    document.querySelector<HTMLElement>(`[data-file="${place.file}"]`)?.focus();
  }
  const searchField = useRef<HTMLInputElement>(null);
  function clear() {
    go({ shelf: "all", label: undefined, find: "" });
    searchField.current?.focus(); // the pressed button is gone
  }
  const isFiltered = place.shelf !== "all" || place.label !== undefined || place.find.trim() !== "";
  const isChosen = ({ path }: ApiMedia) => chosen.includes(path);
  const chosenItems = items.filter(isChosen);
  return (
    <Adding changed={changed}>
      <div
        className={`grid grid-cols-1 gap-5 ${opened ? "wide:grid-cols-[11rem_minmax(0,1fr)_19rem]" : "wide:grid-cols-[11rem_minmax(0,1fr)]"}`}
      >
        <Shelves place={place} go={go} />
        <section aria-label={libraryWords.files} className="grid content-start gap-3.5">
          <Search place={place} go={go} field={searchField} />
          {media.isPending && <SkeletonRows label={libraryWords.loading} rows={2} height="h-40" />}
          {media.error && !media.data && (
            <LoadFailed text={libraryWords.couldNotLoad(media.error.message)} retry={() => media.refetch()} />
          )}
          {media.data && items.length === 0 && (
            <EmptyState
              picture={isFiltered ? "search" : "files"}
              {...(isFiltered ? { title: libraryWords.noneFound } : libraryWords.nothingYet)}
            >
              {isFiltered && (
                <Button look="quiet" onClick={clear}>
                  {libraryWords.clearFilters}
                </Button>
              )}
            </EmptyState>
          )}
          {/* The last row is filled up, so that its pictures are not larger than the others. */}
          <ul className="flex flex-wrap gap-3 [--row:7.25rem] after:grow-[999] max-md:gap-2 md:[--row:11rem]">
            {items.map((item) => (
              <MediaTile
                key={item.path}
                media={item}
                isOpen={item === opened}
                isChosen={isChosen(item)}
                isChoosing={chosenItems.length > 0}
                open={() => go({ file: item.key })}
                choose={() =>
                  setChosen(isChosen(item) ? chosen.filter((path) => path !== item.path) : [...chosen, item.path])
                }
              />
            ))}
          </ul>
          {media.hasNextPage && (
            <Button
              look="quiet"
              className="justify-self-center"
              aria-disabled={media.isFetchingNextPage}
              onClick={() => media.fetchNextPage()}
            >
              {media.isFetchingNextPage ? libraryWords.loadingMore : libraryWords.showMore}
            </Button>
          )}
          {chosenItems.length > 0 && <ChosenBar chosen={chosenItems} clear={() => setChosen([])} />}
        </section>
        {opened && <MediaPanel key={opened.path} media={opened} use={use} close={close} />}
      </div>
    </Adding>
  );
}

/** Running uploads and imports; finished ones appear in the list below. Files that are dropped anywhere are added. */
function Adding({ changed, children }: { changed: () => void; children: ReactNode }) {
  const uploads = useUploads(() => []);
  const drop = useDrop(uploads.add);
  const arrived = uploads.items.filter(({ path }) => path).map(({ id }) => id);
  const { remove } = uploads;
  useEffect(() => {
    if (arrived.length === 0) return;
    for (const id of arrived) remove(id);
    changed();
  });
  return (
    <div {...drop.rootProps} onPaste={drop.onPaste} className="grid min-h-[70dvh] grid-cols-1 content-start gap-4">
      <input {...drop.inputProps} />
      <MediaField
        uploads={uploads}
        open={drop.open}
        isDragging={drop.isDragging}
        isReading={drop.isReading}
        refused={drop.refused}
        title={libraryWords.add}
        beside={<ImportForm onReady={changed} />}
      />
      {children}
    </div>
  );
}

type SearchProps = { place: LibraryPlace; go: GoInLibrary; field: RefObject<HTMLInputElement | null> };

function Search({ place, go, field }: SearchProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        ref={field}
        type="search"
        aria-label={libraryWords.search}
        placeholder={libraryWords.search}
        value={place.find}
        onChange={(event) => go({ find: event.target.value })}
        className="min-h-9 min-w-0 flex-1 basis-56 rounded-lg border border-edge bg-surface px-3 text-sm max-md:min-h-11"
      />
      <select
        aria-label={libraryWords.sort}
        value={place.sort}
        onChange={({ target }) => go({ sort: librarySorts.find((sort) => sort === target.value) })}
        className="min-h-9 rounded-lg border border-edge bg-surface px-2.5 text-sm max-md:min-h-11"
      >
        {librarySorts.map((sort) => (
          <option key={sort} value={sort}>
            {libraryWords.sorts[sort]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Attaches a file to the local draft and opens the composer. */
function useInPost(userId: string): (media: ApiMedia) => void {
  const router = useRouter();
  return (media) => {
    beginNewDraft(userId);
    const others = loadMedia(userId).filter(({ path }) => path !== media.path);
    saveMedia(userId, [...others, storedAttachment(media)]);
    router.push("/compose");
  };
}
