import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant } from "./columns";
import { users } from "./people";

/** Sessions of people who sign in. The session cookie contains the ID. Read on every signed-in request. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The session has ended if this differs from `users.session_epoch`. */
    epoch: integer("epoch").notNull(),
    /** From the sign-in: the browser's `User-Agent` and the client's IP address, if they are known. */
    userAgent: text("user_agent"),
    address: text("address"),
    /** When the person last proved who they are: at the sign-in, or when they entered the password again. */
    authenticatedAt: instant("authenticated_at").notNull().defaultNow(),
    /** Accurate to a minute. */
    lastUsedAt: instant("last_used_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    createdAt: createdAt(),
  },
  (t) => [index("sessions_of_user").on(t.userId)],
);
