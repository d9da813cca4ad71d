import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { applicationSecrets, applications, db, partners, type Tx } from "../db";
import { accessChanged } from "../db/access";
import { type Actor, auditForClient } from "../db/audit";
import { BadRequest, NotFound } from "../errors";
import { randomToken, sha256 } from "../secrets";
import { assertConfirmedAddress } from "../users";
import { applicationRedirectProblems } from "./redirect-uri";

const MOST_CHARACTERS = 200;

export type Credentials = { clientId: string; clientSecret: string };
export type Application = typeof applications.$inferSelect;

/** `assertRoom` is called in the transaction that creates the application, and throws if the person has too many. */
type OwnedApplication = {
  isPublic: boolean;
  ownerId?: string;
  sessionEpoch?: number;
  assertRoom?: (tx: Tx) => Promise<void>;
};

/** What is wrong with the name of an application or a partner. */
export function nameProblems(name: string, most = MOST_CHARACTERS): string[] {
  const problems = [];
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) problems.push("Name contains a character that is not valid text");
  if (name.trim() === "") problems.push("Name is required");
  if (name.trim().length > most) problems.push(`Name must have at most ${most} characters`);
  return problems;
}

/**
 * Registers an authorization-code application. A public one cannot keep a secret and gets none.
 * @throws BadRequest for an unusable name, and for a redirect URI that is not absolute, has a fragment, or is plain http on a
 * host other than loopback
 */
export async function createApplication(name: string, redirectUris: string[]): Promise<Credentials>;
export async function createApplication(
  name: string,
  redirectUris: string[],
  options: OwnedApplication,
): Promise<{ clientId: string; clientSecret?: string }>;
export async function createApplication(
  name: string,
  redirectUris: string[],
  { isPublic, ownerId, sessionEpoch, assertRoom }: OwnedApplication = { isPublic: false },
) {
  const problems = [...nameProblems(name), ...applicationRedirectProblems(redirectUris)];
  if (problems.length > 0) throw new BadRequest(...problems);
  return db.transaction(async (tx) => {
    if (ownerId) await assertConfirmedAddress(tx, { id: ownerId, sessionEpoch }, "applications");
    await assertRoom?.(tx);
    const clientId = newClientId();
    const given = { clientId, name, redirectUris, isPublic, ownerId };
    await tx.insert(applications).values({ ...given, grant: "authorization_code" });
    const actor = ownerId ? { id: ownerId } : "operator";
    await auditForClient(tx, clientId, { action: "credential.created", actor });
    return isPublic ? { clientId } : { clientId, clientSecret: await addSecret(tx, clientId) };
  });
}

/**
 * Registers a partner with its machine-to-machine credential, which has every scope.
 * @throws BadRequest for an unusable name
 */
export async function createPartner(name: string, actor: Actor = "operator"): Promise<Credentials> {
  const problems = nameProblems(name);
  if (problems.length > 0) throw new BadRequest(...problems);
  return db.transaction(async (tx) => {
    const clientId = newClientId();
    await tx.insert(applications).values({ clientId, name, grant: "client_credentials" });
    await tx.insert(partners).values({ clientId, name });
    await auditForClient(tx, clientId, { action: "credential.created", actor });
    return { clientId, clientSecret: await addSecret(tx, clientId) };
  });
}

export async function addSecret(tx: Tx, clientId: string): Promise<string> {
  const clientSecret = randomToken();
  await tx.insert(applicationSecrets).values({ clientId, secretHash: sha256(clientSecret) });
  return clientSecret;
}

/** @throws NotFound if no partner has this client id */
export function suspendPartner(clientId: string, suspended = true, actor: Actor = "operator") {
  return setSuspended("client_credentials", clientId, suspended, actor);
}

/** @throws NotFound if no authorization-code application has this client id */
export function suspendApplication(clientId: string, suspended: boolean) {
  return setSuspended("authorization_code", clientId, suspended, "operator");
}

async function setSuspended(grant: Application["grant"], clientId: string, suspended: boolean, actor: Actor) {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(applications)
      .set({ suspendedAt: suspended ? sql`coalesce(${applications.suspendedAt}, now())` : null })
      .where(and(eq(applications.clientId, clientId), eq(applications.grant, grant)))
      .returning();
    if (!row) throw new NotFound(grant === "client_credentials" ? "Partner" : "Client", clientId);
    await auditForClient(tx, clientId, { action: suspended ? "credential.suspended" : "credential.resumed", actor });
  });
  accessChanged(clientId);
  return { clientId, suspended };
}

export async function findApplication(clientId: string): Promise<Application | undefined> {
  const [row] = await db.select().from(applications).where(eq(applications.clientId, clientId));
  return row;
}

/** A secret that is valid now. */
export const isLiveSecret = or(isNull(applicationSecrets.revokedAt), gt(applicationSecrets.revokedAt, sql`now()`));

/** Whether this is one of the client's valid secrets. */
export async function isSecretOf(clientId: string, secret: string): Promise<boolean> {
  const rows = await db
    .select({ id: applicationSecrets.id })
    .from(applicationSecrets)
    .where(
      and(eq(applicationSecrets.clientId, clientId), isLiveSecret, eq(applicationSecrets.secretHash, sha256(secret))),
    );
  return rows.length > 0;
}

/** A new client id: 128 random bits that do not start with a hyphen, so that no command line reads them as an option. */
export function newClientId(): string {
  const id = randomToken(16);
  return id.startsWith("-") ? newClientId() : id;
}
