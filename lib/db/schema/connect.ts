import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { Platform } from "../../platforms";
import { accounts } from "./accounts";
import { bytes, createdAt, instant, number } from "./columns";
import { partners, users } from "./people";

/** One opening of a connect link in one browser, and what became of it. */
export const connectAttempts = pgTable(
  "connect_attempts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Quoted on the page when something goes wrong. */
    traceCode: text("trace_code").notNull().unique(),
    /** The sealed state's own id: it completes once. */
    stateId: uuid("state_id").notNull(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    platform: text("platform").$type<Platform>().notNull(),
    redirectUri: text("redirect_uri").notNull(),
    /** Whose account it is, where the person was asked: starting again need not ask once more. */
    account: text("account"),
    /** Hash of the network-facing state, or of a bot's one-time code. */
    codeHash: bytes("code_hash").notNull().unique(),
    /** Hash of the browser's own secret; a bot's code is carried by a person instead. */
    nonceHash: bytes("nonce_hash"),
    /** PKCE verifier and what the adapter asked to keep. */
    flowSealed: bytes("flow_sealed"),
    failure: text("failure"),
    /** In which its pages speak. */
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

/** One thing that happened in a connect attempt; one that failed says why. */
export type TraceStep = {
  step: "opened" | "returned" | "wrong browser" | "exchange" | "permissions" | "profile" | "store";
  /** ISO 8601, UTC. */
  at: string;
  /** How long it took; absent where nothing was waited for. */
  ms?: number;
  /** Why it failed, as a sentence. */
  reason?: string;
  /** What the network said, secrets removed; status 0 where no answer came. */
  network?: { status: number; code?: string; message?: string };
};

/** What became of each connect attempt, step by step and without secrets; it outlives the attempt by weeks. */
export const connectTraces = pgTable(
  "connect_traces",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Shown to the person, who may quote it. */
    code: text("code").notNull().unique(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's partner; null for people of the dashboard. */
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    /** The connect link's own id. */
    stateId: uuid("state_id").notNull(),
    platform: text("platform").$type<Platform>().notNull(),
    /** Scheme and host of where the browser was to end; what stands behind may be the partner's secret. */
    returnOrigin: text("return_origin").notNull(),
    steps: jsonb("steps").$type<TraceStep[]>().notNull().default([]),
    /** Null while it is under way, and for ever where the person never came back. */
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
