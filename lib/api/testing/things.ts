import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import {
  accountGroupMembers,
  accountGroups,
  accounts,
  db,
  destinations,
  feedback,
  feeds,
  media,
  mediaImports,
  posts,
  publications,
  queueSlots,
  reviewLinks,
  schedules,
  webhookDeliveries,
  webhookEndpoints,
} from "../../db";
import { createApplication, newClientId } from "../../oauth/applications";
import { createGrant } from "../../oauth/grants";
import { sha256 } from "../../secrets";
import { newPerson } from "../../testing/accounts";
import { createSession } from "../../users";
import { emit } from "../../webhooks";
import { messageIdOf } from "../../webhooks/present";
import { createWebhookSecret, sealSecret } from "../../webhooks/secret";

/** One thing of each kind of an owner, by the IDs used in requests. */
export type Things = {
  accountId: number;
  /** A group with that account. */
  groupId: number;
  /** A feed whose items go to that account. */
  feedId: number;
  /** A Telegram account and one of its chats. */
  telegramId: number;
  chatId: string;
  /** A file used by a schedule, and an unused one. */
  mediaPath: string;
  spareName: string;
  importId: number;
  scheduleId: number;
  /** Another schedule with the same text as `scheduleId`. */
  twinId: number;
  /** A schedule whose only publication has failed. */
  failedId: number;
  /** A review link of `scheduleId`, and feedback given with it. */
  reviewLinkId: number;
  feedbackId: number;
  webhookId: number;
  /** A delivery to the webhook. */
  deliveryId: string;
  sessionId: string;
  /** An application that the owner has allowed. */
  clientId: string;
  uuid: string;
  externalUserId: string;
  /** Part of all of the owner's data, so that no one else's answer may contain it. */
  mark: string;
};

export type Identity = Pick<Things, "uuid" | "externalUserId">;

/** Inserts one thing of each kind for an owner directly into the tables. */
export async function giveThings({ uuid, externalUserId }: Identity): Promise<Things> {
  const mark = newPerson();
  const [accountId, telegramId] = await giveAccounts(uuid, mark);
  await db.insert(queueSlots).values({ accountId, timeZone: "Europe/Berlin", minutes: [570] });
  const [group] = await db
    .insert(accountGroups)
    .values({ ownerId: uuid, name: mark, colour: "TEAL" })
    .returning({ id: accountGroups.id });
  const groupId = idOf(group);
  await db.insert(accountGroupMembers).values({ groupId, accountId });
  const feedId = await giveFeed(uuid, accountId, mark);
  const chatId = `-100${mark}`;
  await db.insert(destinations).values({ accountId: telegramId, chatId, title: mark, type: "channel" });
  const [used, spare] = await giveMedia(uuid, mark);
  const [scheduleId, twinId, failedId] = await giveSchedules(uuid, accountId, mark, used.key);
  const { reviewLinkId, feedbackId } = await giveFeedback(scheduleId, mark);
  const sourceUrl = `https://example.com/${mark}`;
  const failedImport = { ownerId: uuid, sourceUrl, state: "FAILED_PERMANENT" } as const;
  const [imported] = await db.insert(mediaImports).values(failedImport).returning({ id: mediaImports.id });
  const importId = idOf(imported);
  const { webhookId, deliveryId } = await giveWebhook(uuid, mark);
  const sessionId = await createSession({ id: uuid, sessionEpoch: 0 }, { userAgent: mark });
  const { clientId } = await createApplication(mark, ["https://app.example.com/callback"]);
  const kind = "authorization_code";
  await createGrant({ kind, clientId, userId: uuid, scopes: ["posts.read"], expiresInSeconds: 3_600 });
  const spareName = spare.key.slice(uuid.length + 1);
  return {
    ...{ accountId, groupId, feedId, telegramId, chatId, mediaPath: used.key, spareName },
    ...{
      importId,
      scheduleId,
      twinId,
      failedId,
      reviewLinkId,
      feedbackId,
      webhookId,
      deliveryId,
      sessionId,
      clientId,
      uuid,
      externalUserId,
      mark,
    },
  };
}

/** Well-formed IDs that do not exist. */
export function noThings(): Things {
  const id = 900_000_000_000_000 + Math.floor(Math.random() * 90_000_000_000_000);
  return {
    ...{
      accountId: id,
      groupId: id,
      feedId: id,
      telegramId: id,
      chatId: `-100${newPerson()}`,
      mediaPath: `${randomUUID()}/${randomUUID()}.jpg`,
    },
    ...{ spareName: `${randomUUID()}.jpg`, importId: id, scheduleId: id, twinId: id, failedId: id, uuid: randomUUID() },
    ...{ reviewLinkId: id, feedbackId: id, webhookId: id, deliveryId: messageIdOf(randomUUID()) },
    ...{ sessionId: randomUUID(), clientId: newClientId(), externalUserId: randomUUID(), mark: newPerson() },
  };
}

async function giveFeed(ownerId: string, accountId: number, mark: string): Promise<number> {
  const platformSettings = { type: "TWITTER" };
  const publications = [{ socialMediaAccountId: accountId, platformSettings, posts: [{ content: mark }] }];
  const template = { isDraft: true, publications };
  const [feed] = await db
    .insert(feeds)
    .values({ ownerId, url: `https://example.com/${mark}`, template, epoch: 0 })
    .returning({ id: feeds.id });
  return idOf(feed);
}

async function giveAccounts(ownerId: string, mark: string): Promise<[x: number, telegram: number]> {
  const named = { ownerId, username: mark, displayName: mark };
  const values = (["X_TWITTER", "TELEGRAM"] as const).map((platform) => ({
    ...named,
    platform,
    networkAccountId: `${mark}${platform}`,
  }));
  const [x, telegram] = await db.insert(accounts).values(values).returning({ id: accounts.id });
  return [idOf(x), idOf(telegram)];
}

async function giveMedia(ownerId: string, mark: string): Promise<[used: { key: string }, spare: { key: string }]> {
  const look = { contentType: "image/jpeg", sizeBytes: 1_000, digest: Buffer.alloc(64), width: 400, height: 400 };
  const newFile = () => {
    const id = randomUUID();
    return { id, ownerId, key: `${ownerId}/${id}.jpg`, filename: `${mark}.jpg`, ...look };
  };
  const [used, spare] = [newFile(), newFile()];
  await db.insert(media).values([used, spare]);
  return [used, spare];
}

/** A schedule with a file, the same schedule without one, and one that has failed. */
async function giveSchedules(ownerId: string, accountId: number, mark: string, key: string) {
  const scheduledTime = "2030-01-01T12:00:00Z";
  const made = await db
    .insert(schedules)
    .values((["SCHEDULED", "SCHEDULED", "FAILED"] as const).map((status) => ({ ownerId, status, scheduledTime })))
    .returning({ id: schedules.id });
  const ids = [idOf(made[0]), idOf(made[1]), idOf(made[2])] as const;
  const publication = { accountId, position: 0, settings: { type: "TWITTER" } };
  const [used, copy, failed] = await db
    .insert(publications)
    .values([
      { ...publication, scheduleId: ids[0] },
      { ...publication, scheduleId: ids[1] },
      { ...publication, scheduleId: ids[2], status: "FAILED" },
    ])
    .returning({ id: publications.id });
  const post = { position: 0, content: mark, attachmentPaths: [] };
  await db.insert(posts).values([
    { ...post, publicationId: idOf(used), attachmentPaths: [key] },
    { ...post, publicationId: idOf(copy) },
    { ...post, publicationId: idOf(failed), status: "FAILED" },
  ]);
  return ids;
}

async function giveFeedback(scheduleId: number, mark: string): Promise<Pick<Things, "reviewLinkId" | "feedbackId">> {
  const link = { scheduleId, tokenHash: sha256(randomUUID()), expiresAt: "2090-01-01T00:00:00Z" };
  const [made] = await db.insert(reviewLinks).values(link).returning({ id: reviewLinks.id });
  const reviewLinkId = idOf(made);
  const said = { scheduleId, linkId: reviewLinkId, name: mark, text: mark, contentDigest: Buffer.alloc(32) };
  const [given] = await db.insert(feedback).values(said).returning({ id: feedback.id });
  return { reviewLinkId, feedbackId: idOf(given) };
}

async function giveWebhook(ownerId: string, mark: string): Promise<Pick<Things, "webhookId" | "deliveryId">> {
  const values = { ownerId, url: `https://${mark}.invalid/`, events: ["post.deleted"], description: mark };
  const [endpoint] = await db
    .insert(webhookEndpoints)
    .values({ ...values, secretSealed: sealSecret(0, "") })
    .returning({ id: webhookEndpoints.id });
  const webhookId = idOf(endpoint);
  const secretSealed = sealSecret(webhookId, createWebhookSecret());
  await db.update(webhookEndpoints).set({ secretSealed }).where(eq(webhookEndpoints.id, webhookId));
  await emit(db, [{ ownerId, type: "post.deleted", data: { mark } }]);
  const [delivery] = await db
    .insert(webhookDeliveries)
    .values({ endpointId: webhookId, state: "DELIVERED", dueAt: null })
    .returning({ id: webhookDeliveries.id });
  return { webhookId, deliveryId: messageIdOf(delivery?.id ?? "") };
}

function idOf(row: { id: number } | undefined): number {
  if (!row) throw new Error("the row was not stored");
  return row.id;
}
