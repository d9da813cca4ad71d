import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instant } from "./columns";
import { users } from "./people";

export type MailState = "WAITING" | "SENT" | "KEPT" | "FAILED" | "DROPPED";

/** Mails to users of the dashboard. The text is made from `facts`, which are deleted when the mail is sent. */
export const mails = pgTable(
  "mails",
  {
    /** Also the mail's Message-ID. */
    id: uuid("id").primaryKey().defaultRandom(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** Identifies the occasion of the mail, so that no second mail is sent for it. */
    key: text("key").notNull().unique(),
    facts: jsonb("facts").notNull().default({}),
    /** `KEPT`: written to a file, because no SMTP server is configured. `DROPPED`: the user has unsubscribed. */
    state: text("state").$type<MailState>().notNull().default("WAITING"),
    attempts: integer("attempts").notNull().default(0),
    /** Subject of a mail that was written to a file, for the list. */
    subject: text("subject"),
    /** The last error. */
    failure: text("failure"),
    createdAt: createdAt(),
    endedAt: instant("ended_at"),
  },
  (t) => [index("mails_of_owner").on(t.ownerId, t.createdAt), index("mails_by_age").on(t.createdAt)],
);

/** The daily digests that people have turned on. */
export const digests = pgTable(
  "digests",
  {
    ownerId: uuid("owner_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Minutes since 00:00 by the zone's wall clock. */
    minute: integer("minute").notNull(),
    /** Name in the IANA time zone database. */
    timeZone: text("time_zone").notNull(),
    /** When the next digest is sent. */
    dueAt: instant("due_at").notNull(),
  },
  (t) => [index("digests_due").on(t.dueAt)],
);

/** Hashed tokens in links that confirm an email address or reset a password. The first use deletes the token. */
export const mailTokens = pgTable(
  "mail_tokens",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** The address to which the link was sent. The token is valid for this address only. */
    email: text("email").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("mail_tokens_of_owner").on(t.ownerId), index("mail_tokens_by_end").on(t.expiresAt)],
);
