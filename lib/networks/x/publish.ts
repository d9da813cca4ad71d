import { normalized } from "../../text";
import { PlatformError } from "../errors";
import { reachesBack } from "../lookalikes";
import type { Lookalike, NetworkSession, OutgoingPost, Published, Run, Searched } from "../network";
import { createPost, POSTS_LISTED, type PostFields, postsSince, type TimelinePost } from "./api";
import { DEFAULT_POLL_MINUTES, postId, replySettings, type XSettings } from "./settings";
import { uploadToX } from "./upload";

type ExpectedXPost = { text: string; hasMedia: boolean; inReplyTo?: string; quote?: string };

/** Lists the account's posts since then with the same text and parent. */
async function lookalikes(session: NetworkSession, expected: ExpectedXPost, from: Date): Promise<Lookalike[]> {
  return (await search(session, expected, from)).listed;
}

async function search(session: NetworkSession, expected: ExpectedXPost, from: Date): Promise<Searched> {
  const { posts, hasMore } = await postsSince(session, from);
  const listed = posts
    .filter((post) => isSameXPost(post, expected))
    .map(({ id }) => ({ id, permalink: addressOf(session, id), createdAt: createdAtOf(id) }));
  const times = posts.map(({ id }) => createdAtOf(id));
  return { listed, isWhole: reachesBack({ times, limit: POSTS_LISTED, hasMore }, from) };
}

const addressOf = ({ username }: NetworkSession, id: string) => `https://x.com/${username}/status/${id}`;

const FIRST_ID_MS = 1_288_834_974_657n;

/** X's IDs contain the time of creation in milliseconds (docs.x.com/fundamentals/x-ids); `created_at` has whole seconds. */
function createdAtOf(id: string): Date {
  return new Date(Number((BigInt(id) >> 22n) + FIRST_ID_MS));
}

/** Whether a post that was read back is the one we are looking for. */
export function isSameXPost(post: TimelinePost, { text, hasMedia, inReplyTo, quote }: ExpectedXPost): boolean {
  const references = post.referenced_posts ?? post.referenced_tweets ?? [];
  const referenced = (kind: string) => references.find(({ type }) => type === kind)?.id;
  if (referenced("replied_to") !== inReplyTo || (quote && referenced("quoted") !== quote)) return false;
  return plain(originalText(post, hasMedia, quote)) === plain(text);
}

/** Restores the original text: X replaces every link with a t.co link and appends one for the media or the quoted post. */
function originalText(post: TimelinePost, hasMedia: boolean, quote: string | undefined): string {
  const note = post.note_post ?? post.note_tweet;
  let { text } = note ?? post;
  const links = new Map([post, note].flatMap((part) => part?.entities?.urls ?? []).map((link) => [link.url, link]));
  for (const { url, expanded_url, media_key } of links.values()) {
    if (!url) continue;
    const isMedia = media_key || /\/status\/\d+\/(photo|video)\/\d+$/.test(expanded_url ?? "");
    const isQuote = quote !== undefined && expanded_url?.endsWith(`/status/${quote}`) && text.trimEnd().endsWith(url);
    text = text.replace(url, isMedia || isQuote ? "" : (expanded_url ?? url).replaceAll("$", "$$$$"));
  }
  return hasMedia ? text.replace(/(^|\s)https?:\/\/t\.co\/\w+\s*$/, "") : text;
}

/** Removes differences that X can introduce: schemes of bare domains, a trailing slash, spaces, `&amp;`. */
function plain(text: string): string {
  return normalized(text)
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/https?:\/\//gi, "")
    .replace(/\/(?=\s|[.,;:!?)]|$)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

type Post = OutgoingPost<XSettings>;

/**
 * Publishes a text with up to four images, an animation or a video: first the uploads, then the one call that makes the post
 * public. If X no longer has the uploaded media, they are uploaded once more.
 */
export async function publishPost(post: Post, run: Run): Promise<Published> {
  try {
    return await publishAs("", post, run);
  } catch (error) {
    if (!isMediaUnknown(error) || post.media.length === 0) throw error;
    return publishAs(" anew", post, run);
  }
}

async function publishAs(round: "" | " anew", post: Post, run: Run): Promise<Published> {
  const mediaIds: string[] = [];
  for (const [index, media] of post.media.entries()) {
    mediaIds.push(await uploadToX(run, media, `${media.kind} ${index + 1}${round}`));
  }
  const inReplyTo = post.after?.id;
  const options = optionsOf(post);
  const expected = { text: post.content, hasMedia: mediaIds.length > 0, inReplyTo, quote: options.quote };
  // Both rounds use one name: if either published the post, later attempts must see that.
  const id = await run.commit("post", () => createPost(run, { text: post.content, mediaIds, inReplyTo, ...options }), {
    find: async ({ from, identify }) => (await identify(await lookalikes(run, expected, from)))?.id,
    // Nothing is listed before the call: the IDs tell what is older, and X bills each post that it lists.
    lookalikes: {
      likeness: [plain(post.content), inReplyTo],
      search: (from) => search(run, expected, from),
    },
  });
  return { id, permalink: addressOf(run, id) };
}

/** Only the first post of a thread has them. */
function optionsOf({ settings, after }: Post): Pick<PostFields, "replySettings" | "quote" | "poll"> {
  if (after) return {};
  const { whoCanReply, quote, pollOptions: options = [], pollMinutes: minutes = DEFAULT_POLL_MINUTES } = settings;
  return {
    replySettings: whoCanReply && replySettings[whoCanReply],
    quote: quote === undefined ? undefined : postId(quote),
    poll: options.length > 0 ? { options: options.map((option) => option.trim()), minutes } : undefined,
  };
}

/** The media expired or were lost by X: its answer names neither the media nor the reason. */
function isMediaUnknown(error: unknown): boolean {
  return error instanceof PlatformError && error.refused && /media IDs are invalid/i.test(error.answer?.message ?? "");
}
