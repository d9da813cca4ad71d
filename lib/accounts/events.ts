import { eq } from "drizzle-orm";
import { type accounts, type Tx, users } from "../db";
import { type EventType, emit } from "../webhooks";
import { presentAccount } from "./present";

type Row = typeof accounts.$inferSelect;

/** Emits an event about an account and returns the account. */
export async function emitAccountEvent(
  tx: Tx,
  type: Extract<EventType, `account.${string}`>,
  account: Row,
): Promise<Row> {
  const { ownerId, state } = account;
  const ownerSignsIn = state === "ACTIVE" ? null : await isDashboardUser(tx, ownerId);
  await emit(tx, [{ ownerId, type, data: presentAccount({ ...account, ownerSignsIn }) }]);
  return account;
}

/** Whether the owner signs in to the dashboard; a partner's users do not. */
async function isDashboardUser(tx: Tx, ownerId: string): Promise<boolean> {
  const [owner] = await tx.select({ partnerId: users.partnerId }).from(users).where(eq(users.id, ownerId));
  return owner?.partnerId === null;
}
