import { z } from "zod";
import { commentRecovery, type ListedComment } from "../comment";
import { PlatformError } from "../errors";
import { graphTime } from "../meta/graph";
import type { OutgoingComment, OutgoingMedia, OutgoingPost, Published, Recovery, Run } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { type GraphCaller, get, pageCaller, postForm, SCOPES } from "./api";
import { linkOf } from "./checks";
import { COMMENT_SCOPE } from "./connect";
import { hasErrorCode } from "./errors";
import { type ExpectedPagePost, likenessOf, lookalikes, search } from "./find";
import type { FacebookSettings } from "./settings";

export type FacebookPost = OutgoingPost<FacebookSettings>;

const createdSchema = z.object({ id: idSchema, post_id: idSchema.optional() });
const linkSchema = z.object({ permalink_url: z.string().optional() });

/** Returns a post's Page with the Page's own token, and its ID. */
export async function pageOfPost(
  { chatId = "" }: FacebookPost,
  run: Run,
): Promise<{ page: GraphCaller; pageId: string }> {
  return { page: await pageCaller(run, chatId), pageId: chatId };
}

/**
 * Publishes a text; its link becomes a preview card, with a button if one is set. If Facebook cannot create a card for a link in
 * the text, the post is published without it.
 */
export async function publishText(sent: FacebookPost, run: Run): Promise<Published> {
  const { page, pageId } = await pageOfPost(sent, run);
  const { placeId: place, link: card } = sent.settings;
  const link = linkOf(sent);
  const call_to_action = buttonOf(sent, link);
  const fields = { message: sent.content, link, call_to_action, place };
  const isLinkOptional = !card && !call_to_action;
  const made = await createFeedPost(run, page, pageId, fields, { isLinkOptional, hasLink: card !== undefined });
  return withPermalink(run, page, made);
}

/** The button as JSON. Its link must be the one of the card (…/graph-api/reference/page/feed). */
export function buttonOf({ settings: { callToAction } }: FacebookPost, link?: string): string | undefined {
  return callToAction && link ? JSON.stringify({ type: callToAction, value: { link } }) : undefined;
}

/**
 * Publishes one photo with its caption. If the answer names only the photo, which the Page lists under another ID, the permalink
 * stays unknown. That tells lookups of other posts that this post may be listed under an ID that we do not know.
 */
export async function publishPhoto(sent: FacebookPost, run: Run): Promise<Published> {
  const { page, pageId } = await pageOfPost(sent, run);
  const media = singleMedia(sent);
  const work = async () => {
    const fields = {
      url: await media.publicUrl(),
      caption: sent.content || undefined,
      ...described(media),
      place: sent.settings.placeId,
      published: "true",
    };
    const answer = await postForm(page, `/${pageId}/photos`, fields, { timeoutSeconds: 120 });
    const { id, post_id } = await readAnswer("Facebook", createdSchema, answer);
    return post_id === undefined ? { id, isPhotoId: true } : { id: post_id };
  };
  const expected = { message: sent.content, hasPhotos: true };
  const recovery = recoveryOf(page, pageId, expected);
  const made = await run.commit<Published & { isPhotoId?: boolean }>("photo", work, recovery);
  return made.isPhotoId ? { id: made.id } : withPermalink(run, page, made);
}

/** Publishes 2 to 10 photos as one post: each is uploaded unpublished, then one call publishes all. */
export async function publishPhotos(sent: FacebookPost, run: Run): Promise<Published> {
  const { page, pageId } = await pageOfPost(sent, run);
  const photos: string[] = [];
  for (const [index, media] of sent.media.entries())
    photos.push(await uploadUnpublishedPhoto(run, page, pageId, `photo ${index + 1}`, media, described(media)));
  const attached = Object.fromEntries(
    photos.map((id, index) => [`attached_media[${index}]`, JSON.stringify({ media_fbid: id })]),
  );
  const fields = { message: sent.content || undefined, place: sent.settings.placeId, ...attached };
  return withPermalink(run, page, await createFeedPost(run, page, pageId, fields));
}

/** Uploads an unpublished photo. Facebook deletes it after about 24 hours, so an older one is uploaded again. */
export async function uploadUnpublishedPhoto(
  run: Run,
  page: GraphCaller,
  pageId: string,
  name: string,
  media: OutgoingMedia,
  more: { [name: string]: string | undefined } = {},
): Promise<string> {
  const put = async () => {
    const fields = { url: await media.publicUrl(), ...more, published: "false" };
    const answer = await postForm(page, `/${pageId}/photos`, fields, { timeoutSeconds: 120 });
    return { id: (await readAnswer("Facebook", createdSchema, answer)).id, at: Date.now() };
  };
  const first = await run.step(name, put);
  if (Date.now() - first.at < UNPUBLISHED_PHOTO_LIFETIME_MS) return first.id;
  return (await run.step(`${name} again`, put)).id;
}

/** Replaces the text that Facebook generates for a photo; not available for stories. */
function described({ altText }: OutgoingMedia) {
  return { alt_text_custom: altText };
}

const UNPUBLISHED_PHOTO_LIFETIME_MS = 23 * 3_600_000;

async function createFeedPost(
  run: Run,
  page: GraphCaller,
  pageId: string,
  fields: { [name: string]: string | undefined },
  { isLinkOptional = false, hasLink = false } = {},
): Promise<Published> {
  const expected = { message: fields.message ?? "", hasPhotos: "attached_media[0]" in fields, hasLink };
  const send = async (some: typeof fields) => {
    const answer = await postForm(page, `/${pageId}/feed`, some, { timeoutSeconds: 60 });
    return { id: (await readAnswer("Facebook", createdSchema, answer)).id };
  };
  // Both tries are part of one commit: after either, nothing is sent again.
  const work = () =>
    send(fields).catch((error: unknown) => {
      if (!fields.link || !isLinkOptional || !hasErrorCode(error, "1609005|1609008|2061006")) throw error;
      return send({ ...fields, link: undefined });
    });
  return run.commit<Published>("post", work, recoveryOf(page, pageId, expected));
}

/** Facebook has no handle for texts and photos, so a lost one is searched among the Page's posts. */
function recoveryOf(page: GraphCaller, pageId: string, expected: ExpectedPagePost): Recovery<Published> {
  const list = (from: Date) => lookalikes(page, pageId, expected, from);
  const find: Recovery<Published>["find"] = async ({ from, identify }) => identify(await list(from));
  return {
    find,
    lookalikes: { likeness: likenessOf(expected), list, search: (from) => search(page, pageId, expected, from) },
  };
}

/** Adds the permalink. If it cannot be read, an address made from the post's ID also works. */
async function withPermalink(run: Run, page: GraphCaller, published: Published): Promise<Published> {
  if (published.permalink) return published;
  const permalink = await permalinkOf(run, page, published.id);
  return { ...published, permalink: permalink ?? `https://www.facebook.com/${published.id}` };
}

/** Null if it cannot be read. */
function permalinkOf(run: Run, page: GraphCaller, id: string): Promise<string | null> {
  return run.step("permalink", async () => {
    try {
      const answer = await get(page, `/${id}`, { fields: "permalink_url" });
      return (await readAnswer("Facebook", linkSchema, answer)).permalink_url ?? null;
    } catch {
      return null;
    }
  });
}

const commentSchema = z.object({
  id: idSchema,
  message: z.string().default(""),
  created_time: z.string(),
  from: z.object({ id: idSchema }).optional(),
  permalink_url: z.string().optional(),
});
const commentsSchema = z.object({ data: z.array(commentSchema).default([]) });

/**
 * Comments as the Page on its own post (…/docs/graph-api/reference/object/comments). `fields` are not sent along: then the comment
 * is created, and the answer is an error (20/1772107).
 */
export async function publishComment(comment: OutgoingComment<unknown>, run: Run): Promise<Published> {
  const { text, on, chatId } = comment;
  const page = await pageCaller(run, chatId, [...SCOPES, COMMENT_SCOPE]);
  const work = async (): Promise<Published> => {
    const answer = await postForm(page, `/${on.id}/comments`, { message: text }, { timeoutSeconds: 60 });
    return { id: (await readAnswer("Facebook", createdSchema, answer)).id };
  };
  const recovery = commentRecovery(comment, () => newestComments(page, on.id, chatId));
  const sent = await run.commit("comment", work, recovery);
  return sent.permalink ? sent : { ...sent, permalink: (await permalinkOf(run, page, sent.id)) ?? undefined };
}

async function newestComments(page: GraphCaller, postId: string, pageId?: string): Promise<ListedComment[]> {
  const fields = "id,message,created_time,from,permalink_url";
  const answer = await get(page, `/${postId}/comments`, {
    fields,
    filter: "stream",
    order: "reverse_chronological",
    limit: "50",
  });
  return (await readAnswer("Facebook", commentsSchema, answer)).data.map((one) => ({
    id: one.id,
    permalink: one.permalink_url,
    text: one.message,
    createdAt: graphTime(one.created_time),
    isOwn: one.from?.id === pageId,
  }));
}

export function singleMedia({ media: [media] }: FacebookPost): OutgoingMedia {
  if (!media) throw new PlatformError("rejected", "A Facebook post of this kind needs a file");
  return media;
}
