"use client";
import { type ComponentProps, useState } from "react";
import { useMedia } from "../../library/queries";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { TitledModal } from "../../ui/titled-modal";
import type { Attachment } from "../draft/draft";
import { LibraryTile, storedAttachment } from "./library-tile";
import { uploadWords } from "./words";

type Props = { add: (files: Attachment[]) => void; close: () => void };

const words = uploadWords.library;

/** All files of the library, to search by name or alt text and to choose several of. The API searches, so that every file is found. */
export function LibraryWindow({ add, close }: Props) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<Attachment[]>([]);
  const media = useMedia({ text: search.trim() });
  const files = media.data?.pages.flatMap(({ items }) => items.map(storedAttachment)) ?? [];
  const isChosen = ({ path }: Attachment) => chosen.some((one) => one.path === path);
  function toggle(file: Attachment) {
    setChosen(isChosen(file) ? chosen.filter(({ path }) => path !== file.path) : [...chosen, file]);
  }
  return (
    <TitledModal title={words.title} close={close} className="w-[min(48rem,calc(100vw-2rem))]">
      <SearchField label={words.search} value={search} onChange={({ target }) => setSearch(target.value)} />
      {media.error && <Notice tone="wrong">{words.couldNotLoad(media.error.message)}</Notice>}
      <ul className="grid max-h-[50dvh] grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-2 overflow-y-auto p-1">
        {files.map((file) => (
          <li key={file.path}>
            <LibraryTile
              file={file}
              isChosen={isChosen(file)}
              className="aspect-square w-full"
              onClick={() => toggle(file)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-sm empty:hidden">
        {media.data && files.length === 0 && !media.isPlaceholderData && words.noneFound}
      </p>
      <div className="flex flex-wrap justify-end gap-2 border-line border-t pt-3">
        {media.hasNextPage && (
          <Button look="quiet" aria-disabled={media.isFetchingNextPage} onClick={() => void media.fetchNextPage()}>
            {words.showMore}
          </Button>
        )}
        <Button onClick={() => chosen.length > 0 && add(chosen)} aria-disabled={chosen.length === 0}>
          {words.add(chosen.length)}
        </Button>
      </div>
    </TitledModal>
  );
}

/** A field to search by a name, which its placeholder names too. */
export function SearchField({ label, ...input }: ComponentProps<"input"> & { label: string }) {
  return (
    <input
      type="search"
      maxLength={200}
      aria-label={label}
      placeholder={label}
      {...input}
      className="min-h-11 min-w-0 flex-1 rounded-lg border border-edge bg-surface px-3"
    />
  );
}
