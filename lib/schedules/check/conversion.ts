import type { Problem } from "../../errors";
import {
  asVideo,
  type FilmRecipe,
  type ImageRecipe,
  type ImageType,
  isVideoMedia,
  type RewrapRecipe,
} from "../../media";
import {
  animationVideo,
  type FieldProblem,
  type FormatName,
  type ImageLimits,
  type Limits,
  MB,
  typeNames,
  type VideoLimits,
} from "../../networks";
import type { AttachedMedia, KnownMedia } from "./facts";

/** Target types of a conversion, in order of preference. */
const TARGETS: ImageType[] = ["image/jpeg", "image/png", "image/webp"];

/**
 * Returns how to convert an image so that a network accepts it: another type, fewer pixels or fewer bytes. Undefined if the
 * image is accepted as it is or cannot be converted faithfully: animated images (see `filmRecipeFor`) and images that would
 * have to be enlarged or cropped.
 */
export function conversionRecipe({ sentAs, ...taken }: ImageLimits, item: KnownMedia): ImageRecipe | undefined {
  const limits = { ...taken, ...sentAs };
  const [width, height] = [item.width ?? 0, item.height ?? 0];
  const isTooHeavy = limits.maxBytes !== undefined && (item.sizeBytes ?? 0) > limits.maxBytes;
  const scale = Math.min(
    1,
    (limits.side?.max ?? Number.POSITIVE_INFINITY) / Math.max(width, height),
    (limits.shorterSide?.max ?? Number.POSITIVE_INFINITY) / Math.min(width, height),
    (limits.maxSideSum ?? Number.POSITIVE_INFINITY) / (width + height),
    Math.sqrt((limits.maxPixels ?? Number.POSITIVE_INFINITY) / (width * height)),
  );
  if (limits.types.includes(item.contentType) && !isTooHeavy && !(scale < 1)) return undefined;
  const contentType = targetType(limits, item, isTooHeavy);
  if (!contentType || !(width > 0 && height > 0) || (item.details.frames ?? 1) > 1) return undefined;
  const size = scaledSize(limits, width, height, scale);
  if (Math.min(size.width, size.height) < Math.min(limits.side?.min ?? 1, width, height)) return undefined;
  return { contentType, ...size, ...(limits.maxBytes === undefined ? {} : { maxBytes: limits.maxBytes }) };
}

/** Keeps the type if the network accepts it, unless it is a PNG that is too large: PNG has no lossy compression. */
function targetType({ types }: ImageLimits, { contentType }: KnownMedia, isTooHeavy: boolean): ImageType | undefined {
  const possible = TARGETS.filter((type) => types.includes(type));
  const same = possible.find((type) => type === contentType && !(type === "image/png" && isTooHeavy));
  return same ?? possible[0];
}

/** Scales a size down. If rounding would violate the network's ratio limits, the width is adjusted by a few pixels. */
function scaledSize({ ratio, side, maxSideSum }: ImageLimits, width: number, height: number, scale: number) {
  const [w, h] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  if (!ratio || scale === 1 || width / height < ratio.min || width / height > ratio.max) return { width: w, height: h };
  const within = Math.min(Math.max(w, Math.ceil(h * ratio.min)), Math.floor(h * ratio.max));
  const fits = within <= (side?.max ?? within) && within + h <= (maxSideSum ?? within + h);
  return { width: fits ? within : w, height: h };
}

/** Describes an image as it would be sent, so that it can be checked before it is converted. `sizeBytes` is an upper bound. */
export function asSent<M extends KnownMedia>(limits: ImageLimits | undefined, item: M): M {
  const recipe = limits && item.contentType.startsWith("image/") ? conversionRecipe(limits, item) : undefined;
  if (!recipe) return item;
  const { contentType, width, height, maxBytes = Number.POSITIVE_INFINITY } = recipe;
  return { ...item, contentType, width, height, sizeBytes: Math.min(item.sizeBytes ?? maxBytes, maxBytes) };
}

/** Warns that an image is converted before it is sent. */
export function conversionWarning(network: string, item: KnownMedia, sent: KnownMedia): Omit<Problem, "path"> {
  const becomes = `${typeName(sent.contentType)} of ${sent.width} x ${sent.height} pixels`;
  const white = sent.contentType === "image/jpeg" && item.contentType !== "image/jpeg";
  const message = `${network} does not take this image as it is (${describeImage(item)}): it is sent as a ${becomes}${white ? ", with a white background instead of transparency" : ""}`;
  return { message, rule: "image.converted", measured: item.contentType, severity: "warning" };
}

/** Describes an image, as in `PNG, 640 x 480 pixels, 1.2 MB`. */
function describeImage({ contentType, width, height, sizeBytes = 0 }: KnownMedia): string {
  const size = sizeBytes < MB / 10 ? `${Math.ceil(sizeBytes / 1024)} KB` : `${(sizeBytes / MB).toFixed(1)} MB`;
  return `${typeName(contentType)}, ${width} x ${height} pixels, ${size}`;
}

export function typeName(contentType: string): string {
  return typeNames[contentType] ?? contentType;
}

/** A network's limits by format. */
export type LimitsByFormat = { [F in FormatName]?: { limits: Limits } };

/**
 * Returns how to make the video that is sent in place of an animated image that the network would not show moving
 * (`animationVideo`), or of a video that it would refuse only because of its container (`rewrapRecipe`).
 * @param media all files of its post
 */
export function videoRecipeFor(
  taken: LimitsByFormat,
  media: unknown[],
  item: KnownMedia,
): FilmRecipe | RewrapRecipe | undefined {
  if (isVideoMedia(item)) return rewrapRecipe(taken[media.length > 1 ? "carousel" : "video"]?.limits.video, item);
  const { frames, orientation } = item.details;
  const film = animationVideo((format) => taken[format]?.limits, media.length, { ...item, frames, orientation });
  return film && { contentType: "video/mp4", ...film };
}

/** The tracks that every network takes in an MP4. Others could be copied too, but hardly any network takes them. */
const REWRAPPED = { video: ["avc", "hevc"], audio: ["aac"] };

/**
 * Returns how to rewrap a video, which copies its tracks into an MP4 with the index in front and without edit lists. Undefined
 * if the network takes its container, if it would refuse the tracks in every container, and if an edit list hides a part of
 * the film, which would become visible.
 */
function rewrapRecipe(limits: VideoLimits | undefined, item: KnownMedia): RewrapRecipe | undefined {
  const { contentType, width, height, details } = item;
  const { videoCodec = "", audioCodec, hasAudio, editList } = details;
  if (!limits?.types.includes("video/mp4") || !width || !height || editList === "cut") return undefined;
  if (!REWRAPPED.video.includes(videoCodec) || (hasAudio && !REWRAPPED.audio.includes(audioCodec ?? "")))
    return undefined;
  if (limits.codecs && !limits.codecs.includes(videoCodec)) return undefined;
  if (limits.types.includes(contentType) && containerCauses(limits, item).length === 0) return undefined;
  return { contentType: "video/mp4", width, height, rewrap: true };
}

const hasBoxes = ({ contentType }: KnownMedia) => contentType === "video/mp4" || contentType === "video/quicktime";

/**
 * Returns what a network does not take about the layout of an MP4 or MOV, as parts of a sentence about the video. Files that
 * were uploaded before their layout was recorded may have everything that it does not take.
 */
export function containerCauses(limits: VideoLimits, item: KnownMedia): string[] {
  const { index, editList } = item.details;
  if (!hasBoxes(item) || !(limits.indexInFront || limits.noEditLists)) return [];
  if (!index)
    return ["may have its index (moov) at the end or edit lists, which was not recorded when it was uploaded"];
  const causes: string[] = [];
  if (limits.indexInFront && index === "end") causes.push("has its index (moov) at the end (no fast start)");
  if (limits.indexInFront && index === "fragments") causes.push("has its index in fragments (moof)");
  if (limits.noEditLists && editList) causes.push(editList === "cut" ? "is cut with an edit list" : "has an edit list");
  return causes;
}

/** Describes a post's files as they would be sent, with the videos that are made of them (`videoRecipeFor`). */
export function asVideos(taken: LimitsByFormat, media: AttachedMedia[]): AttachedMedia[] {
  return media.map((item) => {
    const recipe = item && videoRecipeFor(taken, media, item);
    return recipe ? { ...asVideo(item, recipe), sizeBytes: isVideoMedia(item) ? item.sizeBytes : undefined } : item;
  });
}

/**
 * Warns about videos that are rewrapped, about animated images that are converted to videos, and about their alt texts if the
 * network takes none for videos.
 * @param sent the result of `asVideos`
 */
export function videoWarnings(
  network: string,
  taken: LimitsByFormat,
  media: AttachedMedia[],
  sent: AttachedMedia[],
): FieldProblem[] {
  const { video: limits, source } = taken[media.length > 1 ? "carousel" : "video"]?.limits ?? {};
  return media.flatMap((item, index): FieldProblem[] => {
    const video = sent[index];
    if (!item || !video || video === item) return [];
    const at = `attachmentPaths[${index}]`;
    if (isVideoMedia(item)) return limits ? [{ at, ...rewrapWarning(network, { source, ...limits }, item) }] : [];
    const becomes = `MP4 video of ${video.width} x ${video.height} pixels, ${video.durationSeconds} seconds`;
    const message = `${network} would not animate this image (${describeImage(item)}): it is sent as an ${becomes}`;
    const filmed: FieldProblem = { at, message, rule: "image.filmed", measured: item.contentType, severity: "warning" };
    if (!item.altText || limits?.altText) return [filmed];
    const loses = `${network} takes no alt text of videos: this image's is not sent`;
    return [filmed, { at, message: loses, rule: "film.alt_text", severity: "warning" }];
  });
}

function rewrapWarning(network: string, limits: VideoLimits, item: KnownMedia): Omit<Problem, "path"> {
  const { contentType } = item;
  const isOtherType = !limits.types.includes(contentType);
  const causes = [...(isOtherType ? [`is ${typeName(contentType)}`] : []), ...containerCauses(limits, item)];
  const message = `${network} does not take this video as it is, because it ${causes.join(" and ")}: it is sent as an MP4 with the same pictures and sound`;
  return { message, rule: "video.rewrapped", measured: contentType, source: limits.source, severity: "warning" };
}
