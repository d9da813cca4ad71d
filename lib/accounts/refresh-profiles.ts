import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { PROFILE_LOOP_LOCK } from "../db/locks";
import type { Loop } from "../jobs";
import { log } from "../log";
import { allNetworks, isOffered, type Network, PlatformError, type Profile } from "../networks";
import { callNetwork } from "./network-calls";

const EVERY_MS = 600_000;
/** Per network and turn, so that one network's long list does not delay the others. */
const BATCH = 100;

/** Updates names and pictures daily on networks whose picture addresses expire. This also detects revoked permissions early. */
export const profileRefreshLoop: Loop = {
  name: "profiles of yesterday",
  lock: PROFILE_LOOP_LOCK,
  async turn(signal) {
    await refreshProfiles(signal);
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

export async function refreshProfiles(signal?: AbortSignal): Promise<void> {
  for (const network of allNetworks()) {
    if (!network.avatarsExpire || !isOffered(network.platform)) continue;
    for (const id of await claimStaleAccounts(network)) {
      if (signal?.aborted) return;
      await refreshProfile(id);
    }
  }
}

/** Accounts whose profile was not read for a day. They are marked before the call, so that a failing one is tried once a day. */
async function claimStaleAccounts({ platform }: Network): Promise<number[]> {
  const stale = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.platform, platform),
        eq(accounts.state, "ACTIVE"),
        isNull(accounts.disconnectedAt),
        lt(accounts.profileReadAt, sql`now() - interval '1 day'`),
      ),
    )
    .orderBy(asc(accounts.profileReadAt))
    .limit(BATCH);
  const taken = await db
    .update(accounts)
    .set({ profileReadAt: sql`now()` })
    .where(inArray(accounts.id, stale))
    .returning({ id: accounts.id });
  return taken.map(({ id }) => id);
}

async function refreshProfile(id: number): Promise<void> {
  try {
    await store(id, await callNetwork(id, (session, network) => network.profile(session)));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.info({ account: id, kind: error.kind }, error.message); // the account's row has its new state
  }
}

/** A removed picture is removed here too. A profile of another person is not stored. */
async function store(id: number, { accountId, username, displayName, avatarUrl }: Profile): Promise<void> {
  const fresh = { username, displayName, avatarUrl: avatarUrl ?? null };
  await db
    .update(accounts)
    .set({ ...fresh, updatedAt: sql`now()` })
    .where(
      and(
        eq(accounts.id, id),
        eq(accounts.networkAccountId, accountId),
        isNull(accounts.disconnectedAt),
        sql`(${accounts.username}, ${accounts.displayName}, ${accounts.avatarUrl})
          is distinct from (${username}, ${displayName}, ${avatarUrl ?? null}::text)`,
      ),
    );
}
