import { distrustToken, openSession, requireReconnect } from "../accounts";
import { env } from "../env";
import { defineJob, type Worker, WorkerLost } from "../jobs";
import { log } from "../log";
import { addressOf, isVideo, type Media, mediaOf, openMedia } from "../media";
import { formatOf, networkOf, type OutgoingMedia, type OutgoingPost, PlatformError, type Published } from "../networks";
import { formatNameOf } from "./check";
import { type Claim, ClaimLost, claimPublication, keepClaim, wakeLater } from "./claim";
import { publicationDue } from "./jobs";
import type { Post } from "./read";
import { ComeBack, openRun, Unresolved } from "./run";
import { postpone, settleFailed, settlePublished } from "./settle";

/** Late posts go out up to 24 hours late. */
const GIVE_UP_SECONDS = 86_400;
const FIRST_RETRY_SECONDS = 15;
const LONGEST_RETRY_SECONDS = 3600;

export const publishPublication = defineJob({
  ...publicationDue,
  run: ({ publicationId }, worker) => publish(publicationId, worker),
});

/** Publishes one publication as far as it gets: to its end, to a wait, or to a reason why not. */
async function publish(publicationId: number, worker: Worker): Promise<void> {
  let stopKeeping = () => {};
  try {
    const claim = await claimPublication(publicationId, worker);
    if (!claim) return;
    stopKeeping = keepClaim(claim);
    await publishPosts(claim);
  } catch (error) {
    // Somebody else has it now, or nobody: what we know is not worth recording, but somebody has to look again.
    if (error instanceof ClaimLost || error instanceof WorkerLost) return wakeLater(publicationId);
    throw error;
  } finally {
    stopKeeping();
  }
}

async function publishPosts(claim: Claim): Promise<void> {
  let after: Published | undefined;
  for (const post of claim.posts) {
    if (post.status === "PUBLISHED") {
      after = { id: post.networkPostId ?? "", permalink: post.permalink ?? undefined };
      continue;
    }
    try {
      after = await publishPost(claim, post, after);
    } catch (error) {
      await record(claim, post, error);
      return;
    }
    await settlePublished(claim, post, after);
  }
}

async function publishPost(claim: Claim, post: Post, after: Published | undefined): Promise<Published> {
  const network = networkOf(claim.account.platform);
  if (!network) throw new PlatformError("rejected", `Publishing to ${claim.account.platform} is not available`);
  const session = await openSession(claim.account);
  const run = await openRun(claim, post, session, network.name);
  const { type: _, ...settings } = claim.settings;
  const media = await attachedMedia(claim, post);
  const format = formatOf(network, settings, formatNameOf(media));
  if (!format) throw new PlatformError("rejected", `${network.name} does not take this kind of post`);
  return format.publish(outgoing(post, settings, media, after), run);
}

async function attachedMedia(claim: Claim, post: Post): Promise<Media[]> {
  const found = await mediaOf(claim.ownerId, post.attachmentPaths);
  return post.attachmentPaths.map((key) => {
    const item = found.get(key);
    if (!item) throw new PlatformError("rejected", `The attachment ${key} is no longer in the media library`);
    return item;
  });
}

function outgoing(post: Post, settings: unknown, media: Media[], after: Published | undefined): OutgoingPost<unknown> {
  return { content: post.content, media: media.map(outgoingMedia), settings, chatId: post.chatId ?? undefined, after };
}

function outgoingMedia(item: Media): OutgoingMedia {
  return {
    kind: isVideo(item) ? "video" : "image",
    contentType: item.contentType,
    sizeBytes: item.sizeBytes,
    filename: item.filename,
    width: item.width ?? undefined,
    height: item.height ?? undefined,
    durationSeconds: item.durationSeconds ?? undefined,
    open: (range) => openMedia(item, range),
    publicUrl: async () => addressOf(item.id),
  };
}

/** What a failed attempt means: wait, try again, or the end with a reason. */
async function record(claim: Claim, post: Post, error: unknown): Promise<void> {
  if (error instanceof ClaimLost || error instanceof WorkerLost) throw error;
  if (error instanceof ComeBack) return postpone(claim, error.seconds, { failed: false });
  if (error instanceof Unresolved) return settleFailed(claim, post, "UNKNOWN", error.message);
  if (error instanceof PlatformError) return recordRefusal(claim, post, error);
  log.error(
    { publication: claim.publicationId, error: error instanceof Error ? error.stack : String(error) },
    "publishing failed on our side",
  );
  return retryLater(claim, post, "Something went wrong on Carillon's side");
}

async function recordRefusal(claim: Claim, post: Post, error: PlatformError): Promise<void> {
  log.info({ publication: claim.publicationId, kind: error.kind, answer: error.answer }, error.message);
  switch (error.kind) {
    case "rejected":
      return settleFailed(claim, post, "FAILED", error.message);
    case "reconnect": {
      if (await distrustToken(claim.account)) return postpone(claim, 0, { failed: false });
      await requireReconnect(claim.account.id, error.message);
      return settleFailed(
        claim,
        post,
        "FAILED",
        `${error.message}. Connect the account again, then schedule the post anew.`,
      );
    }
    case "later":
    case "unknown": // before the final call, so nothing is out
      return retryLater(claim, post, error.message, error.retryAfterSeconds);
  }
}

async function retryLater(claim: Claim, post: Post, reason: string, toldSeconds?: number): Promise<void> {
  const backoff = Math.min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** claim.attempts);
  const seconds = toldSeconds ?? ((0.8 + Math.random() * 0.4) * backoff) / env.timeFactor;
  if (claim.lateSeconds + seconds > GIVE_UP_SECONDS / env.timeFactor) {
    return settleFailed(claim, post, "FAILED", `${reason}. Carillon tried for 24 hours and has stopped.`);
  }
  return postpone(claim, seconds, { failed: toldSeconds === undefined });
}
