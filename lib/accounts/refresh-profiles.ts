import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { onEveryWorker } from "../jobs";
import { allNetworks, isOffered, type Network, type Profile } from "../networks";
import { BATCH, workInBatches } from "./batches";
import { callNetwork } from "./network-calls";

const EVERY_MS = 600_000;

/**
 * Updates names and pictures daily on networks whose picture addresses expire, and accounts that may post longer texts than usual,
 * because a subscription can end. This also detects revoked permissions early.
 */
export const profileRefresh = onEveryWorker("profiles of yesterday", async (signal) => {
  await refreshProfiles(signal);
  await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
});

/** All networks at the same time, so that one network's long list does not delay the others. */
export async function refreshProfiles(signal?: AbortSignal): Promise<void> {
  const networks = allNetworks().filter(({ platform }) => isOffered(platform));
  await Promise.all(
    networks.map((network) => workInBatches(() => claimStaleAccounts(network), refreshProfile, signal)),
  );
}

/** Accounts whose profile was not read for a day. They are marked before the call, so that a failing one is tried once a day. */
async function claimStaleAccounts({ platform, avatarsExpire }: Network): Promise<{ id: number }[]> {
  const stale = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.platform, platform),
        eq(accounts.state, "ACTIVE"),
        isNull(accounts.disconnectedAt),
        lt(accounts.profileReadAt, sql`now() - interval '1 day'`),
        avatarsExpire ? undefined : isNotNull(accounts.textMax),
      ),
    )
    .orderBy(asc(accounts.profileReadAt))
    .limit(BATCH)
    .for("update", { skipLocked: true });
  return db
    .update(accounts)
    .set({ profileReadAt: sql`now()` })
    .where(inArray(accounts.id, stale))
    .returning({ id: accounts.id });
}

async function refreshProfile({ id }: { id: number }): Promise<void> {
  await store(id, await callNetwork(id, (session, network) => network.profile(session)));
}

/** A removed picture is removed here too. A profile of another person is not stored. */
async function store(id: number, { accountId, username, displayName, avatarUrl, textMax }: Profile): Promise<void> {
  const fresh = { username, displayName, avatarUrl: avatarUrl ?? null, textMax: textMax ?? null };
  await db
    .update(accounts)
    .set({ ...fresh, updatedAt: sql`now()` })
    .where(
      and(
        eq(accounts.id, id),
        eq(accounts.networkAccountId, accountId),
        isNull(accounts.disconnectedAt),
        sql`(${accounts.username}, ${accounts.displayName}, ${accounts.avatarUrl}, ${accounts.textMax})
          is distinct from (${username}, ${displayName}, ${avatarUrl ?? null}::text, ${textMax ?? null}::int)`,
      ),
    );
}
