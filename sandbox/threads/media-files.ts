import { fetchMedia } from "../core/fetch-media";
import { type Looked, lookAt } from "../core/look";
import type { Container, ThreadsState } from "./state";

const MB = 1_048_576;

/** Fetches and judges a file once, also when asked twice; the verdict is kept in the container. */
export function startProcessing(state: ThreadsState, container: Container): Promise<void> {
  const running = state.processing.get(container.id) ?? judge(state, container);
  state.processing.set(container.id, running);
  return running;
}

async function judge(state: ThreadsState, { id, url = "", mediaType }: Container): Promise<void> {
  const isVideo = mediaType === "VIDEO";
  const verdict = await fetchMedia(url, (isVideo ? 1024 : 8) * MB)
    .then(async ({ bytes, contentType }) => {
      if (contentType.startsWith("text/")) return { flaw: "FAILED_DOWNLOADING_VIDEO" };
      const looked = await lookAt(bytes);
      const flaw = isVideo ? videoFlaw(looked) : imageFlaw(looked);
      return { file: state.world.blobs.keep(bytes, looked.type), flaw };
    })
    .catch(() => ({ flaw: "FAILED_DOWNLOADING_VIDEO" }));
  state.processing.delete(id);
  const container = state.containers.get(id);
  if (container) state.containers.put(id, { ...container, ...verdict, flaw: container.flaw ?? verdict.flaw });
}

/** Source: Threads, media specifications. */
function imageFlaw(looked: Looked): string | undefined {
  if (looked.kind !== "image" || !["image/jpeg", "image/png"].includes(looked.type)) return "UNKNOWN";
  const ratio = looked.width / looked.height;
  return ratio > 10 || ratio < 0.1 ? "INVALID_ASPEC_RATIO" : undefined;
}

function videoFlaw(looked: Looked): string | undefined {
  if (looked.kind !== "video" || !["video/mp4", "video/quicktime"].includes(looked.type))
    return "FAILED_PROCESSING_VIDEO";
  const { width, height, durationSeconds, codec, fps, isFastStart } = looked;
  const ratio = width / height;
  if (!["avc", "hevc"].includes(codec) || !isFastStart || width > 1920) return "FAILED_PROCESSING_VIDEO";
  if (ratio > 10 || ratio < 0.01) return "INVALID_ASPEC_RATIO";
  if (!(durationSeconds > 0) || durationSeconds > 300) return "INVALID_DURATION";
  const rate = Math.round(fps * 100) / 100;
  return rate < 23 || rate > 60 ? "INVALID_FRAME_RATE" : undefined;
}
