import type { Session } from "../network";
import { postsSince, type TimelinePost } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;

type Sought = { text: string; hasMedia: boolean; inReplyTo?: string };

/** The one post of this account since then that says the same in the same place; undefined for none and for several. */
export async function findPost(session: Session, sought: Sought, since: Date): Promise<string | undefined> {
  const posts = await postsSince(session, new Date(since.getTime() - CLOCK_DIFFERENCE_MS));
  const matches = posts.filter((post) => isSame(post, sought));
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Whether a post read back is the one sought. */
export function isSame(post: TimelinePost, { text, hasMedia, inReplyTo }: Sought): boolean {
  const references = post.referenced_posts ?? post.referenced_tweets ?? [];
  const parent = references.find(({ type }) => type === "replied_to")?.id;
  return parent === inReplyTo && plain(asWritten(post, hasMedia)) === plain(text);
}

/** X replaces every link by a t.co one and appends one for the media: both undone. */
function asWritten(post: TimelinePost, hasMedia: boolean): string {
  let text = post.text;
  for (const { url, expanded_url, media_key } of post.entities?.urls ?? []) {
    if (!url) continue;
    const isMedia = media_key || /\/status\/\d+\/(photo|video)\/\d+$/.test(expanded_url ?? "");
    text = text.replace(url, isMedia ? "" : (expanded_url ?? url).replaceAll("$", "$$$$"));
  }
  return hasMedia ? text.replace(/(^|\s)https?:\/\/t\.co\/\w+\s*$/, "") : text;
}

/** What X may change without changing what is said: schemes of bare domains, a root's slash, spaces, `&amp;`. */
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
