import { sql } from "drizzle-orm";
import { boolean, index, integer, json, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { bytes, createdAt, identity, instant, number } from "./columns";
import { mediaImports } from "./media";
import { users } from "./people";

export const schedules = pgTable(
  "schedules",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    status: text("status").$type<ScheduleStatus>().notNull(),
    /** Null only for drafts. */
    scheduledTime: instant("scheduled_time"),
    /** Somebody who was asked wants it changed, and that is not closed yet; it keeps nothing from being published. */
    changesRequested: boolean("changes_requested").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("schedules_of_owner").on(t.ownerId, t.id),
    index("schedules_by_status").on(t.ownerId, t.status, t.id),
    index("schedules_by_time").on(t.ownerId, t.scheduledTime),
  ],
);

export type ScheduleStatus =
  | "DRAFT"
  | "AWAITING_MEDIA"
  | "SCHEDULED"
  | "MEDIA_IMPORT_FAILED"
  | "IN_PROGRESS"
  | "COMPLETED"
  | "PARTIALLY_COMPLETED"
  | "FAILED";

export type PublicationStatus = "PENDING" | "IN_PROGRESS" | "PUBLISHED" | "FAILED" | "UNKNOWN";

/** First answers of requests that carried an `Idempotency-Key`, given again when the request comes again. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Whose key it is: a user's id, or a partner's for what it asks in its own name. */
    ownerId: uuid("owner_id").notNull(),
    route: text("route").notNull(),
    key: text("key").notNull(),
    bodyHash: bytes("body_hash").notNull(),
    status: integer("status").notNull().default(201),
    /** As text: the first answer is given again with its fields in their order. */
    answer: json("answer").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.route, t.key] }), index("idempotency_keys_created_at").on(t.createdAt)],
);

/** One account's share of a schedule; claimed by one worker at a time. */
export const publications = pgTable(
  "publications",
  {
    id: identity(),
    scheduleId: number("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    accountId: number("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    settings: jsonb("settings").$type<{ type: string }>().notNull(),
    status: text("status").$type<PublicationStatus>().notNull().default("PENDING"),
    /** The claim: who works on it, until when, and a fence that grows with every claim. */
    claimWorker: uuid("claim_worker"),
    claimUntil: instant("claim_until"),
    claimFence: integer("claim_fence").notNull().default(0),
    /** When somebody should look at it next: due, claimed until then, or told to come back. Null: never. */
    dueAt: instant("due_at"),
    /** Claims since the last progress; the third that ends without any sets it aside. */
    claims: integer("claims").notNull().default(0),
    /** Attempts that ended in a fault worth repeating; waiting as told uses up none. */
    attempts: integer("attempts").notNull().default(0),
    /** When its person last asked for another try; lateness counts from then. */
    retriedAt: instant("retried_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("publications_of_schedule").on(t.scheduleId, t.position),
    index("publications_of_account").on(t.accountId, t.scheduleId),
    index("publications_unfinished").on(t.scheduleId).where(sql`${t.status} in ('PENDING', 'IN_PROGRESS')`),
    index("publications_claimed").on(t.claimWorker).where(sql`${t.claimWorker} is not null`),
    index("publications_due").on(t.dueAt, t.accountId).where(sql`${t.dueAt} is not null`),
    index("publications_due_of_account").on(t.accountId, t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);

export const posts = pgTable(
  "posts",
  {
    id: identity(),
    publicationId: number("publication_id")
      .notNull()
      .references(() => publications.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    content: text("content").notNull(),
    attachmentPaths: text("attachment_paths").array().notNull(),
    chatId: text("chat_id"),
    thumbnailPath: text("thumbnail_path"),
    status: text("status").$type<PublicationStatus>().notNull().default("PENDING"),
    networkPostId: text("network_post_id"),
    permalink: text("permalink"),
    publishedAt: instant("published_at"),
    error: text("error"),
  },
  (t) => [
    index("posts_of_publication").on(t.publicationId, t.position),
    index("posts_by_permalink").on(t.permalink).where(sql`${t.permalink} is not null`),
    // Which posts use a file, by hashes, since an address to import may be longer than an index takes. Texts alone stay out.
    index("posts_by_file")
      .using("gin", sql`file_hashes(${t.attachmentPaths}, ${t.thumbnailPath})`)
      .where(sql`${t.attachmentPaths} <> '{}' or ${t.thumbnailPath} is not null`),
  ],
);

/** Attachments that were given as public URLs, with the import that fetches each. */
export const attachmentImports = pgTable(
  "attachment_imports",
  {
    postId: number("post_id")
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    /** Position in the post's `attachment_paths`, from 0. */
    position: integer("position").notNull(),
    sourceUrl: text("source_url").notNull(),
    importId: number("import_id")
      .notNull()
      .references(() => mediaImports.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.postId, t.position] }), index("attachment_imports_of_import").on(t.importId)],
);
