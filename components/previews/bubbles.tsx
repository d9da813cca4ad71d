import { Eye } from "lucide-react";
import { type LayoutProps, NoText, quiet } from "./frame";
import { Mosaic } from "./media";
import { RichText } from "./rich-text";
import { previewWords } from "./words";

/** Telegram: messages one below the other on the channel's ground, the text under its pictures. */
export function Bubbles({ preview, marked }: LayoutProps) {
  const { posts, place, author } = preview;
  return (
    <ol className="grid gap-2 rounded-xl border border-neutral-300 bg-[#cfe0d4] p-3 text-neutral-950 text-sm dark:border-neutral-700 dark:bg-[#17212b] dark:text-neutral-50">
      {posts.map(({ text, media }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
          key={index}
          className="max-w-[19rem] overflow-hidden rounded-2xl rounded-bl-sm bg-white dark:bg-[#223040]"
        >
          <Mosaic media={media} />
          <div className="grid gap-1 px-3 py-2">
            <p className={`font-semibold ${marked}`}>{place ?? author.name}</p>
            {text.trim() === "" && media.length === 0 && <NoText />}
            <RichText preview={preview} text={text} marked={marked} />
            <p className={`flex items-center justify-end gap-1 text-xs ${quiet}`}>
              <Eye aria-hidden className="size-3.5" /> {previewWords.now}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
