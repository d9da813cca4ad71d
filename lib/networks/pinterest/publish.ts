import { PlatformError } from "../errors";
import type { NetworkSession, OutgoingMedia, OutgoingPost, Published, Run } from "../network";
import { Base64File } from "../wire/request-body";
import { createPin, type ListedPin, type NewPin, newestPins, uploadVideo, videoStatus } from "./api";
import type { PinterestSettings } from "./settings";

const CLOCK_DIFFERENCE_MS = 60_000;

/** Returns the newest Pins of the board or section whose content equals this one's. */
async function samePins(session: NetworkSession, pin: NewPin): Promise<ListedPin[]> {
  const newest = await newestPins(session, pin.board_id, pin.board_section_id);
  return newest.filter((listed) => isSamePin(listed, pin));
}

/** Returns the IDs of existing Pins with the same content: Pinterest accepts the same Pin any number of times. */
async function existingPinIds(session: NetworkSession, pin: NewPin): Promise<string[]> {
  return (await samePins(session, pin)).map(({ id }) => id);
}

/** Finds the one new Pin since `since` with the same content; undefined if none or several match. */
async function findPin(
  session: NetworkSession,
  pin: NewPin,
  existingIds: string[],
  since: Date,
): Promise<string | undefined> {
  const from = since.getTime() - CLOCK_DIFFERENCE_MS;
  const matches = (await samePins(session, pin)).filter(
    ({ id, created_at }) => !existingIds.includes(id) && timeOf(created_at) >= from,
  );
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Whether a Pin that was read back is the one we are looking for. */
function isSamePin(listed: ListedPin, pin: NewPin): boolean {
  return (
    (listed.board_section_id ?? "") === (pin.board_section_id ?? "") &&
    normalizeText(listed.title) === normalizeText(pin.title) &&
    normalizeText(listed.description) === normalizeText(pin.description) &&
    normalizeText(listed.alt_text) === normalizeText(pin.alt_text) &&
    sameLink(listed.link) === sameLink(pin.link)
  );
}

const normalizeText = (text = "") => text.normalize("NFC").replace(/\s+/g, " ").trim();

/** Normalizes a URL: a host alone gets a slash. */
const sameLink = (link = "") => (URL.canParse(link) ? new URL(link).href : link);

/** Times without an offset are UTC. */
function timeOf(written: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`);
}

type Post = OutgoingPost<PinterestSettings>;

/** Position of the cover in whole seconds; the very first frame is often black. */
const KEY_FRAME_SECOND = 1;
const UPLOADS = 2;

export async function publishImage(post: Post, run: Run): Promise<Published> {
  const [media] = post.media;
  if (!media) throw new PlatformError("rejected", "A Pin needs an image or a video");
  return publishPin(post, run, { source_type: "image_base64", ...base64Fields(media) });
}

/** Publishes 2 to 5 images in one Pin; the one at `index` is shown first. */
export function publishCarousel(post: Post, run: Run): Promise<Published> {
  const { coverIndex: index, media } = post;
  return publishPin(post, run, { source_type: "multiple_image_base64", index, items: media.map(base64Fields) });
}

/** Uploads a video to Pinterest's file store and waits until it is processed; a failed upload is repeated once. */
export async function publishVideo(post: Post, run: Run): Promise<Published> {
  const [media] = post.media;
  if (!media) throw new PlatformError("rejected", "A Pin needs an image or a video");
  const media_id = await prepareVideo(media, run);
  return publishPin(post, run, { source_type: "video_id", media_id, ...coverOf(post) });
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

/** Pinterest has no idempotency key and no duplicate check, so after a lost answer the board is searched for the Pin. */
async function publishPin(post: Post, run: Run, media_source: object): Promise<Published> {
  const { title, link, boardSectionId } = post.settings;
  if (!post.chatId) throw new PlatformError("rejected", "A Pin needs a board");
  const pin: NewPin = {
    board_id: post.chatId,
    board_section_id: boardSectionId,
    title: title || undefined,
    description: post.content || undefined,
    link: link || undefined,
    alt_text: (await run.step("alt text", async () => altTextOf(post) ?? null)) ?? undefined,
    media_source,
  };
  const existingIds = await run.step("twins", () => existingPinIds(run, pin));
  const id = await run.commit("pin", () => createPin(run, pin), {
    find: (since) => findPin(run, pin, existingIds, since),
  });
  return { id, permalink: `https://www.pinterest.com/pin/${id}/` };
}
