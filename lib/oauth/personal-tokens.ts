import { and, count, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { db, grants, type Tx } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { credentialsLockText } from "../db/locks";
import { BadRequest, NotFound } from "../errors";
import { type Scope, scopes } from "./scopes";
import { createPersonalToken } from "./tokens";

/** How many days a token that a person creates can be valid. */
export const tokenDays = [7, 30, 90, 365] as const;

/** Keeps the list short enough to look through. */
const MOST = 50;
const MOST_CHARACTERS = 100;
const DAY_SECONDS = 86_400;

/** A token as its owner sees it. The token itself is not stored. */
export type PersonalToken = {
  id: string;
  name?: string;
  scopes: string[];
  createdAt: string;
  expiresAt?: string;
  /** To about a minute; absent if it was never used. */
  lastUsedAt?: string;
};

export type PersonalTokenInput = { name: string; scopes: string[]; days: number };

/**
 * Creates a token that acts as this person. The token is returned only here.
 * @param sessionEpoch the person's when the request was authenticated
 * @throws BadRequest with every problem; AccessDenied if the person has not confirmed their address
 */
export async function createOwnToken(
  userId: string,
  input: PersonalTokenInput,
  sessionEpoch?: number,
): Promise<{ token: string }> {
  const granted = scopes.filter((scope) => input.scopes.includes(scope));
  const problems = problemsOf(input, granted);
  if (problems.length > 0) throw new BadRequest(...problems);
  const assertRoom = (tx: Tx) => assertTokenRoom(tx, userId);
  const named = { name: input.name.trim(), actor: { id: userId }, sessionEpoch, assertRoom };
  const { access_token: token } = await createPersonalToken(userId, granted, input.days * DAY_SECONDS, named);
  return { token };
}

async function assertTokenRoom(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${credentialsLockText(userId)}, 0))`);
  const [row] = await tx.select({ there: count() }).from(grants).where(validToken(userId));
  if (row && row.there >= MOST)
    throw new BadRequest(`You already have ${MOST} tokens, the maximum. Revoke one that is no longer used`);
}

function problemsOf({ name, scopes: asked, days }: PersonalTokenInput, granted: Scope[]): string[] {
  const problems = [];
  const length = name.trim().length;
  if (length === 0) problems.push("Name is required, to tell the tokens apart");
  if (length > MOST_CHARACTERS) problems.push(`Name must have at most ${MOST_CHARACTERS} characters`);
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) problems.push("Name contains a character that is not valid text");
  if (asked.length === 0) problems.push("Choose what the token may do");
  if (granted.length < new Set(asked).size) problems.push("One of the permissions does not exist");
  if (!tokenDays.some((one) => one === days))
    problems.push(`The lifetime of a token must be one of: ${tokenDays.join(", ")} days`);
  return problems;
}

/** A person's valid tokens, newest first, including those created at the command line. */
export async function listPersonalTokens(userId: string): Promise<PersonalToken[]> {
  const rows = await db
    .select()
    .from(grants)
    .where(validToken(userId))
    .orderBy(desc(grants.createdAt), desc(grants.id));
  return rows.map(({ id, name, scopes: granted, createdAt, expiresAt, lastUsedAt }) => ({
    ...{ id, scopes: granted, createdAt },
    ...(name === null ? {} : { name }),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(lastUsedAt === null ? {} : { lastUsedAt }),
  }));
}

/**
 * Revokes a token. It is invalid from the next request on.
 * @throws NotFound, the same whether the token is missing, has ended or belongs to someone else
 */
export async function revokePersonalToken(userId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [ended] = await tx
      .update(grants)
      .set({ revokedAt: sql`now()` })
      .where(and(ownToken(userId), sql`${grants.id}::text = ${id}`))
      .returning({ id: grants.id });
    if (!ended) throw new NotFound("Token", id);
    await audit(tx, { action: "token.revoked", actor: { id: userId }, subject: id, details: { userId } });
  });
  accessChanged(id);
}

function validToken(userId: string) {
  return and(ownToken(userId), or(isNull(grants.expiresAt), gt(grants.expiresAt, sql`now()`)));
}

function ownToken(userId: string) {
  return and(eq(grants.userId, userId), eq(grants.kind, "personal"), isNull(grants.revokedAt));
}
