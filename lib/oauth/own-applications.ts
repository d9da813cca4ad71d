import { and, asc, count, desc, eq, sql } from "drizzle-orm";
import { applications, db, type Tx } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { credentialsLockText } from "../db/locks";
import { BadRequest, NotFound } from "../errors";
import type { Lockout } from "../users";
import { type Application, createApplication, nameProblems } from "./applications";
import { endOldSecret } from "./client-secrets";
import { applicationRedirectProblems } from "./redirect-uri";

/** Limits how much one person can store. No real use needs more than a few. */
const MOST = 20;
const MOST_CHARACTERS = 100;
const MOST_ADDRESSES = 20;

export type ApplicationInput = { name: string; redirectUris: string[] };

/**
 * Registers an application of this person. The secret is returned only here.
 * @param sessionEpoch the person's when the request was authenticated
 * @throws BadRequest with every problem; AccessDenied if the person has not confirmed their address
 */
export async function createOwnApplication(
  ownerId: string,
  { isPublic, ...input }: ApplicationInput & { isPublic: boolean },
  sessionEpoch?: number,
): Promise<{ clientId: string; clientSecret?: string }> {
  const problems = problemsOf(input);
  if (problems.length > 0) throw new BadRequest(...problems);
  const assertRoom = (tx: Tx) => assertApplicationRoom(tx, ownerId);
  return createApplication(input.name.trim(), input.redirectUris, { isPublic, ownerId, sessionEpoch, assertRoom });
}

async function assertApplicationRoom(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${credentialsLockText(ownerId)}, 0))`);
  const [row] = await tx.select({ there: count() }).from(applications).where(eq(applications.ownerId, ownerId));
  if (row && row.there >= MOST)
    throw new BadRequest(`You already have ${MOST} applications, the maximum. Delete one that is no longer used`);
}

/** A person's applications, newest first. */
export async function listOwnApplications(ownerId: string): Promise<Application[]> {
  return db
    .select()
    .from(applications)
    .where(eq(applications.ownerId, ownerId))
    .orderBy(desc(applications.createdAt), desc(applications.clientId));
}

/** @throws NotFound, the same whether the application is missing or belongs to someone else */
export async function getOwnApplication(ownerId: string, clientId: string): Promise<Application> {
  const [row] = await db.select().from(applications).where(own(ownerId, clientId));
  return row ?? absent(clientId);
}

/**
 * Changes the application's name, which the consent page shows, and its redirect URIs.
 * @throws NotFound, BadRequest with every problem
 */
export async function updateOwnApplication(ownerId: string, clientId: string, input: ApplicationInput): Promise<void> {
  await getOwnApplication(ownerId, clientId);
  const problems = problemsOf(input);
  if (problems.length > 0) throw new BadRequest(...problems);
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(applications)
      .set({ name: input.name.trim(), redirectUris: input.redirectUris })
      .where(own(ownerId, clientId))
      .returning({ clientId: applications.clientId });
    if (!row) absent(clientId);
    await audit(tx, { action: "credential.changed", actor: { id: ownerId }, subject: clientId });
  });
}

/**
 * Ends the old secret of a rotation at once.
 * @throws NotFound
 */
export async function endOldApplicationSecret(ownerId: string, clientId: string): Promise<void> {
  await getOwnApplication(ownerId, clientId);
  await endOldSecret(clientId, { id: ownerId });
}

/**
 * Deletes an application with its secrets and grants, which ends their tokens.
 * @throws NotFound
 */
export async function deleteOwnApplication(ownerId: string, clientId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .delete(applications)
      .where(own(ownerId, clientId))
      .returning({ clientId: applications.clientId });
    if (!row) absent(clientId);
    await audit(tx, { action: "credential.deleted", actor: { id: ownerId }, subject: clientId });
  });
  accessChanged(clientId);
}

/**
 * Names the applications of a person who reset the password. They go on, because other people use them, but whoever knew the old
 * password may have changed their redirect URIs or created a secret.
 */
export const nameApplicationsOfUser: Lockout = async (tx, userId) => {
  const { name, clientId, isPublic, ownerId } = applications;
  const theirs = await tx
    .select({ name, isPublic })
    .from(applications)
    .where(eq(ownerId, userId))
    .orderBy(asc(name), asc(clientId));
  return theirs.map((one) => {
    const check = `You registered the application ${one.name}. Check its redirect URIs`;
    return one.isPublic ? `${check}.` : `${check}, and create a new secret if someone else may know it.`;
  });
};

function own(ownerId: string, clientId: string) {
  return and(eq(applications.ownerId, ownerId), eq(applications.clientId, clientId));
}

function absent(clientId: string): never {
  throw new NotFound("Application", clientId);
}

function problemsOf({ name, redirectUris }: ApplicationInput): string[] {
  const problems = [...nameProblems(name, MOST_CHARACTERS), ...applicationRedirectProblems(redirectUris)];
  if (redirectUris.length > MOST_ADDRESSES)
    problems.push(`An application can have at most ${MOST_ADDRESSES} redirect URIs`);
  return problems;
}
