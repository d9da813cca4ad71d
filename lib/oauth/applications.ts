import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { applicationSecrets, applications, db, grants, partners } from "../db";
import { parseUrl } from "../env";
import { BadRequest, NotFound } from "../errors";
import { hashesOf, randomToken } from "../secrets";
import { allScopes } from "./scopes";

export type Credentials = { clientId: string; clientSecret: string };
export type Application = typeof applications.$inferSelect & { grantId?: string };

/**
 * Registers an authorization-code application.
 * @throws BadRequest for a redirect URI that is not absolute, holds a fragment, or is plain http off this machine
 */
export async function createApplication(name: string, redirectUris: string[]): Promise<Credentials> {
  const problems = redirectUris.flatMap((uri) => {
    const url = parseUrl(uri);
    if (!url || uri.includes("#")) return [`redirect-uri must be an absolute address without a fragment: ${uri}`];
    const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
    return url.protocol === "http:" && !loopback ? [`redirect-uri must be https: ${uri}`] : [];
  });
  if (redirectUris.length === 0) problems.push("redirect-uri cannot be null");
  if (problems.length > 0) throw new BadRequest(...problems);
  return db.transaction(async (tx) => {
    const clientId = randomToken(16);
    await tx.insert(applications).values({ clientId, name, grant: "authorization_code", redirectUris });
    return { clientId, clientSecret: await addSecret(tx, clientId) };
  });
}

/** Registers a partner with its one machine-to-machine credential, which holds every scope. */
export async function createPartner(name: string): Promise<Credentials> {
  return db.transaction(async (tx) => {
    const clientId = randomToken(16);
    await tx.insert(applications).values({ clientId, name, grant: "client_credentials" });
    await tx.insert(partners).values({ clientId, name });
    await tx.insert(grants).values({ kind: "client_credentials", clientId, scopes: allScopes });
    return { clientId, clientSecret: await addSecret(tx, clientId) };
  });
}

async function addSecret(tx: Pick<typeof db, "insert">, clientId: string): Promise<string> {
  const clientSecret = randomToken();
  await tx.insert(applicationSecrets).values({ clientId, secretHash: hashesOf("client secret", clientSecret)[0] });
  return clientSecret;
}

/** @throws NotFound where no partner has this client id */
export async function suspendPartner(clientId: string): Promise<{ clientId: string; suspended: boolean }> {
  const [row] = await db
    .update(applications)
    .set({ suspendedAt: sql`coalesce(${applications.suspendedAt}, now())` })
    .where(and(eq(applications.clientId, clientId), eq(applications.grant, "client_credentials")))
    .returning();
  if (!row) throw new NotFound("Partner", clientId);
  return { clientId, suspended: true };
}

export async function findApplication(clientId: string): Promise<Application | undefined> {
  const [row] = await db
    .select({ application: applications, grantId: grants.id })
    .from(applications)
    .leftJoin(grants, and(eq(grants.clientId, applications.clientId), eq(grants.kind, "client_credentials")))
    .where(eq(applications.clientId, clientId));
  return row && { ...row.application, grantId: row.grantId ?? undefined };
}

/** Whether a live secret of the client is this one. */
export async function isSecretOf(clientId: string, secret: string): Promise<boolean> {
  const rows = await db
    .select({ id: applicationSecrets.id })
    .from(applicationSecrets)
    .where(
      and(
        eq(applicationSecrets.clientId, clientId),
        isNull(applicationSecrets.revokedAt),
        inArray(applicationSecrets.secretHash, hashesOf("client secret", secret)),
      ),
    );
  return rows.length > 0;
}
