import { PlatformError } from "../errors";
import type { Session } from "../network";
import { createPost, type NewPost } from "./api";

/** LinkedIn recognizes a repeated post for ten minutes; one minute is a margin for clocks and slow answers. */
const RECOGNISED_MS = 9 * 60_000;
const POST_URN = /urn:li:(?:share|ugcPost|activity):\d+/;

/**
 * Finds a post whose answer was lost. LinkedIn grants no permission to read a member's posts, but it refuses a repeated post
 * and names the first one, so sending it again is the only way to look it up (DECISIONS, "Schedules").
 * @throws PlatformError `unknown` if LinkedIn may no longer recognize it, so that a repeat could publish it twice
 */
export async function findPost(session: Session, post: NewPost, since: Date): Promise<string> {
  if (Date.now() - since.getTime() > RECOGNISED_MS) {
    throw new PlatformError("unknown", "LinkedIn no longer lets us look up this post");
  }
  try {
    return await createPost(session, post);
  } catch (error) {
    const urn = firstPost(error);
    if (urn) return urn;
    throw error;
  }
}

/** Reads the first post's URN from the error for a duplicate. */
function firstPost(error: unknown): string | undefined {
  if (!(error instanceof PlatformError) || !error.duplicate) return undefined;
  return POST_URN.exec(error.answer?.message ?? "")?.[0];
}
