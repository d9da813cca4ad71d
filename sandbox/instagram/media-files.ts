import { FetchFailure, fetchMedia } from "../core/fetch-media";
import { type Looked, lookAt } from "../core/look";
import { refusals } from "./errors";
import type { Container, InstagramState } from "./state";

const MB = 1_048_576;

/** An image is fetched and judged while the caller waits; source: IG User media, image specifications. */
export async function fetchImage(url: string, { anyRatio }: { anyRatio: boolean }): Promise<Uint8Array> {
  const { bytes, contentType } = await fetchMedia(url, 8 * MB).catch((error: unknown) => {
    throw error instanceof FetchFailure && error.reason === "too-large"
      ? refusals.imageTooLarge()
      : refusals.notFetched();
  });
  if (!contentType.startsWith("image/")) throw refusals.notFetched();
  const looked = await lookAt(bytes);
  if (looked.kind !== "image" || looked.type !== "image/jpeg") throw refusals.imageFormat();
  const ratio = looked.width / looked.height;
  // A pixel's rounding is allowed for, as a crop to 4:5 or 1.91:1 seldom comes out even.
  if (!anyRatio && (ratio < 0.795 || ratio > 1.915)) throw refusals.imageRatio();
  return bytes;
}

/** Fetches and judges a video once, also when asked twice; the verdict is kept in the container. */
export function startProcessing(state: InstagramState, container: Container): Promise<void> {
  const running = state.processing.get(container.id) ?? judge(state, container);
  state.processing.set(container.id, running);
  return running;
}

async function judge(state: InstagramState, { id, url = "", mediaType, thumbOffset }: Container): Promise<void> {
  const isStory = mediaType === "STORIES";
  const verdict = await fetchMedia(url, (isStory ? 100 : 300) * MB)
    .then(async ({ bytes, contentType }) => {
      if (!/^(video\/|application\/octet-stream)/.test(contentType)) return { flaw: flawText(2207052) };
      const looked = await lookAt(bytes);
      const code = videoFlaw(looked, isStory, thumbOffset);
      return { file: state.world.blobs.keep(bytes, looked.type), ...(code ? { flaw: flawText(code) } : {}) };
    })
    .catch(() => ({ flaw: flawText(2207003) }));
  state.processing.delete(id);
  const container = state.containers.get(id);
  if (container) state.containers.put(id, { ...container, ...verdict, flaw: container.flaw ?? verdict.flaw });
}

function videoFlaw(looked: Looked, isStory: boolean, thumbOffset: number | undefined): number | undefined {
  if (looked.kind !== "video" || !["video/mp4", "video/quicktime", "video/x-m4v"].includes(looked.type)) return 2207026;
  const { width, height, durationSeconds, codec, fps, isFastStart } = looked;
  const ratio = width / height;
  const isFit =
    ["avc", "hevc"].includes(codec) &&
    isFastStart &&
    width <= 1920 &&
    ratio >= (isStory ? 0.1 : 0.01) &&
    ratio <= 10 &&
    Math.round(fps) >= 23 &&
    Math.round(fps) <= 60 &&
    durationSeconds >= 2.9 &&
    durationSeconds <= (isStory ? 60.5 : 900.5);
  if (!isFit) return 2207026;
  return thumbOffset !== undefined && thumbOffset > durationSeconds * 1000 ? 2207057 : undefined;
}

function flawText(code: number): string {
  return `Error: Media upload has failed with error code ${code}`;
}
