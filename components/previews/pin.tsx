import { Face } from "./face";
import { Ground, type LayoutProps, quiet } from "./frame";
import { Carousel, Picture } from "./media";
import { RichText } from "./rich-text";
import { previewWords } from "./words";

/** Pinterest: the picture in its own shape, what it leads to, and the words below. */
export function Pin({ preview, marked }: LayoutProps) {
  const { author, title, link, place, posts } = preview;
  return posts.map(({ text, media }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a Pin is its place
    <Ground key={index} className="mx-auto max-w-64 rounded-2xl">
      {media.length > 1 && <Carousel media={media} ratio="aspect-[2/3]" hasDots />}
      {media.length === 1 && media[0] && <Picture file={media[0]} isWhole />}
      {media.length === 0 && <p className={`px-3 py-12 text-center ${quiet}`}>{previewWords.noMedia}</p>}
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
    </Ground>
  ));
}

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, "") : link;
}
