import { z } from "zod";
import { env } from "../../env";
import { PlatformError } from "../errors";
import { pagingSchema, titleOfPlace } from "../meta/graph";
import type { NetworkSession, Profile, SettingOption } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { form, query } from "../wire/query";

export const VERSION = "v1.0";

const profileSchema = z.object({
  id: idSchema,
  username: z.string(),
  name: z.string().optional(),
  threads_profile_picture_url: z.string().optional(),
});

/** developers.facebook.com/docs/threads/threads-profiles */
export async function me(session: NetworkSession): Promise<Profile> {
  const fields = query({ fields: "id,username,name,threads_profile_picture_url" });
  const user = await readAnswer("Threads", profileSchema, await session.fetch(`/${VERSION}/me?${fields}`));
  return {
    accountId: user.id,
    username: user.username,
    displayName: user.name || user.username,
    avatarUrl: user.threads_profile_picture_url,
  };
}

const created = z.object({ id: idSchema });

/**
 * Creates a container, which is invisible until it is published
 * (developers.facebook.com/documentation/threads/reference/publishing). Uses `me` because the token endpoint returns the
 * profile's ID as a number, which JSON parsers round.
 */
export async function createContainer(
  session: NetworkSession,
  fields: { [name: string]: string | undefined },
): Promise<string> {
  const response = await session.fetch(`/${VERSION}/me/threads`, { ...form(fields), timeoutSeconds: 120 });
  return (await readAnswer("Threads", created, response)).id;
}

const containerSchema = z.object({
  status: z.enum(["IN_PROGRESS", "FINISHED", "PUBLISHED", "ERROR", "EXPIRED"]),
  error_message: z.string().optional(),
});

export type Container = z.output<typeof containerSchema>;

/** developers.facebook.com/documentation/threads/troubleshooting */
export async function container(session: NetworkSession, id: string): Promise<Container> {
  const path = `/${VERSION}/${id}?${query({ fields: "status,error_message" })}`;
  return readAnswer("Threads", containerSchema, await session.fetch(path));
}

export async function publishContainer(session: NetworkSession, id: string): Promise<string> {
  const call = { ...form({ creation_id: id }), timeoutSeconds: 60 };
  return (await readAnswer("Threads", created, await session.fetch(`/${VERSION}/me/threads_publish`, call))).id;
}

const mediaSchema = z.object({
  id: idSchema,
  text: z.string().optional(),
  timestamp: z.string(),
  permalink: z.string().optional(),
  media_type: z.string().optional(),
  replied_to: z.object({ id: idSchema }).optional(),
});
const mediaListSchema = z.object({ data: z.array(mediaSchema).default([]), paging: pagingSchema });

export type ThreadsMedia = z.output<typeof mediaSchema>;

export const MEDIA_LISTED = 25;

/** Lists the profile's newest posts or replies; Threads never lists both together. */
export async function newestMedia(session: NetworkSession, edge: "threads" | "replies") {
  const parent = edge === "replies" ? ",replied_to" : "";
  const parameters = query({ fields: `id,text,timestamp,permalink,media_type${parent}`, limit: String(MEDIA_LISTED) });
  const response = await session.fetch(`/${VERSION}/me/${edge}?${parameters}`);
  return readAnswer("Threads", mediaListSchema, response);
}

const linkSchema = z.object({ permalink: z.string().optional(), shortcode: z.string().optional() });

/** The permalink is missing at first, and permanently for media flagged for copyright; the short code is always present. */
export async function permalinkOf(session: NetworkSession, mediaId: string): Promise<string | undefined> {
  const path = `/${VERSION}/${mediaId}?${query({ fields: "id,permalink,shortcode" })}`;
  const { permalink, shortcode } = await readAnswer("Threads", linkSchema, await session.fetch(path));
  return permalink ?? (shortcode && `https://www.threads.com/@${session.username}/post/${shortcode}`);
}

const quota = z.object({ quota_total: z.number() });
const limitSchema = z.object({
  data: z
    .array(
      z.object({
        quota_usage: z.number().optional(),
        config: quota.optional(),
        reply_quota_usage: z.number().optional(),
        reply_config: quota.optional(),
      }),
    )
    .default([]),
});

/**
 * Reads a limit of the last 24 hours (developers.facebook.com/docs/threads/troubleshooting). Threads counts posts and replies
 * separately; undefined if it reports no number.
 */
export async function publishingLimit(session: NetworkSession, kind: "post" | "reply") {
  const fields = kind === "reply" ? "reply_quota_usage,reply_config" : "quota_usage,config";
  const path = `/${VERSION}/me/threads_publishing_limit?${query({ fields })}`;
  const [now] = (await readAnswer("Threads", limitSchema, await session.fetch(path))).data;
  const [used, total] =
    kind === "reply"
      ? [now?.reply_quota_usage, now?.reply_config?.quota_total]
      : [now?.quota_usage, now?.config?.quota_total];
  return used === undefined || total === undefined ? undefined : { used, total };
}

/** Whether the last 24 hours leave room for one more post or reply. */
export async function hasQuotaLeft(session: NetworkSession, kind: "post" | "reply"): Promise<boolean> {
  const limit = await publishingLimit(session, kind);
  return limit === undefined || limit.used < limit.total;
}

export const LOCATIONS_SCOPE = "threads_location_tagging";

const locationsSchema = z.object({
  data: z
    .array(
      z.object({
        id: idSchema,
        name: z.string(),
        address: z.string().optional(),
        city: z.string().optional(),
        country: z.string().optional(),
      }),
    )
    .default([]),
});

/**
 * Searches locations by name (500 searches in 24 hours). Meta's pages disagree about the parameter: `q` in
 * …/documentation/threads/create-posts/location-tagging (July 2026), `query` in …/threads/reference/location-search (July 2025).
 * Production clients send either, so both are sent. Without the approved permission, Threads finds only "Menlo Park".
 * @throws PlatformError `operator` if the app does not have the permission, `rejected` if the account was connected without it
 */
export async function searchLocations(session: NetworkSession, name: string): Promise<SettingOption[]> {
  if (!env.threadsLocations) throw locationsMissing();
  const { scopes } = session.tokens;
  if (scopes && !scopes.includes(LOCATIONS_SCOPE))
    throw new PlatformError(
      "rejected",
      "This account's permission at Threads does not cover locations. Reconnect the account",
    );
  const parameters = query({ q: name, query: name, fields: "id,name,address,city,country" });
  const response = await session.fetch(`/${VERSION}/location_search?${parameters}`).catch((error: unknown) => {
    const isRefused = error instanceof PlatformError && error.refused;
    throw isRefused && /^(3|10|2\d\d)(\/|$)/.test(error.answer?.code ?? "") ? locationsMissing(error) : error;
  });
  const { data } = await readAnswer("Threads", locationsSchema, response);
  return data.map(({ id, name, address, city, country }) => ({
    id,
    title: titleOfPlace(name, address, city, country),
  }));
}

function locationsMissing(error?: PlatformError): PlatformError {
  const fix = `Request ${LOCATIONS_SCOPE} under App Review in Meta's App Dashboard, then set THREADS_LOCATIONS=on`;
  const message = `Threads searches locations only for apps with the permission ${LOCATIONS_SCOPE}`;
  return new PlatformError("operator", message, { answer: error?.answer, fix });
}
