"use client";
import { Fragment, useState } from "react";
import { graphemesOf } from "@/lib/networks/text/count";
import type { Entity } from "@/lib/networks/text/markup";
import { type Stretch, stretchesOf, withStyles } from "./marks";
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

/** How formatted parts look; a link looks like a detected one. */
const STYLES: { [type: string]: string } = {
  bold: "font-bold",
  italic: "italic",
  underline: "underline",
  strikethrough: "line-through",
  code: "font-mono",
  pre: "font-mono",
  spoiler: "blur-xs",
  blockquote: "border-current border-l-2 pl-1.5",
  expandable_blockquote: "border-current border-l-2 pl-1.5",
};

type Props = {
  preview: Pick<Preview, "platform" | "network">;
  text: string;
  entities?: Entity[];
  marked: string;
  className?: string;
  before?: React.ReactNode;
};

/** A text with links, mentions and hashtags, folded like on its network. @param marked the style of those */
export function RichText({ preview, text, entities, marked, className = "", before }: Props) {
  const [isOpen, setOpen] = useState(false);
  const fold = foldOf(preview, text);
  const isFolded = fold !== undefined && !isOpen;
  const stretches = withStyles(stretchesOf(preview.platform, isFolded ? fold.head : text), entities);
  const classes = ({ mark, styles = [] }: Stretch) =>
    [mark || styles.includes("text_link") ? marked : "", ...styles.map((style) => STYLES[style])]
      .filter(Boolean)
      .join(" ");
  if (text.trim() === "" && !before) return null;
  return (
    <p className={`wrap-anywhere whitespace-pre-wrap ${className}`}>
      {before}
      {stretches.map((stretch, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
        <Fragment key={index}>
          {stretch.mark || stretch.styles ? <span className={classes(stretch)}>{stretch.text}</span> : stretch.text}
        </Fragment>
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
