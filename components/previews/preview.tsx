import { type ComponentType, memo } from "react";
import type { Platform } from "@/lib/platforms";
import { Face } from "./face";
import { dotted, type LayoutProps, PostCard, posterOf, quiet, Reactions } from "./frame";
import { PagePost, PicturePost, Pin, WatchPage } from "./layouts";
import { Carousel, Picture } from "./media";
import { RichText } from "./rich-text";
import { Bubbles, Thread } from "./thread";
import type { Preview as PreviewData } from "./types";
import { previewWords } from "./words";

const blue = "text-sky-700 dark:text-sky-400";

/** The layout and the link colour of each network. */
const LAYOUTS: Record<Platform, { Layout: ComponentType<LayoutProps>; marked: string }> = {
  X_TWITTER: { Layout: Thread, marked: blue },
  BLUE_SKY: { Layout: Thread, marked: "text-blue-700 dark:text-blue-400" },
  THREADS: { Layout: Thread, marked: blue },
  LINKEDIN: { Layout: PagePost, marked: "font-semibold text-blue-800 dark:text-blue-300" },
  FACEBOOK: { Layout: PagePost, marked: "text-blue-700 dark:text-blue-400" },
  INSTAGRAM: { Layout: PicturePost, marked: "text-blue-900 dark:text-blue-300" },
  TIKTOK: { Layout: Upright, marked: "font-semibold" },
  TELEGRAM: { Layout: Bubbles, marked: blue },
  PINTEREST: { Layout: Pin, marked: "font-semibold" },
  YOUTUBE: { Layout: WatchPage, marked: "text-blue-700 dark:text-blue-400" },
};

/** The preview of a publication. Only folding the text and the carousel are interactive. */
export const PublicationMockup = memo(function PublicationMockup({ preview }: { preview: PreviewData }) {
  const { Layout, marked } = LAYOUTS[preview.platform];
  const { comment, remarks } = preview;
  const poster = posterOf(preview);
  const isUpright = preview.shape !== "post";
  return (
    <figure aria-label={previewWords.previewFor(preview.network)} className="grid min-w-0 gap-2">
      {isUpright ? <Upright preview={preview} marked="font-semibold" /> : <Layout preview={preview} marked={marked} />}
      {comment && (
        <PostCard className="ml-6 flex gap-2.5 p-3">
          <Face author={poster} className="size-7" />
          <div>
            <span className="font-semibold">{poster.name}</span>
            <span className={quiet}>&nbsp;· {previewWords.comment}</span>
            <RichText preview={preview} text={comment} marked={marked} />
          </div>
        </PostCard>
      )}
      {remarks.length > 0 && <p className="text-xs">{dotted(remarks)}</p>}
      <figcaption className="text-muted text-xs">{previewWords.mayDiffer(preview.network)}</figcaption>
    </figure>
  );
});

/** Reels, stories and TikTok: a dark full-height screen with the text over the picture. */
function Upright({ preview, marked }: LayoutProps) {
  const { author, shape, title, posts, audience, place, isMadeWithAi, collaborators, tagged, hasLocation } = preview;
  const facts = [
    audience,
    isMadeWithAi && previewWords.madeWithAi,
    hasLocation && previewWords.location,
    tagged.length > 0 && previewWords.tagged(tagged),
  ];
  const name = place ?? author.handle;
  return (
    <div className="flex gap-3 overflow-x-auto">
      {posts.map(({ text, media }, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: stories have no other identity than their position
          key={index}
          className="relative mx-auto aspect-[9/16] w-60 shrink-0 overflow-hidden rounded-xl bg-neutral-950 text-sm text-white"
        >
          {media.length > 1 && <Carousel media={media} ratio="aspect-[9/16]" />}
          {media.length === 1 && media[0] && <Picture file={media[0]} className="size-full" />}
          {media.length === 0 && <p className="p-6 pt-24 text-center">{previewWords.noMedia}</p>}
          {shape === "story" ? (
            <p className="absolute inset-x-0 top-0 flex items-center gap-2 bg-black/70 p-3">
              <Face author={author} className="size-7" />
              <span className="font-semibold">{name}</span>
              {posts.length > 1 && <span>{previewWords.placeOf(index + 1, posts.length)}</span>}
            </p>
          ) : (
            <div className="absolute inset-x-0 bottom-0 grid max-h-1/2 gap-1 overflow-y-auto bg-black/75 p-3">
              <p className="flex items-center gap-2">
                <Face author={author} className="size-7" />
                <span className="font-semibold">
                  {name}
                  {collaborators.length > 0 && previewWords.and(collaborators)}
                </span>
              </p>
              {title && <p className="font-semibold">{title}</p>}
              <RichText preview={preview} text={text} marked={marked} />
              {dotted(facts) && <p className="text-neutral-300 text-xs">{dotted(facts)}</p>}
            </div>
          )}
          <Reactions
            icons={["heart", "message-circle", "send"]}
            className="absolute right-2 bottom-1/2 flex-col text-white"
          />
        </div>
      ))}
    </div>
  );
}
