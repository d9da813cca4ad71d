/** Everything that is told of (DECISIONS, "Webhooks"), each a fact in the past. */
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
] as const;

export type EventType = (typeof eventTypes)[number];

/** What a verb tells of: whose it is, and the thing as the API shows it at this moment. */
export type NewEvent = { ownerId: string; type: EventType; data: object };

/** An event as it stands in the log. */
export type WrittenEvent = {
  /** Its place in the log; numbers in decimal, since the first may be larger than JavaScript counts. */
  xid: string;
  id: number;
  ownerId: string;
  /** Null where the owner is a person who signs in, and is no partner's. */
  partnerId: string | null;
  /** The partner's own name for the owner. */
  externalUserId: string | null;
  type: EventType;
  data: { [field: string]: unknown };
  /** As the database writes it. */
  createdAt: string;
};
