import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant, number, transactionId } from "./columns";
import { partners, users } from "./people";

/**
 * The event log. Each event is written in the transaction of the change and never updated. The primary key is the order of the
 * log. A row is final once its transaction is older than all running ones: no row can be added before it (ADR 14).
 */
export const events = pgTable(
  "events",
  {
    xid: transactionId("xid").notNull().default(sql`pg_current_xact_id()`),
    id: number("id").notNull().generatedAlwaysAsIdentity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's partner. Null for users of the dashboard. */
    partnerId: uuid("partner_id"),
    type: text("type").notNull(),
    /** The API's representation of the object at that time. `json` keeps the order of the fields. */
    data: json("data").notNull(),
    createdAt: instant("created_at").notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    primaryKey({ columns: [t.xid, t.id] }),
    index("events_of_owner").on(t.ownerId, t.xid, t.id),
    index("events_of_partner").on(t.partnerId, t.xid, t.id).where(sql`${t.partnerId} is not null`),
    index("events_by_age").using("brin", t.createdAt),
  ],
);

/** The position of each reader in the event log. */
export const eventReaders = pgTable("event_readers", {
  name: text("name").primaryKey(),
  xid: transactionId("xid").notNull().default(sql`'0'`),
  id: number("id").notNull().default(0),
  /**
   * The transaction that recorded that the reader rests: it looks rarely, and each new event notifies it. Null while it looks
   * often and needs no notifications.
   */
  restXid: transactionId("rest_xid"),
});

/** Webhooks: a user's own, or a partner's for all of its users. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: identity(),
    ownerId: uuid("owner_id").references(() => users.id, { onDelete: "cascade" }),
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    description: text("description"),
    /** The client ID of the application that created or last changed it; null if its owner did, or a token of theirs. */
    clientId: text("client_id"),
    secretSealed: bytes("secret_sealed").notNull(),
    disabledAt: instant("disabled_at"),
    /** Why Carillon disabled it, as a sentence. Null if its owner disabled it. */
    disabledReason: text("disabled_reason"),
    /** Since when no delivery has succeeded. Null if the last delivery succeeded. */
    failingSince: instant("failing_since"),
    /** Maximum number of concurrent deliveries. It doubles with each success and is 1 after a failure. */
    allowance: integer("allowance").notNull().default(2),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("webhook_endpoints_of_owner").on(t.ownerId, t.id),
    index("webhook_endpoints_of_partner").on(t.partnerId, t.id),
    check("webhook_endpoints_have_one_owner", sql`num_nonnulls(${t.ownerId}, ${t.partnerId}) = 1`),
  ],
);

/** Secrets replaced by a rotation. Until they expire, requests are signed with them too, so that receivers can switch. */
export const webhookEarlierSecrets = pgTable(
  "webhook_earlier_secrets",
  {
    id: identity(),
    endpointId: number("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    secretSealed: bytes("secret_sealed").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("webhook_earlier_secrets_of_endpoint").on(t.endpointId, t.expiresAt)],
);

/** The delivery of an event to a webhook. One worker at a time sends it, until it succeeds or is given up. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** The `webhook-id`, the same in every attempt, by which a receiver recognises duplicates. */
    id: uuid("id").primaryKey().defaultRandom(),
    endpointId: number("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** Null for a webhook test, which has no event. */
    eventXid: transactionId("event_xid"),
    eventId: number("event_id"),
    state: text("state", { enum: ["PENDING", "DELIVERED", "FAILED"] })
      .notNull()
      .default("PENDING"),
    /** Failed attempts since the delivery was created or last requested again. */
    failures: integer("failures").notNull().default(0),
    /** When it is sent next or its claim expires. Null when it has ended. */
    dueAt: instant("due_at").defaultNow(),
    claimWorker: uuid("claim_worker"),
    claimUntil: instant("claim_until"),
    claimFence: integer("claim_fence").notNull().default(0),
    createdAt: instant("created_at").notNull().default(sql`clock_timestamp()`),
    endedAt: instant("ended_at"),
  },
  (t) => [
    foreignKey({ columns: [t.eventXid, t.eventId], foreignColumns: [events.xid, events.id] })
      .onDelete("cascade")
      .onUpdate("cascade"),
    uniqueIndex("webhook_deliveries_once").on(t.eventXid, t.eventId, t.endpointId),
    index("webhook_deliveries_of_endpoint").on(t.endpointId, t.createdAt, t.id),
    index("webhook_deliveries_due").on(t.dueAt, t.endpointId).where(sql`${t.dueAt} is not null`),
    index("webhook_deliveries_due_of_endpoint").on(t.endpointId, t.dueAt).where(sql`${t.dueAt} is not null`),
    index("webhook_deliveries_claimed").on(t.claimWorker).where(sql`${t.claimWorker} is not null`),
    index("webhook_tests_by_age").on(t.createdAt).where(sql`${t.eventId} is null`),
  ],
);

/** An attempt of a delivery: the request and the response. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: identity(),
    deliveryId: uuid("delivery_id")
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** The request headers, with the signature masked. */
    headers: json("headers").$type<{ [name: string]: string }>().notNull(),
    /** Status of the response. Null if there was none. */
    status: integer("status"),
    /** The beginning of the response body, without secrets. */
    answer: text("answer"),
    /** Why the attempt failed, as a sentence. Null if it succeeded. */
    error: text("error"),
    durationMs: integer("duration_ms").notNull(),
    startedAt: instant("started_at").notNull(),
  },
  (t) => [index("webhook_attempts_of_delivery").on(t.deliveryId, t.id)],
);
