import { inArray } from "drizzle-orm";
import { accounts, type Tx } from "../db";
import { networkOf } from "../networks";
import type { WrittenEvent } from "../webhooks";
import { accountIn, readPost } from "./facts";

/** An account as a mail calls it, and why it needs its person. */
export type Named = { id: number; name: string; reason: string };

/** The accounts that events are about, by id. */
export async function accountsOf(tx: Tx, events: WrittenEvent[]): Promise<Map<number, Named>> {
  const ids = new Set(events.flatMap(idsIn));
  if (ids.size === 0) return new Map();
  const rows = await tx
    .select()
    .from(accounts)
    .where(inArray(accounts.id, [...ids]));
  return new Map(rows.map((row) => [row.id, { id: row.id, name: nameOf(row), reason: reasonOf(row) }]));
}

function idsIn({ type, data }: WrittenEvent): number[] {
  if (type === "account.reconnect_required") return [accountIn(data)];
  return readPost(data).publications.map(({ socialMediaAccountId }) => socialMediaAccountId);
}

type Row = typeof accounts.$inferSelect;

function nameOf({ username, displayName, platform }: Row): string {
  const handle = username ? `@${username.replace(/^@/, "")}` : displayName;
  return `${handle} on ${networkOf(platform)?.name ?? platform}`;
}

function reasonOf({ stateReason }: Row): string {
  return stateReason ?? "the network asks for it to be connected again.";
}
