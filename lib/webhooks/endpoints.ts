import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { dbOrTransaction, type Tx, webhookDeliveries, webhookEndpoints } from "../db";
import { webhooksLockText } from "../db/locks";
import { BadRequest, Conflict, NotFound } from "../errors";
import { EgressError } from "../http/egress-error";
import { allowedAddresses, defaultGuard, type Guard } from "../http/egress-guard";
import { parseOutsideUrl, portOf } from "../http/outside-url";
import { createWebhookSecret, sealSecret } from "./secret";
import type { EventType } from "./types";

/** The owner of endpoints and events: one user, or a partner, whose own endpoints receive the events of all its users. */
export type Subscriber = { ownerId: string } | { partnerId: string };

const isEndpointOf = (subscriber: Subscriber): SQL =>
  "ownerId" in subscriber
    ? eq(webhookEndpoints.ownerId, subscriber.ownerId)
    : eq(webhookEndpoints.partnerId, subscriber.partnerId);

/** SQL about a row `e` of events: it belongs to this subscriber. */
export const isEventOf = (subscriber: Subscriber): SQL =>
  "ownerId" in subscriber ? sql`e.owner_id = ${subscriber.ownerId}` : sql`e.partner_id = ${subscriber.partnerId}`;

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
/** How long the previous secret still signs after a rotation. */
const SECRET_OVERLAP = sql`interval '24 hours'`;

/**
 * Adds an endpoint for events from now on.
 * @returns the endpoint with its secret, which is not shown again
 * @throws BadRequest if the URL cannot be called; Conflict if there are 50 endpoints already
 */
export async function createEndpoint(
  subscriber: Subscriber,
  { url, events, description, enabled = true }: NewEndpoint,
): Promise<Endpoint & { secret: string }> {
  await assertCallable(url);
  const secret = createWebhookSecret();
  return dbOrTransaction.transaction(async (tx) => {
    await assertBelowLimit(tx, subscriber);
    const id = await nextId(tx);
    const values = { ...subscriber, url, events: [...new Set(events)], description: description ?? null };
    const [row] = await tx
      .insert(webhookEndpoints)
      .overridingSystemValue()
      .values({ id, ...values, secretSealed: sealSecret(id, secret), disabledAt: enabled ? null : sql`now()` })
      .returning();
    if (!row) throw new Error("the endpoint was not stored");
    return { ...row, secret };
  });
}

/** Reserves the ID before the row exists, because the secret is sealed for this ID. */
async function nextId(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) as id`,
  );
  return Number(rows[0]?.id);
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
    const values = { url, events: [...new Set(events)], description: description ?? null, updatedAt: sql`now()` };
    const [row] = await tx
      .update(webhookEndpoints)
      .set({ ...values, ...(enabled ? ENABLED : { disabledAt: sql`coalesce(disabled_at, now())` }) })
      .where(and(eq(webhookEndpoints.id, id), isEndpointOf(subscriber)))
      .returning();
    if (!row) throw new NotFound("Webhook", id);
    if (!enabled) await failPendingDeliveries(tx, id);
    return row;
  });
}

const ENABLED = { disabledAt: null, disabledReason: null, failingSince: null };

/** @throws NotFound */
export async function deleteEndpoint(subscriber: Subscriber, id: number): Promise<void> {
  const rows = await dbOrTransaction
    .delete(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), isEndpointOf(subscriber)))
    .returning({ id: webhookEndpoints.id });
  if (rows.length === 0) throw new NotFound("Webhook", id);
}

/**
 * Creates a new secret. The previous one also signs for 24 hours, so that receivers can switch without losing events.
 * @throws NotFound
 */
export async function rotateSecret(subscriber: Subscriber, id: number): Promise<Endpoint & { secret: string }> {
  const secret = createWebhookSecret();
  const [row] = await dbOrTransaction
    .update(webhookEndpoints)
    .set({
      secretSealed: sealSecret(id, secret),
      previousSecretSealed: sql`secret_sealed`,
      previousSecretUntil: sql`now() + ${SECRET_OVERLAP}`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(webhookEndpoints.id, id), isEndpointOf(subscriber)))
    .returning();
  if (!row) throw new NotFound("Webhook", id);
  return { ...row, secret };
}

/** Disables an endpoint and stores the reason for its owner. Returns undefined if it was disabled already. */
export async function disableEndpoint(tx: Tx, id: number, reason: string): Promise<Endpoint | undefined> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: sql`now()`, disabledReason: reason, updatedAt: sql`now()` })
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.disabledAt)))
    .returning();
  if (row) await failPendingDeliveries(tx, id);
  return row;
}

/** Fails the deliveries that wait for a disabled endpoint. A delivery that is being sent ends on its own. */
async function failPendingDeliveries(tx: Tx, endpointId: number): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: "FAILED", dueAt: null, endedAt: sql`now()` })
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        eq(webhookDeliveries.state, "PENDING"),
        isNull(webhookDeliveries.claimWorker),
      ),
    );
}
