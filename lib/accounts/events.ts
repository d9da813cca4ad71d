import { eq } from "drizzle-orm";
import { type accounts, type Tx, users } from "../db";
import { type EventType, emit } from "../webhooks";
import { presentAccount } from "./present";

type Row = typeof accounts.$inferSelect;

/** Tells what has just happened to an account; answers the account. */
export async function emitAccountEvent(
  tx: Tx,
  type: Extract<EventType, `account.${string}`>,
  account: Row,
): Promise<Row> {
  const { ownerId, state } = account;
  const isPersons = state === "ACTIVE" ? null : await isPersonOfOurs(tx, ownerId);
  await emit(tx, [{ ownerId, type, data: presentAccount({ ...account, isPersons }) }]);
  return account;
}

/** Whether they sign in here; a partner's users never do. */
async function isPersonOfOurs(tx: Tx, ownerId: string): Promise<boolean> {
  const [owner] = await tx.select({ partnerId: users.partnerId }).from(users).where(eq(users.id, ownerId));
  return owner?.partnerId === null;
}
