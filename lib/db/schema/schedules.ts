import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Platform } from "../../platforms";
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
    /** A reviewer requested changes that are still open. This does not prevent publishing. */
    changesRequested: boolean("changes_requested").notNull().default(false),
    /** The place in a trace of the request that last stored it (W3C Trace Context). Null if the request belonged to no trace. */
    traceparent: text("traceparent"),
    /** When an application with the scope `posts.propose` created it. Null if it did not. */
    proposedAt: instant("proposed_at"),
    /** The name of that application or token at that time. */
    proposedBy: text("proposed_by"),
    /** Its client ID, or `personal` for a personal token. */
    proposedClientId: text("proposed_client_id"),
    /** When a person approved the content that it has now. Storing any other content clears it. */
    approvedAt: instant("approved_at"),
    /** Digest of the approved content (lib/schedules/present.ts). */
    approvedDigest: text("approved_digest"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    // Whatever code changes a proposal, it stays a draft until a person has approved it.
    check(
      "schedules_proposals_are_approved",
      sql`${t.proposedAt} is null or ${t.status} = 'DRAFT' or ${t.approvedDigest} is not null`,
    ),
    index("schedules_of_owner").on(t.ownerId, t.id),
    index("schedules_by_status").on(t.ownerId, t.status, t.id),
    index("schedules_by_time").on(t.ownerId, t.scheduledTime),
    index("schedules_by_status_and_time").on(t.ownerId, t.status, t.scheduledTime, t.id),
    // Finds the schedules that are deleted because of their age.
    index("schedules_finished")
      .on(t.updatedAt)
      .where(sql`${t.status} in ('COMPLETED', 'PARTIALLY_COMPLETED', 'FAILED')`),
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

/** Stored answers of requests with an `Idempotency-Key`, returned when a request is repeated. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** ID of the user, or of the partner for calls in its own name. */
    ownerId: uuid("owner_id").notNull(),
    route: text("route").notNull(),
    key: text("key").notNull(),
    bodyHash: bytes("body_hash").notNull(),
    status: integer("status").notNull().default(201),
    /** `json` keeps the order of the fields. */
    answer: json("answer").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.route, t.key] }), index("idempotency_keys_created_at").on(t.createdAt)],
);

/** The outcome of a publication's first comment. `PENDING`: it is still to be sent or looked up. */
export type CommentOutcome = {
  status: Extract<PublicationStatus, "PENDING" | "PUBLISHED" | "FAILED" | "UNKNOWN">;
  /** The network's own ID of the comment. */
  id?: string;
  permalink?: string;
  /** Why it was not published, or why its outcome is unknown: a sentence for the user. */
  error?: string;
  /** Failed attempts that were retried. */
  attempts?: number;
};

/** The part of a schedule for one account. One worker at a time claims it. */
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
    /** The account's network. A trigger sets it if the statement does not, as in the release before this column. */
    platform: text("platform").$type<Platform>(),
    position: integer("position").notNull(),
    settings: jsonb("settings").$type<{ type: string; [name: string]: unknown }>().notNull(),
    status: text("status").$type<PublicationStatus>().notNull().default("PENDING"),
    /** The claim: the worker, its end, and a fence that increases with every claim. */
    claimWorker: uuid("claim_worker"),
    claimUntil: instant("claim_until"),
    claimFence: integer("claim_fence").notNull().default(0),
    /** When a worker should next claim it: at its time, when its claim expires, or for another attempt. Null: never. */
    dueAt: instant("due_at"),
    /** Claims since the last progress. After three claims without progress, it is no longer retried. */
    claims: integer("claims").notNull().default(0),
    /** Failed attempts that are retried. Waiting for Retry-After does not count. */
    attempts: integer("attempts").notNull().default(0),
    /** When the user last requested another attempt. Lateness is counted from then. */
    retriedAt: instant("retried_at"),
    /** The user allowed sending a post with an unknown outcome once more, unless the network shows it. */
    sendAgain: boolean("send_again").notNull().default(false),
    /**
     * It failed because its account needed reconnecting. Null in rows that a release without this column settled: the errors of
     * their posts end with `RETRY_AFTER_RECONNECT` if it did.
     */
    isMissed: boolean("is_missed"),
    /** When the person decided to leave it unpublished. A retry clears it. */
    leftAt: instant("left_at"),
    /** The outcome of the first comment. A trigger sets it when the publication is published; null before, or without a comment. */
    comment: jsonb("comment").$type<CommentOutcome>(),
    /** When a worker should next work on the first comment. Null: never. */
    commentDueAt: instant("comment_due_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("publications_of_schedule").on(t.scheduleId, t.position),
    index("publications_of_account").on(t.accountId, t.scheduleId),
    index("publications_unfinished").on(t.scheduleId).where(sql`${t.status} in ('PENDING', 'IN_PROGRESS')`),
    index("publications_claimed").on(t.claimWorker).where(sql`${t.claimWorker} is not null`),
    index("publications_retried").on(t.retriedAt).where(sql`${t.retriedAt} is not null`),
    index("publications_due_of_network").on(t.platform, t.dueAt, t.accountId).where(sql`${t.dueAt} is not null`),
    // Finds what the rescue loop looks for: scheduled, not published and without a time to be looked at.
    index("publications_without_due_time")
      .on(t.scheduleId)
      .where(sql`${t.dueAt} is null and ${t.status} in ('PENDING', 'IN_PROGRESS')`),
    // The posts for staff to look at.
    index("publications_unknown").on(t.id).where(sql`${t.status} = 'UNKNOWN' and ${t.leftAt} is null`),
    index("publications_comment_due").on(t.commentDueAt).where(sql`${t.commentDueAt} is not null`),
    index("publications_due_of_account").on(t.accountId, t.dueAt).where(sql`${t.dueAt} is not null`),
    // For searches, like `posts_by_text`: the settings that are texts.
    index("publications_by_text")
      .using("gin", sql`text_grams(setting_texts(${t.settings}), ${t.accountId}::text)`)
      .where(sql`setting_texts(${t.settings}) <> ''`),
  ],
);

export const posts = pgTable(
  "posts",
  {
    id: identity(),
    publicationId: number("publication_id")
      .notNull()
      .references(() => publications.id, { onDelete: "cascade" }),
    /** The owner of the schedule, for the indexes. Null in rows that a release without this column wrote. */
    ownerId: uuid("owner_id"),
    position: integer("position").notNull(),
    content: text("content").notNull(),
    attachmentPaths: text("attachment_paths").array().notNull(),
    chatId: text("chat_id"),
    thumbnailPath: text("thumbnail_path"),
    status: text("status").$type<PublicationStatus>().notNull().default("PENDING"),
    networkPostId: text("network_post_id"),
    /** The account or destination that the network's ID belongs to. Within it, an ID belongs to one post. Null: not checked. */
    networkPlace: text("network_place"),
    permalink: text("permalink"),
    publishedAt: instant("published_at"),
    error: text("error"),
  },
  (t) => [
    index("posts_of_publication").on(t.publicationId, t.position),
    index("posts_further_of_owner").on(t.ownerId, t.position).where(sql`${t.position} > 0`),
    // For searches (ADR 33). Its statistics are off, because nothing reads them and they cost seconds.
    index("posts_by_text").using("gin", sql`text_grams(${t.content}, ${t.ownerId}::text)`),
    uniqueIndex("posts_by_network_post").on(t.networkPlace, t.networkPostId).where(sql`${t.networkPlace} is not null`),
    index("posts_by_permalink").on(t.permalink).where(sql`${t.permalink} is not null`),
    // Finds the posts that use a file. It indexes hashes, because URLs may be longer than an index key. Posts without files are excluded.
    index("posts_by_file")
      .using("gin", sql`file_hashes(${t.attachmentPaths}, ${t.thumbnailPath})`)
      .where(sql`${t.attachmentPaths} <> '{}' or ${t.thumbnailPath} is not null`),
  ],
);

/** Attachments that were given as public URLs, with the import of each. */
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

/** Links with which people without an account can see the preview of a schedule and give feedback. The token is hashed. */
export const reviewLinks = pgTable(
  "review_links",
  {
    id: identity(),
    scheduleId: number("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    tokenHash: bytes("token_hash").notNull().unique(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("review_links_of_schedule").on(t.scheduleId, t.id)],
);

export type ReviewVerdict = "APPROVED" | "CHANGES_REQUESTED";

/** Feedback on a schedule, with the owner's answer. */
export const feedback = pgTable(
  "feedback",
  {
    id: identity(),
    scheduleId: number("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    /** Null after the link was revoked; its feedback is kept. */
    linkId: number("link_id").references(() => reviewLinks.id, { onDelete: "set null" }),
    /** The name that the reviewer entered. */
    name: text("name").notNull(),
    /** Null for a comment without a verdict. */
    verdict: text("verdict").$type<ReviewVerdict>(),
    text: text("text").notNull(),
    /** Digest of the content that the reviewer saw (lib/reviews/schedule-row.ts). */
    contentDigest: bytes("content_digest").notNull(),
    answer: text("answer"),
    answeredAt: instant("answered_at"),
    closedAt: instant("closed_at"),
    createdAt: createdAt(),
  },
  (t) => [index("feedback_of_schedule").on(t.scheduleId, t.id), index("feedback_of_link").on(t.linkId)],
);

/** A feed whose new items become posts. */
export const feeds = pgTable(
  "feeds",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The client ID of the application that added it; null if its owner did, or a token of theirs. */
    clientId: text("client_id"),
    url: text("url").notNull(),
    /** The feed's own title, as last read. */
    title: text("title"),
    template: jsonb("template").$type<{ isDraft: boolean; publications: unknown[] }>().notNull(),
    /** What the server sent with the last document, for conditional requests. */
    etag: text("etag"),
    lastModified: text("last_modified"),
    readAt: instant("read_at"),
    /** When it is read next. Null: never. `error` says why it was stopped. */
    dueAt: instant("due_at"),
    /** Failed readings since the last successful one. */
    failures: integer("failures").notNull().default(0),
    /** Why the last reading failed, or why an item of it did not become a post: a sentence for the user. */
    error: text("error"),
    /** The posts that were made of its items. */
    posts: integer("posts").notNull().default(0),
    /** The epoch of the installation in which it was last read. After a restore, items may be missing in `feed_items`. */
    epoch: integer("epoch").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("feeds_of_owner").on(t.ownerId, t.id),
    index("feeds_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);

/** The items of a feed that are known: each one becomes a post at most once. */
export const feedItems = pgTable(
  "feed_items",
  {
    feedId: number("feed_id")
      .notNull()
      .references(() => feeds.id, { onDelete: "cascade" }),
    /** SHA-256 of what identifies the item in its feed. */
    key: bytes("key").notNull(),
    /** The schedule that was made of it. It may be deleted. Null: the item was there before the feed was added. */
    scheduleId: number("schedule_id"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.feedId, t.key] })],
);
