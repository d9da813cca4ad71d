import { MessageCircle, Repeat2, Send, ThumbsUp } from "lucide-react";
import { Face } from "./face";
import { Doings, Ground, type LayoutProps, NoText, quiet } from "./frame";
import { Mosaic } from "./media";
import { RichText } from "./rich-text";
import { previewWords } from "./words";

/** Facebook and LinkedIn: who above, the text, and the pictures from edge to edge. */
export function PagePost({ preview, marked }: LayoutProps) {
  const { author, place, audience, platform, posts } = preview;
  const isFacebook = platform === "FACEBOOK";
  const icons = isFacebook ? [ThumbsUp, MessageCircle, Repeat2] : [ThumbsUp, MessageCircle, Repeat2, Send];
  const who = isFacebook && place ? { ...author, name: place, avatarUrl: undefined } : author;
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a post is its place
    <Ground key={index} className="grid gap-2.5 pt-3">
      <div className="flex items-center gap-2.5 px-3">
        <Face author={who} />
        <p className="min-w-0 leading-tight">
          <span className="block font-semibold">{who.name}</span>
          <span className={`block text-xs ${quiet}`}>
            {[previewWords.justNow, audience].filter(Boolean).join(" · ")}
          </span>
        </p>
      </div>
      <div className="px-3">
        {text.trim() === "" && media.length === 0 && <NoText />}
        <RichText preview={preview} text={text} marked={marked} />
      </div>
      <Mosaic media={media} />
      <Doings
        icons={icons}
        className={`justify-around border-neutral-300 border-t py-2.5 dark:border-neutral-700 ${quiet}`}
      />
    </Ground>
  ));
}
