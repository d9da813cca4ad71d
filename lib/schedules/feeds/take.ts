import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, getTableColumns, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { dbOrTransaction, feedItems, feeds, rateLimits, type Tx, users } from "../../db";
import { publishingHold, readInstallation } from "../../db/installation";
import { FEED_LOOP_LOCK } from "../../db/locks";
import { ApiError, BadRequest, blockingProblems } from "../../errors";
import { hashOf } from "../../http/rate-limit";
import type { Loop } from "../../jobs";
import { log } from "../../log";
import { allowsApplication, isOwnerActive } from "../../users";
import { type CheckedInput, checkInput } from "../check/check-input";
import type { NewSchedule } from "../input";
import { nextSlots } from "../slots/next-slots";
import { storeWithImports, toSchedule } from "../store";
import { FeedError, type FeedItem, type ReadFeed, readFeed } from "./read";
import { FeedTemplate, fillTemplate } from "./template";

// Makes posts of the new items of feeds. An item is recorded in the same transaction as its post, so it becomes one post, even if
// two processes read the feed at once or a process ends in between. An item that could not be stored is tried again with the next
// reading.

const EVERY_MINUTES = 15;
const MAX_MINUTES = 24 * 60;
const PAUSE_MS = 10_000;
/** How many feeds are read at once. */
const CONCURRENCY = 4;
const BATCH = 20;

// Drafts have no quota and a post of a feed may have 200,000 characters, so these limits keep feeds from filling the storage.

/** The most posts of one reading: many more than a website publishes in 15 minutes. */
const MAX_PER_READING = 50;
/** The most posts that all feeds of a person make on one day in UTC. */
const MAX_PER_DAY = 500;
const DAY_IS_FULL = `Your feeds made ${MAX_PER_DAY} posts today (UTC), which is the limit. The other new items become posts tomorrow`;

class DayIsFull extends Error {}

/** SQL: when a feed is read next. Feeds that are added at once drift apart, and feeds that fail are read less often. */
export function nextReading(failures: number, retryAfterSeconds = 0): SQL {
  const minutes = Math.min(EVERY_MINUTES * 2 ** failures, MAX_MINUTES);
  const seconds = Math.min(Math.max(minutes * 60, retryAfterSeconds), MAX_MINUTES * 60);
  return sql`now() + make_interval(secs => ${Math.round(seconds * (1 + Math.random() / 10))})`;
}

type TakingFeed = {
  id: number;
  ownerId: string;
  template: FeedTemplate;
  /** The database was restored since the last reading, so items may be missing that became posts. */
  isRestored: boolean;
};

type Taken = {
  /** The number of posts. */
  made: number;
  /** A sentence if an item could not become a post. */
  error?: string;
  /** A limit was reached, so the other items wait for the next reading. */
  isCut: boolean;
};

/**
 * Makes a post of each item that is not known yet, in order, up to the limits. After a restore they are drafts, because they may
 * have been published.
 */
async function takeItems(feed: TakingFeed, items: FeedItem[]): Promise<Taken> {
  const fresh = await unknownItems(feed.id, items);
  let [made, error] = [0, undefined as string | undefined];
  for (const item of fresh) {
    if (made === MAX_PER_READING) return { made, error, isCut: true };
    try {
      if (await takeItem(feed, item)) made += 1;
    } catch (cause) {
      if (cause instanceof DayIsFull) return { made, error: DAY_IS_FULL, isCut: true };
      if (!(cause instanceof ApiError)) throw cause;
      error ??= `An item did not become a post: ${cause.message}`;
    }
  }
  return { made, error, isCut: false };
}

async function unknownItems(feedId: number, items: FeedItem[]): Promise<FeedItem[]> {
  if (items.length === 0) return [];
  const keys = items.map(({ key }) => Buffer.from(key, "hex"));
  const rows = await dbOrTransaction
    .select({ key: feedItems.key })
    .from(feedItems)
    .where(and(eq(feedItems.feedId, feedId), inArray(feedItems.key, keys)));
  const known = new Set(rows.map(({ key }) => key.toString("hex")));
  return items.filter(({ key }) => !known.has(key));
}

/**
 * Stores an item's post, unless the item is known.
 * @returns whether it became a post
 * @throws ApiError if it cannot even be a draft; DayIsFull
 */
async function takeItem(feed: TakingFeed, item: FeedItem): Promise<boolean> {
  const { isDraft, checked } = await checkItem(feed, fillTemplate(feed.template, item));
  const schedule = toSchedule(checked.ids.schedule, isDraft, checked);
  return dbOrTransaction.transaction(async (tx) => {
    const [open] = await tx
      .select({ id: feeds.id })
      .from(feeds)
      .where(and(eq(feeds.id, feed.id), isNotNull(feeds.dueAt)))
      .for("update");
    if (!open) return false; // removed or stopped in the meantime
    const [taken] = await tx
      .insert(feedItems)
      .values({ feedId: feed.id, key: Buffer.from(item.key, "hex"), scheduleId: schedule.id })
      .onConflictDoNothing()
      .returning({ feedId: feedItems.feedId });
    if (!taken) return false;
    await countAgainstDay(tx, feed.ownerId);
    await storeWithImports(tx, feed.ownerId, schedule);
    await tx
      .update(feeds)
      .set({ posts: sql`${feeds.posts} + 1` })
      .where(eq(feeds.id, feed.id));
    return true;
  });
}

/**
 * Counts a post in the transaction that stores it, so the limit holds over all processes. A post that is deleted still counts, and
 * so do the posts of a feed that is removed. Feeds of the same person take turns at the row.
 * @throws DayIsFull
 */
async function countAgainstDay(tx: Tx, ownerId: string): Promise<void> {
  const { key, used, endsAt } = rateLimits;
  const isOver = sql`${endsAt} <= now()`;
  const [counted] = await tx
    .insert(rateLimits)
    .values({
      key: hashOf("posts of feeds", ownerId),
      used: 1,
      endsAt: sql`date_trunc('day', now(), 'UTC') + interval '1 day'`,
    })
    .onConflictDoUpdate({
      target: key,
      set: {
        used: sql`case when ${isOver} then 1 else ${used} + 1 end`,
        endsAt: sql`greatest(${endsAt}, excluded.ends_at)`,
      },
      setWhere: sql`${isOver} or ${used} < ${MAX_PER_DAY}`,
    })
    .returning({ used });
  if (!counted) throw new DayIsFull();
}

async function checkItem(
  { ownerId, template, isRestored }: TakingFeed,
  publications: NewSchedule["publications"],
): Promise<{ isDraft: boolean; checked: CheckedInput }> {
  if (!template.isDraft && !isRestored) {
    const scheduledTime = await timeFor(ownerId, publications);
    const checked = await checkInput(ownerId, { scheduledTime, isDraft: false, publications }, { ids: "schedule" });
    if (blockingProblems(checked.problems).length === 0) return { isDraft: false, checked };
  }
  const checked = await checkInput(ownerId, { isDraft: true, publications }, { ids: "schedule" });
  const blocking = blockingProblems(checked.problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
  return { isDraft: true, checked };
}

/** The next free posting time of all accounts, or now if none of them has posting times. */
async function timeFor(ownerId: string, publications: NewSchedule["publications"]): Promise<string> {
  const accountIds = [...new Set(publications.map(({ socialMediaAccountId }) => socialMediaAccountId))];
  const { free } = await nextSlots(ownerId, { accountIds, match: "all", count: 1 });
  return new Date(free[0]?.instant ?? Date.now()).toISOString();
}

export type Feed = Omit<typeof feeds.$inferSelect, "template"> & { template: FeedTemplate };

/** The stored template has the defaults of the release that stored it. */
export const toFeed = ({ template, ...row }: typeof feeds.$inferSelect): Feed => ({
  ...row,
  template: FeedTemplate.parse(template),
});

const u = alias(users, "u"); // the name in isOwnerActive

/** The operator has not suspended the application that added the feed. */
const isApplicationActive = sql`not exists (select from applications
  where applications.client_id = ${feeds.clientId} and applications.suspended_at is not null)`;

/** Stops the feeds of applications that may no longer act for the owner, whether the owner or the application ended the consent. */
async function stopFeedsWithoutConsent(): Promise<void> {
  const { dueAt, ownerId, clientId } = feeds;
  const error =
    "The application that added this feed may not act for you any more. To continue it, remove it and add it again";
  await dbOrTransaction
    .update(feeds)
    .set({ dueAt: null, error })
    .where(and(lte(dueAt, sql`now()`), isNotNull(clientId), sql`not ${allowsApplication(ownerId, clientId)}`));
}

/**
 * Reads the feeds whose time has come, and makes posts of their new items. Nothing is read while publishing is held, because this
 * database may not know what became a post.
 * @returns the number of feeds that were read
 */
export async function readDueFeeds(): Promise<number> {
  if (await publishingHold()) return 0;
  await stopFeedsWithoutConsent();
  const due = await dbOrTransaction
    .select(getTableColumns(feeds))
    .from(feeds)
    .innerJoin(u, eq(u.id, feeds.ownerId))
    .where(and(lte(feeds.dueAt, sql`now()`), isOwnerActive, isApplicationActive))
    .orderBy(asc(feeds.dueAt))
    .limit(BATCH);
  const waiting = due.values();
  const readOneByOne = async () => {
    for (const row of waiting) await readOne(toFeed(row));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, readOneByOne));
  return due.length;
}

/**
 * Makes posts of the new items of a feed, and records that it was read. It stores the validators only if every item became a post:
 * without them, the next answer contains the missing items again. While items wait, the epoch stays the old one, so that after a
 * restore they become drafts too.
 */
export async function takeRead(feed: Feed, { document, etag, lastModified }: ReadFeed): Promise<void> {
  const { epoch } = await readInstallation(dbOrTransaction);
  const taken: Taken = document
    ? await takeItems({ ...feed, isRestored: feed.epoch !== epoch }, document.items)
    : { made: 0, isCut: false };
  const validators = taken.error || taken.isCut ? { etag: null, lastModified: null } : { etag, lastModified };
  await record(feed.id, {
    ...{ ...validators, epoch: taken.isCut ? feed.epoch : epoch, failures: 0 },
    ...{ error: taken.error ?? null, readAt: sql`now()`, dueAt: nextReading(0) },
    ...(document?.title ? { title: document.title } : {}),
  });
  if (taken.made > 0) log.info({ feed: feed.id, posts: taken.made }, "items of a feed became posts");
}

async function readOne(feed: Feed): Promise<void> {
  try {
    await takeRead(feed, await readFeed(feed));
  } catch (error) {
    // One feed must not keep the others waiting, so an error of ours counts as a failed reading too.
    const known = error instanceof FeedError ? error : new FeedError("could not be read because of an internal error");
    if (known !== error) log.error({ feed: feed.id, error: String(error) }, "a feed could not be read");
    const failures = feed.failures + 1;
    const dueAt = known.isGone ? null : nextReading(failures, known.retryAfterSeconds);
    await record(feed.id, { failures, error: `The feed ${known.message}`, dueAt });
  }
}

type Changes = Parameters<ReturnType<typeof dbOrTransaction.update<typeof feeds>>["set"]>[0];

/** Does nothing for a feed that was stopped in the meantime. */
async function record(id: number, changes: Changes): Promise<void> {
  await dbOrTransaction
    .update(feeds)
    .set(changes)
    .where(and(eq(feeds.id, id), isNotNull(feeds.dueAt)));
}

/** Reads feeds in one process at a time. */
export const feedLoop: Loop = {
  name: "feeds",
  lock: FEED_LOOP_LOCK,
  async turn(signal) {
    if ((await readDueFeeds()) === BATCH) return;
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  },
};
