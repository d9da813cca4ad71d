import { env } from "../../env";
import { PlatformError } from "../errors";
import type { Published, Run } from "../network";
import { publishStatus, shareUrl } from "./api";
import { failure } from "./errors";
import type { TikTokSettings } from "./settings";

/** The ID appears "usually within a minute, sometimes hours": after this long, the post is published without one. */
const ID_WAIT_MS = 120_000 / env.timeFactor;
const RETRY_SECONDS = 30;
/** Some internal errors of TikTok are temporary, so a few new tries are made. */
const TRIES = 3;

export type Kind = "video" | "photo";
export type PublishResult = { failed?: string; ids: string[]; at: number };

/** Where a completely transferred post ends: published, or as a draft in the creator's inbox. */
const DONE = ["PUBLISH_COMPLETE", "SEND_TO_USER_INBOX"];

const DRAFT_NOTE =
  "TikTok has put it into the creator's inbox as a draft. It is not public until the creator publishes it in the TikTok app";

/** Waits until TikTok has accepted or rejected a completely transferred post. */
export function awaitResult(run: Run, part: string, publishId: string): Promise<PublishResult> {
  const decided = async () => {
    const { status, fail_reason, publicaly_available_post_id: ids } = await publishStatus(run, publishId);
    if (status === "FAILED") return { failed: fail_reason ?? "unknown", ids: [], at: Date.now() };
    return DONE.includes(status) ? { ids: ids ?? [], at: Date.now() } : undefined;
  };
  return run.poll(`${part}, outcome`, decided, "commit");
}

/**
 * Allows another try of a post that TikTok gave up. Nothing of it was published, so a new one cannot be a duplicate.
 * @throws PlatformError if no further try is allowed, or not yet
 */
export function assertRetryAllowed({ failed = "", at }: PublishResult, attempt: number): void {
  const error = failure(failed);
  const { retryAfterSeconds: stated } = error;
  if (error.kind !== "later" || (stated === undefined && attempt >= TRIES)) throw asFinalError(error);
  const seconds = (stated ?? RETRY_SECONDS) - ((Date.now() - at) / 1000) * env.timeFactor;
  if (seconds > 0) throw new PlatformError("later", error.message, { ...error, retryAfterSeconds: seconds });
}

function asFinalError(error: PlatformError): PlatformError {
  return error.kind === "later"
    ? new PlatformError("rejected", error.message, { undone: true, answer: error.answer })
    : error;
}

/**
 * Returns the post's ID and address. Only public posts get an ID, after moderation; others keep their `publish_id`. The post is
 * already public, so errors here only leave it without an ID.
 */
export async function publishedPost(
  run: Run,
  part: string,
  { kind, publishId, outcome }: { kind: Kind; publishId: string; outcome: PublishResult },
  { privacyLevel, sendToDrafts }: TikTokSettings,
): Promise<Published> {
  if (sendToDrafts) return { id: publishId, isDraft: true, note: DRAFT_NOTE };
  if (privacyLevel !== "PUBLIC_TO_EVERYONE") return { id: publishId };
  const [known] = outcome.ids;
  const id = known ?? (await run.poll(`${part}, post id`, () => idOf(run, publishId, outcome.at), "commit"));
  return id ? withPermalink(run, kind, id) : { id: publishId };
}

async function idOf(run: Run, publishId: string, since: number): Promise<string | undefined> {
  const answer = await publishStatus(run, publishId).catch(ignorePlatformError);
  const isOver = Date.now() - since > ID_WAIT_MS;
  return answer?.publicaly_available_post_id?.[0] ?? (isOver ? "" : undefined);
}

/** Adds TikTok's own address of a post if we may read it, otherwise the standard form of a post's address. */
export async function withPermalink(run: Run, kind: Kind, id: string): Promise<Published> {
  const permalink = await run.step(`permalink of ${id}`, async () => {
    const isReadable = run.tokens.scopes?.includes("video.list");
    const shared = isReadable ? await shareUrl(run, id).catch(ignorePlatformError) : undefined;
    return shared?.replace(/[?#].*$/, "") ?? `https://www.tiktok.com/@${run.username}/${kind}/${id}`;
  });
  return { id, permalink };
}

function ignorePlatformError(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}
