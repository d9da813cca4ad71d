import { createHash } from "node:crypto";
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { failPoint } from "../jobs/fail-point";
import { appOf, type NetworkSession, networkOf, networkSession, PlatformError, type Tokens } from "../networks";
import {
  type Account,
  mergeTokens,
  permissionEnd,
  previousTokensOf,
  requireReconnect,
  sealPreviousTokens,
  sealTokens,
  storedTokens,
  tokensOf,
} from "./accounts";
import { reportOperatorProblem } from "./operator-problems";

/** How long to wait before retrying on an account that is held. */
const HELD_SECONDS = 60;
/** Longer than the timeout of any token endpoint. */
const REFRESH_CLAIM_SECONDS = 60;

/**
 * A session for calls on behalf of an account. A token that is about to expire is refreshed first, by one worker at a time.
 * The account is read again, because the caller may have read it before its token was refreshed.
 * @param justRead skips that read; `tokenSeconds` is the token's remaining life (null: it does not expire)
 * @throws PlatformError `reconnect` if the person must connect again, `later` while another worker refreshes
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
      account.stateReason ?? `This account's permission at ${network.name} has ended`,
    );
  }
  if (!account.tokensSealed) throw new PlatformError("reconnect", "This account is no longer connected");
  if (account.heldSince) {
    throw new PlatformError("later", "This account must be confirmed first", { retryAfterSeconds: HELD_SECONDS });
  }
  const tokens = ending ? await refresh(account) : tokensOf(account);
  const session = networkSession(network, { accountId: account.networkAccountId, username: account.username, tokens });
  return ending || account.previousTokensSealed ? erasingPreviousTokens(session, id) : session;
}

/** The previous tokens are kept until the new ones have worked once. This session erases them after its first call. */
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

/** The current account, and whether its token expires within `beforeSeconds` (false if it cannot be refreshed). */
async function readAccount(id: number, beforeSeconds: number | undefined) {
  const ending =
    beforeSeconds === undefined
      ? sql<boolean>`false`
      : sql<boolean>`coalesce(${accounts.tokensExpireAt} < now() + make_interval(secs => ${beforeSeconds}), false)`;
  const [row] = await db.select({ account: accounts, ending }).from(accounts).where(eq(accounts.id, id));
  return row;
}

/** A token that was renewed because of a refusal, and is refused again within this time, was refused for another reason. */
const ONE_REFRESH_PER = sql.raw("interval '2 minutes'");

/**
 * Makes the next call use another token, because the network refused this one before it expired: the one from before the last
 * refresh, one that another caller has refreshed by now, or a new one. Returns false if a retry would not help.
 * @param refused the refused access token; by default the one that the account had when it was read
 */
export async function replaceRefusedToken(
  account: Account,
  refused = account.tokensSealed ? tokensOf(account).accessToken : undefined,
): Promise<boolean> {
  if (!networkOf(account.platform).refresh) return false;
  if (await restorePrevious(account, refused)) return true;
  const { account: now } = (await readAccount(account.id, undefined)) ?? {};
  if (now?.state !== "ACTIVE" || now.disconnectedAt || !now.tokensSealed) return false;
  const { accessToken, refreshToken } = tokensOf(now);
  if (accessToken !== refused) return true;
  if (!refreshToken && !now.tokensExpireAt) return false; // there is nothing to refresh
  const rows = await db
    .update(accounts)
    .set({ tokensExpireAt: sql`least(${accounts.tokensExpireAt}, now())`, tokensRefusedAt: sql`now()` })
    .where(
      and(
        unchanged(now),
        or(isNull(accounts.tokensRefusedAt), lt(accounts.tokensRefusedAt, sql`now() - ${ONE_REFRESH_PER}`)),
      ),
    )
    .returning({ id: accounts.id });
  return rows.length > 0 || isRefreshToCome(account.id);
}

/** Whether another caller's refusal of this token causes a refresh that has not happened yet. */
async function isRefreshToCome(id: number): Promise<boolean> {
  const isToCome = sql<boolean>`${accounts.tokensRefusedAt} > coalesce(${accounts.tokensRefreshedAt}, '-infinity')`;
  const [row] = await db.select({ isToCome }).from(accounts).where(eq(accounts.id, id));
  return row?.isToCome ?? false;
}

/**
 * Decides what happens after the network refused a token: returns true if the call should be repeated with another one, and
 * otherwise stores that the person must connect again. The person may do so at the same time, which is why a last look follows.
 * @param refused the refused access token; by default the one that the account had when it was read
 */
export async function replaceOrRequireReconnect(account: Account, reason: string, refused?: string): Promise<boolean> {
  if (await replaceRefusedToken(account, refused)) return true;
  const token = refused ?? storedTokens(account)?.accessToken;
  if (await requireReconnect(account.id, reason, token)) return false;
  return replaceRefusedToken(account, refused);
}

/** Restores the previous tokens if the new ones have never worked; some networks keep the previous ones valid. */
async function restorePrevious({ id }: Account, refused?: string): Promise<boolean> {
  const { account } = (await readAccount(id, undefined)) ?? {};
  const old = account && previousTokensOf(account);
  if (!old || !account.tokensSealed) return false;
  const fresh = tokensOf(account);
  if (fresh.accessToken !== refused) return false; // the old one was refused, as it may be once there is a new one
  // The newer of the two refresh tokens is the one that the network has not seen yet.
  const tokens = mergeTokens(old, { ...old, refreshToken: fresh.refreshToken });
  const rows = await db
    .update(accounts)
    .set({
      tokensSealed: sealTokens(account, tokens),
      tokensExpireAt: old.expiresAt ?? null,
      previousTokensSealed: null,
    })
    .where(unchanged(account))
    .returning({ id: accounts.id });
  return rows.length > 0;
}

async function refresh(account: Account): Promise<Tokens> {
  const network = networkOf(account.platform);
  if (!network.refresh || hasFinalToken(account)) return tokensOf(account);
  const [claimed] = await db
    .update(accounts)
    .set({ refreshClaimUntil: sql`now() + make_interval(secs => ${REFRESH_CLAIM_SECONDS})` })
    .where(
      and(
        eq(accounts.id, account.id),
        or(isNull(accounts.refreshClaimUntil), lt(accounts.refreshClaimUntil, sql`now()`)),
      ),
    )
    .returning();
  if (!claimed) {
    const good = await findLastingTokens(account.id);
    if (good) return good;
    throw new PlatformError("later", `The permission of this ${network.name} account is being renewed`, {
      retryAfterSeconds: 2,
    });
  }
  const old = tokensOf(claimed);
  if (claimed.tokensExpireAt !== account.tokensExpireAt) {
    await releaseRefreshClaim(account.id); // another worker has refreshed them already
    return old;
  }
  const isSpent = claimed.presentedHash?.equals(presentedHashOf(old));
  const { isReusable } = network.refresh;
  if (isSpent && !(typeof isReusable === "function" ? isReusable(old) : isReusable))
    return tokensWithoutRefresh(claimed, network.name);
  try {
    // Stored before the token is sent: if this process dies before the answer, the token is not sent again.
    await db
      .update(accounts)
      .set({ presentedHash: presentedHashOf(old) })
      .where(unchanged(claimed));
    await failPoint("refreshing");
    const fresh = mergeTokens(old, await network.refresh.run(appOf(network), old));
    await failPoint("refreshed");
    // Replaces only the pair that was refreshed: the account may have been disconnected or reconnected meanwhile.
    const kept = await db
      .update(accounts)
      .set({
        tokensSealed: sealTokens(account, fresh),
        tokensExpireAt: fresh.expiresAt ?? null,
        tokensRefreshedAt: sql`now()`,
        permissionEndsAt: permissionEnd(network, fresh),
        refreshClaimUntil: null,
        previousTokensSealed: sealPreviousTokens(account, old),
        presentedHash: null,
        updatedAt: sql`now()`,
      })
      .where(unchanged(claimed))
      .returning({ id: accounts.id });
    if (kept.length === 0) throw changedMeanwhile();
    return fresh;
  } catch (error) {
    // After an answer, or if the call was never sent, the same token may be sent again.
    if (isTemporary(error)) await db.update(accounts).set({ presentedHash: null }).where(unchanged(claimed));
    await releaseRefreshClaim(account.id);
    // If the account has another pair by now, this outcome no longer concerns it.
    const [same] = await db.select({ id: accounts.id }).from(accounts).where(unchanged(claimed));
    if (!same) throw changedMeanwhile();
    if (error instanceof PlatformError && isFinal(error, claimed)) {
      await requireReconnect(account.id, error.message, old.accessToken);
      throw error.kind === "reconnect"
        ? error
        : new PlatformError("reconnect", error.message, { answer: error.answer });
    }
    // Only a recognised final answer requires a reconnect. After a temporary error, the old token is used while it lasts.
    if (!(error instanceof PlatformError)) throw error;
    await reportOperatorProblem(account.platform, error);
    const good = await findLastingTokens(account.id);
    if (good) return good;
    throw error.kind === "operator" ? error : new PlatformError("later", error.message, error);
  }
}

/** Whether the token still lasts and cannot be renewed: it is used until its end, and the user is asked to connect again. */
function hasFinalToken(account: Account): boolean {
  const { tokensExpireAt, platform } = account;
  const isLasting = tokensExpireAt !== null && Date.parse(tokensExpireAt) > Date.now();
  return isLasting && networkOf(platform).refresh?.isPossible?.(tokensOf(account)) === false;
}

/** Whether the user must connect again: the network neither accepts the access token nor exchanges it for another one. */
function isFinal({ kind }: PlatformError, { tokensRefusedAt, tokensRefreshedAt }: Account): boolean {
  const isRefused = tokensRefusedAt !== null && Date.parse(tokensRefusedAt) > Date.parse(tokensRefreshedAt ?? "0");
  return kind === "reconnect" || (kind === "rejected" && isRefused);
}

/**
 * A refresh token was sent and the answer was lost. Sending it again could revoke the whole token family, so the current
 * token is used while it lasts; then the person must connect again.
 */
async function tokensWithoutRefresh(account: Account, networkName: string): Promise<Tokens> {
  await releaseRefreshClaim(account.id);
  const good = await findLastingTokens(account.id);
  if (good) return good;
  const reason = `${networkName} did not answer when this account's permission was renewed. Reconnect the account`;
  await requireReconnect(account.id, reason, tokensOf(account).accessToken);
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

const changedMeanwhile = () =>
  new PlatformError("later", "The account was changed a moment ago", { retryAfterSeconds: 1 });

/** Matches the account's row only while it has the tokens that were read. */
function unchanged(account: Account) {
  return and(
    eq(accounts.id, account.id),
    isNull(accounts.disconnectedAt),
    account.tokensSealed ? eq(accounts.tokensSealed, account.tokensSealed) : isNull(accounts.tokensSealed),
  );
}

/** The account's current tokens, if they last at least a minute. The caller may have read older ones. */
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
