import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { Platform } from "../../platforms";
import { identity, instant, number } from "./columns";
import { posts, publications } from "./schedules";

/** A publication's memory: finished steps with their results, polls under way, and intents (`SENDING`) without an outcome. */
export const publishSteps = pgTable(
  "publish_steps",
  {
    postId: number("post_id").notNull(),
    name: text("name").notNull(),
    state: text("state", { enum: ["SENDING", "POLLING", "DONE"] }).notNull(),
    result: jsonb("result"),
    /** It was announced as a call that cannot be taken back: never forgotten, whatever is tried again. */
    irreversible: boolean("irreversible").notNull().default(true),
    /** Who stored it; an intent is repeated only once this worker is provably dead. */
    workerId: uuid("worker_id").notNull(),
    /** Of an intent: the first one's time, since what a lost call made may be as old as that. */
    startedAt: instant("started_at").notNull().defaultNow(),
    /** Of an intent: the newest one's time, from which waiting for the network to settle is counted. */
    sentAt: instant("sent_at"),
    finishedAt: instant("finished_at"),
  },
  (t) => [
    primaryKey({ columns: [t.postId, t.name] }),
    foreignKey({ columns: [t.postId], foreignColumns: [posts.id] }).onDelete("cascade"),
  ],
);

/** A publication's story: what was tried, how it ended, what the network answered. Equal ones in a row are one. */
export const publishAttempts = pgTable(
  "publish_attempts",
  {
    id: identity(),
    publicationId: number("publication_id")
      .notNull()
      .references(() => publications.id, { onDelete: "cascade" }),
    postId: number("post_id").notNull(),
    outcome: text("outcome").$type<AttemptOutcome>().notNull(),
    /** A sentence for a person. */
    message: text("message").notNull(),
    /** The network's own answer, secrets removed: `{ status, code?, message? }`. */
    answer: jsonb("answer").$type<{ status: number; code?: string; message?: string }>(),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at").notNull(),
    times: integer("times").notNull().default(1),
    /** When it is tried or looked at again; null: not by itself. */
    nextAttemptAt: instant("next_attempt_at"),
  },
  (t) => [index("publish_attempts_of_publication").on(t.publicationId, t.id)],
);

export type AttemptOutcome = "PUBLISHED" | "WAITING" | "RETRYING" | "LOOKING" | "FAILED" | "UNKNOWN";

/**
 * How each network has been of late, for all workers: a row only while something is wrong. Closed to new work until
 * `closed_until`; then `allowance` publications at a time, more with each success.
 */
export const networkHealth = pgTable("network_health", {
  platform: text("platform").$type<Platform>().primaryKey(),
  /** Faults in a row. */
  consecutiveFailures: integer("consecutive_failures").notNull(),
  /** How often it was closed in a row; each time for longer. */
  closures: integer("closures").notNull().default(0),
  closedUntil: instant("closed_until"),
  /** Null: no limit beyond the network's own. */
  allowance: integer("allowance"),
});

/**
 * What the whole service has used of a network's daily quota, by bucket (`Network.quota`); days that are over are forgotten.
 * Under an empty `holder` what was spent; under another what is kept for one publication that is under way.
 */
export const networkQuota = pgTable(
  "network_quota",
  {
    platform: text("platform").$type<Platform>().notNull(),
    /** By the network's calendar, YYYY-MM-DD. */
    day: text("day").notNull(),
    bucket: text("bucket").notNull(),
    reservedFor: text("reserved_for").notNull(),
    units: integer("units").notNull(),
  },
  (t) => [primaryKey({ columns: [t.platform, t.day, t.bucket, t.reservedFor] })],
);

/** The one switch that pauses all publishing; at most one row. */
export const publishingPause = pgTable("publishing_pause", {
  id: integer("id").primaryKey().default(1),
  pausedAt: instant("paused_at").notNull().defaultNow(),
  reason: text("reason"),
});

/** Workers that are alive: each beats every few seconds and holds an advisory lock of its own while its process lives. */
export const workers = pgTable("workers", {
  id: uuid("id").primaryKey(),
  /** What the job engine calls this process; its jobs are locked under that name. */
  poolId: text("pool_id"),
  /** The key of its session advisory lock. */
  lockKey: integer("lock_key").notNull().unique().generatedAlwaysAsIdentity(),
  startedAt: instant("started_at").notNull().defaultNow(),
  heartbeatAt: instant("heartbeat_at").notNull().defaultNow(),
});
