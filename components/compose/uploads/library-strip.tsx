"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import type { MediaList } from "@/lib/api/shapes";
import { callApi } from "../../api/client";
import { loadedLater } from "../../ui/toast";
import type { Attachment } from "../draft/draft";
import { loadWindows } from "../load-windows";
import { LibraryTile, storedAttachment } from "./library-tile";
import type { FilePlace, Uploads } from "./use-uploads";
import { uploadWords } from "./words";

// Loaded when it is opened.
const LibraryWindow = loadedLater(() => loadWindows().then(({ LibraryWindow }) => LibraryWindow));

type Props = { uploads: Uploads; place: () => FilePlace };

/** The newest files of the library, each added or removed by one press, and a window with all. */
export function LibraryStrip({ uploads, place }: Props) {
  const [isOpen, setOpen] = useState(false);
  const newest = useQuery({
    queryKey: ["media", "newest"],
    queryFn: ({ signal }) => callApi<z.output<typeof MediaList>>("/v1/media?limit=4", { signal }),
  });
  const { only } = place();
  // A file that the other accounts have too is added and removed with theirs.
  const offered = newest.data?.items.filter(
    (media) => !uploads.items.some((file) => file.path === media.path && file.only !== only),
  );
  if (!offered?.length) return null;
  const add = (files: Attachment[]) => uploads.addStored(files.map((file) => ({ ...file, ...place() })));
  return (
    <div className="flex items-center gap-1.5 sm:ml-auto">
      <span className="text-muted text-xs max-sm:sr-only">{uploadWords.library.from}</span>
      {offered.map((media) => {
        const used = uploads.items.find(({ path }) => path === media.path);
        return (
          <LibraryTile
            key={media.path}
            file={storedAttachment(media)}
            isChosen={used !== undefined}
            className="size-10"
            onClick={() => (used ? uploads.remove(used.id) : add([storedAttachment(media)]))}
          />
        );
      })}
      <button type="button" onClick={() => setOpen(true)} className="min-h-9 px-1 font-semibold text-accent text-sm">
        {uploadWords.library.all}
      </button>
      {isOpen && (
        <LibraryWindow
          add={(files) => {
            setOpen(false);
            add(files);
          }}
          close={() => setOpen(false)}
        />
      )}
    </div>
  );
}
