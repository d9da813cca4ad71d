import { isDeepStrictEqual } from "node:util";
import { parseUrl } from "../../env/parse-url";
import { plainText } from "../../text";
import { PlatformError } from "../errors";
import { reachesBack } from "../lookalikes";
import type { Lookalike, NetworkSession, OutgoingMedia, OutgoingPost, Published, Run, Searched } from "../network";
import { Base64File } from "../wire/request-body";
import { createPin, type ListedPin, type NewPin, newestPins, PINS_LISTED, uploadVideo, videoStatus } from "./api";
import type { PinterestSettings } from "./settings";

/** Lists the newest Pins of the board or section whose content equals this one's. */
async function lookalikes(session: NetworkSession, pin: NewPin): Promise<Lookalike[]> {
  return (await search(session, pin, new Date())).listed;
}

async function search(session: NetworkSession, pin: NewPin, from: Date): Promise<Searched> {
  const { pins, hasMore } = await newestPins(session, pin.board_id, pin.board_section_id);
  const same = pins.filter((listed) => isSamePin(listed, pin));
  const listed = same.map(({ id, created_at }) => ({ id, permalink: addressOf(id), createdAt: timeOf(created_at) }));
  const times = pins.map(({ created_at }) => timeOf(created_at));
  return { listed, isWhole: reachesBack({ times, limit: PINS_LISTED, hasMore }, from) };
}

const addressOf = (id: string) => `https://www.pinterest.com/pin/${id}/`;

/** Whether a Pin that was read back is the one we are looking for. */
function isSamePin(listed: ListedPin, pin: NewPin): boolean {
  return isDeepStrictEqual(likenessOf(listed), likenessOf(pin));
}

/** What a lookup compares. */
function likenessOf(pin: Pick<NewPin | ListedPin, "title" | "description" | "link" | "alt_text" | "board_section_id">) {
  const texts = [pin.title, pin.description, pin.alt_text].map((text) => plainText(text));
  return [pin.board_section_id ?? "", ...texts, sameLink(pin.link)];
}

/** Normalizes a URL: a host alone gets a slash. */
const sameLink = (link = "") => parseUrl(link)?.href ?? link;

/** Times without an offset are UTC. */
function timeOf(written: string): Date {
  return new Date(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`);
}

type Post = OutgoingPost<PinterestSettings>;

/** Position of the cover in whole seconds; the very first frame is often black. */
const KEY_FRAME_SECOND = 1;
const UPLOADS = 2;

export async function publishImage(post: Post, run: Run): Promise<Published> {
  const [media] = post.media;
  if (!media) throw new PlatformError("rejected", "A Pin needs an image or a video");
  return publishPin(post, run, {
    data: { source_type: "image_base64", ...base64Fields(media) },
    addresses: async () => ({ source_type: "image_url", url: await media.publicUrl() }),
  });
}

/** Publishes 2 to 5 images in one Pin; the one at `index` is shown first. */
export function publishCarousel(post: Post, run: Run): Promise<Published> {
  const { coverIndex: index, media } = post;
  return publishPin(post, run, {
    data: { source_type: "multiple_image_base64", index, items: media.map(base64Fields) },
    addresses: async () => {
      const items = await Promise.all(media.map(async (one) => ({ url: await one.publicUrl() })));
      return { source_type: "multiple_image_urls", index, items };
    },
  });
}

/** Uploads a video to Pinterest's file store and waits until it is processed; a failed upload is repeated once. */
export async function publishVideo(post: Post, run: Run): Promise<Published> {
  const [media] = post.media;
  if (!media) throw new PlatformError("rejected", "A Pin needs an image or a video");
  const media_id = await prepareVideo(media, run);
  const { thumbnail } = post;
  const video = { source_type: "video_id", media_id };
  return publishPin(post, run, {
    data: { ...video, ...coverOf(post) },
    ...(thumbnail ? { addresses: async () => ({ ...video, cover_image_url: await thumbnail.publicUrl() }) } : {}),
  });
}

async function prepareVideo(media: OutgoingMedia, run: Run): Promise<string> {
  for (let upload = 1; upload <= UPLOADS; upload++) {
    const id = await run.step(`video, upload ${upload}`, () => uploadVideo(run, media));
    const status = await run.poll(`video, upload ${upload} ready`, async () => {
      const now = await videoStatus(run, id);
      return now === "succeeded" || now === "failed" ? now : undefined;
    });
    if (status === "succeeded") return id;
  }
  throw new PlatformError("rejected", "Pinterest could not process the video and gave no reason");
}

function coverOf({ thumbnail }: Post): object {
  if (!thumbnail) return { cover_image_key_frame_time: KEY_FRAME_SECOND };
  const { content_type, data } = base64Fields(thumbnail);
  return { cover_image_content_type: content_type, cover_image_data: data };
}

/** Sends the bytes instead of an address, so Pinterest does not need to reach our server. */
function base64Fields(media: OutgoingMedia) {
  return { content_type: media.contentType, data: new Base64File({ ...media, open: () => media.open() }) };
}

/** A Pin has one alternative text: the setting, or that of the image shown first. It is recorded because lookups compare it. */
function altTextOf({ settings, media, coverIndex = 0 }: Post): string | undefined {
  return settings.altText || media[coverIndex]?.altText;
}

/** A Pin's media as bytes and, if they contain images, as addresses from which Pinterest can fetch these. */
type MediaSources = { data: object; addresses?(): Promise<object> };

const SIZE = /too (large|big|long)|size|exceed|payload|base64/i;

/** Whether Pinterest refused images in Base64 for their size, which is documented only for the files themselves. */
function isTooLong(error: unknown): boolean {
  const { status, message = "" } = (error instanceof PlatformError && error.answer) || {};
  return status === 413 || (status === 400 && SIZE.test(message));
}

/** Pinterest has no idempotency key and no duplicate check, so after a lost answer the board is searched for the Pin. */
async function publishPin(post: Post, run: Run, { data, addresses }: MediaSources): Promise<Published> {
  const { title, link, boardSectionId, dominantColor } = post.settings;
  if (!post.chatId) throw new PlatformError("rejected", "A Pin needs a board");
  const pin: NewPin = {
    board_id: post.chatId,
    board_section_id: boardSectionId,
    title: title || undefined,
    description: post.content || undefined,
    link: link || undefined,
    dominant_color: dominantColor,
    alt_text: (await run.step("alt text", async () => altTextOf(post) ?? null)) ?? undefined,
    media_source: data,
  };
  // Both tries are part of one commit: after either, nothing is sent again. The first one was refused, so it made no Pin.
  const create = () =>
    createPin(run, pin).catch(async (error: unknown) => {
      if (!addresses || !isTooLong(error)) throw error;
      return createPin(run, { ...pin, media_source: await addresses() });
    });
  const list = () => lookalikes(run, pin);
  const id = await run.commit("pin", create, {
    find: async ({ identify }) => (await identify(await list()))?.id,
    lookalikes: { likeness: likenessOf(pin), list, search: (from) => search(run, pin, from) },
  });
  return { id, permalink: addressOf(id) };
}
