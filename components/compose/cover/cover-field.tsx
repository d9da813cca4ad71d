"use client";
import { useState } from "react";
import { Sentence } from "../../ui/sentence";
import { loadedLater } from "../../ui/toast";
import { loadWindows } from "../load-windows";
import type { Target } from "../targets/targets";
import { coverNetworks } from "../targets/targets";
import type { Upload, Uploads } from "../uploads/use-uploads";
import { composeWords } from "../words";

// Loaded when a cover is chosen.
const CoverWindow = loadedLater(() => loadWindows().then(({ CoverWindow }) => CoverWindow));

type Props = { file: Upload; targets: Target[]; uploads: Uploads };

/** A video's cover, if a chosen network accepts one: its state, and a button to choose it. */
export function CoverField({ file, targets, uploads }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { take, choose } = coverNetworks(file, targets);
  const { name, path, cover } = file;
  if (!path || take.length === 0) return null;
  return (
    <div className="grid gap-1 text-xs">
      <button type="button" onClick={() => setOpen(true)} className="min-h-8 text-left text-accent text-sm underline">
        <Sentence
          text={cover ? composeWords.anotherCover : composeWords.chooseCover}
          parts={{ ofVideo: <span className="sr-only">{composeWords.ofVideo(name)}</span> }}
        />
      </button>
      {cover && (
        <p role="status" className={cover.error ? "text-wrong" : "text-muted"}>
          {cover.error ??
            (cover.path ? composeWords.hasCover : composeWords.coverUnderWay(Math.round(cover.share * 100)))}
        </p>
      )}
      {isOpen && (
        <CoverWindow
          path={path}
          name={name}
          hasCover={cover !== undefined}
          fate={fateOf(take, choose)}
          set={(chosen) => {
            uploads.setCover(file.id, chosen);
            setOpen(false);
          }}
          close={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** `Goes to Pinterest. X and TikTok choose by themselves.` */
function fateOf(take: string[], choose: string[]): string {
  const goes = composeWords.coverGoesTo(listed(take));
  return choose.length === 0 ? goes : `${goes} ${composeWords.chooseThemselves(listed(choose), choose.length)}`;
}

function listed(names: string[]): string {
  return new Intl.ListFormat("en").format(names);
}
