import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { Platform } from "../../platforms";
import { bytes, createdAt, identity, instant, number } from "./columns";
import { users } from "./people";

export const accounts = pgTable(
  "accounts",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    platform: text("platform").$type<Platform>().notNull(),
    networkAccountId: text("network_account_id").notNull(),
    /** The id by which the network's callbacks name it, where that is another one. */
    callbackAccountId: text("callback_account_id"),
    username: text("username").notNull(),
    displayName: text("display_name").notNull(),
    avatarUrl: text("avatar_url"),
    /** When the name and the picture were last asked for. */
    profileReadAt: instant("profile_read_at").notNull().defaultNow(),
    state: text("state", { enum: ["ACTIVE", "RECONNECT_REQUIRED"] })
      .notNull()
      .default("ACTIVE"),
    /** Why a reconnect is needed, as a sentence. */
    stateReason: text("state_reason"),
    /** Since when it has been in this state: one incident has one beginning. */
    stateSince: instant("state_since").notNull().defaultNow(),
    /** Since when it waits for its partner's backend to confirm it; nothing is done in its name before. */
    heldSince: instant("held_since"),
    /** The network's tokens as JSON; null once disconnected. */
    tokensSealed: bytes("tokens_sealed"),
    tokensExpireAt: instant("tokens_expire_at"),
    tokensRefreshedAt: instant("tokens_refreshed_at"),
    /** When its person has to come back, where that is known; null where the tokens are renewed without them. */
    permissionEndsAt: instant("permission_ends_at"),
    /** One worker refreshes at a time. */
    refreshClaimUntil: instant("refresh_claim_until"),
    /** The tokens before the last refresh, kept until the new ones have worked. */
    previousTokensSealed: bytes("previous_tokens_sealed"),
    /** Hash of a refresh token that was presented and whose answer never came: it is not presented again. */
    presentedHash: bytes("presented_hash"),
    /** The network told this account to wait: nothing is sent in its name before. */
    waitUntil: instant("wait_until"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    disconnectedAt: instant("disconnected_at"),
  },
  (t) => [
    uniqueIndex("accounts_live").on(t.platform, t.networkAccountId).where(sql`${t.disconnectedAt} is null`),
    index("accounts_of_owner").on(t.ownerId),
    index("accounts_by_callback").on(t.platform, t.callbackAccountId).where(sql`${t.callbackAccountId} is not null`),
  ],
);

/** People of a network who had all that we held of them removed, each under the code that they were given. */
export const dataDeletions = pgTable("data_deletions", {
  code: text("code").primaryKey(),
  platform: text("platform").$type<Platform>().notNull(),
  /** How many connected accounts it was. */
  accounts: integer("accounts").notNull(),
  createdAt: createdAt(),
});

/** Destinations of networks that cannot list them (Telegram): fed by what the bot is told. */
export const destinations = pgTable(
  "destinations",
  {
    accountId: number("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    chatId: text("chat_id").notNull(),
    title: text("title").notNull(),
    type: text("type").notNull(),
    usable: boolean("usable").notNull().default(true),
    /** Why it is not usable, where the network said so: the bot was taken out, or may not post. */
    problem: text("problem", { enum: ["REMOVED", "NO_RIGHT"] }),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.chatId] })],
);

/** When an account likes to post: weekly times, by the clock of one zone. Kept while the account is disconnected. */
export const queueSlots = pgTable("queue_slots", {
  accountId: number("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** A name of the IANA database. */
  timeZone: text("time_zone").notNull(),
  /** Minutes since Monday 00:00 of that zone's wall clock, ascending, each once. */
  minutes: integer("minutes").array().notNull(),
});

/** How far each bot's updates have been read. */
export const botOffsets = pgTable("bot_offsets", {
  platform: text("platform").$type<Platform>().primaryKey(),
  offset: number("offset").notNull(),
});
