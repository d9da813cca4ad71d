import { and, desc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { authenticators, dbOrTransaction, passkeys, sessions, type Tx, users } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { FreshSignInRequired, NotFound } from "../errors";
import { present, signInUser, type User } from "./users";

/** A session ends this long after its start. */
export const SESSION_DAYS = 30;
/** How long a sign-in, or entering the password again, counts as fresh. */
export const FRESH_MINUTES = 10;
const MAX_USER_AGENT = 300;

/** A signed-in person and their session. Forms are bound to the ID. */
export type Session = { id: string; user: User; isFresh: boolean };

/** Where a sign-in came from, and whether the password was enough. */
type SignInSource = { userAgent?: string; address?: string; isPasswordOnly?: boolean };

/** A session as its person sees it. Times are as PostgreSQL returns them. */
export type ListedSession = { id: string; userAgent?: string; address?: string; createdAt: string; lastUsedAt: string };

/**
 * Starts a session of a person who has just signed in, and removes the person's old rows. If the password was enough and the
 * person has added a second factor meanwhile, the session has ended already.
 * @returns the session's ID
 */
export async function createSession(
  user: Pick<User, "id" | "sessionEpoch">,
  { userAgent, address, isPasswordOnly = false }: SignInSource,
): Promise<string> {
  const values = { userId: user.id, epoch: user.sessionEpoch, userAgent: userAgent?.slice(0, MAX_USER_AGENT), address };
  return dbOrTransaction.transaction(async (tx) => {
    const ended = sql`${sessions.revokedAt} is not null or ${sessions.createdAt} <= ${oldestStart}`;
    await tx.delete(sessions).where(and(eq(sessions.userId, user.id), sql`(${ended})`));
    const [row] = await tx.insert(sessions).values(values).returning({ id: sessions.id });
    if (!row) throw new Error("the session was not stored");
    // The new row keeps a factor from being added until the transaction ends, and one that is added then ends this session.
    const isTooLate = and(eq(sessions.id, row.id), sql`(${hasFactorOf(user.id)})`);
    if (isPasswordOnly) await tx.update(sessions).set({ revokedAt: sql`now()` }).where(isTooLate);
    await audit(tx, { action: "session.started", actor: user, subject: row.id });
    return row.id;
  });
}

const hasFactorOf = (userId: string) => sql`
  exists (select from ${authenticators} where ${authenticators.ownerId} = ${userId})
  or exists (select from ${passkeys} where ${passkeys.ownerId} = ${userId})`;

const oldestStart = sql.raw(`now() - interval '${SESSION_DAYS} days'`);
const isFresh = sql<boolean>`${sessions.authenticatedAt} > now() - make_interval(mins => ${FRESH_MINUTES})`;

/** Sessions that have not ended. For queries that join the person. */
const isLive = and(
  isNull(sessions.revokedAt),
  eq(sessions.epoch, users.sessionEpoch),
  sql`${sessions.createdAt} > ${oldestStart}`,
);

/** Returns a session that has not ended, with its person, and records its use at most once a minute. */
export async function findSession(id: string, userId: string): Promise<Session | undefined> {
  const [row] = await dbOrTransaction
    .select({
      user: users,
      isFresh,
      isUseRecorded: sql<boolean>`${sessions.lastUsedAt} > now() - interval '1 minute'`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), signInUser, isLive));
  if (!row) return undefined;
  if (!row.isUseRecorded) {
    const isOlder = sql`${sessions.lastUsedAt} < now() - interval '1 minute'`;
    await dbOrTransaction
      .update(sessions)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(sessions.id, id), isOlder));
  }
  return { id, user: present(row.user), isFresh: row.isFresh };
}

/**
 * For actions that someone at an unlocked computer must not be able to take.
 * @throws FreshSignInRequired if there is no session, or its person proved who they are too long ago
 */
export function assertFreshSession(session: Session | undefined): asserts session is Session {
  if (!session?.isFresh) throw new FreshSignInRequired(FRESH_MINUTES);
}

/** Records that the person of a session has just proved again who they are. */
export async function refreshAuthentication(sessionId: string): Promise<void> {
  await dbOrTransaction.update(sessions).set({ authenticatedAt: sql`now()` }).where(eq(sessions.id, sessionId));
}

/** Returns a person's sessions that have not ended, last used first. */
export async function listSessions(userId: string): Promise<ListedSession[]> {
  const { id, userAgent, address, createdAt, lastUsedAt } = sessions;
  const rows = await dbOrTransaction
    .select({ id, userAgent, address, createdAt, lastUsedAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), isLive))
    .orderBy(desc(lastUsedAt), desc(createdAt), desc(id));
  return rows.map((row) => ({
    ...row,
    userAgent: row.userAgent ?? undefined,
    address: row.address ?? undefined,
  }));
}

/**
 * Ends a session of a person from the next request on.
 * @throws NotFound, the same whether the session is missing, has ended or belongs to someone else
 */
export async function revokeSession(userId: string, id: string): Promise<void> {
  const isId = z.uuid().safeParse(id).success;
  const [revoked] = isId ? await revokeWhere(dbOrTransaction, userId, eq(sessions.id, id)) : [];
  if (!revoked) throw new NotFound("Session", id);
}

/** Ends all of a person's sessions, except one if it is named. */
export async function revokeOtherSessions(userId: string, keptId?: string, tx: Tx = dbOrTransaction): Promise<void> {
  await revokeWhere(tx, userId, keptId === undefined ? undefined : ne(sessions.id, keptId));
}

/** A trigger announces ended sessions to other processes. */
async function revokeWhere(tx: Tx, userId: string, which: SQL | undefined): Promise<{ id: string }[]> {
  const revoked = await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), which))
    .returning({ id: sessions.id });
  for (const { id } of revoked) accessChanged(id);
  return revoked;
}
