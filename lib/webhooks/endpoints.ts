import { and, desc, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import {
  type AuditAction,
  dbOrTransaction,
  partners,
  type Tx,
  users,
  webhookDeliveries,
  webhookEarlierSecrets,
  webhookEndpoints,
} from "../db";
import { audit, auditForUser } from "../db/audit";
import { webhooksLockText } from "../db/locks";
import { BadRequest, Conflict, NotFound, Unauthorized } from "../errors";
import { EgressError } from "../http/egress-error";
import { allowedAddresses, defaultGuard, type Guard } from "../http/egress-guard";
import { parseOutsideUrl, portOf } from "../http/outside-url";
import { allowsApplication, assertConfirmedAddress, assertStillAllowed, type Lockout } from "../users";
import { createWebhookSecret, sealEarlierSecret, sealSecret, unsealSecret } from "./secret";
import type { EventType } from "./types";

/**
 * The owner of endpoints and events: one user, or a partner, whose own endpoints receive the events of all its users.
 * `sessionEpoch` is the user's when the request was authenticated; `clientId` is the application that calls for the user.
 */
export type Subscriber = { ownerId: string; sessionEpoch?: number; clientId?: string } | { partnerId: string };

const isEndpointOf = (subscriber: Subscriber): SQL =>
  "ownerId" in subscriber
    ? eq(webhookEndpoints.ownerId, subscriber.ownerId)
    : eq(webhookEndpoints.partnerId, subscriber.partnerId);

/** SQL about a row `e` of events: it belongs to this subscriber. */
export const isEventOf = (subscriber: Subscriber): SQL =>
  "ownerId" in subscriber ? sql`e.owner_id = ${subscriber.ownerId}` : sql`e.partner_id = ${subscriber.partnerId}`;

type Person = Extract<Subscriber, { ownerId: string }>;

const personOf = ({ ownerId: id, ...caller }: Person) => ({ id, ...caller });

/** The timeout for resolving the host name, kept short because the caller waits for the response. */
const RESOLVE_MS = 1_000;

/**
 * Rejects a URL that can never receive an event. The address is checked again at every delivery. A name that does not
 * resolve now is accepted, because it may resolve later.
 * @throws BadRequest
 */
async function assertCallable(address: string, guard: Guard = defaultGuard): Promise<void> {
  const problem = await problemOf(address, guard);
  if (problem) throw new BadRequest({ path: "url", message: problem, rule: "webhook.url" });
}

async function problemOf(address: string, guard: Guard): Promise<string | undefined> {
  try {
    const url = parseOutsideUrl(address);
    const isExcepted = guard.allow.some(({ host, port }) => host === url.hostname && port === portOf(url));
    if (url.protocol !== "https:" && !isExcepted) return "must begin with https://";
    await allowedAddresses(url, guard, RESOLVE_MS);
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (error.fault === "DNS_FAILURE") return undefined;
    return error.fault === "BLOCKED_ADDRESS" ? "does not lead to a public address" : error.message;
  }
}

export type Endpoint = typeof webhookEndpoints.$inferSelect;

export type NewEndpoint = {
  url: string;
  events: EventType[];
  description?: string;
  enabled?: boolean;
};

/** More would be a mistake, and each event creates one delivery per endpoint. */
const MAX_ENDPOINTS = 50;
/** Each secret adds a signature to every request, so their number is limited. */
const MAX_EARLIER_SECRETS = 10;
/** How long the previous secret still signs after a rotation. */
const SECRET_OVERLAP = sql`interval '24 hours'`;

/**
 * Adds an endpoint for events from now on.
 * @returns the endpoint with its secret, which is not shown again
 * @throws BadRequest if the URL cannot be called; AccessDenied if the person has not confirmed their address; Conflict if
 * there are 50 endpoints already
 */
export async function createEndpoint(
  subscriber: Subscriber,
  { url, events, description, enabled = true }: NewEndpoint,
): Promise<Endpoint & { secret: string }> {
  await assertCallable(url);
  const secret = createWebhookSecret();
  return dbOrTransaction.transaction(async (tx) => {
    if ("ownerId" in subscriber) await assertConfirmedAddress(tx, personOf(subscriber), "webhooks");
    await assertSecretsNotRevoked(tx, subscriber);
    await assertBelowLimit(tx, subscriber);
    const id = await nextId(tx, "webhook_endpoints");
    const owner = "ownerId" in subscriber ? { ownerId: subscriber.ownerId } : { partnerId: subscriber.partnerId };
    const values = {
      ...owner,
      clientId: clientOf(subscriber),
      url,
      events: [...new Set(events)],
      description: description ?? null,
    };
    const [row] = await tx
      .insert(webhookEndpoints)
      .overridingSystemValue()
      .values({ id, ...values, secretSealed: sealSecret(id, secret), disabledAt: enabled ? null : sql`now()` })
      .returning();
    if (!row) throw new Error("the endpoint was not stored");
    await auditWebhook(tx, "webhook.created", row);
    return { ...row, secret };
  });
}

/** Reserves the ID before the row exists, because the secret is sealed for this ID. */
async function nextId(tx: Tx, table: "webhook_endpoints" | "webhook_earlier_secrets"): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`);
  return Number(rows[0]?.id);
}

/**
 * Until the transaction ends, no secrets of the subscriber's partner are revoked, so a revocation finds the endpoint and stops it.
 * @throws Unauthorized if they were revoked while the call was under way
 */
async function assertSecretsNotRevoked(tx: Tx, subscriber: Subscriber): Promise<void> {
  const isTheirs =
    "partnerId" in subscriber
      ? eq(partners.id, subscriber.partnerId)
      : inArray(partners.id, tx.select({ id: users.partnerId }).from(users).where(eq(users.id, subscriber.ownerId)));
  const [partner] = await tx
    .select({ wasRevoked: sql<boolean>`${partners.secretsRevokedAt} > clock_timestamp() - interval '1 second'` })
    .from(partners)
    .where(isTheirs)
    .for("share");
  if (partner?.wasRevoked) throw new Unauthorized();
}

async function assertBelowLimit(tx: Tx, subscriber: Subscriber): Promise<void> {
  const whose = "ownerId" in subscriber ? subscriber.ownerId : subscriber.partnerId;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${webhooksLockText(whose)}, 0))`);
  const there = await tx.select({ id: webhookEndpoints.id }).from(webhookEndpoints).where(isEndpointOf(subscriber));
  if (there.length >= MAX_ENDPOINTS)
    throw new Conflict(`There are ${MAX_ENDPOINTS} webhooks already; remove one first`);
}

/** @throws NotFound, whether the endpoint is missing or belongs to someone else */
export async function getEndpoint(subscriber: Subscriber, id: number, tx: Tx = dbOrTransaction): Promise<Endpoint> {
  const [row] = await tx
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), isEndpointOf(subscriber)));
  if (!row) throw new NotFound("Webhook", id);
  return row;
}

/** Newest first. `next` is the ID to continue before; absent on the last page. */
export async function listEndpoints(
  subscriber: Subscriber,
  { limit, before }: { limit: number; before?: number },
): Promise<{ items: Endpoint[]; next?: number }> {
  const rows = await dbOrTransaction
    .select()
    .from(webhookEndpoints)
    .where(and(isEndpointOf(subscriber), before === undefined ? undefined : lt(webhookEndpoints.id, before)))
    .orderBy(desc(webhookEndpoints.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1)?.id : undefined };
}

/**
 * Replaces an endpoint's settings and keeps its secret. A disabled endpoint is enabled again unless `enabled` is false.
 * @throws NotFound; BadRequest if the URL cannot be called
 */
export async function updateEndpoint(
  subscriber: Subscriber,
  id: number,
  { url, events, description, enabled = true }: NewEndpoint,
): Promise<Endpoint> {
  await getEndpoint(subscriber, id);
  await assertCallable(url);
  return dbOrTransaction.transaction(async (tx) => {
    if ("ownerId" in subscriber) await assertStillAllowed(tx, personOf(subscriber));
    await assertSecretsNotRevoked(tx, subscriber);
    const values = {
      clientId: clientOf(subscriber),
      url,
      events: [...new Set(events)],
      description: description ?? null,
      updatedAt: sql`now()`,
    };
    const [row] = await tx
      .update(webhookEndpoints)
      .set({ ...values, ...(enabled ? ENABLED : { disabledAt: sql`coalesce(disabled_at, now())` }) })
      .where(and(eq(webhookEndpoints.id, id), isEndpointOf(subscriber)))
      .returning();
    if (!row) throw new NotFound("Webhook", id);
    if (!enabled) await failPendingDeliveries(tx, [id]);
    await auditWebhook(tx, "webhook.changed", row);
    return row;
  });
}

const clientOf = (subscriber: Subscriber) => ("ownerId" in subscriber && subscriber.clientId) || null;

const ENABLED = { disabledAt: null, disabledReason: null, failingSince: null };

/** @throws NotFound */
export async function deleteEndpoint(subscriber: Subscriber, id: number): Promise<void> {
  await dbOrTransaction.transaction(async (tx) => {
    const [row] = await tx
      .delete(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, id), isEndpointOf(subscriber)))
      .returning();
    if (!row) throw new NotFound("Webhook", id);
    await auditWebhook(tx, "webhook.deleted", row);
  });
}

type WebhookAction = Extract<AuditAction, `webhook.${string}`>;

async function auditWebhook(tx: Tx, action: WebhookAction, { id, ownerId, partnerId }: Endpoint): Promise<void> {
  const entry = { action, subject: `webhook ${id}` };
  if (ownerId) await auditForUser(tx, ownerId, entry);
  else if (partnerId) await audit(tx, { ...entry, actor: { id: partnerId }, partnerId });
}

/**
 * Creates a new secret. Every earlier one also signs for 24 hours after its rotation, so that receivers can switch without
 * losing events, whichever of them they have (Standard Webhooks, "Secret rotation").
 * @throws NotFound; Conflict if ten earlier secrets still sign
 */
export async function rotateWebhookSecret(subscriber: Subscriber, id: number): Promise<Endpoint & { secret: string }> {
  const secret = createWebhookSecret();
  return dbOrTransaction.transaction(async (tx) => {
    const [known] = await tx
      .select({ secretSealed: webhookEndpoints.secretSealed })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, id), isEndpointOf(subscriber)))
      .for("update");
    if (!known) throw new NotFound("Webhook", id);
    await keepEarlierSecret(tx, id, known.secretSealed);
    const [row] = await tx
      .update(webhookEndpoints)
      .set({
        secretSealed: sealSecret(id, secret),
        // An application knows the new secret, so its end stops the webhook. One that has set the URL stays the one that counts.
        clientId: sql`coalesce(${webhookEndpoints.clientId}, ${clientOf(subscriber)})`,
        updatedAt: sql`now()`,
      })
      .where(eq(webhookEndpoints.id, id))
      .returning();
    if (!row) throw new Error("the endpoint was not stored");
    await auditWebhook(tx, "webhook.rotated", row);
    return { ...row, secret };
  });
}

async function keepEarlierSecret(tx: Tx, endpointId: number, secretSealed: Buffer): Promise<void> {
  const mine = eq(webhookEarlierSecrets.endpointId, endpointId);
  await tx.delete(webhookEarlierSecrets).where(and(mine, lte(webhookEarlierSecrets.expiresAt, sql`now()`)));
  const count = (await tx.select({ id: webhookEarlierSecrets.id }).from(webhookEarlierSecrets).where(mine)).length;
  if (count >= MAX_EARLIER_SECRETS) {
    const problem = `Webhook ${endpointId} has ${count} earlier secrets that still sign, and the limit is ${MAX_EARLIER_SECRETS}`;
    throw new Conflict(`${problem}. Rotate it again when the oldest one has expired, 24 hours after its rotation`);
  }
  const id = await nextId(tx, "webhook_earlier_secrets");
  const kept = sealEarlierSecret(id, unsealSecret(endpointId, secretSealed));
  await tx
    .insert(webhookEarlierSecrets)
    .overridingSystemValue()
    .values({ id, endpointId, secretSealed: kept, expiresAt: sql`now() + ${SECRET_OVERLAP}` });
}

/** Disables an endpoint and stores the reason for its owner. Returns undefined if it was disabled already. */
export async function disableEndpoint(tx: Tx, id: number, reason: string): Promise<Endpoint | undefined> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: sql`now()`, disabledReason: reason, updatedAt: sql`now()` })
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.disabledAt)))
    .returning();
  if (row) await failPendingDeliveries(tx, [id]);
  return row;
}

/**
 * Stops a person's webhooks after a password reset, because someone else may have created them. Enabling one again confirms
 * it. Those that were disabled before are listed too, and keep their reason.
 */
export const holdWebhooksOfUser: Lockout = async (tx, userId) => {
  const held = await holdWebhooks(tx, eq(webhookEndpoints.ownerId, userId), CONFIRM_REASON);
  return held.map(({ url }) => `The webhook to ${url} gets no events until you confirm that it is yours.`);
};

const CONFIRM_REASON =
  "Your password was reset. Check that this webhook is yours and enable it again, or delete it. Change its secret if someone else may know it";

/** Stops the webhooks that an application has created or changed for a user, because the user has revoked it. */
export async function holdWebhooksOfApplication(tx: Tx, userId: string, clientId: string): Promise<void> {
  const isTheirs = and(eq(webhookEndpoints.ownerId, userId), eq(webhookEndpoints.clientId, clientId));
  await holdWebhooks(tx, isTheirs, REVOKED_REASON);
}

const REVOKED_REASON =
  "You revoked the application that created or last changed this webhook. Check its URL, and give it a new secret, because the application may know this one. Then enable it again, or delete it";

/**
 * Stops the webhooks that an application has created or changed for one of these users, if the user does not allow it any more:
 * the application ended its own permission or was deleted, or the consent expired.
 */
export async function holdWebhooksWithoutConsent(tx: Tx, userIds: string[]): Promise<void> {
  const { ownerId, clientId, disabledAt } = webhookEndpoints;
  const isOver = and(isNotNull(clientId), isNull(disabledAt), sql`not ${allowsApplication(ownerId, clientId)}`);
  await holdWebhooks(tx, and(inArray(ownerId, userIds), isOver), ENDED_REASON);
}

const ENDED_REASON =
  "The application that created or last changed this webhook may not act for you any more. Check its URL, and give it a new secret, because the application may know this one. Then enable it again, or delete it";

/**
 * Stops the webhooks of a partner and of its users because all of its secrets are revoked: whoever had one may have added or
 * changed them. Call it after `secretsRevokedAt` is set, so that calls which are under way are refused.
 */
export async function holdWebhooksOfPartner(tx: Tx, partnerId: string): Promise<void> {
  const theirs = tx.select({ id: users.id }).from(users).where(eq(users.partnerId, partnerId));
  const { partnerId: owner, ownerId } = webhookEndpoints;
  await holdWebhooks(tx, or(eq(owner, partnerId), inArray(ownerId, theirs)), SECRETS_REASON);
}

const SECRETS_REASON =
  "All client secrets were revoked, because someone else may know one. Check that this webhook and its URL are yours and enable it again, or delete it. Change its secret if someone else may know it";

async function holdWebhooks(tx: Tx, which: SQL | undefined, reason: string): Promise<{ id: number; url: string }[]> {
  const held = await tx
    .update(webhookEndpoints)
    .set({
      disabledAt: sql`coalesce(${webhookEndpoints.disabledAt}, now())`,
      disabledReason: sql`coalesce(${webhookEndpoints.disabledReason}, ${reason})`,
      updatedAt: sql`now()`,
    })
    .where(which)
    .returning({ id: webhookEndpoints.id, url: webhookEndpoints.url });
  await failPendingDeliveries(
    tx,
    held.map(({ id }) => id),
  );
  return held;
}

/** Fails the deliveries that wait for disabled endpoints. A delivery that is being sent ends on its own. */
async function failPendingDeliveries(tx: Tx, endpointIds: number[]): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: "FAILED", dueAt: null, endedAt: sql`now()` })
    .where(
      and(
        sql`${webhookDeliveries.endpointId} = any(${sql.param(endpointIds)}::bigint[])`,
        eq(webhookDeliveries.state, "PENDING"),
        isNull(webhookDeliveries.claimWorker),
      ),
    );
}
