import { randomToken } from "../core/ids";
import { type Call, hasFault } from "../core/network";
import { ok, refusals } from "./errors";
import { pull } from "./media";
import { assertAllowed, assertChunks, assertVerified, bodyOf, NewPhotos, NewVideo } from "./post-rules";
import { sessionOf } from "./session";
import type { Publish, TikTokState } from "./state";

/** `POST /v2/post/publish/video/init/`: every call is a post of its own. */
export async function initVideo(state: TikTokState, call: Call): Promise<Response> {
  const { account, grant } = sessionOf(state, call, "init", "video.publish");
  const { post_info: post, source_info: source } = await bodyOf(call, NewVideo);
  assertAllowed(state, account, post);
  const { title, privacy_level: privacyLevel, ...settings } = post;
  const common = { account, grant, kind: "video" as const, texts: { title, description: "" }, settings, privacyLevel };
  if (source.source === "PULL_FROM_URL") {
    assertVerified(state, [source.video_url]);
    const publish = keep(state, call, "v_pub_url~v2.", { ...common, urls: [source.video_url] });
    return ok(call, { publish_id: publish.id });
  }
  assertChunks(source);
  const upload = {
    id: randomToken(12),
    size: source.video_size,
    chunkSize: source.chunk_size,
    chunks: source.total_chunk_count,
    uploaded: 0,
  };
  const publish = keep(state, call, "v_pub_file~v2-1.", { ...common, upload });
  const address = new URL(`/tiktok/video/?upload_id=${upload.id}&upload_token=${randomToken(12)}`, call.req.url);
  return ok(call, { publish_id: publish.id, upload_url: address.href });
}

/** `POST /v2/post/publish/content/init/`: photos, by address only. */
export async function initPhotos(state: TikTokState, call: Call): Promise<Response> {
  const { account, grant } = sessionOf(state, call, "init", "video.publish");
  const { post_info: post, source_info: source, is_aigc } = await bodyOf(call, NewPhotos);
  if (source.photo_cover_index >= source.photo_images.length)
    throw refusals.invalid("source_info.photo_cover_index: out of range");
  assertAllowed(state, account, post);
  assertVerified(state, source.photo_images);
  const { title, description, privacy_level: privacyLevel, ...rest } = post;
  const publish = keep(state, call, "p_pub_url~v2.", {
    account,
    grant,
    kind: "photo",
    texts: { title, description },
    settings: { ...rest, is_aigc },
    privacyLevel,
    urls: source.photo_images,
    coverIndex: source.photo_cover_index,
  });
  return ok(call, { publish_id: publish.id });
}

function keep(state: TikTokState, call: Call, prefix: string, wanted: Omit<Publish, "id" | "createdAt">): Publish {
  const id = `${prefix}${state.world.ids.snowflake()}`;
  const failReason = hasFault(call, "processing_fails") ? "internal" : undefined;
  const publish = state.publishes.put(id, { ...wanted, id, createdAt: state.world.clock.now(), failReason });
  if (publish.urls) void pull(state, publish);
  return publish;
}
