import { sql } from "drizzle-orm";
import { date, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, number } from "./columns";
import { partners } from "./people";

/** How many calls of the API each partner made in a month, by the first day of it. */
export const partnerCalls = pgTable(
  "partner_calls",
  {
    partnerId: uuid("partner_id")
      .notNull()
      .references(() => partners.id, { onDelete: "cascade" }),
    month: date("month").notNull(),
    calls: number("calls").notNull(),
  },
  (t) => [primaryKey({ columns: [t.partnerId, t.month] })],
);

/** How a partner's users see the connect pages; whatever is null is as the service's own pages have it. */
export const partnerBranding = pgTable(
  "partner_branding",
  {
    partnerId: uuid("partner_id")
      .primaryKey()
      .references(() => partners.id, { onDelete: "cascade" }),
    displayName: text("display_name"),
    /** #rrggbb, readable on a light surface; the other on a dark one. */
    accent: text("accent"),
    accentDark: text("accent_dark"),
    language: text("language").$type<"en" | "de">(),
    /** Where "Back to …" leads. */
    homeUrl: text("home_url"),
    /** A PNG that was drawn anew from what was given. */
    logo: bytes("logo"),
    /** SHA-256 of the logo, hexadecimal: its public name. */
    logoDigest: text("logo_digest"),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [index("partner_branding_logo").on(t.logoDigest).where(sql`${t.logoDigest} is not null`)],
);
