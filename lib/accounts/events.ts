import type { accounts, Tx } from "../db";
import { type EventType, emit } from "../webhooks";
import { presentAccount } from "./present";

type Row = typeof accounts.$inferSelect;

/** Tells what has just happened to an account; answers the account. */
export async function tellOfAccount(tx: Tx, type: Extract<EventType, `account.${string}`>, account: Row): Promise<Row> {
  await emit(tx, [{ ownerId: account.ownerId, type, data: presentAccount(account) }]);
  return account;
}
