"use client";
import { Fragment, useState } from "react";
import { graphemesOf } from "@/lib/networks/text/count";
import { stretchesOf } from "./marks";
import type { Preview } from "./types";
import { previewWords } from "./words";

type Fold = { characters: number; lines: number; word: string };

/**
 * Approximately where feeds fold a text. Instagram documents its limit (help.instagram.com/1643471055915254); the
 * others are observed.
 */
const FOLDS: { [P in Preview["platform"]]?: Fold } = {
  INSTAGRAM: { characters: 125, lines: 3, word: previewWords.more },
  FACEBOOK: { characters: 480, lines: 6, word: previewWords.seeMore },
  LINKEDIN: { characters: 210, lines: 3, word: previewWords.more },
  TIKTOK: { characters: 100, lines: 2, word: previewWords.more },
  YOUTUBE: { characters: 150, lines: 3, word: previewWords.more },
  PINTEREST: { characters: 100, lines: 2, word: previewWords.more },
};

/** The visible part of a folded text and the word that opens it; undefined if all is visible. */
export function foldOf(
  { platform }: Pick<Preview, "platform">,
  text: string,
): { head: string; word: string } | undefined {
  const fold = FOLDS[platform];
  if (!fold) return undefined;
  const lines = text.split("\n").slice(0, fold.lines).join("\n");
  const head = cut(lines, fold.characters);
  return head.length < text.trimEnd().length ? { head: head.trimEnd(), word: fold.word } : undefined;
}

/** Cuts a text between words if that keeps most of it. */
function cut(text: string, characters: number): string {
  const all = [...graphemesOf(text)];
  if (all.length <= characters) return text;
  const head = all.slice(0, characters).join("");
  const word = head.search(/\s\S*$/);
  return word > head.length / 2 ? head.slice(0, word) : head;
}

type Props = {
  preview: Pick<Preview, "platform" | "network">;
  text: string;
  marked: string;
  className?: string;
  before?: React.ReactNode;
};

/** A text with links, mentions and hashtags, folded like on its network. @param marked the style of those */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
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
