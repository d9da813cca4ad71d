import { PlatformError } from "./errors";
import type { Lookalike, Lookup, Published } from "./publishing";

/** What the network cannot list but Carillon knows about the lookalikes. */
export type LookalikeFacts = {
  /** When the intent of the lost call was stored, and the earliest creation time that the clocks' difference allows. */
  since: Date;
  from: Date;
  /**
   * The network's clock is ahead of our database's by at least this much; negative if it may be behind. An answer of the network
   * states its time. Absent: it does not.
   */
  aheadMs?: number;
  /** IDs that were listed before the call. Absent: the list was not read then. */
  listedBefore?: string[];
  /** IDs that belong to other posts of ours. */
  heldIds: string[];
  /** Another post of ours looks the same, and it may be one of the lookalikes under an ID that we do not know. */
  hasRival: boolean;
};

/** How far the clocks of a network and of our database may differ. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** Returns the earliest creation time, by the network's clock, of a post whose intent was stored at this time. */
export function earliestCreation(since: Date): Date {
  return new Date(since.getTime() - CLOCK_DIFFERENCE_MS);
}

/** Most networks report creation times in whole seconds. */
const PRECISION_MS = 1_000;

/**
 * Decides which lookalike is the post that a lost call created. Excludes posts that existed before the call and posts that
 * belong to other posts of ours. Returns undefined if none remains.
 * @throws PlatformError `later` if a lookalike remains that may be another post: the outcome then stays unknown
 */
export function chooseLookalike(listed: Lookalike[], facts: LookalikeFacts): Published | undefined {
  const { since, from, listedBefore, heldIds, hasRival } = facts;
  const [match, ...others] = listed.filter(
    ({ id, createdAt = since }) => createdAt >= from && !listedBefore?.includes(id) && !heldIds.includes(id),
  );
  if (!match) return undefined;
  if (others.length === 0 && isAfterIntent(match, facts) && !hasRival)
    return { id: match.id, permalink: match.permalink };
  throw new Indistinguishable();
}

/**
 * Without the list from before the call, a post must be newer than the intent; one from the same second may be older. With that
 * list, a post is only refused if it is certainly older: the network showed it too late.
 */
function isAfterIntent({ createdAt, hasHandle }: Lookalike, { since, aheadMs, listedBefore }: LookalikeFacts): boolean {
  if (hasHandle) return true;
  if (listedBefore === undefined) {
    return createdAt !== undefined && createdAt.getTime() >= since.getTime() + Math.max(0, aheadMs ?? 0);
  }
  if (createdAt === undefined || aheadMs === undefined) return true;
  return createdAt.getTime() + PRECISION_MS > since.getTime() + aheadMs;
}

/** A list of the newest posts. */
type Listed = {
  /** When the listed posts were created, in the order of the list. */
  times: Date[];
  /** How many posts the network lists at most. */
  limit: number;
  /** The network says that there are more. It may say so although the list is not full, because it leaves posts out. */
  hasMore?: boolean;
};

/**
 * Whether a list of the newest posts shows everything since then: it is not full and the network has no more, or its oldest post
 * is older. A longer list that begins with its oldest posts may lack the newest ones; Pinterest does not document its order.
 */
export function reachesBack({ times, limit, hasMore = false }: Listed, from: Date): boolean {
  if (times.length < limit && !hasMore) return true;
  const [first = from, last = from] = [times[0], times.at(-1)];
  return first >= last && times.some((time) => time < from);
}

/** Thrown by a lookup that finds a post which may be another one. */
export class Indistinguishable extends PlatformError {
  constructor() {
    super("later", "The network shows a post that looks the same, and it may be another one");
    this.name = "Indistinguishable";
  }
}

/** How long a published post may take to appear in lists. */
const LISTED_WITHIN_MS = 120_000;

/**
 * Identifies a post that its handle shows as published. If that is not possible, returns the handle as its ID, without a
 * permalink.
 * @throws PlatformError `later` while the post may still appear in the list
 */
export async function identifyPublished(
  { since, identify }: Lookup,
  listed: Lookalike[],
  handle: string,
): Promise<Published> {
  try {
    const found = await identify(listed);
    if (found) return found;
  } catch (error) {
    if (error instanceof Indistinguishable) return { id: handle };
    throw error;
  }
  if (Date.now() - since.getTime() >= LISTED_WITHIN_MS) return { id: handle };
  throw new PlatformError("later", "The network does not list this post yet");
}
