import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { dbOrTransaction, events, type Tx, users, webhookAttempts, webhookDeliveries } from "../db";
import { Conflict, NotFound } from "../errors";
import { shortenPage } from "../http/page-size";
import type { Subscriber } from "./endpoints";
import { type Endpoint, getEndpoint } from "./endpoints";
import { presentEvent, presentTest, type WebhookDelivery } from "./present";
import type { EventType } from "./types";

const CONTENT_BATCH_SIZE = 20;

type Row = typeof webhookDeliveries.$inferSelect;

/** Where a list continues: deliveries created before this instant, or at it with a lower ID. */
type Place = [createdAt: string, id: string];

/** Lists the deliveries of an endpoint, newest first. @throws NotFound */
export async function listDeliveries(
  subscriber: Subscriber,
  endpointId: number,
  { limit, after }: { limit: number; after?: Place },
): Promise<{ items: WebhookDelivery[]; next?: Place }> {
  const endpoint = await getEndpoint(subscriber, endpointId);
  const { createdAt, id } = webhookDeliveries;
  const from = after && sql`(${createdAt}, ${id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const rows = await dbOrTransaction
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, endpoint.id), from))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1);
  const items = await loadPage(rows.slice(0, limit));
  const last = items.at(-1);
  const next: Place | undefined = last && rows.length > items.length ? [last.createdAt, last.id] : undefined;
  return { items, next };
}

/** Loads the contents of a page in batches, because each may have 1 MB. A page of very long ones is shorter. */
async function loadPage(rows: Row[]): Promise<WebhookDelivery[]> {
  const items: WebhookDelivery[] = [];
  for (let from = 0; from < rows.length; from += CONTENT_BATCH_SIZE) {
    items.push(...(await loadContents(dbOrTransaction, rows.slice(from, from + CONTENT_BATCH_SIZE))));
    const shown = shortenPage(items, ({ body }) => body.length);
    if (shown.length < items.length) return shown;
  }
  return items;
}

/**
 * Sends a test event to an endpoint, once. The result is listed with the endpoint's deliveries.
 * @throws NotFound; Conflict if the endpoint is disabled
 */
export async function sendTestDelivery(subscriber: Subscriber, endpointId: number): Promise<WebhookDelivery> {
  return dbOrTransaction.transaction(async (tx) => {
    const endpoint = await getEndpoint(subscriber, endpointId, tx);
    assertEnabled(endpoint);
    const rows = await tx.insert(webhookDeliveries).values({ endpointId: endpoint.id }).returning();
    return only(await loadContents(tx, rows));
  });
}

/**
 * Sends a delivery again now, with the same ID, and then on the usual retry schedule. A delivery that waits for its next
 * attempt is sent now.
 * @param messageId its `webhook-id`
 * @throws NotFound; Conflict if the endpoint is disabled
 */
export async function redeliver(
  subscriber: Subscriber,
  endpointId: number,
  messageId: string,
): Promise<WebhookDelivery> {
  return dbOrTransaction.transaction(async (tx) => {
    const endpoint = await getEndpoint(subscriber, endpointId, tx);
    const id = deliveryIdOf(messageId);
    const [known] = id
      ? await tx
          .select()
          .from(webhookDeliveries)
          .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.endpointId, endpoint.id)))
          .for("update")
      : [];
    if (!known) throw new NotFound("Delivery", messageId);
    assertEnabled(endpoint);
    if (known.claimWorker) return only(await loadContents(tx, [known])); // in progress right now
    const rows = await tx
      .update(webhookDeliveries)
      .set({ state: "PENDING", failures: 0, dueAt: sql`now()`, endedAt: null })
      .where(eq(webhookDeliveries.id, known.id))
      .returning();
    return only(await loadContents(tx, rows));
  });
}

function assertEnabled({ id, disabledAt }: Endpoint): void {
  if (disabledAt) throw new Conflict(`Webhook ${id} is disabled; enable it first`);
}

/** Converts a `webhook-id` to the database's ID; undefined if it is malformed. */
function deliveryIdOf(messageId: string): string | undefined {
  const hex = /^msg_([0-9a-f]{32})$/.exec(messageId)?.[1];
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function only([one]: WebhookDelivery[]): WebhookDelivery {
  if (!one) throw new Error("the delivery was not stored");
  return one;
}

async function loadContents(tx: Tx, rows: Row[]): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const told = await tx
    .select({
      deliveryId: webhookDeliveries.id,
      type: events.type,
      data: events.data,
      createdAt: events.createdAt,
      externalUserId: users.externalUserId,
    })
    .from(webhookDeliveries)
    .innerJoin(events, and(eq(events.xid, webhookDeliveries.eventXid), eq(events.id, webhookDeliveries.eventId)))
    .innerJoin(users, eq(users.id, events.ownerId))
    .where(inArray(webhookDeliveries.id, ids));
  const attempts = await tx
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, ids))
    .orderBy(asc(webhookAttempts.id));
  return rows.map((row) => {
    const event = told.find(({ deliveryId }) => deliveryId === row.id);
    return {
      ...row,
      ...deliveryContent(row, event),
      attempts: attempts.filter(({ deliveryId }) => deliveryId === row.id),
    };
  });
}

export type StoredEvent = { type: string; data: unknown; createdAt: string; externalUserId: string | null };

/** Returns the content of a delivery, identical to the byte for every attempt. */
export function deliveryContent(
  { endpointId, createdAt }: Pick<Row, "endpointId" | "createdAt">,
  event: StoredEvent | undefined,
): { type: string; body: string } {
  const content = event ? presentEvent(typedEvent(event)) : presentTest(endpointId, createdAt);
  return { type: content.type, body: JSON.stringify(content) };
}

/** The only place that trusts a stored event to have the types that `emit` requires. */
function typedEvent({ type, data, ...rest }: StoredEvent) {
  return { ...rest, type: type as EventType, data: data as { [field: string]: unknown } };
}
