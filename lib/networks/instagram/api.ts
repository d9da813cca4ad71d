import { z } from "zod";
import { env } from "../../env";
import type { ListedComment } from "../comment";
import { PlatformError } from "../errors";
import { appSecretProof, graphTime, pagingSchema, searchPlaces } from "../meta/graph";
import type { NetworkSession, Profile, SettingOption } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { form, query } from "../wire/query";

export const VERSION = "v26.0";

const profileSchema = z.object({
  /** The person's app-scoped ID, which callbacks use. */
  id: idSchema.optional(),
  user_id: idSchema,
  username: z.string(),
  name: z.string().optional(),
  profile_picture_url: z.string().optional(),
});
/** The guide shows `data[0]`; production answers with a flat object. */
const profileAnswer = z.union([
  profileSchema,
  z.object({ data: z.tuple([profileSchema]).rest(profileSchema) }).transform((a) => a.data[0]),
]);

/** developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/get-started */
export async function me(session: NetworkSession): Promise<Profile> {
  const fields = query({ fields: "id,user_id,username,name,account_type,profile_picture_url" });
  const user = await readAnswer("Instagram", profileAnswer, await session.fetch(`/${VERSION}/me?${fields}`));
  return {
    accountId: user.user_id,
    username: user.username,
    displayName: user.name || user.username,
    avatarUrl: user.profile_picture_url,
    noticeId: user.id,
  };
}

const created = z.object({ id: idSchema });

/** Creates a container, which is invisible until it is published (…/instagram-graph-api/reference/ig-user/media). */
export async function createContainer(
  session: NetworkSession,
  fields: { [name: string]: string | undefined },
): Promise<string> {
  const path = `/${VERSION}/${session.accountId}/media`;
  const response = await session.fetch(path, { ...form(fields), timeoutSeconds: 120 });
  return (await readAnswer("Instagram", created, response)).id;
}

const containerSchema = z.object({
  status_code: z.enum(["IN_PROGRESS", "FINISHED", "PUBLISHED", "ERROR", "EXPIRED"]),
  status: z.string().optional(),
});

export type Container = z.output<typeof containerSchema>;

/** …/instagram-graph-api/reference/ig-container */
export async function container(session: NetworkSession, id: string): Promise<Container> {
  const path = `/${VERSION}/${id}?${query({ fields: "status_code,status" })}`;
  return readAnswer("Instagram", containerSchema, await session.fetch(path));
}

/** …/instagram-graph-api/reference/ig-user/media_publish; without `fields`, which can make a successful call return an error. */
export async function publishContainer(session: NetworkSession, id: string): Promise<string> {
  const path = `/${VERSION}/${session.accountId}/media_publish`;
  const response = await session.fetch(path, { ...form({ creation_id: id }), timeoutSeconds: 60 });
  return (await readAnswer("Instagram", created, response)).id;
}

const limitSchema = z.object({
  data: z.tuple([z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }) })]),
});

/** Reads the publishing limit of the last 24 hours (…/instagram-graph-api/reference/ig-user/content_publishing_limit). */
export async function publishingLimit(session: NetworkSession): Promise<{ used: number; total: number }> {
  const path = `/${VERSION}/${session.accountId}/content_publishing_limit?${query({ fields: "quota_usage,config" })}`;
  const [limit] = (await readAnswer("Instagram", limitSchema, await session.fetch(path))).data;
  return { used: limit.quota_usage, total: limit.config.quota_total };
}

const mediaSchema = z.object({
  id: idSchema,
  caption: z.string().optional(),
  timestamp: z.string(),
  permalink: z.string().optional(),
  media_product_type: z.string().optional(),
});
const mediaListSchema = z.object({ data: z.array(mediaSchema).default([]), paging: pagingSchema });

export const MEDIA_LISTED = 10;

/** Lists the account's newest media or stories. */
export async function newestMedia(session: NetworkSession, edge: "media" | "stories") {
  const fields = query({ fields: "id,caption,timestamp,permalink,media_product_type", limit: String(MEDIA_LISTED) });
  const path = `/${VERSION}/${session.accountId}/${edge}?${fields}`;
  return readAnswer("Instagram", mediaListSchema, await session.fetch(path));
}

const linkSchema = z.object({
  permalink: z.string().optional(),
  shortcode: z.string().optional(),
  media_product_type: z.string().optional(),
});

/** Media flagged for copyright have no `permalink`, but a short code, which stories do not have. */
export async function permalinkOf(session: NetworkSession, mediaId: string): Promise<string | undefined> {
  const path = `/${VERSION}/${mediaId}?${query({ fields: "id,permalink,shortcode,media_product_type" })}`;
  const media = await readAnswer("Instagram", linkSchema, await session.fetch(path));
  const { permalink, shortcode, media_product_type: type } = media;
  if (permalink || !shortcode || type === "STORY") return permalink;
  return `https://www.instagram.com/${type === "REELS" ? "reel" : "p"}/${shortcode}/`;
}

/** …/instagram-graph-api/reference/ig-media/comments; without `fields`, as when publishing. */
export async function createComment(session: NetworkSession, mediaId: string, message: string): Promise<string> {
  const response = await session.fetch(`/${VERSION}/${mediaId}/comments`, { ...form({ message }), timeoutSeconds: 60 });
  return (await readAnswer("Instagram", created, response)).id;
}

const commentSchema = z.object({
  id: idSchema,
  text: z.string().default(""),
  timestamp: z.string(),
  username: z.string().optional(),
});
const commentsSchema = z.object({ data: z.array(commentSchema).default([]) });

/** The newest comments on a media object, newest first. */
export async function newestComments(session: NetworkSession, mediaId: string): Promise<ListedComment[]> {
  const fields = query({ fields: "id,text,timestamp,username", limit: "50" });
  const response = await session.fetch(`/${VERSION}/${mediaId}/comments?${fields}`);
  const { data } = await readAnswer("Instagram", commentsSchema, response);
  return data.map(({ id, text, timestamp, username }) => ({
    id,
    text,
    createdAt: graphTime(timestamp),
    isOwn: username === session.username,
  }));
}

/**
 * Searches the locations of posts, which are Facebook's Pages (…/instagram-graph-api/reference/ig-user/media, `location_id`). The
 * API with Instagram Login has no search, and its tokens are not valid at Facebook, so the call is made in the name of the
 * service's Facebook app. Documented for people who are not logged into Facebook (…/documentation/pages-api/search-pages).
 * @throws PlatformError `operator` without a Facebook app that may search
 */
export async function searchLocations(session: NetworkSession, name: string): Promise<SettingOption[]> {
  const { facebook, instagram } = env.networks;
  // A simulated app means nothing to a real network.
  if (facebook.mode === "off" || facebook.mode !== instagram.mode) throw needsFacebook(FACEBOOK_APP);
  const token = `${facebook.clientId}|${facebook.clientSecret}`;
  return searchPlaces("Instagram", name, (parameters) => {
    const proof = appSecretProof({ app: facebook, token });
    const path = `/${VERSION}/pages/search?${query({ ...parameters, ...proof })}`;
    return session.fetch(path, { host: "facebook", auth: { bearer: token } });
  }).catch((error: unknown) => {
    // The token is the app's own, so this says nothing about the account.
    throw error instanceof PlatformError && error.kind === "reconnect" ? needsFacebook(WRONG_APP, error) : error;
  });
}

const FACEBOOK_APP = "Locations of Instagram are searched with this service's Facebook app, which is not set up";
const WRONG_APP =
  "Facebook does not accept this service's own credentials, with which locations of Instagram are searched";

function needsFacebook(message: string, error?: PlatformError): PlatformError {
  const fix = "Set FACEBOOK_CLIENT_ID and FACEBOOK_CLIENT_SECRET as docs/networks/facebook.md describes";
  return new PlatformError("operator", message, { answer: error?.answer, fix });
}
