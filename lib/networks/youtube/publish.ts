import { env } from "../../env";
import { commentRecovery } from "../comment";
import { PlatformError } from "../errors";
import type { OutgoingComment, OutgoingMedia, OutgoingPost, Published, Run } from "../network";
import {
  addCaptions,
  addToPlaylist,
  assertDurationAllowed,
  commentAddress,
  createComment,
  isInPlaylist,
  newestComments,
  openUpload,
  setThumbnail,
  video,
} from "./api";
import { MANAGE_SCOPE } from "./connect";
import { rejectionMessage } from "./errors";
import { uploadPrice } from "./quota";
import { categoryIds, type YouTubeSettings } from "./settings";
import { uploadVideo } from "./upload";

/** A video can be watched before it is processed, so we wait at most this long. */
const PROCESSING_WAIT_MS = 1_800_000 / env.timeFactor;
/** For how long the cover, the playlist and the captions of a published video are tried. */
const AFTERWARDS_MS = 300_000 / env.timeFactor;

type Outcome = { failed?: string; isProcessed: boolean; at: number };

/** Waits until YouTube has processed or rejected a complete upload. The video is already public, so failed reads are ignored. */
async function awaitProcessing(run: Run, part: string, id: string): Promise<Outcome> {
  const begun = await run.step(`${part}, uploaded`, async () => Date.now());
  const decided = async () => {
    const seen = await video(run, id).catch(ignorePlatformError);
    const { uploadStatus, failureReason, rejectionReason } = seen?.status ?? {};
    const at = Date.now();
    if (uploadStatus === "failed") return { failed: failureReason ?? "unknown", isProcessed: false, at };
    if (uploadStatus === "rejected") return { failed: rejectionReason ?? "unknown", isProcessed: false, at };
    if (uploadStatus === "deleted") return { failed: "deleted", isProcessed: false, at };
    const isProcessed = uploadStatus === "processed" && seen?.processingDetails?.processingStatus !== "processing";
    return isProcessed || at - begun > PROCESSING_WAIT_MS ? { isProcessed, at } : undefined;
  };
  return run.poll(`${part}, processed`, decided, "commit");
}

/** @throws PlatformError `rejected` if YouTube received the bytes but rejected the video */
function assertAccepted({ failed }: Outcome): void {
  if (!failed) return;
  throw new PlatformError("rejected", rejectionMessage(failed), {
    undone: true,
    answer: { status: 200, code: failed },
  });
}

/** YouTube has what was asked for already: an earlier call did it, and its answer was lost. */
const DONE_BEFORE = ["videoAlreadyInPlaylist", "captionExists"];

/**
 * Does something with the video that is already published, for some minutes: it never makes the post fail. Returns the reason
 * if it could not be done. `work` must be repeatable.
 */
async function afterwards(
  run: Run,
  name: string,
  since: number,
  work: () => Promise<void>,
): Promise<string | undefined> {
  const done = async () => {
    try {
      await work();
      return {};
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (DONE_BEFORE.includes(error.answer?.code ?? "")) return {};
      const mayHelp = error.kind === "later" || error.kind === "unknown";
      return mayHelp && Date.now() - since < AFTERWARDS_MS ? undefined : { failed: error.message };
    }
  };
  return (await run.poll<{ failed?: string }>(name, done, "commit")).failed;
}

function ignorePlatformError(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}

type Post = OutgoingPost<YouTubeSettings>;
/** Each session counts against the daily number of uploads that YouTube allows this service. */
const SESSIONS = 3;
const SHORT_SECONDS = 180;

/** Publishes one video: opens a session with its metadata, sends the bytes, waits for processing and sets the cover. */
export async function publishVideo(post: Post, run: Run): Promise<Published> {
  const media = videoOf(post);
  await assertDurationAllowed(run, media);
  for (let attempt = 1; attempt <= SESSIONS; attempt++) {
    const part = attempt === 1 ? "video" : `video, time ${attempt}`;
    const upload = { uri: "", isFresh: false };
    upload.uri = await run.step(`${part}, session`, async () => {
      upload.isFresh = true;
      return open(post, run, media);
    });
    const sent = await uploadVideo(run, part, upload, post, media);
    if (sent === "gone") continue;
    const outcome = await awaitProcessing(run, part, sent.id);
    if (outcome.failed) await run.quota.release();
    assertAccepted(outcome);
    const notes = [
      privacyNote(post, sent.privacyStatus),
      await coverNote(post, run, sent.id, outcome),
      await playlistNote(post, run, sent.id, outcome.at),
      await captionsNote(post, run, sent.id, outcome.at),
    ];
    await run.quota.release();
    return publishedAs(sent.id, notes);
  }
  await run.quota.release();
  throw new PlatformError("rejected", "YouTube ended the upload several times before the video was complete");
}

/** Reserves the quota for the whole upload first, so that it is not started if the rest of the day's quota is too small. */
async function open(post: Post, run: Run, media: OutgoingMedia): Promise<string> {
  await run.quota.reserve(uploadPrice(post));
  try {
    return await openUpload(run, bodyOf(post), media, post.settings);
  } catch (error) {
    await run.quota.release();
    throw error;
  }
}

/** What the person has not said is not sent: it is their declaration. */
function bodyOf({ content, settings }: Post) {
  const { title, category, tags, privacyStatus, madeForKids, containsSyntheticMedia } = settings;
  return {
    snippet: { title, description: content, categoryId: categoryIds[category], ...(tags?.length ? { tags } : {}) },
    status: {
      privacyStatus: privacyStatus.toLowerCase(),
      selfDeclaredMadeForKids: madeForKids,
      containsSyntheticMedia,
    },
  };
}

function videoOf({ media: [video] }: Post): OutgoingMedia {
  if (!video) throw new PlatformError("rejected", "A YouTube post needs a video");
  return video;
}

/** YouTube forces uploads of some projects and accounts to be private, whatever was requested. */
function privacyNote({ settings }: Post, given: string | undefined): string | undefined {
  const asked = settings.privacyStatus.toLowerCase();
  return given && given !== asked ? `YouTube made it ${given} instead of ${asked}` : undefined;
}

/** A Short keeps its cover only if it is set after processing. */
async function coverNote(post: Post, run: Run, id: string, outcome: Outcome): Promise<string | undefined> {
  if (!post.thumbnail) return undefined;
  if (isShort(videoOf(post)) && !outcome.isProcessed)
    return "The cover was not set, because YouTube was still processing the Short";
  const image = post.thumbnail;
  const failed = await afterwards(run, "cover", outcome.at, () => setThumbnail(run, id, image));
  return failed && `The cover was not set: ${failed}`;
}

/** Adding a video twice would show it twice, so the playlist is read first. */
async function playlistNote({ settings }: Post, run: Run, id: string, since: number): Promise<string | undefined> {
  const { playlistId } = settings;
  if (!playlistId) return undefined;
  const failed =
    missingPermission(run) ??
    (await afterwards(run, "playlist", since, async () => {
      if (!(await isInPlaylist(run, playlistId, id))) await addToPlaylist(run, playlistId, id);
    }));
  return failed && `The video was not added to the playlist: ${failed}`;
}

/** A lost answer is harmless: YouTube refuses a second track of the same language and name. */
async function captionsNote({ settings }: Post, run: Run, id: string, since: number): Promise<string | undefined> {
  const { captions: text, captionsLanguage: language } = settings;
  if (!text || !language) return undefined;
  const failed =
    missingPermission(run) ??
    (await afterwards(run, "captions", since, () => addCaptions(run, id, { language, text })));
  return failed && `The captions were not added: ${failed}`;
}

function missingPermission({ tokens }: Run): string | undefined {
  if (tokens.scopes?.includes(MANAGE_SCOPE) ?? true) return undefined;
  return "the account's permission does not cover it. Reconnect the account and allow everything that Google lists";
}

/** Vertical or square, and at most three minutes long (support.google.com/youtube/answer/15424877). */
export function isShort({ width = 0, height = 0, durationSeconds }: OutgoingMedia): boolean {
  return width > 0 && height >= width && durationSeconds !== undefined && durationSeconds <= SHORT_SECONDS;
}

function publishedAs(id: string, notes: (string | undefined)[]): Published {
  const note = notes.filter(Boolean).join(". ");
  return { id, permalink: `https://www.youtube.com/watch?v=${id}`, ...(note ? { note } : {}) };
}

/** Comments on an own video, as its channel. */
export async function publishComment(comment: OutgoingComment<unknown>, run: Run): Promise<Published> {
  const { text, on } = comment;
  const work = async (): Promise<Published> => {
    const id = await createComment(run, on.id, text);
    return { id, permalink: commentAddress(on.id, id) };
  };
  return run.commit(
    "comment",
    work,
    commentRecovery(comment, () => newestComments(run, on.id)),
  );
}
