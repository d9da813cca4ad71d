import { plainText } from "../../text";
import { PlatformError } from "../errors";
import { reachesBack } from "../lookalikes";
import type { Lookup, NetworkSession, OutgoingMedia, OutgoingPost, Run, Searched } from "../network";
import { myChannel, newestUploads, putRange, type SessionProgress, UPLOADS_LISTED } from "./api";
import type { YouTubeSettings } from "./settings";

/**
 * Finds the upload of the channel with this title, once the session no longer reports its video.
 * @throws PlatformError `later` if none is certainly the one
 */
async function findUpload(session: NetworkSession, title: string, { identify }: Lookup): Promise<{ id: string }> {
  const found = await identify((await searchUploads(session, title, new Date())).listed);
  if (found) return { id: found.id };
  throw new PlatformError(
    "later",
    "YouTube no longer has this upload, and no video on the channel is certainly this one",
  );
}

/** Lists the channel's newest uploads with this title. */
async function searchUploads(session: NetworkSession, title: string, from: Date): Promise<Searched> {
  const { contentDetails } = await myChannel(session);
  const playlist = contentDetails?.relatedPlaylists?.uploads;
  const { uploads, hasMore } = playlist ? await newestUploads(session, playlist) : { uploads: [], hasMore: false };
  const listed = uploads
    .filter((one) => plainText(one.title) === plainText(title))
    .map(({ id, publishedAt }) => ({ id, permalink: addressOf(id), createdAt: new Date(publishedAt) }));
  const times = uploads.map(({ publishedAt }) => new Date(publishedAt));
  return { listed, isWhole: reachesBack({ times, limit: UPLOADS_LISTED, hasMore }, from) };
}

const addressOf = (id: string) => `https://www.youtube.com/watch?v=${id}`;

/** Chunks must be multiples of 256 KiB. */
const CHUNK_BYTES = 32 * 262_144;

/** A session: its address, and whether this attempt opened it, which means that nothing has been sent yet. */
export type UploadSession = { uri: string; isFresh: boolean };
/** `gone`: the session no longer exists (it ends after some days) and created no video. */
export type Sent = { id: string; privacyStatus?: string } | "gone";

/**
 * Sends a video's bytes to its session, continuing where the session stopped. The bytes that complete the file publish the video.
 * The session's address serves as handle: when asked again, it returns the same video.
 */
export async function uploadVideo(
  run: Run,
  part: string,
  { uri, isFresh }: UploadSession,
  post: OutgoingPost<YouTubeSettings>,
  media: OutgoingMedia,
): Promise<Sent> {
  const where = () => putRange(run, uri, media);
  /** The number of bytes that YouTube has, as far as this attempt knows. */
  let known: number | undefined;
  const head = await run.step(`${part}, all but the last bytes`, async () => {
    const progress = await sendHead(run, uri, media, isFresh);
    if (progress !== "gone") known = progress.next;
    return progress;
  });
  if (head === "gone") return "gone";
  return run.commit(
    `${part}, last bytes`,
    async () => {
      const isWhole = known === undefined || known >= media.sizeBytes;
      const progress = isWhole ? await where() : { next: known ?? 0 };
      const isOver = progress === "gone" || "video" in progress;
      return uploadResult(isOver ? progress : await sendTail(run, uri, media, progress.next));
    },
    {
      async find(lookup) {
        const progress = await where();
        // The session is forgotten eventually, so the channel's uploads are searched.
        if (progress === "gone") return findUpload(run, post.settings.title, lookup);
        if ("video" in progress) return uploadResult(progress);
        known = progress.next;
        return undefined;
      },
      // Without `list`, because reading the uploads costs quota and the session nearly always has the answer.
      lookalikes: {
        likeness: plainText(post.settings.title),
        search: (from) => searchUploads(run, post.settings.title, from),
      },
      repeatable: true,
    },
  );
}

/** Sends all but the last chunk. Nothing is visible yet, so this can be repeated. */
async function sendHead(run: Run, uri: string, media: OutgoingMedia, isFresh: boolean) {
  let next = 0;
  if (!isFresh) {
    const progress = await putRange(run, uri, media);
    if (progress === "gone") return "gone" as const;
    next = "video" in progress ? media.sizeBytes : progress.next;
  }
  while (media.sizeBytes - next > CHUNK_BYTES) {
    const last = next + CHUNK_BYTES - 1;
    const progress = await putRange(run, uri, media, { first: next, last });
    if (progress === "gone") return "gone" as const;
    next = "video" in progress ? last + 1 : assertProgress(progress.next, next);
  }
  return { next };
}

/** Sends the rest, again if YouTube stored less than it was sent. */
async function sendTail(run: Run, uri: string, media: OutgoingMedia, from: number): Promise<SessionProgress> {
  for (let next = from; ; ) {
    const progress = await putRange(run, uri, media, { first: next, last: media.sizeBytes - 1 });
    if (progress === "gone" || "video" in progress) return progress;
    next = assertProgress(progress.next, next);
  }
}

/** @throws PlatformError `later` if YouTube stored nothing of what was sent */
function assertProgress(next: number, before: number): number {
  if (next > before) return next;
  throw new PlatformError("later", "YouTube does not store any data of this upload right now", {
    retryAfterSeconds: 30,
  });
}

function uploadResult(progress: SessionProgress): Sent {
  if (progress === "gone" || !("video" in progress)) return "gone";
  const { id, status } = progress.video;
  return { id, privacyStatus: status?.privacyStatus };
}
