import * as z from "zod";
import { type Call, hasFault } from "../core/network";
import { bodyOf } from "./init";
import { PUBLIC_AFTER_MS, permalinkOf, pull } from "./media";
import { errors, ok, sessionOf } from "./request";
import type { PublishTask, TikTokState } from "./state";

/** The time that processing takes. */
const PROCESSING_MS = 500;
const Wanted = z.object({ publish_id: z.string().max(64) });

/** `POST /v2/post/publish/status/fetch/`. */
export async function fetchStatus(state: TikTokState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "status", ["video.publish", "video.upload"]);
  const { publish_id } = await bodyOf(call, Wanted);
  const known = state.publishes.get(publish_id);
  if (!known) throw errors.noPublish();
  if (known.account !== session.account) throw errors.foreignPublish();
  // A restart loses running downloads, so start them again.
  if (known.urls && known.processedAt === undefined && !state.pulling.has(known.id)) void pull(state, known);
  const publish = hasFault(call, "processing_fails") ? failProcessing(state, known) : known;
  const { upload, urls } = publish;
  const status = statusOf(publish, state.world.clock.now());
  if (status === "PUBLISH_COMPLETE" || status === "SEND_TO_USER_INBOX")
    state.publishes.put(publish.id, { ...publish, isReported: true });
  return ok(call, {
    status,
    ...(status === "FAILED" ? { fail_reason: publish.failReason } : {}),
    publicaly_available_post_id: isPublic(publish, state.world.clock.now()) ? [`int64:${publish.postId}`] : [],
    ...(upload ? { uploaded_bytes: upload.uploaded } : {}),
    ...(urls && publish.files
      ? { downloaded_bytes: publish.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
      : {}),
  });
}

/** Fails the processing and removes the post, unless it was already reported as complete. */
function failProcessing(state: TikTokState, publish: PublishTask): PublishTask {
  if (publish.isReported || publish.failReason) return publish;
  const { postId, ...rest } = publish;
  if (postId) state.world.posts.remove("tiktok", postId);
  return state.publishes.put(publish.id, { ...rest, failReason: "internal", processedAt: 0 });
}

function statusOf({ processedAt, failReason, urls, isDraft }: PublishTask, now: number): string {
  if (processedAt === undefined || now < processedAt + PROCESSING_MS)
    return urls ? "PROCESSING_DOWNLOAD" : "PROCESSING_UPLOAD";
  if (failReason) return "FAILED";
  return isDraft ? "SEND_TO_USER_INBOX" : "PUBLISH_COMPLETE";
}

/** Whether the post id is visible: only for public posts, after moderation. */
export function isPublic({ processedAt, postId, privacyLevel }: PublishTask, now: number): boolean {
  return (
    privacyLevel === "PUBLIC_TO_EVERYONE" &&
    !!postId &&
    processedAt !== undefined &&
    now >= processedAt + PUBLIC_AFTER_MS
  );
}

const Listed = z.object({ max_count: z.int().min(1).max(20).default(10), cursor: z.int().optional() });
const Sought = z.object({ filters: z.object({ video_ids: z.array(z.string()).max(20) }) });
const FIELDS = ["id", "create_time", "share_url", "video_description", "title", "duration", "height", "width"];

/** `POST /v2/video/list/`: the user's public posts, newest first. */
export async function listVideos(state: TikTokState, call: Call): Promise<Response> {
  const { account } = sessionOf(state, call, "videos", "video.list");
  const fields = fieldsOf(call);
  const { max_count, cursor } = await bodyOf(call, Listed);
  const shown = publicOf(state, account).filter(({ createdAt }) => cursor === undefined || createdAt < cursor);
  const page = shown.slice(0, max_count);
  const videos = page.map((publish) => presentVideo(state, publish, fields));
  return ok(call, { videos, cursor: page.at(-1)?.createdAt ?? 0, has_more: shown.length > page.length });
}

/** `POST /v2/video/query/`: the user's public posts among the given ids. */
export async function queryVideos(state: TikTokState, call: Call): Promise<Response> {
  const { account } = sessionOf(state, call, "videos", "video.list");
  const fields = fieldsOf(call);
  const { filters } = await bodyOf(call, Sought);
  const found = publicOf(state, account).filter(({ postId }) => filters.video_ids.includes(postId ?? ""));
  return ok(call, { videos: found.map((publish) => presentVideo(state, publish, fields)) });
}

function publicOf(state: TikTokState, account: string): PublishTask[] {
  const now = state.world.clock.now();
  return state
    .publishesSince(account, 0)
    .filter((publish) => isPublic(publish, now))
    .reverse();
}

function fieldsOf(call: Call): string[] {
  const fields = (call.req.query("fields") ?? "").split(",").filter(Boolean);
  if (fields.length === 0 || fields.some((field) => !FIELDS.includes(field)))
    throw errors.invalid("The parameter fields is invalid.");
  return fields;
}

function presentVideo(state: TikTokState, publish: PublishTask, fields: string[]): Record<string, unknown> {
  const { texts, kind, postId = "", createdAt } = publish;
  const video: Record<string, unknown> = {
    id: postId,
    create_time: Math.floor(createdAt / 1000),
    share_url: `${permalinkOf(state, publish, postId)}?utm_campaign=tt4d_open_api&utm_source=sandbox-tiktok`,
    title: texts.title,
    video_description: kind === "photo" ? texts.description : texts.title,
    duration: 0,
    height: 0,
    width: 0,
  };
  return Object.fromEntries(fields.map((field) => [field, video[field]]));
}
