import { sql } from "drizzle-orm";
import { db } from "../db";
import { defineGauges, perNetwork } from "../metrics";
import type { Platform } from "../platforms";
import { listOperatorProblems } from "./operator-problems";

/** How long before its end a permission that only the owner can renew counts as ending, and is mailed. */
export const EXPIRING_DAYS = 7;

/** The figures of accounts for `/metrics`. Both counts read a partial index that holds only these accounts. */
defineGauges(
  {
    carillon_accounts_reconnect_required: {
      help: "Connected accounts that their owner must connect again.",
      labelNames: ["network"],
    },
    carillon_accounts_expiring: {
      help: `Accounts that still work, and whose owner must connect them again within ${EXPIRING_DAYS} days.`,
      labelNames: ["network"],
    },
    carillon_operator_problems: {
      help: "Refusals of the service's own application that the operator must end, by network. doctor says what to do.",
      labelNames: ["network"],
    },
  },
  async () => ({
    carillon_operator_problems: perNetwork(await countOperatorProblems()),
    carillon_accounts_reconnect_required: perNetwork(
      await countAccounts(sql`state = 'RECONNECT_REQUIRED' and disconnected_at is null`),
    ),
    carillon_accounts_expiring: perNetwork(
      await countAccounts(sql`permission_ends_at between now() and now() + make_interval(days => ${EXPIRING_DAYS})
        and permission_ends_at is not null and disconnected_at is null`),
    ),
  }),
);

async function countOperatorProblems() {
  const counts = new Map<Platform, number>();
  for (const { platform } of await listOperatorProblems()) counts.set(platform, (counts.get(platform) ?? 0) + 1);
  return [...counts].map(([platform, value]) => ({ platform, value }));
}

async function countAccounts(which: ReturnType<typeof sql>) {
  const { rows } = await db.execute<{ platform: Platform; value: number }>(
    sql`select platform, count(*)::int as value from accounts where ${which} group by 1`,
  );
  return rows;
}
