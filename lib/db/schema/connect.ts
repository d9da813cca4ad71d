import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { Platform } from "../../platforms";
import { accounts } from "./accounts";
import { bytes, createdAt, instant, number } from "./columns";
import { partners, users } from "./people";

/** One opening of a connect link in one browser. */
export const connectAttempts = pgTable(
  "connect_attempts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Shown on the page when something goes wrong. */
    traceCode: text("trace_code").notNull().unique(),
    /** ID of the sealed connect state, which can complete only once. */
    stateId: uuid("state_id").notNull(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    platform: text("platform").$type<Platform>().notNull(),
    redirectUri: text("redirect_uri").notNull(),
    /** The account name that the person entered, if the page asked for one. It is reused when the person starts again. */
    account: text("account"),
    /** Hash of the state parameter that the network gets, or of a bot's one-time code. */
    codeHash: bytes("code_hash").notNull().unique(),
    /** Hash of a secret in the browser's cookie. Null for bots, whose code the person enters. */
    nonceHash: bytes("nonce_hash"),
    /** The PKCE verifier and data of the network adapter. */
    flowSealed: bytes("flow_sealed"),
    failure: text("failure"),
    /** Language of the pages. */
    language: text("language").$type<"en" | "de">().notNull().default("en"),
    accountId: number("account_id").references(() => accounts.id, { onDelete: "set null" }),
    expiresAt: instant("expires_at").notNull(),
    consumedAt: instant("consumed_at"),
    completedAt: instant("completed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("connect_attempts_complete_once").on(t.stateId).where(sql`${t.completedAt} is not null`),
    index("connect_attempts_of_state").on(t.stateId),
  ],
);

/** A list of accounts or webhooks in a frame of a partner's page, created for one of its users. */
export const connectSessions = pgTable(
  "connect_sessions",
  {
    id: uuid("id").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    shows: text("shows").$type<SessionContent>().notNull().default("accounts"),
    /** The origins of the pages that may show the frame. */
    origins: text("origins").array().notNull(),
    /** The networks that the frame offers. Null: all that partners can connect. */
    platforms: text("platforms").array().$type<Platform[]>(),
    appearance: jsonb("appearance").$type<SessionAppearance>().notNull(),
    /** Hash of the token that the partner's page passes to the frame. */
    tokenHash: bytes("token_hash").notNull(),
    /** Hash of the frame's own token. Null until the other token is used. */
    frameTokenHash: bytes("frame_token_hash"),
    expiresAt: instant("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("connect_sessions_of_owner").on(t.ownerId), index("connect_sessions_by_age").on(t.expiresAt)],
);

/** What a frame shows in a partner's page. */
export type SessionContent = "accounts" | "webhooks";

/** How a frame looks in a partner's page. What is absent is as on the connect pages. */
export type SessionAppearance = {
  theme?: "auto" | "light" | "dark";
  /** Colours, as `#rrggbb`. */
  accent?: string;
  accentDark?: string;
  /** Pixels. */
  cornerRadius?: number;
  font?: "carillon" | "system";
  background?: "page" | "transparent";
};

/** One step of a connect attempt. */
export type TraceStep = {
  step: "opened" | "returned" | "wrong browser" | "exchange" | "permissions" | "profile" | "store";
  /** ISO 8601, UTC. */
  at: string;
  /** Duration in milliseconds. Absent if the step did not wait for anything. */
  ms?: number;
  /** Why the step failed, as a sentence. */
  reason?: string;
  /** The network's answer without secrets. The status is 0 if there was no answer. */
  network?: { status: number; code?: string; message?: string };
};

/** The steps of each connect attempt, without secrets. Kept for weeks after the attempt. */
export const connectTraces = pgTable(
  "connect_traces",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Shown to the person, so that they can quote it. */
    code: text("code").notNull().unique(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's partner. Null for users of the dashboard. */
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    /** ID of the connect link. */
    stateId: uuid("state_id").notNull(),
    platform: text("platform").$type<Platform>().notNull(),
    /** Scheme and host of the return URL. The path is not stored, because it may contain a secret of the partner. */
    returnOrigin: text("return_origin").notNull(),
    steps: jsonb("steps").$type<TraceStep[]>().notNull().default([]),
    /** Null while the attempt is running, and forever if the person never returned. */
    outcome: text("outcome"),
    accountId: number("account_id").references(() => accounts.id, { onDelete: "set null" }),
    startedAt: instant("started_at").notNull().defaultNow(),
    endedAt: instant("ended_at"),
  },
  (t) => [
    index("connect_traces_of_partner").on(t.partnerId, t.startedAt, t.id),
    index("connect_traces_of_owner").on(t.ownerId),
    index("connect_traces_of_state").on(t.stateId),
    index("connect_traces_by_age").on(t.startedAt),
  ],
);
