import { createHash } from "node:crypto";
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { failPoint } from "../jobs/fail-point";
import { appOf, type NetworkSession, networkOf, networkSession, PlatformError, type Tokens } from "../networks";
import { type Account, mergeTokens, permissionEnd, requireReconnect, sealTokens, tokensOf } from "./accounts";

/** How often what is due is tried on an account that is held. */
const HELD_SECONDS = 60;
/** Longer than any token endpoint may take to answer. */
const REFRESH_CLAIM_SECONDS = 60;

/**
 * Calls in an account's name, with a token that will hold: refreshed beforehand where it is about to end, by one worker at
 * a time. The account is read anew, because whoever asks may have read it before somebody refreshed its token.
 * @param justRead the account was read this very moment, and its token lasts so many seconds (null: without an end)
 * @throws PlatformError `reconnect` where the account needs its person, `later` while another worker refreshes
 */
export async function openSession(read: Account, justRead?: { tokenSeconds: number | null }): Promise<NetworkSession> {
  const { id, platform } = read;
  const network = networkOf(platform);
  const beforeSeconds = network.refresh?.beforeSeconds;
  const { account, ending } = justRead
    ? { account: read, ending: endsWithin(justRead.tokenSeconds, beforeSeconds) }
    : ((await readAccount(id, beforeSeconds)) ?? {});
  if (!account || account.disconnectedAt) throw new PlatformError("reconnect", "This account is no longer connected");
  if (account.state === "RECONNECT_REQUIRED") {
    throw new PlatformError(
      "reconnect",
      account.stateReason ?? `${network.name} asks for this account to be connected again`,
    );
  }
  if (!account.tokensSealed) throw new PlatformError("reconnect", "This account is no longer connected");
  if (account.heldSince) {
    throw new PlatformError("later", "This account waits to be confirmed", { retryAfterSeconds: HELD_SECONDS });
  }
  const tokens = ending ? await refresh(account) : tokensOf(account);
  const session = networkSession(network, { accountId: account.networkAccountId, username: account.username, tokens });
  return ending || account.previousTokensSealed ? erasingPreviousTokens(session, id) : session;
}

/** New tokens that have worked once are trusted: the ones before them, kept for this, are erased. */
function erasingPreviousTokens(session: NetworkSession, id: number): NetworkSession {
  let isProven = false;
  return {
    ...session,
    async fetch(path, call) {
      const answer = await session.fetch(path, call);
      if (!isProven && call?.auth === undefined) {
        isProven = true;
        await db
          .update(accounts)
          .set({ previousTokensSealed: null })
          .where(eq(accounts.id, id))
          .catch(() => {});
      }
      return answer;
    },
  };
}

function endsWithin(tokenSeconds: number | null, beforeSeconds: number | undefined): boolean {
  return tokenSeconds !== null && beforeSeconds !== undefined && tokenSeconds < beforeSeconds;
}

/** The account as it is now, and whether its token ends within so many seconds (never where it cannot be refreshed). */
async function readAccount(id: number, beforeSeconds: number | undefined) {
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
 * @param refused the access token that was refused; where it is not named, the one that the account had when it was read
 */
export async function replaceRefusedToken(account: Account, refused?: string): Promise<boolean> {
  if (!networkOf(account.platform).refresh) return false;
  if (await restorePrevious(account, refused ?? (account.tokensSealed ? tokensOf(account).accessToken : undefined)))
    return true;
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
  const { account: now } = (await readAccount(account.id, undefined)) ?? {};
  if (now?.disconnectedAt) return false;
  return now?.state === "ACTIVE" && now.tokensRefreshedAt !== account.tokensRefreshedAt;
}

/** New tokens that have never worked give way to the ones before them, which some networks leave alive. */
async function restorePrevious({ id, platform, networkAccountId }: Account, refused?: string): Promise<boolean> {
  const { account } = (await readAccount(id, undefined)) ?? {};
  if (!account?.previousTokensSealed || !account.tokensSealed) return false;
  const old = tokensOf({ platform, networkAccountId, tokensSealed: account.previousTokensSealed });
  const fresh = tokensOf(account);
  if (fresh.accessToken !== refused) return false; // the old one was refused, as it may be once there is a new one
  // The newer of the two refresh tokens is the one that the network has not seen yet.
  const tokens = mergeTokens(old, { ...old, refreshToken: fresh.refreshToken });
  const rows = await db
    .update(accounts)
    .set({
      tokensSealed: sealTokens(platform, networkAccountId, tokens),
      tokensExpireAt: old.expiresAt ?? null,
      previousTokensSealed: null,
    })
    .where(unchanged(account))
    .returning({ id: accounts.id });
  return rows.length > 0;
}

async function refresh(account: Account): Promise<Tokens> {
  const network = networkOf(account.platform);
  if (!network.refresh) return tokensOf(account);
  const [leased] = await db
    .update(accounts)
    .set({ refreshClaimUntil: sql`now() + make_interval(secs => ${REFRESH_CLAIM_SECONDS})` })
    .where(
      and(
        eq(accounts.id, account.id),
        or(isNull(accounts.refreshClaimUntil), lt(accounts.refreshClaimUntil, sql`now()`)),
      ),
    )
    .returning();
  if (!leased) {
    const good = await findLastingTokens(account.id);
    if (good) return good;
    throw new PlatformError("later", `A new permission for this ${network.name} account is just being fetched`, {
      retryAfterSeconds: 2,
    });
  }
  const old = tokensOf(leased);
  if (leased.tokensExpireAt !== account.tokensExpireAt) {
    await releaseRefreshClaim(account.id); // another worker was faster: its pair is the one to use
    return old;
  }
  const isSpent = leased.presentedHash?.equals(presentedHashOf(old));
  const { isReusable } = network.refresh;
  if (isSpent && !(typeof isReusable === "function" ? isReusable(old) : isReusable))
    return tokensWithoutRefresh(leased, network.name);
  try {
    // Stored before it is presented: should the answer be lost with this process, nobody presents it again.
    await db
      .update(accounts)
      .set({ presentedHash: presentedHashOf(old) })
      .where(unchanged(leased));
    await failPoint("refreshing");
    const fresh = mergeTokens(old, await network.refresh.run(appOf(network), old));
    await failPoint("refreshed");
    // Only over the pair that was refreshed: an account that was disconnected or connected anew meanwhile keeps what it has.
    const kept = await db
      .update(accounts)
      .set({
        tokensSealed: sealTokens(account.platform, account.networkAccountId, fresh),
        tokensExpireAt: fresh.expiresAt ?? null,
        tokensRefreshedAt: sql`now()`,
        permissionEndsAt: permissionEnd(network, fresh),
        refreshClaimUntil: null,
        previousTokensSealed: leased.tokensSealed,
        presentedHash: null,
        updatedAt: sql`now()`,
      })
      .where(unchanged(leased))
      .returning({ id: accounts.id });
    if (kept.length === 0) throw changedMeanwhile();
    return fresh;
  } catch (error) {
    // A blip is an answer, or a call that was never sent: the same token may be presented again.
    if (isTemporary(error)) await db.update(accounts).set({ presentedHash: null }).where(unchanged(leased));
    await releaseRefreshClaim(account.id);
    // Whatever went wrong with a pair that is no longer the account's: neither that pair nor this outcome is.
    const [same] = await db.select({ id: accounts.id }).from(accounts).where(unchanged(leased));
    if (!same) throw changedMeanwhile();
    if (error instanceof PlatformError && error.kind === "reconnect") await requireReconnect(account.id, error.message);
    // Only a recognised final answer disconnects. After a blip the old token serves while it lasts.
    if (!(error instanceof PlatformError) || error.kind === "reconnect") throw error;
    const good = await findLastingTokens(account.id);
    if (good) return good;
    throw new PlatformError("later", error.message, error);
  }
}

/**
 * A refresh token was presented and the answer never came: to present it again could end the whole family. What there is
 * serves while it lasts; then the account needs its person.
 */
async function tokensWithoutRefresh(account: Account, networkName: string): Promise<Tokens> {
  await releaseRefreshClaim(account.id);
  const good = await findLastingTokens(account.id);
  if (good) return good;
  const reason = `${networkName} did not answer when this account's permission was renewed. Connect the account again`;
  await requireReconnect(account.id, reason);
  throw new PlatformError("reconnect", reason);
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error.kind === "reconnect") return false;
  return error.refused || (error.answer?.status ?? 0) >= 400;
}

const presentedHashOf = ({ refreshToken, accessToken }: Tokens): Buffer =>
  createHash("sha256")
    .update(refreshToken ?? accessToken)
    .digest();

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
async function findLastingTokens(id: number): Promise<Tokens | undefined> {
  const lasts = gt(accounts.tokensExpireAt, sql`now() + interval '1 minute'`);
  const [row] = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), lasts));
  return row?.tokensSealed ? tokensOf(row) : undefined;
}

async function releaseRefreshClaim(id: number): Promise<void> {
  await db.update(accounts).set({ refreshClaimUntil: null }).where(eq(accounts.id, id));
}
