import { z } from "zod";
import { isLoopback } from "../core/consent";
import type { Call } from "../core/network";
import { assertMayPost, optionsOf } from "./creator";
import { refusals } from "./errors";
import type { PrivacyLevel, TikTokState } from "./state";

const privacyLevel = z.enum(["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"]);
const url = z.string().max(2048);

/** Source: developers.tiktok.com, Content Posting API reference, direct post (2026-09-11). */
export const NewVideo = z.object({
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
  source_info: z.discriminatedUnion("source", [
    z.strictObject({
      source: z.literal("FILE_UPLOAD"),
      video_size: z
        .int()
        .min(1)
        .max(4 * 1024 ** 3),
      chunk_size: z.int().min(1),
      total_chunk_count: z.int().min(1).max(1000),
    }),
    z.strictObject({ source: z.literal("PULL_FROM_URL"), video_url: url }),
  ]),
});

/** Source: …, photo post (2026-09-11); `is_aigc` stands beside `media_type`. */
export const NewPhotos = z.strictObject({
  media_type: z.literal("PHOTO"),
  post_mode: z.literal("DIRECT_POST"),
  post_info: z.strictObject({
    title: z.string().max(90).default(""),
    description: z.string().max(4000).default(""),
    privacy_level: privacyLevel,
    disable_comment: z.boolean().default(false),
    auto_add_music: z.boolean().default(false),
    brand_content_toggle: z.boolean(),
    brand_organic_toggle: z.boolean(),
  }),
  source_info: z.strictObject({
    source: z.literal("PULL_FROM_URL"),
    photo_images: z.array(url).min(1).max(35),
    photo_cover_index: z.int().min(0),
  }),
  is_aigc: z.boolean().default(false),
});

/** The JSON body; TikTok names the first field that is wrong. */
export async function bodyOf<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  if (!call.req.header("content-type")?.startsWith("application/json"))
    throw refusals.invalid("The content type must be application/json; charset=UTF-8.");
  const parsed = schema.safeParse(await call.req.json().catch(() => undefined));
  const [issue] = parsed.error?.issues ?? [];
  if (issue) throw refusals.invalid(`${issue.path.join(".") || "body"}: ${issue.message}`);
  return parsed.data as T; // no issue, so there is data
}

/** What this creator may not, and what this application may not do yet. */
export function assertAllowed(
  state: TikTokState,
  account: string,
  post: { privacy_level: PrivacyLevel; brand_content_toggle: boolean },
): void {
  assertMayPost(state, account, 403);
  const creator = state.creatorOf(account);
  const { isAudited } = state.registration();
  if (!isAudited && (post.privacy_level !== "SELF_ONLY" || !creator.isPrivate)) throw refusals.unaudited();
  if (!optionsOf(creator).includes(post.privacy_level)) throw refusals.privacyMismatch();
  if (post.brand_content_toggle && post.privacy_level === "SELF_ONLY")
    throw refusals.invalid("post_info.privacy_level: branded content cannot be SELF_ONLY");
}

const MB = 1_000_000;

/** Chunks of 5 to 64 MB, the remainder within the last one, which may have 128; source: media transfer guide. */
export function assertChunks(source: { video_size: number; chunk_size: number; total_chunk_count: number }): void {
  const { video_size: size, chunk_size: chunk, total_chunk_count: count } = source;
  const isWhole = chunk === size && size <= 64 * MB;
  if (!isWhole && (chunk < 5 * MB || chunk > 64 * MB))
    throw refusals.invalid("source_info.chunk_size: invalid chunk size");
  if (count !== Math.floor(size / chunk)) throw refusals.invalid("source_info.total_chunk_count: invalid chunk count");
  if (size - chunk * (count - 1) > 128 * MB)
    throw refusals.invalid("source_info.chunk_size: the last chunk is too large");
}

/** `https` on a host that was verified; `http` on this computer stands in for it. */
export function assertVerified(state: TikTokState, addresses: string[]): void {
  for (const address of addresses) {
    if (!URL.canParse(address)) throw refusals.invalid("source_info: the URL is invalid");
    const { protocol, hostname } = new URL(address);
    const isHere = protocol === "http:" && isLoopback(hostname);
    const isVerified = state
      .registration()
      .verifiedHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    if (!isHere && !(protocol === "https:" && isVerified)) throw refusals.unverifiedUrl();
  }
}
