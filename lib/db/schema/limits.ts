import { index, integer, pgTable } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns";

/**
 * Requests counted against a rate limit by all processes (lib/http/rate-limit.ts). The table is UNLOGGED: a crash of the
 * database empties it, and counting begins again.
 */
export const rateLimits = pgTable(
  "rate_limits",
  {
    /** A hash of the limit's name and of the caller. */
    key: bytes("key").primaryKey(),
    used: integer("used").notNull(),
    endsAt: instant("ends_at").notNull(),
  },
  (t) => [index("rate_limits_by_end").on(t.endsAt)],
);
