"use client";
import { Accessibility, FileText, type IconComponent, Image, Images, Sparkles, Tag, Video } from "../ui/icons";
import { useAddress } from "../ui/use-address";
import { type LibraryFilters, type LibrarySort, useLabels, useMediaCounts } from "./queries";
import { libraryWords } from "./words";

export type Shelf = keyof typeof libraryWords.shelves;

/** What is shown. It is in the URL, so that a person comes back to the same place. `file` is the key of the open file. */
export type LibraryPlace = { shelf: Shelf; label?: string; sort: LibrarySort; find: string; file?: string };
export type GoInLibrary = (to: Partial<LibraryPlace>) => void;

const filters: { [shelf in Shelf]: LibraryFilters } = {
  all: {},
  pictures: { kind: "IMAGE" },
  videos: { kind: "VIDEO" },
  documents: { kind: "DOCUMENT" },
  notUsed: { used: "false" },
  noAltText: { altText: "false" },
};
const shelves: [Shelf, IconComponent][] = [
  ["all", Images],
  ["pictures", Image],
  ["videos", Video],
  ["documents", FileText],
  ["notUsed", Sparkles],
  ["noAltText", Accessibility],
];
export const librarySorts: LibrarySort[] = ["-createdTime", "createdTime", "filename", "-sizeBytes"];

/** The place in the URL, and a function that changes it. */
export function useLibraryPlace(): [LibraryPlace, GoInLibrary] {
  return useAddress(placeIn, fieldsOf);
}

function placeIn(params: URLSearchParams): LibraryPlace {
  const one = (name: string) => params.get(name) || undefined;
  return {
    shelf: shelves.find(([shelf]) => shelf === one("shelf"))?.[0] ?? "all",
    label: one("label"),
    sort: librarySorts.find((sort) => sort === one("sort")) ?? "-createdTime",
    find: one("find") ?? "",
    file: one("file"),
  };
}

const fieldsOf = (place: LibraryPlace) => place;

/** Of a search. */
const MOST_CHARACTERS = 200;

/** The filters of a place, as `GET /v1/media` takes them. */
export function mediaFiltersOf({ shelf, label, sort, find }: LibraryPlace): LibraryFilters {
  return { ...filters[shelf], label, sort, text: find.trim().slice(0, MOST_CHARACTERS).trim() };
}

/**
 * On a phone one row that scrolls within itself, from its chosen item on; its end fades, because more follows. Its inset keeps the
 * ring of the focus from being cut.
 */
const list =
  "flex gap-0.5 max-md:-m-1 max-md:overflow-x-auto max-md:p-1 max-md:pr-10 max-md:contain-inline-size max-md:*:shrink-0 max-md:mask-r-from-[calc(100%-2.5rem)] [scrollbar-width:none] md:flex-wrap wide:grid";

/** The choice of a kind of files, or of a label. */
export function Shelves({ place, go }: { place: LibraryPlace; go: GoInLibrary }) {
  const { data: labels = [] } = useLabels();
  const { data: all } = useMediaCounts();
  const counts = all && {
    all: all.all,
    pictures: all.kinds.IMAGE,
    videos: all.kinds.VIDEO,
    documents: all.kinds.DOCUMENT,
    notUsed: all.unused,
    noAltText: all.withoutAltText,
  };
  return (
    <nav aria-label={libraryWords.show} className="grid content-start gap-4">
      <ul className={list}>
        {shelves.map(([shelf, icon]) => (
          <Choice
            key={shelf}
            icon={icon}
            word={libraryWords.shelves[shelf]}
            count={counts?.[shelf]}
            isChosen={place.shelf === shelf && !place.label}
            choose={() => go({ shelf, label: undefined })}
          />
        ))}
      </ul>
      {labels.length > 0 && (
        <section aria-labelledby="labels" className="grid gap-1">
          <h2 id="labels" className="px-2.5 font-medium text-muted text-xs">
            {libraryWords.labels.title}
          </h2>
          <ul className={list}>
            {labels.map(({ label, files }) => (
              <Choice
                key={label}
                icon={Tag}
                word={label}
                count={files}
                isChosen={place.label === label}
                choose={() => go({ shelf: "all", label })}
              />
            ))}
          </ul>
        </section>
      )}
    </nav>
  );
}

const number = new Intl.NumberFormat("en");

type ChoiceProps = { icon: IconComponent; word: string; count?: number; isChosen: boolean; choose: () => void };

function Choice({ icon: Icon, word, count, isChosen, choose }: ChoiceProps) {
  return (
    <li className="has-aria-pressed:[scroll-initial-target:nearest]">
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={choose}
        className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-left text-sm hover:bg-sunk aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent max-md:min-h-11"
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate">{word}</span>
        {count !== undefined && <span className="text-muted text-xs tabular-nums">{number.format(count)}</span>}
      </button>
    </li>
  );
}
