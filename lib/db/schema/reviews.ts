import { index, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant, number } from "./columns";
import { schedules } from "./schedules";

/** Links by which somebody without an account sees a schedule's preview and says what they think; the token is kept as its hash. */
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

/** What was said of a schedule by whoever had a link, and what its owner answered. */
export const feedback = pgTable(
  "feedback",
  {
    id: identity(),
    scheduleId: number("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    /** Null once the link was revoked: what was said by it stays. */
    linkId: number("link_id").references(() => reviewLinks.id, { onDelete: "set null" }),
    /** As they call themselves. */
    name: text("name").notNull(),
    /** Null for a comment alone. */
    verdict: text("verdict").$type<ReviewVerdict>(),
    text: text("text").notNull(),
    /** Of the content that they saw (lib/reviews/digest.ts). */
    contentDigest: bytes("content_digest").notNull(),
    answer: text("answer"),
    answeredAt: instant("answered_at"),
    closedAt: instant("closed_at"),
    createdAt: createdAt(),
  },
  (t) => [index("feedback_of_schedule").on(t.scheduleId, t.id), index("feedback_of_link").on(t.linkId)],
);
