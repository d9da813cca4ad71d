import { sql } from "drizzle-orm";
import { date, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, number } from "./columns";
import { partners } from "./people";

/** Number of API calls per partner and month. `month` is the first day of the month. */
export const partnerCalls = pgTable(
  "partner_calls",
  {
    partnerId: uuid("partner_id")
      .notNull()
      .references(() => partners.id, { onDelete: "cascade" }),
    month: date("month").notNull(),
    calls: number("calls").notNull(),
    /** Posts that were created in this month and deleted because of their age. They still count as used. */
    deletedPosts: number("deleted_posts").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.partnerId, t.month] })],
);

/** Branding of a partner's connect pages. Null fields use the default. */
export const partnerBranding = pgTable(
  "partner_branding",
  {
    partnerId: uuid("partner_id")
      .primaryKey()
      .references(() => partners.id, { onDelete: "cascade" }),
    displayName: text("display_name"),
    /** #rrggbb, readable on a light background; `accentDark` on a dark one. */
    accent: text("accent"),
    accentDark: text("accent_dark"),
    language: text("language").$type<"en" | "de">(),
    /** Target of "Back to …". */
    homeUrl: text("home_url"),
    /** A PNG that was re-encoded from the uploaded image. */
    logo: bytes("logo"),
    /** SHA-256 of the logo in hexadecimal, used in its URL. */
    logoDigest: text("logo_digest"),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [index("partner_branding_logo").on(t.logoDigest).where(sql`${t.logoDigest} is not null`)],
);
