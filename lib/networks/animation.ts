import type { Limits, VideoLimits } from "./limits";
import type { FormatName } from "./network";

/** Facts of an image: stored size in pixels, and for an animation its number of frames and the duration of one loop. */
export type Animation = {
  contentType: string;
  width?: number | null;
  height?: number | null;
  durationSeconds?: number | null;
  frames?: number;
  /** EXIF orientation. Rotated animations are not converted. */
  orientation?: number;
};

/** Size of the video in pixels (even numbers), and how many times the animation is repeated in it. */
export type AnimationVideo = { width: number; height: number; rounds: number };

/** Shorter animations are looped up to this duration, as browsers do: some networks refuse very short videos. */
const LEAST_SECONDS = 3;
/** Longer animations are not converted; such content is normally available as a video. */
const MOST_SECONDS = 60;
const MOST_SIDE = 1280;
/** Bounds on the pixels drawn over all frames, and over all frames at the highest frame rate: about half a minute of encoding. */
const MOST_DRAWN = 250_000_000;
const MOST_SHOWN = 500_000_000;
const HIGHEST_RATE = 60;

/**
 * Returns the video that an animated image is sent as, or undefined if it is sent as it is: because the network accepts
 * animations, accepts no video there, or shows the animation as a still image and would refuse the video. An animation that
 * would be refused or shown as a still becomes a video. This is a pure function, so previews use it too.
 * @param limits the network's limits by format
 * @param count number of media in the post
 */
export function animationVideo(
  limits: (format: FormatName) => Limits | undefined,
  count: number,
  { contentType, width, height, durationSeconds: seconds, frames = 1, orientation = 1 }: Animation,
): AnimationVideo | undefined {
  const [asImage, asFilm] = count > 1 ? [limits("carousel"), limits("carousel")] : [limits("image"), limits("video")];
  const video = asFilm?.video;
  if (asImage?.animation?.types.includes(contentType) || !video?.types.includes("video/mp4")) return undefined;
  if (frames === 1 || orientation > 1 || !width || !height || !seconds || seconds > MOST_SECONDS) return undefined;
  const size = sizeOf(video, { width, height, scale: scaleOf(video, { width, height, frames, seconds }) });
  if (asImage?.image?.types.includes(contentType) && !isTaken(video, size)) return undefined;
  return { ...size, rounds: Math.ceil(Math.max(LEAST_SECONDS, video.seconds?.min ?? 0, seconds) / seconds) };
}

type Size = { width: number; height: number };

/** Scales down to what we can encode, but not below the network's minimum, and always to at most the network's maximum. */
function scaleOf(
  { side, maxWidth, shorterSide, longerSide }: VideoLimits,
  { width, height, frames, seconds }: Size & { frames: number; seconds: number },
): number {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const makeable = Math.min(
    MOST_SIDE / longer,
    Math.sqrt(MOST_DRAWN / (width * height * frames)),
    Math.sqrt(MOST_SHOWN / (width * height * HIGHEST_RATE * seconds)),
  );
  const least = Math.max((side?.min ?? 0) / shorter, (longerSide?.min ?? 0) / longer);
  return Math.min(
    1,
    Math.max(makeable, least),
    (side?.max ?? longer) / longer,
    (maxWidth ?? width) / width,
    (shorterSide?.max ?? shorter) / shorter,
  );
}

/** H.264 needs even sides because it halves the chroma planes. If rounding leaves the network's ratio, one side loses two pixels. */
function sizeOf({ ratio }: VideoLimits, { width, height, scale }: Size & { scale: number }): Size {
  const [w, h] = [even(width * scale), even(height * scale)];
  const sizes = [[w, h] as const, [w - 2, h] as const, [w, h - 2] as const];
  const [w2, h2] = sizes.find(([a, b]) => a > 0 && b > 0 && isWithin(ratio, a / b)) ?? [w, h];
  return { width: w2, height: h2 };
}

/** Rounds down to an even number, tolerating the rounding error of the division. */
function even(pixels: number): number {
  return 2 * Math.max(1, Math.floor(pixels / 2 + 1e-6));
}

function isTaken({ side, longerSide, ratio }: VideoLimits, { width, height }: Size): boolean {
  const isLarge = Math.min(width, height) >= (side?.min ?? 0) && Math.max(width, height) >= (longerSide?.min ?? 0);
  return isLarge && isWithin(ratio, width / height);
}

function isWithin(bounds: VideoLimits["ratio"], ratio: number): boolean {
  if (!bounds) return true;
  const { min, max, isOpen } = bounds;
  return isOpen ? ratio > min && ratio < max : ratio >= min && ratio <= max;
}
