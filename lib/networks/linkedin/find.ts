import { PlatformError } from "../errors";
import type { Session } from "../network";
import { createPost, type NewPost } from "./api";

/** LinkedIn knows a post again for ten minutes; one of them is left for clocks and slow answers. */
const RECOGNISED_MS = 9 * 60_000;
const POST_URN = /urn:li:(?:share|ugcPost|activity):\d+/;

/**
 * What became of a post whose answer was lost. Nobody may read a member's posts, but LinkedIn refuses the same post twice and
 * names the first: sending it again is the one way to ask (DECISIONS, "Schedules").
 * @throws PlatformError where LinkedIn would not know it again any more, so that asking could double it
 */
export async function findPost(session: Session, post: NewPost, since: Date): Promise<string> {
  if (Date.now() - since.getTime() > RECOGNISED_MS) {
    throw new PlatformError("unknown", "LinkedIn cannot be asked any more what became of this post");
  }
  try {
    return await createPost(session, post);
  } catch (error) {
    const urn = firstPost(error);
    if (urn) return urn;
    throw error;
  }
}

/** The URN that a refusal of a duplicate names. */
function firstPost(error: unknown): string | undefined {
  if (!(error instanceof PlatformError) || !error.duplicate) return undefined;
  return POST_URN.exec(error.answer?.message ?? "")?.[0];
}
