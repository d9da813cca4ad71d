import { Heart, MessageCircle, Send } from "lucide-react";
import { Face } from "./face";
import { Doings, type LayoutProps } from "./frame";
import { Carousel, Picture } from "./media";
import { RichText } from "./rich-text";
import { previewWords } from "./words";

/** Reels, stories and TikTok: a dark full-height screen with the text over the picture. */
export function Upright({ preview, marked }: LayoutProps) {
  const { author, shape, title, posts, audience, place, isMadeWithAi } = preview;
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
                <span className="font-semibold">{name}</span>
              </p>
              {title && <p className="font-semibold">{title}</p>}
              <RichText preview={preview} text={text} marked={marked} />
              {(audience || isMadeWithAi) && (
                <p className="text-neutral-300 text-xs">
                  {[audience, isMadeWithAi && previewWords.madeWithAi].filter(Boolean).join(" · ")}
                </p>
              )}
            </div>
          )}
          <Doings icons={[Heart, MessageCircle, Send]} className="absolute right-2 bottom-1/2 flex-col text-white" />
        </div>
      ))}
    </div>
  );
}
