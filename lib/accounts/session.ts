import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { appOf, networkOf, PlatformError, type Session, sessionOf, type Tokens } from "../networks";
import { type Account, mergeTokens, requireReconnect, sealTokens, tokensOf } from "./accounts";

/** Longer than any token endpoint may take to answer. */
const REFRESH_LEASE_SECONDS = 60;

/**
 * Calls in an account's name, with a token that will hold: refreshed beforehand where it is about to end, by one worker at
 * a time. The account is read anew, because whoever asks may have read it before somebody refreshed its token.
 * @throws PlatformError `reconnect` where the account needs its person, `later` while another worker refreshes
 */
export async function openSession({ id, platform }: Account): Promise<Session> {
  const network = networkOf(platform);
  const { account, ending } = (await current(id, network?.refresh?.beforeSeconds)) ?? {};
  if (!network || !account?.tokensSealed || account.disconnectedAt)
    throw new PlatformError("reconnect", "This account is no longer connected");
  if (account.state === "RECONNECT_REQUIRED") {
    throw new PlatformError(
      "reconnect",
      account.stateReason ?? `${network.name} asks for this account to be connected again`,
    );
  }
  const tokens = ending ? await refresh(account) : tokensOf(account);
  return sessionOf(network, { accountId: account.networkAccountId, username: account.username, tokens });
}

/** The account as it is now, and whether its token ends within so many seconds (never where it cannot be refreshed). */
async function current(id: number, beforeSeconds: number | undefined) {
  const ending =
    beforeSeconds === undefined
      ? sql<boolean>`false`
      : sql<boolean>`coalesce(${accounts.tokensExpireAt} < now() + make_interval(secs => ${beforeSeconds}), false)`;
  const [row] = await db.select({ account: accounts, ending }).from(accounts).where(eq(accounts.id, id));
  return row;
}

/**
 * Asks for the next call's token to be a new one, because the network refused this one although it had not ended. False
 * where another try would fare no better.
 */
export async function distrustToken(account: Account): Promise<boolean> {
  if (!networkOf(account.platform)?.refresh) return false;
  // A token that is minutes old was refused for another reason; a new one would be too.
  const rows = await db
    .update(accounts)
    .set({ tokensExpireAt: sql`now()` })
    .where(
      and(
        eq(accounts.id, account.id),
        eq(accounts.state, "ACTIVE"),
        isNull(accounts.disconnectedAt),
        lt(accounts.tokensRefreshedAt, sql`now() - interval '2 minutes'`),
        lt(accounts.tokensExpireAt, sql`'infinity'`), // without an end there is nothing to refresh
        gt(accounts.tokensExpireAt, sql`now()`), // ended already: the next call refreshes it anyway
      ),
    )
    .returning({ id: accounts.id });
  if (rows.length > 0) return true;
  // Refreshed since this account was read: the refused token was the one before, which some networks end at once.
  const { account: now } = (await current(account.id, undefined)) ?? {};
  if (now?.disconnectedAt) return false;
  return now?.state === "ACTIVE" && now.tokensRefreshedAt !== account.tokensRefreshedAt;
}

async function refresh(account: Account): Promise<Tokens> {
  const network = networkOf(account.platform);
  if (!network?.refresh) return tokensOf(account);
  const [leased] = await db
    .update(accounts)
    .set({ refreshLeaseUntil: sql`now() + make_interval(secs => ${REFRESH_LEASE_SECONDS})` })
    .where(
      and(
        eq(accounts.id, account.id),
        or(isNull(accounts.refreshLeaseUntil), lt(accounts.refreshLeaseUntil, sql`now()`)),
      ),
    )
    .returning();
  if (!leased) {
    const good = await goodTokens(account.id);
    if (good) return good;
    throw new PlatformError("later", `A new permission for this ${network.name} account is just being fetched`, {
      retryAfterSeconds: 2,
    });
  }
  const old = tokensOf(leased);
  if (leased.tokensExpireAt !== account.tokensExpireAt) {
    await endLease(account.id); // another worker was faster: its pair is the one to use
    return old;
  }
  try {
    const fresh = mergeTokens(old, await network.refresh.run(appOf(network), old));
    // Only over the pair that was refreshed: an account that was disconnected or connected anew meanwhile keeps what it has.
    const kept = await db
      .update(accounts)
      .set({
        tokensSealed: sealTokens(account.platform, account.networkAccountId, fresh),
        tokensExpireAt: fresh.expiresAt ?? null,
        tokensRefreshedAt: sql`now()`,
        refreshLeaseUntil: null,
        updatedAt: sql`now()`,
      })
      .where(unchanged(leased))
      .returning({ id: accounts.id });
    if (kept.length === 0) throw changedMeanwhile();
    return fresh;
  } catch (error) {
    await endLease(account.id);
    // Whatever went wrong with a pair that is no longer the account's: neither that pair nor this outcome is.
    const [same] = await db.select({ id: accounts.id }).from(accounts).where(unchanged(leased));
    if (!same) throw changedMeanwhile();
    if (error instanceof PlatformError && error.kind === "reconnect") await requireReconnect(account.id, error.message);
    // Only a recognised final answer disconnects. After a blip the old token serves while it lasts.
    if (!(error instanceof PlatformError) || error.kind === "reconnect") throw error;
    const good = await goodTokens(account.id);
    if (good) return good;
    throw new PlatformError("later", error.message, error);
  }
}

const changedMeanwhile = () => new PlatformError("later", "The account was changed just now", { retryAfterSeconds: 1 });

/** The account's row while it still holds the tokens that were read. */
function unchanged(account: Account) {
  return and(
    eq(accounts.id, account.id),
    isNull(accounts.disconnectedAt),
    account.tokensSealed ? eq(accounts.tokensSealed, account.tokensSealed) : isNull(accounts.tokensSealed),
  );
}

/** What an account has now, where its token will last the next calls. Whoever read the account may have read an older one. */
async function goodTokens(id: number): Promise<Tokens | undefined> {
  const lasts = gt(accounts.tokensExpireAt, sql`now() + interval '1 minute'`);
  const [row] = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), lasts));
  return row?.tokensSealed ? tokensOf(row) : undefined;
}

async function endLease(id: number): Promise<void> {
  await db.update(accounts).set({ refreshLeaseUntil: null }).where(eq(accounts.id, id));
}
