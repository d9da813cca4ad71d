"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { fileKindOf } from "@/lib/networks/limits";
import { beginNewDraft, loadMedia, saveMedia } from "../compose/draft/local-storage";
import { MediaField } from "../compose/uploads/media-field";
import { useDrop } from "../compose/uploads/use-drop";
import { useUploads } from "../compose/uploads/use-uploads";
import { stillOf } from "../networks/formats";
import { Button } from "../ui/button";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { ImportForm } from "./import-form";
import { MediaTile } from "./media-tile";
import { type ApiMedia, useMedia, useMediaChanged } from "./queries";
import { libraryWords } from "./words";

type Kind = keyof typeof libraryWords.kinds;

/** The user's files: add, search, view, use and delete. @param sought the initial search text */
export function Library({ userId, sought }: { userId: string; sought: string }) {
  const media = useMedia();
  const changed = useMediaChanged();
  const use = useInPost(userId);
  const [search, setSearch] = useState(sought);
  const [kind, setKind] = useState<Kind>("all");
  const items = media.data?.pages.flatMap((page) => page.items) ?? [];
  const shown = items.filter((item) => matches(item, search, kind));
  return (
    <div className="grid gap-8">
      <Adding changed={changed} />
      <section aria-label={libraryWords.files} className="grid gap-4">
        <Search search={search} setSearch={setSearch} kind={kind} setKind={setKind} />
        {media.isPending && <SkeletonRows label={libraryWords.loading} rows={2} height="h-40" />}
        {media.error && !media.data && (
          <LoadFailed text={libraryWords.couldNotLoad(media.error.message)} retry={() => media.refetch()} />
        )}
        {media.data && items.length === 0 && <p className="text-muted">{libraryWords.nothingYet}</p>}
        {items.length > 0 && shown.length === 0 && (
          <p className="text-muted">{media.hasNextPage ? libraryWords.noneFoundYet : libraryWords.noneFound}</p>
        )}
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
          {shown.map((item) => (
            <MediaTile key={item.path} media={item} use={use} />
          ))}
        </ul>
        {media.hasNextPage && (
          <Button
            look="quiet"
            className="justify-self-center"
            aria-disabled={media.isFetchingNextPage}
            onClick={() => media.fetchNextPage()}
          >
            {media.isFetchingNextPage ? libraryWords.loadingOlder : libraryWords.showOlder}
          </Button>
        )}
      </section>
    </div>
  );
}

/** Running uploads and imports; finished ones appear in the list below. */
function Adding({ changed }: { changed: () => void }) {
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
    <div {...drop.rootProps} onPaste={drop.onPaste} className="grid gap-4">
      <input {...drop.inputProps} />
      <MediaField
        uploads={uploads}
        open={drop.open}
        isDragging={drop.isDragging}
        isReading={drop.isReading}
        refused={drop.refused}
        title={libraryWords.add}
      />
      <ImportForm onReady={changed} />
    </div>
  );
}

type SearchProps = { search: string; setSearch: (text: string) => void; kind: Kind; setKind: (kind: Kind) => void };

const kinds: Kind[] = ["all", "image", "video", "document"];

function Search({ search, setSearch, kind, setKind }: SearchProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <label className="grid flex-1 basis-56 gap-1">
        <span className="font-medium text-sm">{libraryWords.findByName}</span>
        <input
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3"
        />
      </label>
      <label className="grid gap-1">
        <span className="font-medium text-sm">{libraryWords.show}</span>
        <select
          value={kind}
          onChange={(event) => setKind(kinds.find((one) => one === event.target.value) ?? "all")}
          className="min-h-11 rounded-lg border border-edge bg-surface px-3"
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {libraryWords.kinds[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function matches(media: ApiMedia, search: string, kind: Kind): boolean {
  const isKind = kind === "all" || kind === fileKindOf(media.contentType);
  return isKind && media.filename.toLowerCase().includes(search.trim().toLowerCase());
}

/** Attaches a file to the local draft and opens the composer. */
function useInPost(userId: string): (media: ApiMedia) => void {
  const router = useRouter();
  return (media) => {
    const { path, filename: name } = media;
    const kind = fileKindOf(media.contentType);
    const thumb = media.thumbnailUrl ?? (kind === "video" ? stillOf(media.url, kind) : undefined);
    beginNewDraft(userId);
    const others = loadMedia(userId).filter((other) => other.path !== path);
    saveMedia(userId, [...others, { path, name, kind, thumb }]);
    router.push("/compose");
  };
}
