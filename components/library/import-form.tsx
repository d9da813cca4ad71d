"use client";
import { useEffect, useState } from "react";
import { useBodyForm } from "../api/use-body-form";
import { Button, buttonClass } from "../ui/button";
import { Link2 } from "../ui/icons";
import { FieldError } from "../ui/input-field";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { sizeWords } from "./facts";
import { hasEnded, type Import, useImport, useStartImport } from "./queries";
import { libraryWords } from "./words";

/** Imports a file from a public URL, whose field opens at a press, and shows the progress. It belongs in a row that wraps. */
export function ImportForm({ onReady }: { onReady: () => void }) {
  const start = useStartImport();
  const [ids, setIds] = useState<number[]>([]);
  const { form, at, submit, isBusy, refusal } = useBodyForm({
    defaultValues: { url: "" },
    fields: ["url"],
    schema: async () => (await import("@/lib/api/bodies/import")).NewImport,
    lacksOf: ({ url }) => (url.trim() === "" ? { url: libraryWords.giveAddress } : {}),
    bodyOf: ({ url }) => ({ url: url.trim() }),
    send: async ({ url }) => {
      const { id } = await start.mutateAsync(url.trim());
      setIds((all) => [id, ...all]);
      form.reset();
    },
  });
  const isBlank = form.watch("url").trim() === "";
  const address = at("url");
  const isHydrated = useIsHydrated(); // what is entered before would be lost
  return (
    <>
      <details className="contents open:details-content:basis-full">
        <summary
          className={buttonClass(
            "quiet",
            "w-fit rounded-xl! border-dashed text-muted text-sm [&::-webkit-details-marker]:hidden",
          )}
        >
          <Link2 aria-hidden className="size-5" /> {libraryWords.fromAddress}
        </summary>
        <form onSubmit={submit} noValidate className="grid gap-1">
          <fieldset disabled={!isHydrated} className="flex flex-wrap items-end gap-3">
            <label className="grid flex-1 basis-64 gap-1">
              <span className="font-medium text-sm">{libraryWords.address}</span>
              <input
                type="url"
                inputMode="url"
                placeholder="https://"
                className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3"
                {...address.props}
              />
            </label>
            <Button type="submit" look="quiet" aria-disabled={isBlank || isBusy}>
              {libraryWords.fetchIt}
            </Button>
          </fieldset>
          <FieldError {...address.error} />
          {refusal && (
            <p role="alert" className="text-sm text-wrong">
              {refusal}
            </p>
          )}
        </form>
      </details>
      {ids.length > 0 && (
        <ul aria-label={libraryWords.imports} className="grid basis-full gap-2">
          {ids.map((id) => (
            <ImportRow key={id} id={id} onReady={onReady} />
          ))}
        </ul>
      )}
    </>
  );
}

function ImportRow({ id, onReady }: { id: number; onReady: () => void }) {
  const { data } = useImport(id);
  const isReady = data?.state === "READY";
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the import is ready
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
  if (!data) return null;
  const { state, sourceUrl, bytesDownloaded, totalBytes } = data;
  return (
    <li className="grid gap-1 rounded-lg border border-line bg-surface p-3 text-sm">
      <span className="truncate" title={sourceUrl}>
        {sourceUrl}
      </span>
      {!hasEnded(data) && (
        <progress
          aria-label={libraryWords.fetchingFrom(sourceUrl)}
          max={totalBytes ?? 1}
          value={totalBytes ? bytesDownloaded : undefined}
          className="h-1.5 w-full accent-(--accent)"
        />
      )}
      <span aria-live="polite" className={state === "FAILED_PERMANENT" ? "text-wrong" : "text-muted"}>
        {standing(data)}
      </span>
    </li>
  );
}

/** The state of an import, with the reason if it failed. */
function standing(one: Import): string {
  const state = one.state === "DOWNLOADING" ? fetched(one) : libraryWords.importStates[one.state];
  return one.errorMessage ? libraryWords.stateBecause(state, one.errorMessage) : state;
}

function fetched({ bytesDownloaded, totalBytes }: Import): string {
  const done = sizeWords(bytesDownloaded);
  return totalBytes ? libraryWords.fetchingOf(done, sizeWords(totalBytes)) : libraryWords.fetching(done);
}
