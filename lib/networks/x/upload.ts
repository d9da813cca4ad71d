import { PlatformError } from "../errors";
import type { OutgoingMedia, Run } from "../network";
import {
  appendMedia,
  describeMedia,
  finalizeMedia,
  initializeMedia,
  type MediaState,
  mediaState,
  uploadImage,
} from "./api";

/** The part size of X's own tool; X documents no maximum. */
const PART_BYTES = 4 * 1_048_576;
/** The part size of X's samples. X's gateway was seen to refuse larger parts (github.com/trypostit/trypost/pull/31). */
const SMALLER_PART_BYTES = 1_048_576;
/** An upload counts as expired this long before its end. */
const MARGIN_MS = 60_000;

type Uploaded = { id: string; until: number };

/** Uploads media. X deletes uploads that are not used within 24 hours, so a post that waited that long uploads again. */
export async function uploadToX(run: Run, media: OutgoingMedia, name: string): Promise<string> {
  const first = await upload(run, media, name);
  if (!isExpired(first)) return setAltText(run, media, first.id, name);
  const second = await upload(run, media, `${name} again`);
  return setAltText(run, media, second.id, `${name} again`);
}

/** Still images are sent in one request, everything else in parts; in smaller parts if that is refused for its size. */
async function upload(run: Run, media: OutgoingMedia, name: string): Promise<Uploaded> {
  const isStill = media.kind === "image" && (media.frames ?? 1) === 1;
  try {
    if (isStill) return await run.step(name, () => uploadInOneRequest(run, media));
    return await uploadInParts(run, media, name, PART_BYTES);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return uploadInParts(run, media, `${name}, smaller parts`, SMALLER_PART_BYTES);
  }
}

/** Some clients got 431, which is about headers, for a part of 5 MiB (github.com/abraham/twitteroauth/issues/1257). */
function isTooLarge(error: unknown): boolean {
  return error instanceof PlatformError && [413, 431].includes(error.answer?.status ?? 0);
}

/** Sets the alternative text of an image before it is posted; for videos X does not document one. */
async function setAltText(run: Run, { kind, altText }: OutgoingMedia, id: string, name: string): Promise<string> {
  if (!altText || kind === "video") return id;
  return run.step(`${name}, alt text`, () => describeMedia(run, id, altText).then(() => id));
}

async function uploadInOneRequest(run: Run, media: OutgoingMedia): Promise<Uploaded> {
  const { id, seconds } = await uploadImage(run, media);
  return { id, until: Date.now() + seconds * 1000 };
}

/**
 * Uploads a file: initialize, append parts, finalize, then wait for X's processing. Every part is recorded, so an
 * interrupted upload continues where it stopped. If the upload has expired meanwhile, it is returned unchanged.
 */
async function uploadInParts(run: Run, media: OutgoingMedia, name: string, partBytes: number): Promise<Uploaded> {
  const started = await run.step(`${name}, start`, async () => {
    const { id, seconds } = await initializeMedia(run, media);
    return { id, until: Date.now() + seconds * 1000 };
  });
  if (isExpired(started)) return started;
  for (let first = 0, index = 0; first < media.sizeBytes; first += partBytes, index++) {
    const last = Math.min(first + partBytes, media.sizeBytes) - 1;
    await run.step(`${name}, part ${index + 1}`, async () => {
      await appendMedia(run, started.id, index, media, { first, last });
      return true;
    });
  }
  const ended = await run.step(`${name}, end`, () => finalizeMedia(run, started.id));
  if (!isReady(ended)) {
    await run.poll(`${name}, ready`, async () => (isReady(await mediaState(run, started.id)) ? true : undefined));
  }
  return started;
}

function isExpired({ until }: Uploaded): boolean {
  return until <= Date.now() + MARGIN_MS;
}

/** @throws PlatformError `rejected` if X could not process the file */
function isReady({ state, reason }: MediaState): boolean {
  if (state !== "failed") return state === "succeeded";
  const said = reason ? `: ${reason}` : "";
  throw new PlatformError("rejected", `X could not process the file${said}`, {
    answer: { status: 200, code: "failed", message: reason },
  });
}
