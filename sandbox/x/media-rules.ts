import { inspectMedia, type MediaInfo } from "../core/media";
import type { XMedia, XSwitches } from "./state";

const MB = 1_048_576;

/** Maximum sizes by category. Source: docs.x.com, media best practices. */
export const MAX_BYTES: Record<string, number> = {
  tweet_image: 5 * MB,
  tweet_gif: 15 * MB,
  tweet_video: 512 * MB,
  amplify_video: 512 * MB,
};

export const EXPIRES_SECONDS = 86_400;

type MediaCheck = { kind: NonNullable<XMedia["kind"]>; info: MediaInfo } | { problem: string; info: MediaInfo };

/** Checks whether X accepts a file in a category, based on its bytes rather than its declared type. */
export async function checkMedia(
  bytes: Uint8Array,
  category: string,
  subscription: XSwitches["subscription"],
): Promise<MediaCheck> {
  const info = await inspectMedia(bytes);
  if (bytes.byteLength > (MAX_BYTES[category] ?? 0)) return { problem: `The file is too large for ${category}.`, info };
  const problem =
    category === "tweet_image"
      ? imageProblem(info)
      : category === "tweet_gif"
        ? gifProblem(info)
        : videoProblem(info, subscription);
  if (problem) return { problem, info };
  return { kind: category === "tweet_image" ? "image" : category === "tweet_gif" ? "gif" : "video", info };
}

function imageProblem(info: MediaInfo): string | undefined {
  if (info.kind !== "image" || !["image/jpeg", "image/png", "image/webp", "image/gif"].includes(info.type)) {
    return "The type of the file is not an image that can be posted.";
  }
  return info.frames > 1 && info.type === "image/gif" ? "An animated GIF is uploaded as tweet_gif." : undefined;
}

function gifProblem(info: MediaInfo): string | undefined {
  if (info.kind !== "image" || info.type !== "image/gif") return "The file is not a GIF.";
  const { width, height, frames } = info;
  const isTooBig = width > 1280 || height > 1080 || frames > 350 || width * height * frames > 300_000_000;
  return isTooBig ? "The GIF has too many pixels or frames." : undefined;
}

/** The documented limits, which X rotates for portrait videos. Subscribers may post 1080p. */
const FOR_ALL = { longer: 1280, shorter: 1024 };
const FOR_SUBSCRIBERS = { longer: 1920, shorter: 1200 };

function videoProblem(info: MediaInfo, subscription: XSwitches["subscription"]): string | undefined {
  if (info.kind !== "video") return "The file is not a video.";
  const { width, height, durationSeconds, fps, hasSquarePixels, sound } = info;
  if (!["video/mp4", "video/quicktime", "video/webm", "video/mp2t", "video/x-m4v"].includes(info.type))
    return "Unsupported container.";
  if (durationSeconds < 0.5) return "The video is too short.";
  if (durationSeconds > 140) return "The video is longer than 2 minutes and 20 seconds.";
  if (Math.min(width, height) < 32) return "The video is too small.";
  const { longer, shorter } = subscription === "None" ? FOR_ALL : FOR_SUBSCRIBERS;
  if (Math.max(width, height) > longer || Math.min(width, height) > shorter) return "The video has too many pixels.";
  if (width / height > 3 || height / width > 3) return "The aspect ratio is outside 1:3 to 3:1.";
  if (!hasSquarePixels) return "The pixel aspect ratio is not 1:1.";
  if (sound && sound.channels > 2) return "The sound is neither mono nor stereo.";
  return fps > 61 ? "The frame rate is above 60." : undefined;
}
