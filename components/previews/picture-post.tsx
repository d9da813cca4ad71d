import { Bookmark, Heart, MessageCircle, Send } from "lucide-react";
import { Face } from "./face";
import { Doings, Ground, type LayoutProps, quiet } from "./frame";
import { Carousel } from "./media";
import { RichText } from "./rich-text";
import { previewWords } from "./words";

/** Instagram's feed: the picture first, the caption below it behind the name. */
export function PicturePost({ preview, marked }: LayoutProps) {
  const { author, posts, isMadeWithAi } = preview;
  const name = author.handle.replace(/^@/, "");
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a post is its place
    <Ground key={index}>
      <div className="flex items-center gap-2.5 p-3">
        <Face author={author} className="size-8" />
        <p className="leading-tight">
          <span className="block font-semibold">{name}</span>
          {isMadeWithAi && <span className={`block text-xs ${quiet}`}>{previewWords.aiInfo}</span>}
        </p>
      </div>
      {media.length > 0 ? (
        <Carousel media={media} ratio="aspect-[4/5]" hasDots />
      ) : (
        <p className={`border-neutral-300 border-y px-3 py-8 text-center dark:border-neutral-700 ${quiet}`}>
          {previewWords.noMedia}
        </p>
      )}
      <div className="grid gap-1.5 px-3 py-2.5">
        <Doings icons={[Heart, MessageCircle, Send, Bookmark]} />
        <RichText
          preview={preview}
          text={text}
          marked={marked}
          before={text.trim() === "" ? undefined : <span className="font-semibold">{name} </span>}
        />
      </div>
    </Ground>
  ));
}
