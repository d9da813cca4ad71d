import type { Session } from "../network";
import { postsSince, type TimelinePost } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;

type Sought = { text: string; hasMedia: boolean; inReplyTo?: string };

/** Finds the one post of this account since `since` with the same text and parent; undefined if none or several match. */
export async function findPost(session: Session, sought: Sought, since: Date): Promise<string | undefined> {
  const posts = await postsSince(session, new Date(since.getTime() - CLOCK_DIFFERENCE_MS));
  const matches = posts.filter((post) => isSame(post, sought));
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Whether a post that was read back is the one we are looking for. */
export function isSame(post: TimelinePost, { text, hasMedia, inReplyTo }: Sought): boolean {
  const references = post.referenced_posts ?? post.referenced_tweets ?? [];
  const parent = references.find(({ type }) => type === "replied_to")?.id;
  return parent === inReplyTo && plain(asWritten(post, hasMedia)) === plain(text);
}

/** Restores the original text: X replaces every link with a t.co link and appends one for the media. */
function asWritten(post: TimelinePost, hasMedia: boolean): string {
  let text = post.text;
  for (const { url, expanded_url, media_key } of post.entities?.urls ?? []) {
    if (!url) continue;
    const isMedia = media_key || /\/status\/\d+\/(photo|video)\/\d+$/.test(expanded_url ?? "");
    text = text.replace(url, isMedia ? "" : (expanded_url ?? url).replaceAll("$", "$$$$"));
  }
  return hasMedia ? text.replace(/(^|\s)https?:\/\/t\.co\/\w+\s*$/, "") : text;
}

/** Removes differences that X can introduce: schemes of bare domains, a trailing slash, spaces, `&amp;`. */
function plain(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/https?:\/\//gi, "")
    .replace(/\/(?=\s|[.,;:!?)]|$)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
