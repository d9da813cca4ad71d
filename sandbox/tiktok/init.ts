import * as z from "zod";
import { isLoopback, parseUrl } from "../core/consent";
import { randomToken } from "../core/ids";
import { type Call, hasFault } from "../core/network";
import { assertMayPost, optionsOf } from "./creator";
import { pull } from "./media";
import { errors, ok, sessionOf } from "./request";
import type { PrivacyLevel, PublishTask, TikTokState } from "./state";

const privacyLevel = z.enum(["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"]);
const url = z.string().max(2048);

/** Of its unknown fields, production clients are known to send this one, which TikTok ignores: postiz-app issue #1443. */
const ignored = { video_cover_timestamp_ms: z.unknown().optional() };

const VideoSource = z.discriminatedUnion("source", [
  z.strictObject({
    ...ignored,
    source: z.literal("FILE_UPLOAD"),
    video_size: z
      .int()
      .min(1)
      .max(4 * 1024 ** 3),
    chunk_size: z.int().min(1),
    total_chunk_count: z.int().min(1).max(1000),
  }),
  z.strictObject({ ...ignored, source: z.literal("PULL_FROM_URL"), video_url: url }),
]);

/** Source: developers.tiktok.com, Content Posting API reference, direct post (2026-09-11). */
const NewVideo = z.object({
  post_info: z.strictObject({
    privacy_level: privacyLevel,
    title: z.string().max(2200).default(""),
    disable_duet: z.boolean().default(false),
    disable_stitch: z.boolean().default(false),
    disable_comment: z.boolean().default(false),
    video_cover_timestamp_ms: z.int().min(0).optional(),
    brand_content_toggle: z.boolean().default(false),
    brand_organic_toggle: z.boolean().default(false),
    is_aigc: z.boolean().default(false),
  }),
  source_info: VideoSource,
});

/** Source: Content Posting API reference, upload. Clients also send `post_info`, which has no effect. */
const NewDraft = z.object({ source_info: VideoSource });

const texts = { title: z.string().max(90).default(""), description: z.string().max(4000).default("") };
const photosSource = z.strictObject({
  source: z.literal("PULL_FROM_URL"),
  photo_images: z.array(url).min(1).max(35),
  photo_cover_index: z.int().min(0),
});

/** Source: Content Posting API reference, photo post (2026-09-11). `is_aigc` is a top-level field here. */
const NewPhotos = z.discriminatedUnion("post_mode", [
  z.strictObject({
    media_type: z.literal("PHOTO"),
    post_mode: z.literal("DIRECT_POST"),
    post_info: z.strictObject({
      ...texts,
      privacy_level: privacyLevel,
      disable_comment: z.boolean().default(false),
      auto_add_music: z.boolean().default(false),
      brand_content_toggle: z.boolean(),
      brand_organic_toggle: z.boolean(),
    }),
    source_info: photosSource,
    is_aigc: z.boolean().default(false),
  }),
  z.object({
    media_type: z.literal("PHOTO"),
    post_mode: z.literal("MEDIA_UPLOAD"),
    post_info: z.object(texts),
    source_info: photosSource,
  }),
]);

/**
 * Parses the JSON body.
 * @throws TikTokError that names the first invalid field
 */
export async function bodyOf<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  if (!call.req.header("content-type")?.startsWith("application/json"))
    throw errors.invalid("The content type must be application/json; charset=UTF-8.");
  const parsed = schema.safeParse(await call.req.json().catch(() => undefined));
  const [issue] = parsed.error?.issues ?? [];
  if (issue) throw errors.invalid(`${issue.path.join(".") || "body"}: ${issue.message}`);
  return parsed.data as T; // data is set if there are no issues
}

/**
 * Checks what this creator and this application may post.
 * @throws TikTokError
 */
function assertAllowed(
  state: TikTokState,
  account: string,
  post: { privacy_level: PrivacyLevel; brand_content_toggle: boolean },
): void {
  assertMayPost(state, account, 403);
  const creator = state.creatorOf(account);
  const { isAudited } = state.registration();
  if (!isAudited && (post.privacy_level !== "SELF_ONLY" || !creator.isPrivate)) throw errors.unaudited();
  if (!optionsOf(creator).includes(post.privacy_level)) throw errors.privacyMismatch();
  if (post.brand_content_toggle && post.privacy_level === "SELF_ONLY")
    throw errors.invalid("post_info.privacy_level: branded content cannot be SELF_ONLY");
}

const MIN_CHUNK = 5_000_000;
/** The only size of several chunks that the fault `chunk_size` accepts, as it was reported in August 2026. */
const SMALLER_CHUNK = 5_242_880;

/**
 * Chunks have 5 to 64 MB. The last one includes the remainder and may have 128 MB. Source: media transfer guide. Its example calls
 * 4,194,304 bytes 4 MB, and clients send 67,108,864 bytes in one chunk.
 */
function assertChunks(
  { maxChunkBytes }: TikTokState["switches"],
  source: { video_size: number; chunk_size: number; total_chunk_count: number },
): void {
  const { video_size: size, chunk_size: chunk, total_chunk_count: count } = source;
  const isWhole = chunk === size && size <= maxChunkBytes;
  if (!isWhole && (chunk < MIN_CHUNK || chunk > maxChunkBytes))
    throw errors.invalid("source_info.chunk_size: invalid chunk size");
  if (count !== Math.floor(size / chunk)) throw errors.invalid("source_info.total_chunk_count: invalid chunk count");
  if (size - chunk * (count - 1) > 2 * maxChunkBytes)
    throw errors.invalid("source_info.chunk_size: the last chunk is too large");
}

/** Requires `https` on a verified host. `http` on this computer is accepted in its place. */
function assertVerified(state: TikTokState, addresses: string[]): void {
  for (const address of addresses) {
    const url = parseUrl(address);
    if (!url) throw errors.invalid("source_info: the URL is invalid");
    const { protocol, hostname } = url;
    const isHere = protocol === "http:" && isLoopback(hostname);
    const isVerified = state
      .registration()
      .verifiedHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    if (!isHere && !(protocol === "https:" && isVerified)) throw errors.unverifiedUrl();
  }
}

/** `POST /v2/post/publish/video/init/`: every call creates a new post. */
export async function initVideo(state: TikTokState, call: Call): Promise<Response> {
  const { account, grant } = sessionOf(state, call, "init", "video.publish");
  const { post_info: post, source_info: source } = await bodyOf(call, NewVideo);
  assertAllowed(state, account, post);
  const { title, privacy_level: privacyLevel, ...settings } = post;
  const common = { account, grant, kind: "video" as const, texts: { title, description: "" }, settings, privacyLevel };
  return beginVideo(state, call, source, common);
}

const DRAFTS_PER_DAY = 5;
/** A draft is in the creator's inbox, so nobody else sees it. */
const draft = { isDraft: true, privacyLevel: "SELF_ONLY" } as const;

/** At most five drafts wait in 24 hours. Source: Content Posting API reference, upload. */
function assertMayDraft(state: TikTokState, account: string): void {
  const since = state.world.clock.now() - 86_400_000;
  const waiting = state.publishesSince(account, since).filter(({ isDraft }) => isDraft);
  if (waiting.length >= DRAFTS_PER_DAY) throw errors.tooManyDrafts();
}

/** `POST /v2/post/publish/inbox/video/init/`: the draft of a video. */
export async function initDraft(state: TikTokState, call: Call): Promise<Response> {
  const { account, grant } = sessionOf(state, call, "init", "video.upload");
  const { source_info: source } = await bodyOf(call, NewDraft);
  assertMayDraft(state, account);
  const common = { account, grant, kind: "video" as const, texts: { title: "", description: "" }, settings: {} };
  return beginVideo(state, call, source, { ...common, ...draft });
}

function beginVideo(
  state: TikTokState,
  call: Call,
  source: z.output<typeof VideoSource>,
  common: Omit<PublishTask, "id" | "createdAt">,
): Response {
  if (source.source === "PULL_FROM_URL") {
    assertVerified(state, [source.video_url]);
    const publish = storePublish(state, call, common.isDraft ? "v_inbox_url~v2." : "v_pub_url~v2.", {
      ...common,
      urls: [source.video_url],
    });
    return ok(call, { publish_id: publish.id });
  }
  assertChunks(state.switches, source);
  const isSplit = source.total_chunk_count > 1 && source.chunk_size !== SMALLER_CHUNK;
  if (isSplit && hasFault(call, "chunk_size")) throw errors.invalid("The chunk size is invalid");
  const upload = {
    id: randomToken(12),
    size: source.video_size,
    chunkSize: source.chunk_size,
    chunks: source.total_chunk_count,
    uploaded: 0,
  };
  const publish = storePublish(state, call, common.isDraft ? "v_inbox_file~v2." : "v_pub_file~v2-1.", {
    ...common,
    upload,
  });
  const address = new URL(`/tiktok/video/?upload_id=${upload.id}&upload_token=${randomToken(12)}`, call.req.url);
  return ok(call, { publish_id: publish.id, upload_url: address.href });
}

/** `POST /v2/post/publish/content/init/`: photos, by URL only. */
export async function initPhotos(state: TikTokState, call: Call): Promise<Response> {
  const body = await bodyOf(call, NewPhotos);
  const isDraft = body.post_mode === "MEDIA_UPLOAD";
  const { account, grant } = sessionOf(state, call, "init", isDraft ? "video.upload" : "video.publish");
  const { source_info: source } = body;
  if (source.photo_cover_index >= source.photo_images.length)
    throw errors.invalid("source_info.photo_cover_index: out of range");
  const common = { account, grant, kind: "photo" as const, urls: source.photo_images };
  const { photo_cover_index } = source;
  if (body.post_mode === "MEDIA_UPLOAD") {
    assertMayDraft(state, account);
    assertVerified(state, source.photo_images);
    const wanted = { ...common, ...draft, texts: body.post_info, settings: { photo_cover_index } };
    return ok(call, { publish_id: storePublish(state, call, "p_inbox_url~v2.", wanted).id });
  }
  assertAllowed(state, account, body.post_info);
  assertVerified(state, source.photo_images);
  const { title, description, privacy_level: privacyLevel, ...rest } = body.post_info;
  const publish = storePublish(state, call, "p_pub_url~v2.", {
    ...common,
    texts: { title, description },
    settings: { ...rest, is_aigc: body.is_aigc, photo_cover_index },
    privacyLevel,
  });
  return ok(call, { publish_id: publish.id });
}

function storePublish(
  state: TikTokState,
  call: Call,
  prefix: string,
  wanted: Omit<PublishTask, "id" | "createdAt">,
): PublishTask {
  const id = `${prefix}${state.world.ids.snowflake()}`;
  const failReason = hasFault(call, "processing_fails") ? "internal" : undefined;
  const publish = state.publishes.put(id, { ...wanted, id, createdAt: state.world.clock.now(), failReason });
  if (publish.urls) void pull(state, publish);
  return publish;
}
