import { FetchError, fetchMedia } from "../core/fetch-media";
import { inspectMedia, type MediaInfo } from "../core/media";
import { errors } from "./request";
import type { Container, InstagramState } from "./state";

const MB = 1_048_576;

/**
 * Fetches and checks an image while the caller waits. Source: IG User media, image specifications.
 * @throws GraphError
 */
export async function fetchImage(url: string, ratioMin: number | "any"): Promise<Uint8Array> {
  const { bytes, contentType } = await fetchMedia(url, 8 * MB).catch((error: unknown) => {
    throw error instanceof FetchError && error.reason === "too-large" ? errors.imageTooLarge() : errors.notFetched();
  });
  if (!contentType.startsWith("image/")) throw errors.notFetched();
  const info = await inspectMedia(bytes);
  if (info.kind !== "image" || info.type !== "image/jpeg") throw errors.imageFormat();
  const ratio = info.width / info.height;
  // Allows for one pixel of rounding, because crops to 4:5 or 1.91:1 are rarely exact.
  if (ratioMin !== "any" && (ratio < ratioMin - 0.005 || ratio > 1.915)) throw errors.imageRatio();
  return bytes;
}

/** Fetches and checks a video once, even if called twice, and stores the result in the container. */
export function startProcessing(state: InstagramState, container: Container): Promise<void> {
  const running = state.processing.get(container.id) ?? fetchAndInspect(state, container);
  state.processing.set(container.id, running);
  return running;
}

async function fetchAndInspect(
  state: InstagramState,
  { id, url = "", mediaType, isCarouselItem, thumbOffset }: Container,
): Promise<void> {
  const isStory = mediaType === "STORIES";
  const maxSeconds = isStory ? 60 : isCarouselItem ? state.switches.maxChildSeconds : 900;
  const result = await fetchMedia(url, (isStory ? 100 : 300) * MB)
    .then(async ({ bytes, contentType }) => {
      if (!/^(video\/|application\/octet-stream)/.test(contentType)) return { problem: problemText(2207052) };
      const info = await inspectMedia(bytes);
      const code = videoProblem(info, { isStory, maxSeconds, thumbOffset });
      return { file: state.world.blobs.store(bytes, info.type), ...(code ? { problem: problemText(code) } : {}) };
    })
    .catch(() => ({ problem: problemText(2207003) }));
  state.processing.delete(id);
  const container = state.containers.get(id);
  if (container) state.containers.put(id, { ...container, ...result, problem: container.problem ?? result.problem });
}

type Rules = { isStory: boolean; maxSeconds: number; thumbOffset: number | undefined };

function videoProblem(info: MediaInfo, { isStory, maxSeconds, thumbOffset }: Rules): number | undefined {
  if (info.kind !== "video" || !["video/mp4", "video/quicktime", "video/x-m4v"].includes(info.type)) return 2207026;
  const { width, height, durationSeconds, codec, fps, isFastStart, sound } = info;
  const ratio = width / height;
  const isFit =
    ["avc", "hevc"].includes(codec) &&
    isFastStart &&
    (!sound || (sound.codec === "aac" && sound.channels <= 2 && sound.sampleRate <= 48_000)) &&
    width <= 1920 &&
    ratio >= (isStory ? 0.1 : 0.01) &&
    ratio <= 10 &&
    Math.round(fps) >= 23 &&
    Math.round(fps) <= 60 &&
    durationSeconds >= 2.9 &&
    durationSeconds <= maxSeconds + 0.5;
  if (!isFit) return 2207026;
  return thumbOffset !== undefined && thumbOffset >= durationSeconds * 1000 ? 2207057 : undefined;
}

function problemText(code: number): string {
  return `Error: Media upload has failed with error code ${code}`;
}
