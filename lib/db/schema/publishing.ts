import { sql } from "drizzle-orm";
import { boolean, date, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { Platform } from "../../platforms";
import { bytes, identity, instant, number } from "./columns";
import { users } from "./people";
import { posts, publications } from "./schedules";

/** The recorded steps of a publication: finished steps with results, running polls, and intents (`SENDING`) without an outcome. */
export const publishSteps = pgTable(
  "publish_steps",
  {
    postId: number("post_id").notNull(),
    name: text("name").notNull(),
    state: text("state", { enum: ["SENDING", "POLLING", "DONE"] }).notNull(),
    result: jsonb("result"),
    /** The step was recorded as an irreversible call. It is never deleted, even if the publication is retried. */
    irreversible: boolean("irreversible").notNull().default(true),
    /** The worker that stored it. An intent is repeated only after this worker is known to be dead. */
    workerId: uuid("worker_id").notNull(),
    /** For an intent: the time of its first call. A post made by a lost call may be as old as this. */
    startedAt: instant("started_at").notNull().defaultNow(),
    /** For an intent: the time of its latest call. */
    sentAt: instant("sent_at"),
    /** For an intent: the time when its latest call ended without a clear answer. Null: it is not known to have ended. */
    finishedAt: instant("finished_at"),
    /** For an intent: a hash that is equal for posts that look the same to the network's lists. Null: not looked up in lists. */
    lookalikeKey: text("lookalike_key"),
    /** For an intent: IDs of lookalikes that the network listed before the call. Null: the list was not read. */
    listedBefore: text("listed_before").array(),
  },
  (t) => [
    primaryKey({ columns: [t.postId, t.name] }),
    foreignKey({ columns: [t.postId], foreignColumns: [posts.id] }).onDelete("cascade"),
    index("publish_steps_sending").on(t.sentAt).where(sql`${t.state} = 'SENDING'`),
    index("publish_steps_lookalikes").on(t.lookalikeKey).where(sql`${t.lookalikeKey} is not null`),
  ],
);

/**
 * Calls that may have made a post on a network, with no other trace in the database because the post was deleted or sent again.
 * Lookups must not adopt such a post (lib/schedules/publish/lookup.ts). A trigger on `posts` adds those of a deleted post. The rows
 * name no owner and no account, and are deleted as soon as no lookup needs them.
 */
export const deletedCalls = pgTable(
  "deleted_calls",
  {
    id: identity(),
    postId: number("post_id").notNull(),
    /** `publish_steps.lookalike_key` */
    lookalikeKey: text("lookalike_key").notNull(),
    /** `network_post_hash` of the place and ID of the published post on the network. Null: the ID is not known. */
    postHash: bytes("post_hash"),
    /** The post has a permalink, so its ID is the one under which the network lists it, and not a handle. */
    isIdFinal: boolean("is_id_final").notNull().default(false),
    sentAt: instant("sent_at").notNull(),
  },
  (t) => [
    index("deleted_calls_lookalikes").on(t.lookalikeKey),
    index("deleted_calls_posts").on(t.postHash).where(sql`${t.postHash} is not null`),
  ],
);

/**
 * How many publications of an owner and a day (UTC) were published and then deleted on that day. They still count against the
 * limit per day (lib/schedules/quota.ts). A trigger on `posts` counts them.
 */
export const deletedPublications = pgTable(
  "deleted_publications",
  {
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    day: date("day").notNull(),
    count: integer("count").notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.day] })],
);

/** The attempts of a publication with outcome and network answer. Consecutive equal attempts are stored once. */
export const publishAttempts = pgTable(
  "publish_attempts",
  {
    id: identity(),
    publicationId: number("publication_id")
      .notNull()
      .references(() => publications.id, { onDelete: "cascade" }),
    postId: number("post_id").notNull(),
    outcome: text("outcome").$type<AttemptOutcome>().notNull(),
    /**
     * It is an attempt at the first comment on the post. Null in rows that a release without this column wrote: their messages
     * begin with `First comment: ` if it is.
     */
    isComment: boolean("is_comment"),
    /** The outcome as a sentence for the user. */
    message: text("message").notNull(),
    /** The network's answer without secrets: `{ status, code?, message? }`. */
    answer: jsonb("answer").$type<{ status: number; code?: string; message?: string }>(),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at").notNull(),
    times: integer("times").notNull().default(1),
    /** When it is retried or looked up again. Null: not automatically. */
    nextAttemptAt: instant("next_attempt_at"),
  },
  (t) => [index("publish_attempts_of_publication").on(t.publicationId, t.id)],
);

export type AttemptOutcome = "PUBLISHED" | "WAITING" | "RETRYING" | "LOOKING" | "FAILED" | "UNKNOWN";

/**
 * The circuit breaker of each network, shared by all workers. A row exists only while a network has problems. The network gets
 * no new work until `closed_until`, and then `allowance` publications at a time, more with each success.
 */
export const networkHealth = pgTable("network_health", {
  platform: text("platform").$type<Platform>().primaryKey(),
  /** Consecutive failures. */
  consecutiveFailures: integer("consecutive_failures").notNull(),
  /** Consecutive closures. Each lasts longer than the one before. */
  closures: integer("closures").notNull().default(0),
  closedUntil: instant("closed_until"),
  /** Null: no limit except the network's own. */
  allowance: integer("allowance"),
});

/**
 * Refusals of the service's own application at a network, by reason: errors of the kind `operator`. The rows are kept, so that
 * a reason that comes back is not mailed twice a day.
 */
export const operatorProblems = pgTable(
  "operator_problems",
  {
    platform: text("platform").$type<Platform>().notNull(),
    /** A sentence without its full stop, from the network's error table. */
    reason: text("reason").notNull(),
    /** What the operator must do, and where. */
    fix: text("fix").notNull(),
    times: integer("times").notNull().default(1),
    firstAt: instant("first_at").notNull().defaultNow(),
    lastAt: instant("last_at").notNull().defaultNow(),
    /** When a post that had waited for it was published. Null: not since it was last seen. */
    resolvedAt: instant("resolved_at"),
    /** When the staff last got a mail about it. */
    mailedAt: instant("mailed_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.platform, t.reason] })],
);

/**
 * What the service has used of a network's daily quota, by bucket (`Network.quota`). Past days are deleted. With an empty
 * `reserved_for`, the units that were used; otherwise the units reserved for one running publication.
 */
export const networkQuota = pgTable(
  "network_quota",
  {
    platform: text("platform").$type<Platform>().notNull(),
    /** The day in the network's time zone, YYYY-MM-DD. */
    day: text("day").notNull(),
    bucket: text("bucket").notNull(),
    reservedFor: text("reserved_for").notNull(),
    units: integer("units").notNull(),
  },
  (t) => [primaryKey({ columns: [t.platform, t.day, t.bucket, t.reservedFor] })],
);

/** Publishing is paused while this table has its one row. */
export const publishingPause = pgTable("publishing_pause", {
  id: integer("id").primaryKey().default(1),
  pausedAt: instant("paused_at").notNull().defaultNow(),
  reason: text("reason"),
});

/** Connections outside of `TRUSTED_PROXIES` that sent a forwarded header: the last of a private and of a public address. */
export const forwarders = pgTable("forwarders", {
  kind: text("kind").$type<"private" | "public">().primaryKey(),
  address: text("address").notNull(),
  header: text("header").notNull(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});

/** Running workers. Each updates its heartbeat every few seconds and holds its own advisory lock while its process lives. */
export const workers = pgTable("workers", {
  id: uuid("id").primaryKey(),
  /** The ID under which the job engine of this process locks its jobs. */
  poolId: text("pool_id"),
  /** Second integer of its session advisory lock (lib/db/locks.ts). */
  lockKey: integer("lock_key").notNull().unique().generatedAlwaysAsIdentity(),
  /** The release and build that it runs (lib/version.ts). Null: a release that did not store it yet. */
  version: text("version"),
  startedAt: instant("started_at").notNull().defaultNow(),
  heartbeatAt: instant("heartbeat_at").notNull().defaultNow(),
});
