"use client";
import { Fragment, useState } from "react";
import { foldOf } from "./fold";
import { stretchesOf } from "./marks";
import type { Preview } from "./types";
import { previewWords } from "./words";

type Props = {
  preview: Pick<Preview, "platform" | "network">;
  text: string;
  marked: string;
  className?: string;
  before?: React.ReactNode;
};

/** A text with its links, mentions and hashtags, folded where its network folds it. @param marked how those look there */
export function RichText({ preview, text, marked, className = "", before }: Props) {
  const [isOpen, setOpen] = useState(false);
  const fold = foldOf(preview, text);
  const isFolded = fold !== undefined && !isOpen;
  const stretches = stretchesOf(preview.platform, isFolded ? fold.head : text);
  if (text.trim() === "" && !before) return null;
  return (
    <p className={`wrap-anywhere whitespace-pre-wrap ${className}`}>
      {before}
      {stretches.map(({ text: stretch, mark }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a text have nothing else to tell them apart
        <Fragment key={index}>{mark ? <span className={marked}>{stretch}</span> : stretch}</Fragment>
      ))}
      {fold && (
        <>
          {isFolded ? "… " : " "}
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="min-h-6 opacity-80 hover:underline"
          >
            {isOpen ? previewWords.less : fold.word}
          </button>
        </>
      )}
    </p>
  );
}
