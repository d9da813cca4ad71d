import { z } from "zod";
import { plainText } from "../../text";
import { reachesBack } from "../lookalikes";
import { graphTime, pagingSchema } from "../meta/graph";
import type { Lookalike, Published, Searched } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { type GraphCaller, get } from "./api";

const postSchema = z.object({
  id: idSchema,
  message: z.string().optional(),
  created_time: z.string(),
  permalink_url: z.string().optional(),
  application: z.object({ id: idSchema }).optional(),
  attachments: z.object({ data: z.array(z.object({ media_type: z.string().optional() })) }).optional(),
});
const postsSchema = z.object({ data: z.array(postSchema).default([]), paging: pagingSchema });

export type ListedPagePost = z.output<typeof postSchema>;
/** `hasLink`: a link that is not in the text, so Facebook may show the page's video. */
export type ExpectedPagePost = { message: string; hasPhotos: boolean; hasLink?: boolean };

/** Lists the Page's posts since then that our application made with this text. */
export async function lookalikes(
  page: GraphCaller,
  pageId: string,
  expected: ExpectedPagePost,
  from: Date,
): Promise<Lookalike[]> {
  return (await search(page, pageId, expected, from)).listed;
}

const POSTS_LISTED = 25;

/** The same, with whether the list is complete. */
export async function search(
  page: GraphCaller,
  pageId: string,
  expected: ExpectedPagePost,
  from: Date,
): Promise<Searched> {
  const fields = "id,message,created_time,permalink_url,application,attachments{media_type}";
  // Without `since`: an older post shows that the list has everything since then, even if Facebook says that there are more.
  const answer = await get(page, `/${pageId}/published_posts`, { fields, limit: String(POSTS_LISTED) });
  const { data, paging } = await readAnswer("Facebook", postsSchema, answer);
  const listed = data
    .filter((post) => isSamePagePost(post, expected, page.app.clientId))
    .map(({ id, created_time, permalink_url: permalink }) => ({ id, permalink, createdAt: graphTime(created_time) }));
  const times = data.map(({ created_time }) => graphTime(created_time));
  return { listed, isWhole: reachesBack({ times, limit: POSTS_LISTED, ...paging }, from) };
}

/** What a lookup compares. A text and a video look the same, because a text may show the video that it links to. */
export function likenessOf({ message, hasPhotos }: ExpectedPagePost): [string, boolean] {
  return [plainText(message), hasPhotos];
}

/** A text with something like a domain name: Facebook may show the page's video. */
const MAY_LINK = /\w\.\w/;

/** Whether a post that was read back is the one we are looking for, which is a text or photos. */
export function isSamePagePost(post: ListedPagePost, expected: ExpectedPagePost, applicationId: string): boolean {
  const kinds = post.attachments?.data.map(({ media_type }) => media_type) ?? [];
  return (
    plainText(post.message) === plainText(expected.message) &&
    (post.application?.id ?? applicationId) === applicationId &&
    (expected.hasLink || MAY_LINK.test(expected.message) || !kinds.some((kind) => kind?.startsWith("video"))) &&
    kinds.some((kind) => kind === "photo" || kind === "album") === expected.hasPhotos
  );
}

const storySchema = z.object({ post_id: idSchema, media_id: idSchema.optional(), url: z.string().optional() });
const storiesSchema = z.object({ data: z.array(storySchema).default([]) });

/** Finds the story that was created from a photo or video. */
export async function findStory(page: GraphCaller, pageId: string, mediaId: string): Promise<Published | undefined> {
  const answer = await get(page, `/${pageId}/stories`, { fields: "post_id,media_id,url,status" });
  const { data } = await readAnswer("Facebook", storiesSchema, answer);
  const story = data.find(({ media_id }) => media_id === mediaId);
  return story && { id: story.post_id, permalink: story.url };
}
