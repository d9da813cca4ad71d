import { index, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant, number } from "./columns";
import { schedules } from "./schedules";

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
