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
 * What happened, a fact a row, written in the transaction of the change itself and never changed. The order of the log is
 * that of the primary key: a row whose transaction began before all that are still under way has none left to come before
 * it (ADR 0014).
 */
export const events = pgTable(
  "events",
  {
    xid: transactionId("xid").notNull().default(sql`pg_current_xact_id()`),
    id: number("id").notNull().generatedAlwaysAsIdentity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's partner, null where it is a person who signs in. */
    partnerId: uuid("partner_id"),
    type: text("type").notNull(),
    /** The API's own representation of the thing as it was then; as text, so that its fields keep their order. */
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

/** How far each part of the service that acts on events has read the log. */
export const eventReaders = pgTable("event_readers", {
  name: text("name").primaryKey(),
  xid: transactionId("xid").notNull().default(sql`'0'`),
  id: number("id").notNull().default(0),
});

/** Addresses that are told of events: a user's own, or a partner's for all its users. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: identity(),
    ownerId: uuid("owner_id").references(() => users.id, { onDelete: "cascade" }),
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    description: text("description"),
    secretSealed: bytes("secret_sealed").notNull(),
    /** The secret before the last rotation, which signs beside the new one until its time is over. */
    previousSecretSealed: bytes("previous_secret_sealed"),
    previousSecretUntil: instant("previous_secret_until"),
    disabledAt: instant("disabled_at"),
    /** Why Carillon disabled it, as a sentence; null where its owner did. */
    disabledReason: text("disabled_reason"),
    /** Since when no delivery has succeeded; null while they do. */
    failingSince: instant("failing_since"),
    /** Deliveries that may be under way at once: more with each success, one after a failure. */
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

/** An event for an endpoint; sent by one worker at a time until it is taken, or given up. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** The same in every attempt: the `webhook-id` by which a receiver knows what it had before. */
    id: uuid("id").primaryKey().defaultRandom(),
    endpointId: number("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** Null for a test, which reports nothing. */
    eventXid: transactionId("event_xid"),
    eventId: number("event_id"),
    state: text("state", { enum: ["PENDING", "DELIVERED", "FAILED"] })
      .notNull()
      .default("PENDING"),
    /** Failed attempts since it was begun, or last asked for again. */
    failures: integer("failures").notNull().default(0),
    /** When it is sent next, or its claim runs out; null at its end. */
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

/** Every attempt of a delivery: what was sent where, and what was answered. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: identity(),
    deliveryId: uuid("delivery_id")
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** As they were sent, the signature masked. */
    headers: json("headers").$type<{ [name: string]: string }>().notNull(),
    /** The answer's status; null where none came. */
    status: integer("status"),
    /** The beginning of the answer's body, secrets removed. */
    answer: text("answer"),
    /** What went wrong, as a sentence; null where it was taken. */
    error: text("error"),
    durationMs: integer("duration_ms").notNull(),
    startedAt: instant("started_at").notNull(),
  },
  (t) => [index("webhook_attempts_of_delivery").on(t.deliveryId, t.id)],
);
