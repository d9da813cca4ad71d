import { fetchMedia } from "../core/fetch-media";
import { inspectMedia, type MediaInfo } from "../core/media";
import type { Container, ThreadsState } from "./state";

const MB = 1_048_576;

/** Fetches and checks a file once, even if called twice, and stores the result in the container. */
export function startProcessing(state: ThreadsState, container: Container): Promise<void> {
  const running = state.processing.get(container.id) ?? fetchAndInspect(state, container);
  state.processing.set(container.id, running);
  return running;
}

async function fetchAndInspect(state: ThreadsState, { id, url = "", mediaType }: Container): Promise<void> {
  const isVideo = mediaType === "VIDEO";
  const result = await fetchMedia(url, (isVideo ? 1024 : 8) * MB)
    .then(async ({ bytes, contentType }) => {
      if (contentType.startsWith("text/")) return { problem: "FAILED_DOWNLOADING_VIDEO" };
      const info = await inspectMedia(bytes);
      const problem = isVideo ? videoProblem(info) : imageProblem(info);
      return { file: state.world.blobs.store(bytes, info.type), problem };
    })
    .catch(() => ({ problem: "FAILED_DOWNLOADING_VIDEO" }));
  state.processing.delete(id);
  const container = state.containers.get(id);
  if (container) state.containers.put(id, { ...container, ...result, problem: container.problem ?? result.problem });
}

/** The error message for an image, if any. Source: Threads, media specifications. */
function imageProblem(info: MediaInfo): string | undefined {
  if (info.kind !== "image" || !["image/jpeg", "image/png"].includes(info.type)) return "UNKNOWN";
  const ratio = info.width / info.height;
  return ratio > 10 || ratio < 0.1 ? "INVALID_ASPEC_RATIO" : undefined;
}

function videoProblem(info: MediaInfo): string | undefined {
  if (info.kind !== "video" || !["video/mp4", "video/quicktime"].includes(info.type)) return "FAILED_PROCESSING_VIDEO";
  const { width, height, durationSeconds, codec, fps, isFastStart } = info;
  const ratio = width / height;
  if (!["avc", "hevc"].includes(codec) || !isFastStart || width > 1920) return "FAILED_PROCESSING_VIDEO";
  if (ratio > 10 || ratio < 0.01) return "INVALID_ASPEC_RATIO";
  if (!(durationSeconds > 0) || durationSeconds > 300) return "INVALID_DURATION";
  const rate = Math.round(fps * 100) / 100;
  return rate < 23 || rate > 60 ? "INVALID_FRAME_RATE" : undefined;
}
