import { z } from "zod";
import { PlatformError, platformErrorFrom } from "../errors";
import type { AccountOptions, NetworkSession, OutgoingMedia, Profile } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { DRAFTS_SCOPE } from "./connect";
import { errors } from "./errors";
import type { TikTokSettings } from "./settings";

const outcome = z.object({ error: z.object({ code: z.string() }) });

/** Success means `error.code` "ok", whatever the status: TikTok reports some limits with status 200. */
async function read<T>(schema: z.ZodType<T>, response: Response): Promise<T> {
  const answer = await readAnswer("TikTok", z.looseObject({ ...outcome.shape }), response.clone());
  if (answer.error.code !== "ok") throw platformErrorFrom("TikTok", errors, answer, response);
  return (await readAnswer("TikTok", z.object({ data: schema }), response)).data;
}

async function post<T>(session: NetworkSession, path: string, schema: z.ZodType<T>, body?: object): Promise<T> {
  const headers = { "content-type": "application/json; charset=UTF-8" };
  const call = { method: "POST", headers, body: body && JSON.stringify(body), timeoutSeconds: 60 };
  return read(schema, await session.fetch(path, call));
}

const FIELDS = "open_id,union_id,avatar_url,avatar_large_url,display_name";
const userSchema = z.object({
  user: z.object({
    open_id: z.string().min(1),
    display_name: z.string(),
    avatar_url: z.string().optional(),
  }),
});

/**
 * developers.tiktok.com/doc/tiktok-api-v2-get-user-info; `open_id` identifies the account within this application. The user name
 * there needs the scope `user.info.profile`, for which TikTok approves apps separately, so it is read from the creator's options.
 */
export async function me(session: NetworkSession): Promise<Profile> {
  const { user } = await read(userSchema, await session.fetch(`/v2/user/info/?fields=${FIELDS}`));
  const username = (await creatorName(session)) || session.username || user.display_name;
  return {
    accountId: user.open_id,
    username,
    displayName: user.display_name || username,
    avatarUrl: user.avatar_url,
  };
}

/** The creator's user name; undefined while TikTok refuses to say, for example at the limit of posts for a day. */
async function creatorName(session: NetworkSession): Promise<string | undefined> {
  const creator = await creatorInfo(session).catch((error: unknown) => {
    if (!(error instanceof PlatformError) || error.kind === "reconnect") throw error;
    return undefined;
  });
  return creator?.creator_username;
}

const creatorSchema = z.object({
  creator_nickname: z.string().optional(),
  creator_username: z.string().optional(),
  privacy_level_options: z.array(z.string()),
  comment_disabled: z.boolean().default(false),
  duet_disabled: z.boolean().default(false),
  stitch_disabled: z.boolean().default(false),
  max_video_post_duration_sec: z.number().optional(),
});

type Creator = z.output<typeof creatorSchema>;

/** …/content-posting-api-reference-query-creator-info: the options that this creator currently has. */
export function creatorInfo(session: NetworkSession): Promise<Creator> {
  return post(session, "/v2/post/publish/creator_info/query/", creatorSchema);
}

const begunSchema = z.object({ publish_id: z.string().min(1) });
const uploadSchema = begunSchema.extend({ upload_url: z.string().min(1) });

/** …/content-posting-api-reference-direct-post: each call starts a new upload, which is invisible until it is complete. */
export async function initVideo(session: NetworkSession, info: object, source: object) {
  const body = { post_info: info, source_info: { source: "FILE_UPLOAD", ...source } };
  const { publish_id: publishId, upload_url: uploadUrl } = await post(
    session,
    "/v2/post/publish/video/init/",
    uploadSchema,
    body,
  );
  return { publishId, uploadUrl };
}

/** …/content-posting-api-reference-upload-video: like `initVideo`, for a draft, which has only the file. */
export async function initDraft(session: NetworkSession, source: object) {
  const body = { source_info: { source: "FILE_UPLOAD", ...source } };
  const { publish_id: publishId, upload_url: uploadUrl } = await post(
    session,
    "/v2/post/publish/inbox/video/init/",
    uploadSchema,
    body,
  );
  return { publishId, uploadUrl };
}

/**
 * …/content-posting-api-reference-photo-post: TikTok fetches the photos and publishes them without another call, or with
 * `MEDIA_UPLOAD` puts them into the creator's inbox.
 */
export async function initPhotos(
  session: NetworkSession,
  mode: "DIRECT_POST" | "MEDIA_UPLOAD",
  body: object,
): Promise<string> {
  const path = "/v2/post/publish/content/init/";
  return (await post(session, path, begunSchema, { media_type: "PHOTO", post_mode: mode, ...body })).publish_id;
}

/**
 * Checks that the account was connected with the permission to send drafts, which people can decline.
 * @throws PlatformError `rejected`
 */
export function assertMayDraft({ tokens }: NetworkSession): void {
  if (tokens.scopes?.includes(DRAFTS_SCOPE)) return;
  throw new PlatformError(
    "rejected",
    "This account was connected without the permission to send drafts. Reconnect it and allow drafts, or publish without sendToDrafts",
  );
}

const statusSchema = z.object({
  status: z.string(),
  fail_reason: z.string().optional(),
  /** TikTok's spelling. Only public posts have an ID, and only after moderation. */
  publicaly_available_post_id: z.array(idSchema).nullish(),
  uploaded_bytes: z.number().nullish(),
});

type PublishStatus = z.output<typeof statusSchema>;

/** …/content-posting-api-reference-get-video-status */
export function publishStatus(session: NetworkSession, publishId: string): Promise<PublishStatus> {
  return post(session, "/v2/post/publish/status/fetch/", statusSchema, { publish_id: publishId });
}

const videoSchema = z.object({
  id: idSchema,
  create_time: z.number(),
  title: z.string().optional(),
  video_description: z.string().optional(),
  share_url: z.string().optional(),
});
const videosSchema = z.object({ videos: z.array(videoSchema).default([]) });

export type ListedVideo = z.output<typeof videoSchema>;

/** developers.tiktok.com/doc/tiktok-api-v2-video-list: the account's newest public posts. */
export async function newestVideos(session: NetworkSession): Promise<ListedVideo[]> {
  const path = "/v2/video/list/?fields=id,create_time,title,video_description,share_url";
  return (await post(session, path, videosSchema, { max_count: 20 })).videos;
}

const linksSchema = z.object({
  videos: z.array(z.object({ id: idSchema, share_url: z.string().optional() })).default([]),
});

/** developers.tiktok.com/doc/tiktok-api-v2-video-query: TikTok's own address of a post. */
export async function shareUrl(session: NetworkSession, id: string): Promise<string | undefined> {
  const path = "/v2/video/query/?fields=id,share_url";
  const { videos } = await post(session, path, linksSchema, { filters: { video_ids: [id] } });
  return videos.find((video) => video.id === id)?.share_url;
}

/** Returns the options of this creator, for the composer. TikTok requires reading them each time, as they can change. */
export async function accountOptions(session: NetworkSession): Promise<AccountOptions> {
  const creator = await creatorInfo(session);
  const only = (isDisabled: boolean) => (isDisabled ? [true] : [false, true]);
  return {
    displayName: creator.creator_nickname,
    settings: {
      privacyLevel: creator.privacy_level_options,
      disableComments: only(creator.comment_disabled),
      disableDuet: only(creator.duet_disabled),
      disableStitch: only(creator.stitch_disabled),
    },
    video: { maxSeconds: creator.max_video_post_duration_sec },
  };
}

/**
 * Checks a post against the options that its creator has right now (SPEC: disallowed values are rejected at publish time).
 * @throws PlatformError `rejected`, with all problems
 */
export function assertAllowed(creator: Creator, settings: TikTokSettings, video?: OutgoingMedia): void {
  const { privacy_level_options: levels, max_video_post_duration_sec: most } = creator;
  const problems: string[] = [];
  if (!levels.includes(settings.privacyLevel))
    problems.push(`privacyLevel ${settings.privacyLevel} is not available to this creator, only ${levels.join(", ")}`);
  if (creator.comment_disabled && !settings.disableComments) problems.push(switchedOff("comments", "disableComments"));
  if (video) {
    if (creator.duet_disabled && !settings.disableDuet) problems.push(switchedOff("duets", "disableDuet"));
    if (creator.stitch_disabled && !settings.disableStitch) problems.push(switchedOff("stitches", "disableStitch"));
    if (most !== undefined && (video.durationSeconds ?? 0) > most)
      problems.push(`this creator's videos may be at most ${most} seconds long, this one has ${video.durationSeconds}`);
  }
  if (problems.length > 0)
    throw new PlatformError("rejected", `TikTok does not allow this post: ${problems.join("; ")}`);
}

function switchedOff(what: string, setting: string): string {
  return `this creator has ${what} switched off, so ${setting} must be true`;
}
