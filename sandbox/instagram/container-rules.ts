import { isTrue, listOf } from "../meta/parameters";
import { refusals } from "./errors";
import type { Container, MediaType } from "./state";

type Parameters = Record<string, string>;
export type WantedContainer = Pick<
  Container,
  "mediaType" | "isCarouselItem" | "caption" | "url" | "isVideo" | "children" | "settings" | "thumbOffset"
>;

/** What the parameters ask for, or the refusal; source: Instagram Platform, IG User media. */
export function readContainer(p: Parameters): WantedContainer {
  const isCarouselItem = isTrue(p.is_carousel_item);
  const mediaType = mediaTypeOf(p, isCarouselItem);
  const isVideo =
    mediaType === "VIDEO" || mediaType === "REELS" || (mediaType === "STORIES" && p.video_url !== undefined);
  assertSource(p, mediaType);
  assertTexts(p, mediaType, isCarouselItem);
  if (isCarouselItem && p.is_ai_generated !== undefined)
    throw refusals.parameter("param is_ai_generated is not allowed on carousel items");
  if (isCarouselItem && p.collaborators !== undefined) throw refusals.parameter("param collaborators is not allowed");
  if (listOf(p.collaborators).length > 3) throw refusals.parameter("param collaborators takes at most 3 usernames");
  if ((p.user_tags?.match(/"username"/g) ?? []).length > 20) throw refusals.tooManyTags();
  if (p.share_to_feed !== undefined && mediaType !== "REELS")
    throw refusals.parameter("param share_to_feed is only allowed for REELS");
  return {
    mediaType,
    isCarouselItem,
    isVideo,
    caption: mediaType === "STORIES" ? "" : (p.caption ?? ""),
    url: mediaType === "CAROUSEL" ? undefined : isVideo ? p.video_url : p.image_url,
    children: listOf(p.children),
    settings: settingsOf(p, mediaType),
    ...(p.thumb_offset === undefined ? {} : { thumbOffset: Number(p.thumb_offset) }),
  };
}

function mediaTypeOf(p: Parameters, isCarouselItem: boolean): MediaType {
  switch (p.media_type) {
    case undefined:
    case "IMAGE":
      if (p.image_url === undefined) throw refusals.unknownMediaType("The parameter image_url is required.");
      return "IMAGE";
    case "VIDEO":
      if (!isCarouselItem)
        throw refusals.unknownMediaType("VIDEO is no longer a media_type of single posts. Use REELS.");
      return "VIDEO";
    case "REELS":
    case "STORIES":
    case "CAROUSEL":
      if (isCarouselItem) throw refusals.unknownMediaType(`${p.media_type} cannot be a carousel item.`);
      return p.media_type;
    default:
      throw refusals.unknownMediaType(
        `Param media_type must be one of {IMAGE, VIDEO, REELS, STORIES, CAROUSEL} - got "${p.media_type}".`,
      );
  }
}

function assertSource(p: Parameters, mediaType: MediaType): void {
  const [hasImage, hasVideo] = [p.image_url !== undefined, p.video_url !== undefined];
  const isRight = {
    IMAGE: hasImage && !hasVideo,
    VIDEO: hasVideo && !hasImage,
    REELS: hasVideo && !hasImage,
    STORIES: hasImage !== hasVideo,
    CAROUSEL: !hasImage && !hasVideo,
  } satisfies Record<MediaType, boolean>;
  if (!isRight[mediaType])
    throw refusals.parameter(`The parameters image_url and video_url do not fit media_type ${mediaType}.`);
}

function assertTexts(p: Parameters, mediaType: MediaType, isCarouselItem: boolean): void {
  const caption = p.caption ?? "";
  if (isCarouselItem && caption) throw refusals.parameter("param caption is not allowed on carousel items");
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu) ?? [];
  const mentions = caption.match(/(?<![\w@])@[\w.]+/g) ?? [];
  if ([...caption].length > 2200 || hashtags.length > 30 || mentions.length > 20) throw refusals.captionTooLong();
  if (p.alt_text === undefined) return;
  if (mediaType !== "IMAGE") throw refusals.parameter(`param alt_text is not allowed for ${mediaType}`);
  if ([...p.alt_text].length > 1000) throw refusals.parameter("param alt_text takes at most 1000 characters");
}

const KEPT = [
  "share_to_feed",
  "is_ai_generated",
  "alt_text",
  "cover_url",
  "thumb_offset",
  "audio_name",
  "collaborators",
  "location_id",
  "user_tags",
];

function settingsOf(p: Parameters, mediaType: MediaType): Record<string, unknown> {
  const kept = KEPT.flatMap((name) => {
    const value = p[name];
    return value === undefined
      ? []
      : [[name, ["share_to_feed", "is_ai_generated"].includes(name) ? isTrue(value) : value]];
  });
  return { media_type: mediaType, ...Object.fromEntries(kept) };
}
