import { fetchMedia } from "../core/fetch-media";
import { inspectMedia, type MediaInfo } from "../core/media";
import type { Post } from "../core/posts";
import type { PublishTask, TikTokState } from "./state";
import { notify } from "./webhook";

const MB = 1_048_576;
/** The time after processing until a public post has an id. */
export const PUBLIC_AFTER_MS = 1500;

/** Fetches the URLs of a publish once, even if called twice. Redirects fail. */
export function pull(state: TikTokState, publish: PublishTask): Promise<void> {
  const running = state.pulling.get(publish.id) ?? fetchAll(state, publish);
  state.pulling.set(publish.id, running);
  return running;
}

async function fetchAll(state: TikTokState, { id, kind, urls = [] }: PublishTask): Promise<void> {
  const maxBytes = kind === "photo" ? 20 * MB : 4096 * MB;
  const fetched = await Promise.all(urls.map((url) => fetchMedia(url, maxBytes, "manual"))).catch(() => undefined);
  const current = state.publishes.get(id); // undefined after a reset
  if (current && fetched)
    await processFiles(
      state,
      current,
      fetched.map(({ bytes }) => bytes),
    );
  else if (current) fail(state, current, kind === "photo" ? "photo_pull_failed" : "video_pull_failed");
  state.pulling.delete(id);
}

/** Checks the complete files of a publish, then creates its post or fails it. */
export async function processFiles(state: TikTokState, publish: PublishTask, files: Uint8Array[]): Promise<void> {
  const info = await Promise.all(files.map((bytes) => inspectMedia(bytes)));
  const { maxSeconds } = state.creatorOf(publish.account);
  const problems = info.map((one) =>
    publish.kind === "photo" ? photoProblem(state, one) : videoProblem(one, maxSeconds),
  );
  const current = state.publishes.get(publish.id);
  if (!current || (current.failReason && current.processedAt !== undefined)) return; // it was reset, or has already failed
  const failReason = current.failReason ?? problems.find((problem) => problem !== undefined);
  if (failReason) return fail(state, publish, failReason);
  const kept = files.map((bytes, index) => state.world.blobs.store(bytes, info[index]?.type ?? ""));
  const post = { ...publish, files: kept, processedAt: state.world.clock.now(), postId: state.world.ids.snowflake() };
  state.publishes.put(publish.id, post);
  state.world.posts.add(presentPost(state, post, post.postId));
  const content = { publish_id: publish.id, publish_type: typeOf(publish) };
  notify(state, `post.publish.${publish.isDraft ? "inbox_delivered" : "complete"}`, publish.account, content);
  if (publish.privacyLevel === "PUBLIC_TO_EVERYONE") void notifyWhenPublic(state, post, post.postId);
}

/** Sends the "publicly available" event with the post id once moderation is over. */
async function notifyWhenPublic(state: TikTokState, { id, account }: PublishTask, postId: string): Promise<void> {
  await state.world.clock.wait(PUBLIC_AFTER_MS / 1000);
  if (state.publishes.get(id)?.postId !== postId) return; // it was reset or removed
  const content = { publish_id: id, publish_type: "DIRECT_POST", post_id: `int64:${postId}` };
  notify(state, "post.publish.publicly_available", account, content);
}

function typeOf({ isDraft }: PublishTask): string {
  return isDraft ? "INBOX_SHARE" : "DIRECT_POST";
}

function fail(state: TikTokState, publish: PublishTask, reason: string): void {
  state.publishes.put(publish.id, { ...publish, failReason: reason, processedAt: state.world.clock.now() });
  const content = { publish_id: publish.id, reason, publish_type: typeOf(publish) };
  notify(state, "post.publish.failed", publish.account, content);
}

function presentPost(state: TikTokState, publish: PublishTask, id: string): Post {
  const { account, kind, texts, files = [], settings, privacyLevel, isDraft } = publish;
  return {
    id,
    network: "tiktok",
    account,
    text: kind === "photo" ? texts.description : texts.title,
    media: files,
    settings: {
      ...(kind === "photo" ? { title: texts.title } : {}),
      ...settings,
      ...(isDraft ? { is_draft: true } : { privacy_level: privacyLevel }),
      publish_id: publish.id,
    },
    permalink: permalinkOf(state, publish, id),
    receivedTime: new Date(publish.processedAt ?? publish.createdAt).toISOString(),
  };
}

export function permalinkOf({ switches }: TikTokState, { account, kind }: PublishTask, postId: string): string {
  return `https://www.tiktok.com/@${account}/${kind === "photo" ? switches.photoAddress : kind}/${postId}`;
}

function photoProblem({ switches }: TikTokState, info: MediaInfo): string | undefined {
  if (info.kind !== "image" || !["image/jpeg", "image/webp"].includes(info.type)) return "file_format_check_failed";
  const [short, long] = [info.width, info.height].sort((a, b) => a - b);
  const isTooLong = switches.photoLimit === "both sides" && (long ?? 0) > 1920;
  return (short ?? 0) > 1080 || isTooLong ? "picture_size_check_failed" : undefined;
}

function videoProblem(info: MediaInfo, maxSeconds: number): string | undefined {
  if (info.kind !== "video") return "file_format_check_failed";
  const { type, codec, width, height, fps, durationSeconds } = info;
  if (!["video/mp4", "video/quicktime", "video/webm", "video/x-m4v"].includes(type)) return "file_format_check_failed";
  if (!["avc", "hevc", "vp8", "vp9"].includes(codec)) return "file_format_check_failed";
  if (Math.min(width, height) < 360 || Math.max(width, height) > 4096) return "picture_size_check_failed";
  if (Math.round(fps) < 23 || Math.round(fps) > 60) return "frame_rate_check_failed";
  return durationSeconds > maxSeconds + 0.5 ? "duration_check_failed" : undefined;
}
