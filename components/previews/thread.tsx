import { SpriteIcon } from "../ui/icons";
import { Handle } from "../ui/sentence";
import { Face } from "./face";
import { dotted, type LayoutProps, NoText, PostCard, posterOf, quiet, Reactions } from "./frame";
import { Mosaic, Strip } from "./media";
import { RichText } from "./rich-text";
import type { Preview, PreviewPost } from "./types";
import { previewWords } from "./words";

/** X, Bluesky and Threads: the posts of a thread, connected by a line. */
export function Thread({ preview, marked }: LayoutProps) {
  return (
    <PostCard>
      <ol>
        {preview.posts.map((post, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: posts of a thread have no other identity than their position
          <li key={index} className="flex gap-2.5 px-3 pt-3 last:pb-3">
            <span className="flex flex-col items-center">
              <Face author={preview.author} />
              {index < preview.posts.length - 1 && (
                <span aria-hidden className="-mb-3 mt-1 w-0.5 flex-1 bg-neutral-300 dark:bg-neutral-700" />
              )}
            </span>
            <div className="grid min-w-0 flex-1 gap-1.5">
              <Author preview={preview} isFirst={index === 0} />
              {post.text.trim() === "" && post.media.length === 0 && <NoText />}
              {preview.warnings && <p className={`text-xs ${quiet}`}>{dotted(preview.warnings)}</p>}
              <RichText preview={preview} text={post.text} marked={marked} />
              <Pictures platform={preview.platform} post={post} />
              {index === 0 && <Attached preview={preview} />}
              <Reactions
                icons={["message-circle", "repeat-2", "heart", preview.platform === "THREADS" ? "send" : "bookmark"]}
              />
            </div>
          </li>
        ))}
      </ol>
    </PostCard>
  );
}

/** What the first post of a thread can have besides its text and pictures. */
function Attached({ preview: { poll, quote, link, replies, hasLocation } }: { preview: Preview }) {
  const box = "wrap-anywhere rounded-xl border border-neutral-300 px-3 py-2 dark:border-neutral-700";
  return (
    <>
      {poll?.map((option) => (
        <p key={option} className={box}>
          {option}
        </p>
      ))}
      {[link, quote].map(
        (address) =>
          address && (
            <p key={address} className={`${box} ${quiet}`}>
              {address}
            </p>
          ),
      )}
      {hasLocation && <p className={`text-xs ${quiet}`}>{previewWords.location}</p>}
      {replies && <p className={`text-xs ${quiet}`}>{previewWords.replies(replies)}</p>}
    </>
  );
}

function Author({ preview, isFirst }: { preview: Preview; isFirst: boolean }) {
  const { author, topic, platform } = preview;
  const isByHandle = platform === "THREADS";
  const handle = !isByHandle && author.handle !== author.name && <Handle>{author.handle}</Handle>;
  const beside = handle || (isByHandle && topic && isFirst && `› ${topic}`);
  return (
    <p>
      <span className="font-semibold">{posterOf(preview).name}</span>
      <span className={quiet}>
        {beside && <> {beside}</>}
        &nbsp;· <span className="whitespace-nowrap">{preview.time ?? previewWords.now}</span>
      </span>
    </p>
  );
}

/** Threads shows a strip, and so does Bluesky from the fifth picture; otherwise a mosaic of four. */
function Pictures({ platform, post: { media } }: { platform: Preview["platform"]; post: PreviewPost }) {
  if (platform === "THREADS" || (platform === "BLUE_SKY" && media.length > 4)) return <Strip media={media} />;
  return <Mosaic media={media} className="rounded-xl" />;
}

/** Telegram: messages on the channel's background, the text below the pictures. */
export function Bubbles({ preview, marked }: LayoutProps) {
  const { posts, author } = preview;
  return (
    <ol className="grid gap-2 rounded-xl border border-neutral-300 bg-[#cfe0d4] p-3 text-neutral-950 text-sm dark:border-neutral-700 dark:bg-[#17212b] dark:text-neutral-50">
      {posts.map(({ text, entities, media, place }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other identity than their position
          key={index}
          className="max-w-[19rem] overflow-hidden rounded-2xl rounded-bl-sm bg-white dark:bg-[#223040]"
        >
          <Mosaic media={media} />
          <div className="grid gap-1 px-3 py-2">
            <p className={`font-semibold ${marked}`}>{place ?? author.name}</p>
            {text.trim() === "" && media.length === 0 && <NoText />}
            <RichText preview={preview} text={text} entities={entities} marked={marked} />
            <p className={`flex items-center justify-end gap-1 text-xs ${quiet}`}>
              <SpriteIcon name="eye" className="size-3.5" /> {preview.time ?? previewWords.now}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
