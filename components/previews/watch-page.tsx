import { Share2, ThumbsDown, ThumbsUp } from "lucide-react";
import { Face } from "./face";
import { Doings, Ground, type LayoutProps, quiet } from "./frame";
import { Picture } from "./media";
import { RichText } from "./rich-text";
import { previewWords } from "./words";

/** YouTube: the video, its title, the channel, and the description in its box. */
export function WatchPage({ preview, marked }: LayoutProps) {
  const { author, title, audience, posts } = preview;
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a video is its place
    <Ground key={index}>
      {media[0] ? (
        <Picture file={media[0]} className="aspect-video w-full" />
      ) : (
        <p className={`flex aspect-video items-center justify-center ${quiet}`}>{previewWords.noVideo}</p>
      )}
      <div className="grid gap-2.5 p-3">
        <p className="line-clamp-2 font-semibold text-base leading-snug">{title ?? previewWords.noTitle}</p>
        <p className="flex items-center gap-2">
          <Face author={author} />
          <span className="leading-tight">
            <span className="block font-medium">{author.name}</span>
            {audience && <span className={`block text-xs ${quiet}`}>{audience}</span>}
          </span>
        </p>
        <Doings icons={[ThumbsUp, ThumbsDown, Share2]} />
        {text.trim() !== "" && (
          <div className="rounded-lg bg-neutral-100 p-2.5 dark:bg-neutral-800">
            <RichText preview={preview} text={text} marked={marked} />
          </div>
        )}
      </div>
    </Ground>
  ));
}
