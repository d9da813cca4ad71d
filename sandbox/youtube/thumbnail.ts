import { lookAt } from "../core/look";
import type { Call } from "../core/network";
import { refusals } from "./errors";
import { sessionOf } from "./session";
import type { YouTubeState } from "./state";
import { presentPost } from "./upload";
import { isProcessed } from "./video";

const MAX_BYTES = 52_428_800;

/** `POST /upload/youtube/v3/thumbnails/set`: 50 units. */
export async function setThumbnail(state: YouTubeState, call: Call): Promise<Response> {
  const { account } = sessionOf(state, call, ["youtube.upload"], 50);
  const video = state.videos.get(call.req.query("videoId") ?? "");
  if (video?.account !== account) throw refusals.noVideo();
  if (!state.channelOf(account).isVerified) throw refusals.noCustomThumbnails();
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw refusals.tooLarge();
  const looked = await lookAt(bytes);
  if (looked.kind !== "image" || !["image/jpeg", "image/png"].includes(looked.type)) throw refusals.badImage();
  // A Short that is still being processed answers as if all were well, and keeps its own.
  const isIgnored = video.isShort && !isProcessed(video, state.world.clock.now());
  if (!isIgnored) {
    const changed = state.videos.put(video.id, { ...video, thumbnail: state.world.blobs.keep(bytes, looked.type) });
    state.world.posts.add(presentPost(changed));
  }
  const url = `https://i.ytimg.com/vi/${video.id}/default.jpg`;
  const items = [{ default: { url }, medium: { url }, high: { url } }];
  return call.json({ kind: "youtube#thumbnailSetResponse", etag: "e", items });
}
