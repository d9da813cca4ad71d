import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instant } from "./columns";
import { users } from "./people";

export type MailState = "WAITING" | "SENT" | "KEPT" | "FAILED" | "DROPPED";

/** Mails to people who sign in, each written once by its key; what it says is made from `facts`, which go when it is sent. */
export const mails = pgTable(
  "mails",
  {
    /** Also the mail's Message-ID. */
    id: uuid("id").primaryKey().defaultRandom(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** What it is about, in words that never mean anything else: a second mail with the same key is none. */
    key: text("key").notNull().unique(),
    facts: jsonb("facts").notNull().default({}),
    /** `KEPT`: as a file, where no SMTP server is set. `DROPPED`: its addressee did not want it any more. */
    state: text("state").$type<MailState>().notNull().default("WAITING"),
    attempts: integer("attempts").notNull().default(0),
    /** Of one that is kept, as it is listed. */
    subject: text("subject"),
    /** What the mail server, or the lack of one, said last. */
    failure: text("failure"),
    createdAt: createdAt(),
    endedAt: instant("ended_at"),
  },
  (t) => [index("mails_of_owner").on(t.ownerId, t.createdAt), index("mails_by_age").on(t.createdAt)],
);

/** What the links in mails to confirm an address or choose a new password carry, hashed; the first use removes it. */
export const mailTokens = pgTable(
  "mail_tokens",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** The address that it was sent to: it proves nothing about another one. */
    email: text("email").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("mail_tokens_of_owner").on(t.ownerId), index("mail_tokens_by_end").on(t.expiresAt)],
);
