import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { applicationSecrets, applications, db, grants, type Tx } from "../db";
import { accessChanged } from "../db/access";
import { type Actor, auditForClient } from "../db/audit";
import { NotFound } from "../errors";
import { addSecret, type Credentials, isLiveSecret } from "./applications";
import { OAuthError } from "./errors";

/** How long the old secret stays valid after a rotation, so that servers can be updated one after the other. */
const OVERLAP_HOURS = 24;

/** A valid secret; `until` is set if it expires. Only a hash of the secret is stored. */
export type LiveSecret = { id: number; createdAt: string; until?: string };

/** A client's valid secrets, newest first; at most two. */
export async function listLiveSecrets(clientId: string): Promise<LiveSecret[]> {
  const { id, createdAt, revokedAt } = applicationSecrets;
  const rows = await db
    .select({ id, createdAt, revokedAt })
    .from(applicationSecrets)
    .where(and(eq(applicationSecrets.clientId, clientId), isLiveSecret))
    .orderBy(desc(applicationSecrets.id));
  return rows.map(({ revokedAt: until, ...rest }) => ({ ...rest, ...(until ? { until } : {}) }));
}

/**
 * Gives a partner a new secret. The previous one stays valid for a day, or until the end that staff has given it; any older one
 * ends now, so at most two are valid.
 * @throws NotFound if no partner has this client id
 */
export function rotatePartnerSecret(clientId: string, actor: Actor, within?: Tx): Promise<Credentials> {
  const isPartner = eq(applications.grant, "client_credentials");
  const work = (tx: Tx) => rotate(tx, clientId, actor, isPartner, "Partner");
  return within ? work(within) : db.transaction(work);
}

/**
 * The same for an application that this user owns. A public application has no secret.
 * @throws NotFound
 */
export function rotateApplicationSecret(ownerId: string, clientId: string): Promise<Credentials> {
  const own = and(eq(applications.ownerId, ownerId), eq(applications.isPublic, false));
  return db.transaction((tx) => rotate(tx, clientId, { id: ownerId }, own, "Application"));
}

async function rotate(
  tx: Tx,
  clientId: string,
  actor: Actor,
  which: SQL | undefined,
  what: string,
): Promise<Credentials> {
  const { clientId: id } = applications;
  const [row] = await tx
    .select({ id })
    .from(applications)
    .where(and(eq(id, clientId), which))
    .for("update"); // two rotations at once follow each other
  if (!row) throw new NotFound(what, clientId);
  await retireSecretInUse(tx, clientId);
  const clientSecret = await addSecret(tx, clientId);
  await auditForClient(tx, clientId, { action: "credential.rotated", actor });
  return { clientId, clientSecret };
}

/**
 * Begins the rotation of a partner's secret without creating the next one: the secret in use stays valid for a day, and any
 * older one ends now. The next secret is created by one of the partner's owners, so only they see it (ADR 49).
 * @returns when the secret in use ends; undefined if none is in use, because its rotation has begun or all secrets have ended
 */
export async function retirePartnerSecret(clientId: string, actor: Actor, tx: Tx): Promise<string | undefined> {
  const until = await retireSecretInUse(tx, clientId);
  if (until)
    await auditForClient(tx, clientId, { action: "credential.rotated", actor, details: { nextSecretBy: "owner" } });
  return until;
}

/** Gives the secret in use its end, and ends the one before it. Does nothing if none is in use. */
async function retireSecretInUse(tx: Tx, clientId: string): Promise<string | undefined> {
  const ofClient = eq(applicationSecrets.clientId, clientId);
  const [retired] = await tx
    .update(applicationSecrets)
    .set({ revokedAt: sql`now() + make_interval(hours => ${OVERLAP_HOURS})` })
    .where(and(ofClient, isNull(applicationSecrets.revokedAt)))
    .returning({ id: applicationSecrets.id, until: applicationSecrets.revokedAt });
  if (!retired) return undefined;
  await tx
    .update(applicationSecrets)
    .set({ revokedAt: sql`now()` })
    .where(and(ofClient, lt(applicationSecrets.id, retired.id), gt(applicationSecrets.revokedAt, sql`now()`)));
  return retired.until ?? undefined;
}

/** Ends the old secret at once, for example because it has leaked. */
export async function endOldSecret(clientId: string, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx
      .update(applicationSecrets)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(applicationSecrets.clientId, clientId), gt(applicationSecrets.revokedAt, sql`now()`)))
      .returning({ id: applicationSecrets.id });
    if (ended.length === 0) return;
    await auditForClient(tx, clientId, { action: "credential.rotated", actor, details: { oldSecretEnded: true } });
  });
}

/**
 * Prevents that all secrets of a client are ended until the transaction ends, so that its new grant is ended with the others.
 * @throws OAuthError if they were ended after the client authenticated
 */
export async function holdSecrets(tx: Tx, clientId: string): Promise<void> {
  const live = await tx
    .select({ id: applicationSecrets.id })
    .from(applicationSecrets)
    .where(
      and(
        eq(applicationSecrets.clientId, clientId),
        // Not `now()`, which is the begin of this transaction: it may have waited for the end of the secrets.
        or(isNull(applicationSecrets.revokedAt), gt(applicationSecrets.revokedAt, sql`clock_timestamp()`)),
      ),
    )
    .for("share");
  if (live.length === 0) throw new OAuthError("invalid_client", "The client id or secret is wrong");
}

/**
 * Ends all secrets and access tokens of a partner. New tokens need a new secret.
 * @returns a function that tells this process, to be called after the commit; triggers tell the others
 */
export async function endPartnerCredentials(clientId: string, actor: Actor, tx: Tx): Promise<() => void> {
  await tx
    .update(applicationSecrets)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(applicationSecrets.clientId, clientId), isLiveSecret));
  await tx
    .update(grants)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(grants.clientId, clientId), isNull(grants.revokedAt)));
  await auditForClient(tx, clientId, { action: "credential.rotated", actor, details: { allSecretsEnded: true } });
  return () => accessChanged(clientId);
}
