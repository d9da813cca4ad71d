import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import {
  accountGroupMembers,
  accountGroups,
  accounts,
  applications,
  db,
  destinations,
  feedback,
  feeds,
  grants,
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
import { newClientId } from "../../oauth/applications";
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

export type UserIds = Pick<Things, "uuid" | "externalUserId">;

/** Inserts one thing of each kind for an owner directly into the tables. */
export async function giveThings(identity: UserIds): Promise<Things> {
  return at(await giveThingsToAll([identity]), 0);
}

/** An owner, and the word that is part of all of their data. */
type Marked = { ownerId: string; mark: string };

/** The same for several owners. Each kind takes one statement for all of them, because statements take most of the time. */
export async function giveThingsToAll(identities: UserIds[]): Promise<Things[]> {
  const owners = identities.map(({ uuid }): Marked => ({ ownerId: uuid, mark: newPerson() }));
  const given = await giveAccounts(owners);
  const accountIds = given.map(({ accountId }) => accountId);
  const groupIds = await giveGroups(owners, accountIds);
  const feedIds = await giveFeeds(owners, accountIds);
  const chats = owners.map(({ mark }, n) => ({
    accountId: at(given, n).telegramId,
    chatId: `-100${mark}`,
    title: mark,
  }));
  await db.insert(destinations).values(chats.map((chat) => ({ ...chat, type: "channel" })));
  const files = await giveMedia(owners);
  const planned = await giveSchedules(owners, accountIds, files);
  const reviewed = await giveFeedback(owners, planned);
  const failed = owners.map(({ ownerId, mark }) => ({ ownerId, sourceUrl: `https://example.com/${mark}` }));
  const imports = await db
    .insert(mediaImports)
    .values(failed.map((one) => ({ ...one, state: "FAILED_PERMANENT" as const })))
    .returning({ id: mediaImports.id });
  const hooks = await giveWebhooks(owners);
  const sessions = await Promise.all(
    owners.map(({ ownerId, mark }) => createSession({ id: ownerId, sessionEpoch: 0 }, { userAgent: mark })),
  );
  const clientIds = await giveApplications(owners);
  return identities.map((identity, n) => ({
    ...{ ...identity, mark: at(owners, n).mark, ...at(given, n), groupId: at(groupIds, n), feedId: at(feedIds, n) },
    ...{ chatId: at(chats, n).chatId, mediaPath: at(files, n).used, spareName: at(files, n).spareName },
    ...{ importId: at(imports, n).id, ...at(planned, n), ...at(reviewed, n), ...at(hooks, n) },
    ...{ sessionId: at(sessions, n), clientId: at(clientIds, n) },
  }));
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

async function giveGroups(owners: Marked[], accountIds: number[]): Promise<number[]> {
  const made = await db
    .insert(accountGroups)
    .values(owners.map(({ ownerId, mark }) => ({ ownerId, name: mark, colour: "TEAL" as const })))
    .returning({ id: accountGroups.id });
  const ids = made.map(({ id }) => id);
  await db.insert(accountGroupMembers).values(ids.map((groupId, n) => ({ groupId, accountId: at(accountIds, n) })));
  return ids;
}

async function giveFeeds(owners: Marked[], accountIds: number[]): Promise<number[]> {
  const values = owners.map(({ ownerId, mark }, n) => {
    const platformSettings = { type: "TWITTER" };
    const posts = [{ content: mark }];
    const template = {
      isDraft: true,
      publications: [{ socialMediaAccountId: at(accountIds, n), platformSettings, posts }],
    };
    return { ownerId, url: `https://example.com/${mark}`, template, epoch: 0 };
  });
  const made = await db.insert(feeds).values(values).returning({ id: feeds.id });
  return made.map(({ id }) => id);
}

/** An account of X with queue slots, and one of Telegram. */
async function giveAccounts(owners: Marked[]): Promise<Pick<Things, "accountId" | "telegramId">[]> {
  const values = owners.flatMap(({ ownerId, mark }) =>
    (["X_TWITTER", "TELEGRAM"] as const).map((platform) => {
      const named = { ownerId, username: mark, displayName: mark };
      return { ...named, platform, networkAccountId: `${mark}${platform}` };
    }),
  );
  const made = await db.insert(accounts).values(values).returning({ id: accounts.id });
  const given = owners.map((_, n) => ({ accountId: at(made, 2 * n).id, telegramId: at(made, 2 * n + 1).id }));
  await db
    .insert(queueSlots)
    .values(given.map(({ accountId }) => ({ accountId, timeZone: "Europe/Berlin", minutes: [570] })));
  return given;
}

/** A file to be used by a schedule, and one that stays unused. */
async function giveMedia(owners: Marked[]): Promise<{ used: string; spareName: string }[]> {
  const look = { contentType: "image/jpeg", sizeBytes: 1_000, digest: Buffer.alloc(64), width: 400, height: 400 };
  const newFile = ({ ownerId, mark }: Marked) => {
    const id = randomUUID();
    return { id, ownerId, key: `${ownerId}/${id}.jpg`, filename: `${mark}.jpg`, ...look };
  };
  const files = owners.map((owner) => ({ used: newFile(owner), spare: newFile(owner) }));
  await db.insert(media).values(files.flatMap(({ used, spare }) => [used, spare]));
  return files.map(({ used, spare }) => ({ used: used.key, spareName: `${spare.id}.jpg` }));
}

/** A schedule with a file, the same schedule without one, and one that has failed. */
async function giveSchedules(owners: Marked[], accountIds: number[], files: { used: string }[]) {
  const scheduledTime = "2030-01-01T12:00:00Z";
  const statuses = ["SCHEDULED", "SCHEDULED", "FAILED"] as const;
  const made = await db
    .insert(schedules)
    .values(owners.flatMap(({ ownerId }) => statuses.map((status) => ({ ownerId, status, scheduledTime }))))
    .returning({ id: schedules.id });
  const ids = owners.map((_, n) => ({
    scheduleId: at(made, 3 * n).id,
    twinId: at(made, 3 * n + 1).id,
    failedId: at(made, 3 * n + 2).id,
  }));
  const published = await db
    .insert(publications)
    .values(
      ids.flatMap(({ scheduleId, twinId, failedId }, n) => {
        const on = { accountId: at(accountIds, n), position: 0, settings: { type: "TWITTER" } };
        return [
          { ...on, scheduleId },
          { ...on, scheduleId: twinId },
          { ...on, scheduleId: failedId, status: "FAILED" as const },
        ];
      }),
    )
    .returning({ id: publications.id });
  await db.insert(posts).values(
    owners.flatMap(({ mark }, n) => {
      const post = { position: 0, content: mark, attachmentPaths: [] };
      return [
        { ...post, publicationId: at(published, 3 * n).id, attachmentPaths: [at(files, n).used] },
        { ...post, publicationId: at(published, 3 * n + 1).id },
        { ...post, publicationId: at(published, 3 * n + 2).id, status: "FAILED" as const },
      ];
    }),
  );
  return ids;
}

async function giveFeedback(
  owners: Marked[],
  planned: { scheduleId: number }[],
): Promise<Pick<Things, "reviewLinkId" | "feedbackId">[]> {
  const expiresAt = "2090-01-01T00:00:00Z";
  const made = await db
    .insert(reviewLinks)
    .values(planned.map(({ scheduleId }) => ({ scheduleId, tokenHash: sha256(randomUUID()), expiresAt })))
    .returning({ id: reviewLinks.id });
  const given = await db
    .insert(feedback)
    .values(
      owners.map(({ mark }, n) => {
        const on = { scheduleId: at(planned, n).scheduleId, linkId: at(made, n).id };
        return { ...on, name: mark, text: mark, contentDigest: Buffer.alloc(32) };
      }),
    )
    .returning({ id: feedback.id });
  return given.map(({ id }, n) => ({ reviewLinkId: at(made, n).id, feedbackId: id }));
}

async function giveWebhooks(owners: Marked[]): Promise<Pick<Things, "webhookId" | "deliveryId">[]> {
  const endpoints = await db
    .insert(webhookEndpoints)
    .values(
      owners.map(({ ownerId, mark }) => {
        const named = { ownerId, url: `https://${mark}.invalid/`, description: mark };
        return { ...named, events: ["post.deleted"], secretSealed: sealSecret(0, "") };
      }),
    )
    .returning({ id: webhookEndpoints.id });
  for (const { id } of endpoints) {
    const secretSealed = sealSecret(id, createWebhookSecret());
    await db.update(webhookEndpoints).set({ secretSealed }).where(eq(webhookEndpoints.id, id));
  }
  await emit(
    db,
    owners.map(({ ownerId, mark }) => ({ ownerId, type: "post.deleted", data: { mark } })),
  );
  const delivered = await db
    .insert(webhookDeliveries)
    .values(endpoints.map(({ id }) => ({ endpointId: id, state: "DELIVERED" as const, dueAt: null })))
    .returning({ id: webhookDeliveries.id });
  return endpoints.map(({ id }, n) => ({ webhookId: id, deliveryId: messageIdOf(at(delivered, n).id) }));
}

/** An application that the owner has allowed. */
async function giveApplications(owners: Marked[]): Promise<string[]> {
  const made = owners.map(({ mark }) => ({ clientId: newClientId(), name: mark }));
  const grant = "authorization_code" as const;
  const redirectUris = ["https://app.example.com/callback"];
  await db.insert(applications).values(made.map((one) => ({ ...one, grant, redirectUris })));
  const allowed = { kind: grant, scopes: ["posts.read"], expiresAt: "2090-01-01T00:00:00Z" };
  await db
    .insert(grants)
    .values(made.map(({ clientId }, n) => ({ ...allowed, clientId, userId: at(owners, n).ownerId })));
  return made.map(({ clientId }) => clientId);
}

function at<T>(rows: T[], index: number): T {
  const row = rows[index];
  if (row === undefined) throw new Error("the row was not stored");
  return row;
}
