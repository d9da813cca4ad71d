import { lookAt } from "../core/look";
import { type Call, hasFault } from "../core/network";
import type { Video } from "./state";

type Flaw = NonNullable<Video["flaw"]>;

const FLAWS = {
  format: { code: 352, message: "Sorry, the video file you selected is in a format that we don't support." },
  small: { code: 1363022, message: "The video you're trying to upload is too small. The minimum size is 1 KB." },
  aspect: { code: 1363040, message: "Unsupported aspect ratio. Aspect ratios must be between 16x9 and 9x16." },
  resolution: { code: 1363127, message: "Resolution too low. The video must have a minimum resolution of 540p." },
  duration: { code: 1363128, message: "Unsupported duration. The video's duration is out of bounds." },
  rate: { code: 1363129, message: "Unsupported frame rate. The video must have a frame rate between 24 and 60." },
} satisfies Record<string, Flaw>;

const PROCESSING_FAILS: Flaw = { code: 1363127, message: "The video could not be processed." };

/** What is wrong with a video from this call on: what was before, or what the call's fault says. */
export function flawAt(call: Call, video?: Video): Flaw | undefined {
  return video?.flaw ?? (hasFault(call, "processing_fails") ? PROCESSING_FAILS : undefined);
}

const SECONDS = { feed: [0.1, 14_400], reel: [3, 90], story: [3, 60] } as const;

/** Source: Reels publishing, Page stories, Video API error codes. */
export async function flawOf(bytes: Uint8Array, kind: Video["kind"]): Promise<Flaw | undefined> {
  if (bytes.length < 1024) return FLAWS.small;
  const looked = await lookAt(bytes);
  if (looked.kind !== "video" || !["video/mp4", "video/quicktime"].includes(looked.type)) return FLAWS.format;
  const { width, height, durationSeconds, fps, codec } = looked;
  const [least, most] = SECONDS[kind];
  if (durationSeconds < least - 0.05 || durationSeconds > most + 0.05) return FLAWS.duration;
  if (kind === "feed") return undefined;
  if (!["avc", "hevc", "vp9", "av1"].includes(codec)) return FLAWS.format;
  if (Math.min(width, height) < 540 || Math.max(width, height) < 960) return FLAWS.resolution;
  const ratio = width / height;
  if (ratio > 16 / 9 + 0.01 || ratio < 9 / 16 - 0.01) return FLAWS.aspect;
  return Math.round(fps) < 24 || Math.round(fps) > 60 ? FLAWS.rate : undefined;
}
