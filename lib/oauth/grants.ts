import { and, eq, isNull, sql } from "drizzle-orm";
import { applications, db, grants, partners, type Tx, users } from "../db";
import { accessChanged } from "../db/access";
import { perProcess } from "../db/per-process";
import { writeLater } from "../db/write-later";
import type { Lockout } from "../users";
import type { Scope } from "./scopes";

/** What a valid access token represents, in its current state. */
export type Grant = {
  id: string;
  scopes: string[];
  suspended: boolean;
  user?: { id: string; deleting: boolean; sessionEpoch: number };
  partner?: { id: string; clientId: string };
  /** The application or partner; absent for a personal token. */
  clientId?: string;
  /** The name of the application or of the personal token; absent for a token that was created without one. */
  name?: string;
};

type NewGrant = {
  kind: (typeof grants.$inferInsert)["kind"];
  clientId?: string;
  userId?: string;
  scopes: Scope[];
  name?: string;
  expiresInSeconds?: number;
};

/** Stores a grant and removes old ones whose last tokens have expired. */
export async function createGrant({ expiresInSeconds, ...grant }: NewGrant, tx: Tx = db): Promise<string> {
  const expiresAt = expiresInSeconds === undefined ? null : inSeconds(expiresInSeconds);
  const [row] = await tx
    .insert(grants)
    .values({ ...grant, expiresAt })
    .returning({ id: grants.id });
  if (!row) throw new Error("the grant was not stored");
  await tx.execute(sql`
    delete from ${grants} where id in (
      select id from ${grants} where expires_at < now() - interval '1 day' limit 20 for update skip locked)`);
  return row.id;
}

export function inSeconds(seconds: number) {
  return sql<string>`now() + make_interval(secs => ${seconds})`;
}

/** Ends every token of a grant from the next request on. */
export async function revokeGrant(id: string): Promise<void> {
  await db
    .update(grants)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(grants.id, id), isNull(grants.revokedAt)));
  accessChanged(id);
}

/** Revokes everything that acts for a person: personal tokens, and the tokens of every application that they allowed. */
export const revokeGrantsOfUser: Lockout = async (tx, userId) => {
  const revoked = await tx
    .update(grants)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt)))
    .returning({ id: grants.id });
  return revoked.length > 0
    ? ["Every access token was revoked, and applications that you allowed must ask again."]
    : [];
};

/** A grant with the state of its application, partner and user; undefined if it was revoked or deleted. */
export async function findGrant(id: string): Promise<Grant | undefined> {
  const [row] = await db
    .select({ grant: grants, application: applications, partner: partners, user: users })
    .from(grants)
    .leftJoin(applications, eq(applications.clientId, grants.clientId))
    .leftJoin(partners, eq(partners.clientId, grants.clientId))
    .leftJoin(users, eq(users.id, grants.userId))
    .where(and(eq(grants.id, id), isNull(grants.revokedAt)));
  return (
    row && {
      id: row.grant.id,
      scopes: row.grant.scopes,
      suspended: Boolean(row.application?.suspendedAt ?? row.user?.suspendedAt),
      user: row.user
        ? { id: row.user.id, deleting: row.user.deletingAt !== null, sessionEpoch: row.user.sessionEpoch }
        : undefined,
      partner: row.partner ? { id: row.partner.id, clientId: row.partner.clientId } : undefined,
      clientId: row.grant.clientId ?? undefined,
      name: row.application?.name ?? row.grant.name ?? undefined,
    }
  );
}

const FLUSH_EVERY_MS = 2_000;
const WRITE_AGAIN_MS = 60_000;
const MAX_ENTRIES = 10_000;

type Uses = { waiting: Set<string>; recordedAt: Map<string, number> };
const uses = perProcess<Uses>("oauth.grant-use", () => ({ waiting: new Set(), recordedAt: new Map() }));
const writer = writeLater("the last use of tokens", FLUSH_EVERY_MS, writeUses);

/** Records that a token of this grant was used. Each process writes it at most once a minute, for many grants at once. */
export function recordGrantUse(grantId: string): void {
  const now = Date.now();
  if (now - (uses.recordedAt.get(grantId) ?? 0) < WRITE_AGAIN_MS) return;
  uses.recordedAt.delete(grantId); // to its place at the end: the oldest go first when there are too many
  uses.recordedAt.set(grantId, now);
  const [oldest] = uses.recordedAt.keys();
  if (uses.recordedAt.size > MAX_ENTRIES && oldest !== undefined) uses.recordedAt.delete(oldest);
  uses.waiting.add(grantId);
  writer.request();
}

/** Writes the uses since the last flush to the database. */
export const flushGrantUses = writer.flush;

async function writeUses(): Promise<void> {
  const ids = [...uses.waiting];
  uses.waiting.clear();
  if (ids.length === 0) return;
  await db.execute(sql`
    update ${grants} set last_used_at = now()
    where id = any(${sql.param(ids)}::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
}
