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
    /** `<owner_uuid>/<object_uuid>.<ext>`. Never changes. */
    key: text("key").notNull().unique(),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    digest: bytes("digest").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** Exact to the millisecond, so that limits can be checked exactly. */
    durationSeconds: doublePrecision("duration_seconds"),
    /** Other facts about the file: see lib/media/inspect.ts. */
    details: jsonb("details").$type<MediaDetails>().notNull().default({}),
    /** The owner's description for people who cannot see it. Sent to networks that support alternative texts. */
    altText: text("alt_text"),
    /** The owner's labels, sorted, without duplicates. */
    labels: text("labels").array().notNull().default([]),
    createdAt: createdAt(),
  },
  (t) => [index("media_of_owner").on(t.ownerId, t.createdAt)],
);

/** A field is absent if it is unknown or does not apply to the kind of file. */
export type MediaDetails = {
  /** EXIF orientation of an image, 1 to 8. */
  orientation?: number;
  /** Number of frames of an animated image. */
  frames?: number;
  /** Number of pages of a document. */
  pages?: number;
  /** Frames per second of a video. */
  frameRate?: number;
  /** Its frames are shown for different durations. Absent: for the same, or unknown. */
  isVariableRate?: boolean;
  videoCodec?: string;
  /** Chroma subsampling, for example `4:2:0`. */
  chroma?: string;
  /** Bits of each colour value. */
  bitDepth?: number;
  /** The width of one pixel divided by its height, to two decimals. Absent: the pixels are square, or unknown. */
  pixelAspect?: number;
  /** Its codec allows fields instead of whole frames. Absent: it does not, or unknown. */
  isInterlaced?: boolean;
  /** The average of the video track, in bits per second. */
  videoBitRate?: number;
  audioCodec?: string;
  hasAudio?: boolean;
  audioChannels?: number;
  /** In hertz. */
  audioSampleRate?: number;
  /** Where an MP4 or MOV has its index (the box `moov`): before the data, behind it, or in parts between the data. */
  index?: "front" | "end" | "fragments";
  /** The edit lists of an MP4 or MOV: `start` only aligns its tracks, `cut` hides or moves a part. Absent: none, or unknown. */
  editList?: "start" | "cut";
  /** A very small picture as a data URL, shown until the real one has loaded. */
  placeholder?: string;
  /** A thumbnail is stored with the object. */
  hasThumbnail?: boolean;
  /** The store has lost the object (`objects check --repair`). The file cannot be used. */
  isLost?: boolean;
};

/** Pre-signed upload grants and their outcome. */
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
    /** `GRANTED` until the upload is first confirmed or used. A confirmed upload has a row in `media`. */
    state: text("state", { enum: ["GRANTED", "CONFIRMED", "REJECTED"] })
      .notNull()
      .default("GRANTED"),
    /** Why it was rejected. Returned to every later use. */
    reason: text("reason"),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("uploads_of_owner").on(t.ownerId), index("uploads_by_end").on(t.expiresAt)],
);

/**
 * Conversions of media for networks that do not accept the original. There is no foreign key, because a row must exist until
 * its stored object is removed.
 */
export const mediaConversions = pgTable(
  "media_conversions",
  {
    id: uuid("id").primaryKey(),
    mediaId: uuid("media_id").notNull(),
    /** Identifies the conversion. The meaning of a recipe never changes. */
    recipe: text("recipe").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    width: number("width").notNull(),
    height: number("height").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("media_conversions_once").on(t.mediaId, t.recipe)],
);

/** The states of an import (SPEC, "Import job"). */
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

/** Imports of files from public URLs. One worker at a time works on an import. */
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
    /** Bytes that are synced to the worker's disk. A later attempt continues from there if possible. */
    bytesDownloaded: number("bytes_downloaded").notNull().default(0),
    totalBytes: number("total_bytes"),
    /** The server's strong validator of the file (RFC 9110, section 8.8). A download continues only if it is unchanged. */
    validator: text("validator"),
    detectedMime: text("detected_mime"),
    /** The storage key when the import is ready. */
    key: text("key"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    /** Consecutive attempts without progress. */
    attempts: integer("attempts").notNull().default(0),
    /** The job to enqueue when the import has ended: `{ name, payload }`. */
    whenDone: jsonb("when_done"),
    dueAt: instant("due_at").notNull().defaultNow(),
    /** The claim: the worker, its end, and a fence that increases with every claim. */
    claimWorker: uuid("claim_worker"),
    claimUntil: instant("claim_until"),
    claimFence: integer("claim_fence").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index("media_imports_of_owner").on(t.ownerId),
    index("media_imports_of_owner_in_order").on(t.ownerId, t.id),
    index("media_imports_unfinished").on(t.dueAt).where(sql`${t.state} not in ('READY', 'FAILED_PERMANENT')`),
    index("media_imports_claimed").on(t.claimWorker).where(sql`${t.claimWorker} is not null`),
  ],
);
