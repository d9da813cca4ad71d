import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, dbOrTransaction, feedItems, feeds, shareTransaction, type Tx } from "../../db";
import { type AnswerToStore, assertFirstRequest, claimTurn, storeAnswer, type Ticket } from "../../db/idempotency";
import { readInstallation } from "../../db/installation";
import { feedsLockText } from "../../db/locks";
import { BadRequest, blockingProblems, Conflict, NotFound, type Problem } from "../../errors";
import type { ApplicationLockout } from "../../oauth";
import { giveWay } from "../../time/give-way";
import { withSixDigits, withZulu } from "../../time/instant";
import { assertConfirmedAddress, type Lockout } from "../../users";
import { checkInput } from "../check/check-input";
import { presentValidation } from "../present";
import { validateSchedule } from "../validate";
import { FeedError, type FeedItem, type ReadFeed, readFeed } from "./read";
import { type Feed, nextReading, takeRead, toFeed } from "./take";
import { assertPlaceholders, FeedTemplate, fillTemplate } from "./template";

const MAX_FEEDS = 100;
const MAX_NEWEST = 20;
/** How many items a dry run shows. */
const SHOWN = 5;
/** A dry run contains the template several times, and no answer may keep other requests waiting. */
const MAX_TEMPLATE = 100_000;

export const NewFeed = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2048)
      .meta({ description: "The public http or https address of an RSS, Atom or JSON feed" }),
    template: FeedTemplate,
    newestItems: z.number().int().min(0).max(MAX_NEWEST).default(0).meta({
      description: "How many of the items that the feed has now become posts. By default only later items do",
    }),
  })
  .meta({ id: "NewFeed" });

export type NewFeed = z.output<typeof NewFeed>;

/** What a feed would do now, without storing anything. */
export type FeedDryRun = {
  title?: string;
  items: (FeedItem & { publications: FeedTemplate["publications"]; problems: Problem[] })[];
};

/**
 * Reads the feed and shows the posts that its newest items would become, with what their networks would refuse.
 * @throws BadRequest if it is not a feed, or the template is wrong
 */
export async function dryRunFeed(ownerId: string, input: NewFeed): Promise<FeedDryRun> {
  await assertTemplate(ownerId, input.template);
  const { document } = await readNewFeed(ownerId, input.url);
  const newest = document.items.slice(-SHOWN).toReversed();
  const scheduledTime = new Date(Date.now() + 60_000).toISOString();
  const items: FeedDryRun["items"] = [];
  for (const item of newest) {
    const publications = fillTemplate(input.template, item);
    const problems = await validateSchedule(ownerId, { scheduledTime, isDraft: false, publications });
    items.push({ ...item, publications, problems });
  }
  return { title: document.title, items };
}

/** Who adds a feed: its owner, or an application that calls for them. `sessionEpoch` is the owner's when the call was authenticated. */
type FeedCaller = { ownerId: string; sessionEpoch?: number; clientId?: string };

/**
 * Adds a feed. The items that it has now are known from the start, except for the newest ones that the input asks for.
 * @throws BadRequest if it is not a feed, or the template is wrong; AccessDenied if the person has not confirmed their address;
 * Unauthorized if the caller was locked out meanwhile; Conflict if there are 100 feeds already; AlreadyAnswered
 */
export async function createFeed(
  { ownerId, sessionEpoch, clientId }: FeedCaller,
  input: NewFeed,
  first?: AnswerToStore<Feed>,
): Promise<Feed> {
  // The feed is read before the transaction, because its server may answer slowly.
  if (first) await db.transaction((tx) => claimRequest(tx, first.ticket));
  const person = { id: ownerId, sessionEpoch, clientId };
  await assertConfirmedAddress(db, person, "feeds"); // before a stranger makes this server read anything
  await assertTemplate(ownerId, input.template);
  const read = await readNewFeed(ownerId, input.url);
  if (!first) return storeFeed(person, input, read);
  return shareTransaction(async (tx) => {
    await claimRequest(tx, first.ticket);
    const feed = await storeFeed(person, input, read);
    await storeAnswer(tx, first.ticket, first.of(feed));
    return feed;
  });
}

async function claimRequest(tx: Tx, ticket: Ticket): Promise<void> {
  await claimTurn(tx, ticket);
  await assertFirstRequest(tx, ticket);
}

/** Stores a feed and makes posts of those items that it has now and that the input asks for. */
async function storeFeed(
  person: { id: string; sessionEpoch?: number; clientId?: string },
  { url, template, newestItems }: NewFeed,
  read: Required<ReadFeed>,
): Promise<Feed> {
  const { id: ownerId, clientId } = person;
  const { items } = read.document;
  const old = items.slice(0, Math.max(0, items.length - newestItems));
  const { epoch } = await readInstallation(dbOrTransaction);
  const id = await dbOrTransaction.transaction(async (tx) => {
    await assertConfirmedAddress(tx, person, "feeds");
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${feedsLockText(ownerId)}, 0))`);
    if ((await tx.$count(feeds, eq(feeds.ownerId, ownerId))) >= MAX_FEEDS) {
      throw new Conflict(`There are ${MAX_FEEDS} feeds already; remove one first`);
    }
    const [row] = await tx
      .insert(feeds)
      .values({ ownerId, clientId, url, template, dueAt: nextReading(0), epoch })
      .returning({ id: feeds.id });
    if (!row) throw new Error("the feed was not stored");
    const known = old.map(({ key }) => ({ feedId: row.id, key: Buffer.from(key, "hex") }));
    if (known.length > 0) await tx.insert(feedItems).values(known);
    return row.id;
  });
  await takeRead(await getFeed(ownerId, id), read);
  return getFeed(ownerId, id);
}

/** An item with a value for every placeholder, to check a template before its feed is read. */
const EXAMPLE: FeedItem = {
  ...{ key: "", guid: "", title: "Title", summary: "Summary", author: "Author" },
  ...{ link: "https://example.com/", image: "https://example.com/picture.jpg" },
};

/** @throws BadRequest with the paths of the request's body */
async function assertTemplate(ownerId: string, template: FeedTemplate): Promise<void> {
  if (JSON.stringify(template).length > MAX_TEMPLATE)
    throw new BadRequest(`template has more than ${MAX_TEMPLATE.toLocaleString("en")} characters`);
  assertPlaceholders(template);
  const publications = fillTemplate(template, EXAMPLE);
  const { problems } = await checkInput(ownerId, { isDraft: true, publications });
  const blocking = blockingProblems(problems);
  if (blocking.length === 0) return;
  throw new BadRequest(...blocking.map(({ path, ...problem }) => ({ ...problem, path: `template.${path}` })));
}

/** @throws BadRequest */
async function readNewFeed(ownerId: string, url: string): Promise<Required<ReadFeed>> {
  try {
    const { document, etag = null, lastModified = null } = await readFeed({ ownerId, url });
    if (!document) throw new FeedError("cannot be read: the server answers 304 to a first request");
    return { document, etag, lastModified };
  } catch (error) {
    throw error instanceof FeedError ? new BadRequest(`url ${error.message}`) : error;
  }
}

/** Returns the owner's feeds, oldest first. There are at most 100. */
export async function listFeeds(ownerId: string, tx: Tx = dbOrTransaction): Promise<Feed[]> {
  const listed: Feed[] = [];
  for (const row of await tx.select().from(feeds).where(eq(feeds.ownerId, ownerId)).orderBy(feeds.id)) {
    await giveWay(); // a template has up to 100,000 characters
    listed.push(toFeed(row));
  }
  return listed;
}

/** @throws NotFound, also for another owner's feed */
export async function getFeed(ownerId: string, id: number): Promise<Feed> {
  const [row] = await dbOrTransaction.select().from(feeds).where(ownFeed(ownerId, id));
  if (!row) throw new NotFound("Feed", id);
  return toFeed(row);
}

/**
 * Stops the feeds of a user who reset the password, because whoever knew the old one may have added them. A stopped feed makes no
 * post, also if it is being read.
 */
export const stopFeedsOfUser: Lockout = async (tx, userId) => {
  const error = "The feed was stopped when the password was reset. If it is yours, remove it and add it again";
  const stopped = await stopFeeds(tx, eq(feeds.ownerId, userId), error);
  return stopped.map(({ url }) => `The feed ${url} was stopped. If it is yours, remove it and add it again.`);
};

/**
 * Stops the feeds that an application has added for a user, because the user has revoked it. Like webhooks, feeds that the user's
 * own tokens and sessions have added go on: the user made them.
 */
export const stopFeedsOfApplication: ApplicationLockout = async (tx, userId, clientId) => {
  const error = "You revoked the application that added this feed. To continue it, remove it and add it again";
  await stopFeeds(tx, and(eq(feeds.ownerId, userId), eq(feeds.clientId, clientId)), error);
};

function stopFeeds(tx: Tx, which: SQL | undefined, error: string): Promise<{ url: string }[]> {
  return tx
    .update(feeds)
    .set({ dueAt: null, error })
    .where(and(which, isNotNull(feeds.dueAt)))
    .returning({ url: feeds.url });
}

/** Removes a feed. Its posts stay. @throws NotFound, also for another owner's feed */
export async function deleteFeed(ownerId: string, id: number): Promise<void> {
  const [row] = await dbOrTransaction.delete(feeds).where(ownFeed(ownerId, id)).returning({ id: feeds.id });
  if (!row) throw new NotFound("Feed", id);
}

const ownFeed = (ownerId: string, id: number) => and(eq(feeds.id, id), eq(feeds.ownerId, ownerId));

/** The publications of a template or of an item. Fields without a value are absent. */
function presentPublications(publications: FeedTemplate["publications"]) {
  return publications.map(({ posts, ...publication }) => ({
    ...publication,
    posts: posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => ({
      ...(content === "" ? {} : { content }),
      ...(attachmentPaths.length > 0 ? { attachmentPaths } : {}),
      ...(chatId ? { chatId } : {}),
      ...(thumbnailPath ? { thumbnailPath } : {}),
    })),
  }));
}

export function presentFeed({ id, url, title, template, posts, error, dueAt, readAt, createdAt }: Feed) {
  return {
    ...{ id, url, posts },
    template: { isDraft: template.isDraft, publications: presentPublications(template.publications) },
    ...(title ? { title } : {}),
    state: stateOf({ dueAt, error }),
    ...(error ? { error } : {}),
    ...(readAt ? { lastReadTime: withSixDigits(readAt) } : {}),
    ...(dueAt ? { nextReadTime: withSixDigits(dueAt) } : {}),
    createdTime: withSixDigits(createdAt),
  };
}

function stateOf({ dueAt, error }: Pick<Feed, "dueAt" | "error">) {
  if (dueAt === null) return "STOPPED" as const;
  return error === null ? ("ACTIVE" as const) : ("FAILING" as const);
}

/** The response of a dry run. */
export function presentFeedDryRun({ title, items }: FeedDryRun) {
  return {
    dryRun: true as const,
    ...(title ? { title } : {}),
    items: items.map(({ key: _, publishedTime, publications, problems, ...item }) => ({
      ...item,
      ...(publishedTime ? { publishedTime: withZulu(publishedTime) } : {}),
      publications: presentPublications(publications),
      ...presentValidation(problems),
    })),
  };
}
