import { parseUrl } from "@/lib/env/parse-url";
import type { SpriteName } from "../ui/icons";
import { Face } from "./face";
import { dotted, type LayoutProps, NoText, PostCard, posterOf, quiet, Reactions } from "./frame";
import { Carousel, Mosaic, Picture } from "./media";
import { RichText } from "./rich-text";
import { previewWords } from "./words";

/** Instagram's feed: the picture, then the name and the caption. */
export function PicturePost({ preview, marked }: LayoutProps) {
  const { author, posts, isMadeWithAi, collaborators, tagged, hasLocation } = preview;
  const { name } = posterOf(preview);
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: posts have no other identity than their position
    <PostCard key={index}>
      <div className="flex items-center gap-2.5 p-3">
        <Face author={author} className="size-8" />
        <p className="leading-tight">
          <span className="block font-semibold">
            {name}
            {collaborators.length > 0 && previewWords.and(collaborators)}
          </span>
          <span className={`block text-xs ${quiet}`}>
            {dotted([isMadeWithAi && previewWords.aiInfo, hasLocation && previewWords.location])}
          </span>
        </p>
      </div>
      {media.length > 0 ? (
        <Carousel media={media} hasDots />
      ) : (
        <p className={`border-neutral-300 border-y px-3 py-8 text-center dark:border-neutral-700 ${quiet}`}>
          {previewWords.noMedia}
        </p>
      )}
      <div className="grid gap-1.5 px-3 py-2.5">
        <Reactions icons={["heart", "message-circle", "send", "bookmark"]} />
        {tagged.length > 0 && <p className={`text-xs ${quiet}`}>{previewWords.tagged(tagged)}</p>}
        <RichText
          preview={preview}
          text={text}
          marked={marked}
          before={text.trim() === "" ? undefined : <span className="font-semibold">{name} </span>}
        />
      </div>
    </PostCard>
  ));
}

/** Facebook and LinkedIn: the author, the text, then full-width pictures. */
export function PagePost({ preview, marked }: LayoutProps) {
  const { audience, platform, posts, link, button, hasLocation } = preview;
  const isFacebook = platform === "FACEBOOK";
  const icons: SpriteName[] = ["thumbs-up", "message-circle", "repeat-2"];
  if (!isFacebook) icons.push("send");
  const who = posterOf(preview);
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: posts have no other identity than their position
    <PostCard key={index} className="grid gap-2.5 pt-3">
      <div className="flex items-center gap-2.5 px-3">
        <Face author={who} />
        <p className="min-w-0 leading-tight">
          <span className="block font-semibold">{who.name}</span>
          <span className={`block text-xs ${quiet}`}>
            {dotted([preview.time ?? previewWords.justNow, audience, hasLocation && previewWords.location])}
          </span>
        </p>
      </div>
      <div className="px-3">
        {text.trim() === "" && media.length === 0 && <NoText />}
        <RichText preview={preview} text={text} marked={marked} />
      </div>
      <Mosaic media={media} />
      {(button || (link && media.length === 0)) && (
        <p className="flex items-center justify-between gap-2 bg-neutral-100 px-3 py-2 dark:bg-neutral-800">
          <span className={`truncate text-xs ${quiet}`}>{link && hostOf(link)}</span>
          {button && <span className="font-semibold">{button}</span>}
        </p>
      )}
      <Reactions
        icons={icons}
        className={`justify-around border-neutral-300 border-t py-2.5 dark:border-neutral-700 ${quiet}`}
      />
    </PostCard>
  ));
}

/** Pinterest: the picture in its own proportions, the link and the text. */
export function Pin({ preview, marked }: LayoutProps) {
  const { author, title, link, place, posts, colour } = preview;
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: Pins have no other identity than their position
    <PostCard key={index} className="mx-auto max-w-64 rounded-2xl">
      <div style={{ backgroundColor: colour }}>
        {media.length > 1 && <Carousel media={media} ratio="aspect-[2/3]" hasDots />}
        {media.length === 1 && media[0] && <Picture file={media[0]} isWhole />}
        {media.length === 0 && <p className={`px-3 py-12 text-center ${quiet}`}>{previewWords.noMedia}</p>}
      </div>
      <div className="grid gap-1.5 p-3">
        {link && <p className={`truncate text-xs ${quiet}`}>{previewWords.visit(hostOf(link))}</p>}
        {title && <p className="font-semibold text-base leading-snug">{title}</p>}
        <RichText preview={preview} text={text} marked={marked} />
        <p className="flex items-center gap-2">
          <Face author={author} className="size-7" />
          <span className="min-w-0 leading-tight">
            <span className="block font-medium">{author.name}</span>
            {place && <span className={`block text-xs ${quiet}`}>{previewWords.savedTo(place)}</span>}
          </span>
        </p>
      </div>
    </PostCard>
  ));
}

function hostOf(link: string): string {
  return parseUrl(link)?.hostname.replace(/^www\./, "") ?? link;
}

/** YouTube: the video, the title, the channel and the description. */
export function WatchPage({ preview, marked }: LayoutProps) {
  const { author, title, audience, isMadeWithAi, posts } = preview;
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: videos have no other identity than their position
    <PostCard key={index}>
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
        <Reactions icons={["thumbs-up", "thumbs-down", "share-2"]} />
        {text.trim() !== "" && (
          <div className="rounded-lg bg-neutral-100 p-2.5 dark:bg-neutral-800">
            <RichText preview={preview} text={text} marked={marked} />
          </div>
        )}
        {isMadeWithAi && <p className={`text-xs ${quiet}`}>{previewWords.alteredContent}</p>}
      </div>
    </PostCard>
  ));
}
