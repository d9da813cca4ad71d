import { z } from "zod";
import { PlatformError } from "../errors";
import { idSchema, readAnswer } from "../json";
import { multipart } from "../multipart";
import type { OutgoingMedia, Profile, Session } from "../network";
import { query } from "../query";

const userSchema = z.object({
  data: z.object({
    id: idSchema,
    username: z.string(),
    name: z.string(),
    profile_image_url: z.string().optional(),
  }),
});

/** docs.x.com/x-api/users/lookup/quickstart/authenticated-lookup */
export async function me(session: Session): Promise<Profile> {
  const fields = query({
    "user.fields": "id,name,username,profile_image_url,subscription_type,verified_type,protected",
  });
  const { data } = await readAnswer("X", userSchema, await session.fetch(`/2/users/me?${fields}`));
  return {
    accountId: data.id,
    username: data.username,
    displayName: data.name,
    avatarUrl: data.profile_image_url?.replace(/_normal(\.\w+)$/, "$1"), // `_normal` is 48 pixels wide
  };
}

const mediaSchema = z.object({ data: z.object({ id: idSchema, expires_after_secs: z.number().optional() }) });

/** docs.x.com/x-api/media/upload-media: the one-shot form, for images. */
export async function uploadImage(session: Session, media: OutgoingMedia): Promise<{ id: string; seconds: number }> {
  const { headers, body } = multipart({
    media_category: "tweet_image",
    media: { ...media, open: () => media.open() },
  });
  const call = { method: "POST", headers, body, timeoutSeconds: 120 };
  const { data } = await readAnswer("X", mediaSchema, await session.fetch("/2/media/upload", call));
  return { id: data.id, seconds: data.expires_after_secs ?? 86_400 };
}

const createdSchema = z.object({ data: z.object({ id: idSchema }) });

/** docs.x.com/x-api/posts/create-post; absent fields rather than empty ones, which X refuses. */
export async function createPost(
  session: Session,
  post: { text: string; mediaIds: string[]; inReplyTo?: string },
): Promise<string> {
  const body = JSON.stringify({
    text: post.text || undefined,
    media: post.mediaIds.length > 0 ? { media_ids: post.mediaIds } : undefined,
    reply: post.inReplyTo ? { in_reply_to_tweet_id: post.inReplyTo } : undefined,
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
const postSchema = z.object({
  id: idSchema,
  text: z.string(),
  entities: z.object({ urls: z.array(linkSchema).nullish() }).optional(),
  referenced_posts: referenceSchema,
  referenced_tweets: referenceSchema,
});
const timelineSchema = z.object({ data: z.array(postSchema).default([]) });

export type TimelinePost = z.output<typeof postSchema>;

/** docs.x.com/x-api/posts/get-posts: what the account posted since a moment, reposts left out. */
export async function postsSince(session: Session, since: Date): Promise<TimelinePost[]> {
  const range = {
    max_results: "100",
    start_time: since.toISOString().replace(/\.\d+Z$/, "Z"),
    exclude: "retweets",
  };
  const read = async (fields: { [name: string]: string }) => {
    const path = `/2/users/${session.accountId}/tweets?${query({ ...range, ...fields })}`;
    return (await readAnswer("X", timelineSchema, await session.fetch(path))).data;
  };
  try {
    return await read({ "post.fields": "created_at,text,entities", expansions: "referenced_posts" });
  } catch (error) {
    // The OpenAPI file says post.fields; the guides, and servers that are older, still know tweet.fields only.
    if (!(error instanceof PlatformError) || error.answer?.status !== 400) throw error;
    return read({ "tweet.fields": "created_at,text,entities,referenced_tweets" });
  }
}
