import type { Limits, VideoLimits } from "./limits";
import type { FormatName } from "./network";

/** What is known of an image: pixels as stored, and of one that moves how many pictures it has and how long a round of them takes. */
export type MovingImage = {
  contentType: string;
  width?: number | null;
  height?: number | null;
  durationSeconds?: number | null;
  frames?: number;
  /** EXIF; what is stored turned is not made into a film. */
  orientation?: number;
};

/** Even numbers of pixels, and how often it plays. */
export type Film = { width: number; height: number; rounds: number };

/** Shorter ones play several rounds, as they do in a browser: a film of less is gone before it was seen, and some networks refuse it. */
const LEAST_SECONDS = 3;
/** Nobody makes longer ones, and whoever does has a film to begin with. */
const MOST_SECONDS = 60;
const MOST_SIDE = 1280;
/** Of all pictures together, and of all that are shown at the highest rate: what is made in half a minute or so. */
const MOST_DRAWN = 250_000_000;
const MOST_SHOWN = 500_000_000;
const HIGHEST_RATE = 60;

/**
 * The film that an image that moves goes out as; undefined where it goes out as it is: its network takes it moving, takes no films
 * there, or takes it still and would not take the film. One that would be refused, or stand still, becomes a film. Pure; the
 * limits are data, and the previews ask the same.
 * @param limits what the network takes, by format
 * @param count of its post's media
 */
export function filmOf(
  limits: (format: FormatName) => Limits | undefined,
  count: number,
  { contentType, width, height, durationSeconds: seconds, frames = 1, orientation = 1 }: MovingImage,
): Film | undefined {
  const [asImage, asFilm] = count > 1 ? [limits("carousel"), limits("carousel")] : [limits("image"), limits("video")];
  const video = asFilm?.video;
  if (asImage?.animation?.types.includes(contentType) || !video?.types.includes("video/mp4")) return undefined;
  if (frames === 1 || orientation > 1 || !width || !height || !seconds || seconds > MOST_SECONDS) return undefined;
  const size = sizeOf(video, { width, height, scale: scaleOf(video, { width, height, frames, seconds }) });
  if (asImage?.image?.types.includes(contentType) && !isTaken(video, size)) return undefined;
  return { ...size, rounds: Math.ceil(Math.max(LEAST_SECONDS, video.seconds?.min ?? 0, seconds) / seconds) };
}

type Size = { width: number; height: number };

/** What we can make does not make it too small for the network; what the network takes at most does. */
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

/** H.264 halves the colours' sides; where that would leave the network's ratio, one side is two pixels shorter. */
function sizeOf({ ratio }: VideoLimits, { width, height, scale }: Size & { scale: number }): Size {
  const [w, h] = [even(width * scale), even(height * scale)];
  const sizes = [[w, h] as const, [w - 2, h] as const, [w, h - 2] as const];
  const [w2, h2] = sizes.find(([a, b]) => a > 0 && b > 0 && isWithin(ratio, a / b)) ?? [w, h];
  return { width: w2, height: h2 };
}

/** A fraction less than a whole number is that number: it comes of the division. */
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
