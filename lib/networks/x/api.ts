import { z } from "zod";
import { PlatformError } from "../errors";
import type { NetworkSession, OutgoingMedia, Profile } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { query } from "../wire/query";
import { multipart } from "../wire/request-body";

const userSchema = z.object({
  data: z.object({
    id: idSchema,
    username: z.string(),
    name: z.string(),
    profile_image_url: z.string().optional(),
    subscription_type: z.string().optional().catch(undefined),
  }),
});

/**
 * docs.x.com/changelog: subscribers may post 25,000 characters. Which subscriptions that includes, and how X counts, is not
 * documented: `Basic` keeps the usual limit, and characters count with their usual weight.
 */
const SUBSCRIBER_TEXT_MAX = 25_000;
const SUBSCRIPTIONS_WITH_LONGER_TEXTS = ["Premium", "PremiumPlus"];

/** `x-rate-limit-*` is documented (docs.x.com/x-api/fundamentals/rate-limits); the others were observed (node-twitter-api-v2#495, #553). */
const WINDOWS = [
  ["x-rate-limit", "in 15 minutes"],
  ["x-user-limit-24hour", "of the account in 24 hours"],
  ["x-app-limit-24hour", "of the app in 24 hours"],
] as const;

/** Returns what X states about the limits of `GET /2/users/me`, by window. */
export async function readWindows(
  session: NetworkSession,
): Promise<{ name: string; limit: string; remaining: string }[]> {
  const { headers } = await session.fetch("/2/users/me");
  return WINDOWS.flatMap(([prefix, name]) => {
    const [limit, remaining] = ["limit", "remaining"].map((end) => headers.get(`${prefix}-${end}`));
    return limit && remaining ? [{ name, limit, remaining }] : [];
  });
}

/** docs.x.com/x-api/users/lookup/quickstart/authenticated-lookup */
export async function me(session: NetworkSession): Promise<Profile> {
  const fields = query({
    "user.fields": "id,name,username,profile_image_url,subscription_type,verified_type,protected",
  });
  const { data } = await readAnswer("X", userSchema, await session.fetch(`/2/users/me?${fields}`));
  return {
    accountId: data.id,
    username: data.username,
    displayName: data.name,
    textMax: SUBSCRIPTIONS_WITH_LONGER_TEXTS.includes(data.subscription_type ?? "") ? SUBSCRIBER_TEXT_MAX : undefined,
    avatarUrl: data.profile_image_url?.replace(/_normal(\.\w+)$/, "$1"), // `_normal` is 48 pixels wide
  };
}

const mediaSchema = z.object({ data: z.object({ id: idSchema, expires_after_secs: z.number().optional() }) });

/** docs.x.com/x-api/media/upload-media: the single-request upload, for images. */
export async function uploadImage(
  session: NetworkSession,
  media: OutgoingMedia,
): Promise<{ id: string; seconds: number }> {
  const { headers, body } = multipart({
    media_category: "tweet_image",
    media: { ...media, open: () => media.open() },
  });
  const call = { method: "POST", headers, body, timeoutSeconds: 120 };
  const { data } = await readAnswer("X", mediaSchema, await session.fetch("/2/media/upload", call));
  return { id: data.id, seconds: data.expires_after_secs ?? 86_400 };
}

/** docs.x.com/x-api/media/initialize-media-upload */
export async function initializeMedia(
  session: NetworkSession,
  media: OutgoingMedia,
): Promise<{ id: string; seconds: number }> {
  const body = JSON.stringify({
    media_type: media.contentType,
    total_bytes: media.sizeBytes,
    media_category: media.kind === "video" ? "tweet_video" : (media.frames ?? 1) > 1 ? "tweet_gif" : "tweet_image",
  });
  const call = { method: "POST", headers: { "content-type": "application/json" }, body };
  const { data } = await readAnswer("X", mediaSchema, await session.fetch("/2/media/upload/initialize", call));
  return { id: data.id, seconds: data.expires_after_secs ?? 86_400 };
}

/** docs.x.com/x-api/media/append-media-upload: a part can be sent again. */
export async function appendMedia(
  session: NetworkSession,
  id: string,
  index: number,
  media: OutgoingMedia,
  range: { first: number; last: number },
): Promise<void> {
  const part = { ...media, sizeBytes: range.last - range.first + 1, open: () => media.open(range) };
  const { headers, body } = multipart({ segment_index: String(index), media: part });
  await session.fetch(`/2/media/upload/${id}/append`, { method: "POST", headers, body, timeoutSeconds: 120 });
}

/** docs.x.com/x-api/media/create-media-metadata: every call is billed, and can be repeated. */
export async function describeMedia(session: NetworkSession, id: string, text: string): Promise<void> {
  const body = JSON.stringify({ id, metadata: { alt_text: { text } } });
  await session.fetch("/2/media/metadata", { method: "POST", headers: { "content-type": "application/json" }, body });
}

const processingSchema = z.object({
  data: z.object({
    processing_info: z
      .object({
        state: z.enum(["pending", "in_progress", "succeeded", "failed"]),
        error: z.object({ message: z.string().optional() }).optional(),
      })
      .optional(),
  }),
});

/** X's processing state of a file. */
export type MediaState = { state: "pending" | "in_progress" | "succeeded" | "failed"; reason?: string };

/** docs.x.com/x-api/media/finalize-media-upload: files that are ready at once have no processing info. */
export async function finalizeMedia(session: NetworkSession, id: string): Promise<MediaState> {
  return stateIn(await session.fetch(`/2/media/upload/${id}/finalize`, { method: "POST", timeoutSeconds: 120 }));
}

/** docs.x.com/x-api/media/get-media-upload-status */
export async function mediaState(session: NetworkSession, id: string): Promise<MediaState> {
  return stateIn(await session.fetch(`/2/media/upload?${query({ command: "STATUS", media_id: id })}`));
}

async function stateIn(response: Response): Promise<MediaState> {
  const { processing_info: info } = (await readAnswer("X", processingSchema, response)).data;
  return info ? { state: info.state, reason: info.error?.message } : { state: "succeeded" };
}

const createdSchema = z.object({ data: z.object({ id: idSchema }) });

export type PostFields = {
  text: string;
  mediaIds: string[];
  inReplyTo?: string;
  replySettings?: string;
  /** The ID of the post to quote. */
  quote?: string;
  poll?: { options: string[]; minutes: number };
};

/** docs.x.com/x-api/posts/create-post; empty fields are omitted because X refuses them. */
export async function createPost(session: NetworkSession, post: PostFields): Promise<string> {
  const body = JSON.stringify({
    text: post.text || undefined,
    media: post.mediaIds.length > 0 ? { media_ids: post.mediaIds } : undefined,
    reply: post.inReplyTo ? { in_reply_to_tweet_id: post.inReplyTo } : undefined,
    reply_settings: post.replySettings,
    quote_tweet_id: post.quote,
    poll: post.poll && { options: post.poll.options, duration_minutes: post.poll.minutes },
  });
  const headers = { "content-type": "application/json" };
  const response = await session.fetch("/2/tweets", { method: "POST", headers, body });
  return (await readAnswer("X", createdSchema, response)).data.id;
}

const linkSchema = z.object({
  url: z.string().optional(),
  expanded_url: z.string().nullish(),
  media_key: z.string().nullish(),
});
const referenceSchema = z.array(z.object({ type: z.string(), id: idSchema })).optional();
const textSchema = z.object({
  text: z.string(),
  entities: z.object({ urls: z.array(linkSchema).nullish() }).nullish(),
});
const postSchema = textSchema.extend({
  id: idSchema,
  created_at: z.string().optional(),
  /** The whole text of a post with more than 280 characters, whose `text` ends early. */
  note_post: textSchema.nullish(),
  note_tweet: textSchema.nullish(),
  referenced_posts: referenceSchema,
  referenced_tweets: referenceSchema,
});
const timelineSchema = z.object({
  data: z.array(postSchema).default([]),
  meta: z.object({ next_token: z.string().optional() }).optional(),
});

export type TimelinePost = z.output<typeof postSchema>;

export const POSTS_LISTED = 100;

/**
 * docs.x.com/x-api/posts/get-posts: the account's posts since a time, without reposts. These count in `max_results` although they
 * are left out, so a list that is not full can have more.
 */
export async function postsSince(
  session: NetworkSession,
  since: Date,
): Promise<{ posts: TimelinePost[]; hasMore: boolean }> {
  const range = {
    max_results: String(POSTS_LISTED),
    start_time: since.toISOString().replace(/\.\d+Z$/, "Z"),
    exclude: "retweets",
  };
  const read = async (fields: { [name: string]: string }) => {
    const path = `/2/users/${session.accountId}/tweets?${query({ ...range, ...fields })}`;
    const { data, meta } = await readAnswer("X", timelineSchema, await session.fetch(path));
    return { posts: data, hasMore: meta?.next_token !== undefined };
  };
  try {
    return await read({ "post.fields": "created_at,text,entities,note_post", expansions: "referenced_posts" });
  } catch (error) {
    // The OpenAPI file says post.fields; the guides and older servers only know tweet.fields.
    if (!(error instanceof PlatformError) || error.answer?.status !== 400) throw error;
    return read({ "tweet.fields": "created_at,text,entities,note_tweet,referenced_tweets" });
  }
}
