import * as z from "zod";
import { FetchError, fetchMedia } from "../core/fetch-media";
import { inspectMedia, type MediaInfo } from "../core/media";
import type { StoredMedia } from "../core/posts";
import type { PinterestSession } from "./request";
import { invalid, tooLong } from "./request";
import type { Pin, PinterestState } from "./state";
import { ownUpload, statusOf } from "./uploads";

const MAX_IMAGE_BYTES = 20 * 1_048_576;
const FORMAT = "The format of the image is not supported";

const ContentType = z.enum(["image/jpeg", "image/png"]);
const base64 = z.string().regex(/^[a-zA-Z0-9+/=]+$/);
const isStandard = z.boolean().optional();
const words = { title: z.string().optional(), description: z.string().optional(), link: z.string().optional() };
const index = z.int().min(0).optional();

/** The six kinds of `PinMediaSource`. */
export const MediaSource = z.discriminatedUnion("source_type", [
  z.strictObject({
    source_type: z.literal("image_base64"),
    content_type: ContentType,
    data: base64,
    is_standard: isStandard,
  }),
  z.strictObject({ source_type: z.literal("image_url"), url: z.string(), is_standard: isStandard }),
  z.strictObject({
    source_type: z.literal("multiple_image_base64"),
    index,
    items: z
      .array(z.strictObject({ content_type: ContentType, data: base64, ...words }))
      .min(2)
      .max(5),
  }),
  z.strictObject({
    source_type: z.literal("multiple_image_urls"),
    index,
    items: z
      .array(z.strictObject({ url: z.string(), ...words }))
      .min(2)
      .max(5),
  }),
  z.strictObject({
    source_type: z.literal("video_id"),
    media_id: z.string().regex(/^\d+$/),
    cover_image_url: z.string().optional(),
    cover_image_content_type: ContentType.optional(),
    cover_image_data: z.string().optional(),
    cover_image_key_frame_time: z.int().min(0).optional(),
    is_standard: isStandard,
  }),
  z.strictObject({ source_type: z.literal("pin_url"), is_affiliate_link: z.boolean().optional() }),
]);
type MediaSource = z.output<typeof MediaSource>;
type Video = Extract<MediaSource, { source_type: "video_id" }>;

export type PinMedia = {
  type: Pin["mediaType"];
  files: StoredMedia[];
  cover?: StoredMedia;
  keyFrame?: number;
  coverIndex?: number;
};

/** Checks and stores the media of a Pin. */
export async function mediaOf(
  state: PinterestState,
  session: PinterestSession,
  source: MediaSource,
): Promise<PinMedia> {
  switch (source.source_type) {
    case "image_base64":
      return { type: "image", files: [await decodeImage(state, source)] };
    case "image_url":
      return { type: "image", files: [await fetchImage(state, source.url)] };
    case "multiple_image_base64":
      assertCarouselAllowed(state, source);
      return carouselMedia(source, await Promise.all(source.items.map((item) => decodeImage(state, item))));
    case "multiple_image_urls":
      assertCarouselAllowed(state, source);
      return carouselMedia(source, await Promise.all(source.items.map(({ url }) => fetchImage(state, url))));
    case "video_id":
      return videoMedia(state, session, source);
    case "pin_url":
      throw invalid("The source type pin_url is available to beta users only");
  }
}

/** The real message for rejected carousels is not known. */
function assertCarouselAllowed(
  { switches }: PinterestState,
  { index = 0, items }: { index?: number; items: unknown[] },
): void {
  if (!switches.carousels) throw invalid("Carousel Pins are not supported for organic content");
  if (index >= items.length) throw invalid(`Invalid media_source.index: constraint: maximum=${items.length - 1}`);
}

function carouselMedia({ index }: { index?: number }, files: StoredMedia[]): PinMedia {
  return { type: "multiple_images", files, coverIndex: index };
}

async function decodeImage(state: PinterestState, { content_type, data }: { content_type: string; data: string }) {
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > state.switches.maxBase64Bytes) throw tooLong(state.switches.tooLongStatus);
  const info = await inspectMedia(bytes);
  if (info.type !== content_type) throw invalid(FORMAT);
  return storeImage(state, bytes, info);
}

/** Fetches an image by URL while the Pin is created. */
async function fetchImage(state: PinterestState, url: string): Promise<StoredMedia> {
  const found = await fetchMedia(url, MAX_IMAGE_BYTES).catch((error: unknown) => {
    if (!(error instanceof FetchError)) throw error;
    if (error.reason === "too-large") throw invalid("The image is too large");
    throw invalid(`Sorry! Unable to reach the URL ${url}.`);
  });
  return storeImage(state, found.bytes, await inspectMedia(found.bytes));
}

function storeImage(state: PinterestState, bytes: Uint8Array, info: MediaInfo): StoredMedia {
  if (!ContentType.safeParse(info.type).success) throw invalid(FORMAT);
  if (bytes.byteLength > MAX_IMAGE_BYTES) throw invalid("The image is too large");
  const isOdd = info.kind === "image" && (info.height > 2.1 * info.width || info.width < 200 || info.height < 300);
  if (state.switches.refusesOddImages && isOdd) throw invalid("The dimensions of the image are not supported");
  return state.world.blobs.store(bytes, info.type);
}

async function videoMedia(state: PinterestState, session: PinterestSession, source: Video): Promise<PinMedia> {
  const upload = ownUpload(state, session.account, source.media_id);
  const { cover_image_data: data, cover_image_content_type: content_type, cover_image_url: url } = source;
  const keyFrame = state.switches.keyFrameIsCover ? source.cover_image_key_frame_time : undefined;
  const hasImage = url !== undefined || (data !== undefined && content_type !== undefined);
  if (!hasImage && keyFrame === undefined) {
    throw invalid("Missing required field: cover_image_url or cover_image_content_type");
  }
  const cover = url
    ? await fetchImage(state, url)
    : data && content_type
      ? await decodeImage(state, { content_type, data })
      : undefined;
  const { usableAfterSeconds, notReadyMessage } = state.switches;
  const usableAt = (upload.storedAt ?? 0) + usableAfterSeconds * 1000;
  const isUsable = statusOf(upload) === "succeeded" && state.world.clock.now() >= usableAt;
  if (!isUsable || !upload.file) throw invalid(notReadyMessage);
  return { type: "video", files: [upload.file], cover, keyFrame };
}
