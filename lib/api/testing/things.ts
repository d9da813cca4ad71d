import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import {
  accounts,
  db,
  destinations,
  feedback,
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
import { sha256 } from "../../secrets";
import { newPerson } from "../../testing/accounts";
import { emit } from "../../webhooks";
import { messageIdOf } from "../../webhooks/present";

/** One thing of each kind of an owner, by the IDs used in requests. */
export type Things = {
  accountId: number;
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
  uuid: string;
  externalUserId: string;
  /** Part of all of the owner's data, so that no one else's answer may contain it. */
  mark: string;
};

export type Identity = Pick<Things, "uuid" | "externalUserId">;

/** Inserts one thing of each kind for an owner directly into the tables. */
export async function giveThings({ uuid, externalUserId }: Identity): Promise<Things> {
  const mark = newPerson();
  const accountId = await giveAccount(uuid, "X_TWITTER", mark);
  const telegramId = await giveAccount(uuid, "TELEGRAM", mark);
  await db.insert(queueSlots).values({ accountId, timeZone: "Europe/Berlin", minutes: [570] });
  const chatId = `-100${mark}`;
  await db.insert(destinations).values({ accountId: telegramId, chatId, title: mark, type: "channel" });
  const [used, spare] = [await giveMedia(uuid, mark), await giveMedia(uuid, mark)];
  const scheduleId = await giveSchedule(uuid, accountId, mark, [used.key]);
  const twinId = await giveSchedule(uuid, accountId, mark, []);
  const failedId = await giveSchedule(uuid, accountId, mark, []);
  await db.update(schedules).set({ status: "FAILED" }).where(eq(schedules.id, failedId));
  await db.update(publications).set({ status: "FAILED" }).where(eq(publications.scheduleId, failedId));
  await db.execute(sql`
    update ${posts} set status = 'FAILED' where publication_id in (
      select id from ${publications} where schedule_id = ${failedId})`);
  const { reviewLinkId, feedbackId } = await giveFeedback(scheduleId, mark);
  const importId = idOf(
    await db
      .insert(mediaImports)
      .values({ ownerId: uuid, sourceUrl: `https://example.com/${mark}`, state: "FAILED_PERMANENT" })
      .returning({ id: mediaImports.id }),
  );
  const { webhookId, deliveryId } = await giveWebhook(uuid, mark);
  const spareName = spare.key.slice(uuid.length + 1);
  return {
    ...{ accountId, telegramId, chatId, mediaPath: used.key, spareName },
    ...{
      importId,
      scheduleId,
      twinId,
      failedId,
      reviewLinkId,
      feedbackId,
      webhookId,
      deliveryId,
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
      telegramId: id,
      chatId: `-100${newPerson()}`,
      mediaPath: `${randomUUID()}/${randomUUID()}.jpg`,
    },
    ...{ spareName: `${randomUUID()}.jpg`, importId: id, scheduleId: id, twinId: id, failedId: id, uuid: randomUUID() },
    ...{ reviewLinkId: id, feedbackId: id, webhookId: id, deliveryId: messageIdOf(randomUUID()) },
    ...{ externalUserId: randomUUID(), mark: newPerson() },
  };
}

async function giveAccount(ownerId: string, platform: "X_TWITTER" | "TELEGRAM", mark: string): Promise<number> {
  const named = { username: mark, displayName: mark, networkAccountId: `${mark}${platform}` };
  return idOf(
    await db
      .insert(accounts)
      .values({ ownerId, platform, ...named })
      .returning({ id: accounts.id }),
  );
}

async function giveMedia(ownerId: string, mark: string): Promise<{ key: string }> {
  const id = randomUUID();
  const key = `${ownerId}/${id}.jpg`;
  const look = { contentType: "image/jpeg", sizeBytes: 1_000, digest: Buffer.alloc(64), width: 400, height: 400 };
  await db.insert(media).values({ id, ownerId, key, filename: `${mark}.jpg`, ...look });
  return { key };
}

async function giveSchedule(ownerId: string, accountId: number, mark: string, attachmentPaths: string[]) {
  const scheduledTime = "2030-01-01T12:00:00Z";
  const scheduled = { ownerId, status: "SCHEDULED", scheduledTime } as const;
  const scheduleId = idOf(await db.insert(schedules).values(scheduled).returning({ id: schedules.id }));
  const settings = { type: "TWITTER" };
  const publication = { scheduleId, accountId, position: 0, settings };
  const publicationId = idOf(await db.insert(publications).values(publication).returning({ id: publications.id }));
  await db.insert(posts).values({ publicationId, position: 0, content: mark, attachmentPaths });
  return scheduleId;
}

async function giveFeedback(scheduleId: number, mark: string): Promise<Pick<Things, "reviewLinkId" | "feedbackId">> {
  const link = { scheduleId, tokenHash: sha256(randomUUID()), expiresAt: "2090-01-01T00:00:00Z" };
  const reviewLinkId = idOf(await db.insert(reviewLinks).values(link).returning({ id: reviewLinks.id }));
  const said = { scheduleId, linkId: reviewLinkId, name: mark, text: mark, contentDigest: Buffer.alloc(32) };
  return { reviewLinkId, feedbackId: idOf(await db.insert(feedback).values(said).returning({ id: feedback.id })) };
}

async function giveWebhook(ownerId: string, mark: string): Promise<Pick<Things, "webhookId" | "deliveryId">> {
  const values = { ownerId, url: `https://${mark}.invalid/`, events: ["post.deleted"], description: mark };
  const webhookId = idOf(
    await db
      .insert(webhookEndpoints)
      .values({ ...values, secretSealed: Buffer.alloc(64) })
      .returning({ id: webhookEndpoints.id }),
  );
  await emit(db, [{ ownerId, type: "post.deleted", data: { mark } }]);
  const [delivery] = await db
    .insert(webhookDeliveries)
    .values({ endpointId: webhookId, state: "DELIVERED", dueAt: null })
    .returning({ id: webhookDeliveries.id });
  return { webhookId, deliveryId: messageIdOf(delivery?.id ?? "") };
}

function idOf([row]: { id: number }[]): number {
  if (!row) throw new Error("the row was not stored");
  return row.id;
}
