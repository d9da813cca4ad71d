/** All event types (DECISIONS, "Webhooks"). Each one names a fact in the past. */
export const eventTypes = [
  "account.connected",
  "account.reconnect_required",
  "account.disconnected",
  "media.upload.ready",
  "media.upload.failed",
  "post.scheduled",
  "post.deleted",
  "post.media_import_failed",
  "post.in_progress",
  "post.completed",
  "post.partially_completed",
  "post.failed",
  "publication.published",
  "publication.failed",
  "comment.published",
  "comment.failed",
] as const;

export type EventType = (typeof eventTypes)[number];

/** An event to write: its owner, its type, and the object as the API shows it now. */
export type NewEvent = { ownerId: string; type: EventType; data: object };

/** An event as stored in the log. */
export type WrittenEvent = {
  /** The position in the log. A decimal string, because a transaction ID may exceed JavaScript's safe integers. */
  xid: string;
  id: number;
  ownerId: string;
  /** Null if the owner is a person who signs in, not a partner's user. */
  partnerId: string | null;
  /** The partner's own identifier of the owner. */
  externalUserId: string | null;
  type: EventType;
  data: { [field: string]: unknown };
  /** As PostgreSQL prints it. */
  createdAt: string;
};
