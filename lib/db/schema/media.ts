import { sql } from "drizzle-orm";
import { doublePrecision, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant, number } from "./columns";
import { users } from "./people";

export const media = pgTable(
  "media",
  {
    id: uuid("id").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `<owner_uuid>/<object_uuid>.<ext>`, fixed once issued. */
    key: text("key").notNull().unique(),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    digest: bytes("digest").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** Exact to the millisecond, so that limits are too; media of before migration 0008 are rounded up to whole seconds. */
    durationSeconds: doublePrecision("duration_seconds"),
    /** What else the bytes say: see lib/media/inspect.ts. Empty for media of before it was asked. */
    details: jsonb("details").$type<MediaDetails>().notNull().default({}),
    /** What it shows, in its owner's words, for people who cannot see it; sent to networks that take such a text. */
    altText: text("alt_text"),
    createdAt: createdAt(),
  },
  (t) => [index("media_of_owner").on(t.ownerId, t.createdAt)],
);

/** Absent is not known, or not about this kind of file. */
export type MediaDetails = {
  /** The EXIF orientation, 1 to 8, of an image that is stored turned. */
  orientation?: number;
  /** Of an animated image. */
  frames?: number;
  /** Pictures a second of a video. */
  frameRate?: number;
  videoCodec?: string;
  audioCodec?: string;
  hasAudio?: boolean;
  /** A very small picture as a data address, to be shown until the real one is there. */
  placeholder?: string;
  /** A thumbnail is kept with the object. */
  hasThumbnail?: boolean;
};

/** Pre-signed upload grants, and what became of each. */
export const uploads = pgTable(
  "uploads",
  {
    /** The object part of the key. */
    id: uuid("id").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    key: text("key").notNull().unique(),
    filename: text("filename").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    /** `GRANTED` until the first confirm or use decides; the medium's row holds what was confirmed. */
    state: text("state", { enum: ["GRANTED", "CONFIRMED", "REJECTED"] })
      .notNull()
      .default("GRANTED"),
    /** Why it was refused, as every later use is told. */
    reason: text("reason"),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("uploads_of_owner").on(t.ownerId), index("uploads_by_end").on(t.expiresAt)],
);

/**
 * What a medium was converted to for networks that do not take it as it is, by the recipe. Without a foreign key: a row
 * stays until its object is removed, and leads to it.
 */
export const mediaConversions = pgTable(
  "media_conversions",
  {
    id: uuid("id").primaryKey(),
    mediaId: uuid("media_id").notNull(),
    /** What was done, in words that never mean anything else later. */
    recipe: text("recipe").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    width: number("width").notNull(),
    height: number("height").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("media_conversions_once").on(t.mediaId, t.recipe)],
);

/** What an import is doing (SPEC, "Import job"). */
export const importStates = [
  "QUEUED",
  "DOWNLOADING",
  "VALIDATING",
  "UPLOADING",
  "READY",
  "FAILED_TEMPORARY",
  "FAILED_PERMANENT",
] as const;

export type ImportState = (typeof importStates)[number];

/** Files that are fetched from a public URL; worked on by one worker at a time. */
export const mediaImports = pgTable(
  "media_imports",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sourceUrl: text("source_url").notNull(),
    filenameHint: text("filename_hint"),
    state: text("state").$type<ImportState>().notNull().default("QUEUED"),
    /** How much of the file is safely on this worker's disk; a later attempt goes on from there where it can. */
    bytesDownloaded: number("bytes_downloaded").notNull().default(0),
    totalBytes: number("total_bytes"),
    /** The server's strong validator of what was downloaded (RFC 9110, section 8.8): only the same file is gone on with. */
    validator: text("validator"),
    detectedMime: text("detected_mime"),
    /** The medium's storage key, once it is ready. */
    key: text("key"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    /** Attempts in a row that brought nothing new. */
    attempts: integer("attempts").notNull().default(0),
    /** The job to enqueue when it has come to its end: `{ name, payload }`. */
    whenDone: jsonb("when_done"),
    dueAt: instant("due_at").notNull().defaultNow(),
    /** The claim: who works on it, until when, and a fence that grows with every claim. */
    claimWorker: uuid("claim_worker"),
    claimUntil: instant("claim_until"),
    claimFence: integer("claim_fence").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index("media_imports_of_owner").on(t.ownerId),
    index("media_imports_unfinished").on(t.dueAt).where(sql`${t.state} not in ('READY', 'FAILED_PERMANENT')`),
    index("media_imports_claimed").on(t.claimWorker).where(sql`${t.claimWorker} is not null`),
  ],
);
