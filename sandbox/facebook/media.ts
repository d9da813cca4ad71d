import { parseUrl } from "../core/consent";
import { FetchError, type FetchedMedia, fetchMedia } from "../core/fetch-media";
import { inspectMedia } from "../core/media";
import { type Call, hasFault } from "../core/network";
import { errors } from "./errors";
import type { Video } from "./state";

type VideoProblem = NonNullable<Video["problem"]>;

const FORMAT = "Sorry, the video file you selected is in a format that we don't support.";
const VIDEO_PROBLEMS = {
  small: { code: 1363022, message: "The video you're trying to upload is too small. The minimum size is 1 KB." },
  aspect: { code: 1363040, message: "Unsupported aspect ratio. Aspect ratios must be between 16x9 and 9x16." },
  resolution: { code: 1363127, message: "Resolution too low. The video must have a minimum resolution of 540p." },
  duration: { code: 1363128, message: "Unsupported duration. The video's duration is out of bounds." },
  rate: { code: 1363129, message: "Unsupported frame rate. The video must have a frame rate between 24 and 60." },
} satisfies Record<string, VideoProblem>;

const PROCESSING_FAILS: VideoProblem = { code: 1363127, message: "The video could not be processed." };

/** The known problem of a video, or the one that this call's fault introduces. */
export function problemAt(call: Call, video?: Video): VideoProblem | undefined {
  return video?.problem ?? (hasFault(call, "processing_fails") ? PROCESSING_FAILS : undefined);
}

const SECONDS = { feed: [0.1, 14_400], reel: [3, 90], story: [3, 60] } as const;

/** The problem that processing reports for a video. Source: Reels publishing, Page stories, Video API error codes. */
export async function findVideoProblem(
  bytes: Uint8Array,
  kind: Video["kind"],
  formatCode: number,
): Promise<VideoProblem | undefined> {
  if (bytes.length < 1024) return VIDEO_PROBLEMS.small;
  const info = await inspectMedia(bytes);
  const format = { code: formatCode, message: FORMAT };
  if (info.kind !== "video" || !["video/mp4", "video/quicktime"].includes(info.type)) return format;
  const { width, height, durationSeconds, fps, codec } = info;
  const [least, most] = SECONDS[kind];
  if (durationSeconds < least - 0.05 || durationSeconds > most + 0.05) return VIDEO_PROBLEMS.duration;
  if (kind === "feed") return undefined;
  if (!["avc", "hevc", "vp9", "av1"].includes(codec)) return format;
  if (Math.min(width, height) < 540 || Math.max(width, height) < 960) return VIDEO_PROBLEMS.resolution;
  const ratio = width / height;
  if (ratio > 16 / 9 + 0.01 || ratio < 9 / 16 - 0.01) return VIDEO_PROBLEMS.aspect;
  return Math.round(fps) < 24 || Math.round(fps) > 60 ? VIDEO_PROBLEMS.rate : undefined;
}

const MB = 1_048_576;
const TYPES = ["image/jpeg", "image/png", "image/bmp", "image/gif", "image/tiff"];

const CRAWLER = { "user-agent": "facebookexternalhit/1.1" };

/**
 * Fetches a file as Meta's crawler does: only if the host's robots.txt allows it, and never from Facebook's own CDN.
 * @throws FetchError
 */
export async function crawl(url: string, maxBytes: number): Promise<FetchedMedia> {
  const address = parseUrl(url);
  if (!address || /\.fbcdn\.net$/.test(address.hostname)) throw new FetchError("address");
  if (!(await isAllowedByRobots(address))) throw new FetchError("unreachable");
  return fetchMedia(url, maxBytes, "follow", CRAWLER);
}

/** Fetches a photo by URL. Source: Page photos. */
export async function fetchPhoto(url: string): Promise<{ bytes: Uint8Array; type: string }> {
  const { bytes, contentType } = await crawl(url, 10 * MB).catch((error: unknown) => {
    throw error instanceof FetchError && error.reason === "too-large" ? errors.image() : errors.notFetched();
  });
  if (!contentType.startsWith("image/")) throw errors.notFetched();
  return { bytes, type: await photoType(bytes) };
}

/**
 * The media type of a photo.
 * @throws GraphError if Facebook does not accept the file as a photo
 */
export async function photoType(bytes: Uint8Array): Promise<string> {
  const info = await inspectMedia(bytes);
  if (bytes.length > 10 * MB || info.kind !== "image" || !TYPES.includes(info.type)) throw errors.image();
  return info.type;
}

/** Whether `robots.txt` allows the path for `facebookexternalhit` or for all crawlers (RFC 9309, simplified). */
async function isAllowedByRobots({ origin, pathname }: URL): Promise<boolean> {
  const answer = await fetch(new URL("/robots.txt", origin), { headers: CRAWLER }).catch(() => undefined);
  if (!answer?.ok || !answer.headers.get("content-type")?.startsWith("text/plain")) {
    await answer?.body?.cancel(); // an unread body can end the process (ADR 61)
    return true;
  }
  const groups = (await answer.text()).split(/\n\s*\n/).map((group) => group.split("\n").map((line) => line.trim()));
  const of = (agent: string) =>
    groups.find((lines) => lines.some((line) => line.toLowerCase() === `user-agent: ${agent}`));
  const rules = of("facebookexternalhit") ?? of("*") ?? [];
  const denied = rules.flatMap((line) => /^disallow:\s*(\S+)/i.exec(line)?.[1] ?? []);
  return !denied.some((path) => pathname.startsWith(path));
}
