import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { Platform } from "../../platforms";
import { bytes, createdAt, identity, instant, number } from "./columns";
import { users } from "./people";

/** The colours from which a person chooses one for a group. */
export const groupColours = ["GOLD", "CORAL", "TEAL", "BLUE", "VIOLET", "GREY"] as const;
export type GroupColour = (typeof groupColours)[number];

export const accounts = pgTable(
  "accounts",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    platform: text("platform").$type<Platform>().notNull(),
    networkAccountId: text("network_account_id").notNull(),
    /** The ID in the network's callbacks, if it differs from `networkAccountId`. */
    callbackAccountId: text("callback_account_id"),
    username: text("username").notNull(),
    displayName: text("display_name").notNull(),
    avatarUrl: text("avatar_url"),
    /** The longest text that the network allows this account, if it allows more than usual, as for subscribers. */
    textMax: integer("text_max"),
    /** When the name and picture were last read from the network. */
    profileReadAt: instant("profile_read_at").notNull().defaultNow(),
    state: text("state", { enum: ["ACTIVE", "RECONNECT_REQUIRED"] })
      .notNull()
      .default("ACTIVE"),
    /** Why a reconnect is needed, as a sentence. */
    stateReason: text("state_reason"),
    /** Since when it has been in this state. */
    stateSince: instant("state_since").notNull().defaultNow(),
    /** Since when it waits to be confirmed by the partner's backend. It is not used before that. */
    heldSince: instant("held_since"),
    /** The network's tokens as JSON; null once disconnected. */
    tokensSealed: bytes("tokens_sealed"),
    tokensExpireAt: instant("tokens_expire_at"),
    tokensRefreshedAt: instant("tokens_refreshed_at"),
    /** When a refused token last caused a refresh. */
    tokensRefusedAt: instant("tokens_refused_at"),
    /** When the user must reconnect it. Null if that is unknown or if tokens are renewed without the user. */
    permissionEndsAt: instant("permission_ends_at"),
    /** End of the claim of the worker that refreshes the tokens. */
    refreshClaimUntil: instant("refresh_claim_until"),
    /** Until then, no worker looks again whether the token of this account must be renewed. */
    renewalClaimUntil: instant("renewal_claim_until"),
    /** The tokens before the last refresh, kept until the new ones have worked. */
    previousTokensSealed: bytes("previous_tokens_sealed"),
    /** Hash of a refresh token that was used without receiving a response. It is not used again. */
    presentedHash: bytes("presented_hash"),
    /** The network told this account to wait. Nothing is sent for it before this time. */
    waitUntil: instant("wait_until"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    disconnectedAt: instant("disconnected_at"),
  },
  (t) => [
    uniqueIndex("accounts_live").on(t.platform, t.networkAccountId).where(sql`${t.disconnectedAt} is null`),
    // For metrics: the few accounts that need their owner.
    index("accounts_to_reconnect")
      .on(t.platform)
      .where(sql`${t.state} = 'RECONNECT_REQUIRED' and ${t.disconnectedAt} is null`),
    index("accounts_ending")
      .on(t.permissionEndsAt, t.platform)
      .where(sql`${t.permissionEndsAt} is not null and ${t.disconnectedAt} is null`),
    index("accounts_of_owner").on(t.ownerId),
    index("accounts_by_profile")
      .on(t.platform, t.profileReadAt)
      .where(sql`${t.state} = 'ACTIVE' and ${t.disconnectedAt} is null`),
    index("accounts_by_token_end")
      .on(t.platform, t.tokensExpireAt)
      .where(sql`${t.state} = 'ACTIVE' and ${t.disconnectedAt} is null`),
    index("accounts_by_callback").on(t.platform, t.callbackAccountId).where(sql`${t.callbackAccountId} is not null`),
  ],
);

/** Requests from people of a network to delete their data, by the confirmation code that they received. */
export const dataDeletions = pgTable("data_deletions", {
  code: text("code").primaryKey(),
  platform: text("platform").$type<Platform>().notNull(),
  /** Number of disconnected accounts. */
  accounts: integer("accounts").notNull(),
  createdAt: createdAt(),
});

/** Destinations of networks that cannot list them (Telegram). They are learned from the bot's updates. */
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
    /** Why it is not usable, if the network said so: the bot was removed or may not post. */
    problem: text("problem", { enum: ["REMOVED", "NO_RIGHT"] }),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.chatId] })],
);

/** Weekly posting times of an account in one time zone. They are kept while the account is disconnected. */
export const queueSlots = pgTable("queue_slots", {
  accountId: number("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** Name in the IANA time zone database. */
  timeZone: text("time_zone").notNull(),
  /** Minutes since Monday 00:00 by the zone's wall clock, ascending, without duplicates. */
  minutes: integer("minutes").array().notNull(),
});

/** A person's groups of accounts. */
export const accountGroups = pgTable(
  "account_groups",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    colour: text("colour").$type<GroupColour>().notNull(),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [uniqueIndex("account_groups_by_name").on(t.ownerId, sql`lower(${t.name})`)],
);

/** The accounts of each group. An account can be in several groups; disconnecting it removes it from all of them. */
export const accountGroupMembers = pgTable(
  "account_group_members",
  {
    groupId: number("group_id")
      .notNull()
      .references(() => accountGroups.id, { onDelete: "cascade" }),
    accountId: number("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.accountId] }), index("account_group_members_of_account").on(t.accountId)],
);

/** The position up to which each bot's updates have been read. */
export const botOffsets = pgTable("bot_offsets", {
  platform: text("platform").$type<Platform>().primaryKey(),
  offset: number("offset").notNull(),
});
