"use client";
import { useState } from "react";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { TitledModal } from "../ui/titled-modal";
import { downloadOf } from "./facts";
import { NewLabel } from "./panel";
import { type ApiMedia, useChangeMedia, useDeleteMedia } from "./queries";
import { stillNeeding, UseList, UsesUnknown, useUsesOf } from "./uses";
import { libraryWords } from "./words";

type Props = { chosen: ApiMedia[]; clear: () => void };

/** What can be done with several files at once. */
export function ChosenBar({ chosen, clear }: Props) {
  const [isLabelling, setLabelling] = useState(false);
  const words = libraryWords.chosen;
  return (
    <section
      aria-label={words.title}
      className="sticky bottom-4 z-20 flex flex-wrap items-center gap-2 rounded-2xl border border-line bg-surface p-2.5 shadow-lg max-md:bottom-24"
    >
      <p role="status" className="mr-auto px-1.5 font-semibold text-sm">
        {words.count(chosen.length)}
      </p>
      <Button look="quiet" aria-haspopup="dialog" onClick={() => setLabelling(true)}>
        {words.label}
      </Button>
      <Button look="quiet" onClick={() => download(chosen)}>
        {libraryWords.download}
      </Button>
      <Remove chosen={chosen} clear={clear} />
      <Button look="bare" onClick={clear}>
        {words.clear}
      </Button>
      {isLabelling && (
        <TitledModal title={words.labelThem(chosen.length)} close={() => setLabelling(false)}>
          <Labelling chosen={chosen} close={() => setLabelling(false)} />
        </TitledModal>
      )}
    </section>
  );
}

/** Saves each file; browsers ask once whether the page may save several. */
function download(chosen: ApiMedia[]): void {
  for (const media of chosen) {
    const link = document.createElement("a");
    link.href = downloadOf(media);
    link.download = "";
    link.click();
  }
}

function Labelling({ chosen, close }: { chosen: ApiMedia[]; close: () => void }) {
  const change = useChangeMedia();
  const present = [...new Set(chosen.flatMap(({ labels }) => labels))].sort();
  async function each(labelsOf: (media: ApiMedia) => string[]) {
    for (const media of chosen) await change.mutateAsync({ key: media.key, change: { labels: labelsOf(media) } });
    close();
  }
  /** The error is shown below. */
  const run = (labelsOf: (media: ApiMedia) => string[]) => void each(labelsOf).catch(() => undefined);
  return (
    <>
      <NewLabel add={(label) => run(({ labels }) => [...labels, label])} />
      {present.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {present.map((label) => (
            <li key={label}>
              <Button look="quiet" onClick={() => run(({ labels }) => labels.filter((one) => one !== label))}>
                {libraryWords.labels.remove(label)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {change.isError && (
        <p role="alert" className="text-wrong">
          {libraryWords.notSaved(change.error.message)}
        </p>
      )}
    </>
  );
}

/** Deletes the files that no unfinished post needs, after it has named the posts that use any of them. */
function Remove({ chosen, clear }: Props) {
  const remove = useDeleteMedia();
  const [isAsking, setAsking] = useState(false);
  const search = useUsesOf(
    chosen.map(({ path }) => path),
    isAsking,
  );
  const { uses } = search;
  const free = chosen.filter(({ path }) => {
    const found = uses.get(path);
    return found && stillNeeding(found).length === 0;
  });
  const users = [...new Map([...uses.values()].flatMap(({ all }) => all.map((one) => [one.id, one]))).values()];
  const isKnown = uses.size === chosen.length;
  const words = libraryWords.chosen;
  async function removeAll() {
    for (const media of free) await remove.mutateAsync(media);
    clear();
  }
  return (
    <>
      <Confirm
        trigger={<Button look="danger">{libraryWords.remove}</Button>}
        title={words.removeThem(chosen.length)}
        action={free.length > 0 && isKnown ? words.remove(free.length) : libraryWords.remove}
        isOff={!isKnown || free.length === 0}
        onOpenChange={setAsking}
        onConfirm={() => void removeAll().catch(() => undefined)}
      >
        {isKnown ? (
          <div className="grid gap-3">
            {free.length > 0 && <p>{libraryWords.removeForGood}</p>}
            {users.length > 0 && <p>{words.used(chosen.length - free.length)}</p>}
            <UseList schedules={users} />
          </div>
        ) : (
          <UsesUnknown {...search} />
        )}
      </Confirm>
      {remove.isError && (
        <p role="alert" className="text-sm text-wrong">
          {remove.error.message}
        </p>
      )}
    </>
  );
}
