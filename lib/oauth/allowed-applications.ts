import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { applications, db, grants, type Tx, users } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { NotFound } from "../errors";
import { withSixDigits } from "../time/instant";
import type { Application } from "./applications";
import { isStorableText } from "./parameters";
import { formatScopes, type Scope } from "./scopes";
import { ACCESS_TOKEN_SECONDS } from "./tokens";

/** Who registered an application: a user (`email` only if it is confirmed), or the operator at the command line. */
export type Registrar = { name: string; email?: string } | "operator";

/** An application that a person has allowed to act for them. Its times cover all consents that are still valid. */
export type AllowedApplication = {
  clientId: string;
  name: string;
  registrar: Registrar;
  scopes: Scope[];
  allowedAt: string;
  /** Absent if the application has never asked for a token. */
  firstUsedAt?: string;
  lastUsedAt?: string;
};

const owner = alias(users, "owner");

const ofPerson = (userId: string) =>
  and(eq(grants.userId, userId), eq(grants.kind, "authorization_code"), isNull(grants.revokedAt));

/** When a grant's code was exchanged for the first tokens, and when its refresh token was last exchanged. */
const exchanges = sql`(
  select min(created_at) as first_at, max(created_at) as last_at from refresh_tokens where grant_id = ${grants.id})`;

/** An access token can outlive the consent's last refresh token. */
const canHaveTokens = or(
  gt(grants.expiresAt, sql`now()`),
  and(
    gt(grants.expiresAt, sql`now() - make_interval(secs => ${ACCESS_TOKEN_SECONDS})`),
    sql`exchanges.first_at is not null`,
  ),
);

/** Returns the applications that a person has allowed, by name. */
export async function listAllowedApplications(userId: string): Promise<AllowedApplication[]> {
  const rows = await db
    .select({
      clientId: applications.clientId,
      name: applications.name,
      owner: { name: owner.name, email: owner.email, emailConfirmedAt: owner.emailConfirmedAt },
      scopes: sql<Scope[]>`(select array_agg(distinct scope order by scope)
        from unnest(string_to_array(string_agg(array_to_string(${grants.scopes}, ' '), ' '), ' ')) as scope)`,
      allowedAt: sql<string>`min(${grants.createdAt})`,
      firstUsedAt: sql<string | null>`min(exchanges.first_at)`,
      lastUsedAt: sql<string | null>`max(greatest(${grants.lastUsedAt}, exchanges.last_at))`,
    })
    .from(grants)
    .innerJoin(applications, eq(applications.clientId, grants.clientId))
    .leftJoin(owner, eq(owner.id, applications.ownerId))
    .crossJoinLateral(sql`${exchanges} as exchanges`)
    .where(and(ofPerson(userId), canHaveTokens))
    .groupBy(applications.clientId, owner.id)
    .orderBy(asc(applications.name), asc(applications.clientId));
  return rows.map(({ owner: registeredBy, firstUsedAt, lastUsedAt, ...row }) => ({
    ...row,
    registrar: registrarFrom(registeredBy),
    ...(firstUsedAt ? { firstUsedAt } : {}),
    ...(lastUsedAt ? { lastUsedAt } : {}),
  }));
}

export type ApplicationLockout = (tx: Tx, userId: string, clientId: string) => Promise<void>;

/** What an application can create for a person that would go on without a token. Each is stopped with the application. */
type ApplicationLockouts = { webhooks: ApplicationLockout; feeds: ApplicationLockout };

/**
 * Ends everything that a person has allowed an application: its tokens are invalid from the next request on, and the lockouts
 * stop what it has created.
 * @throws NotFound, the same whether the application does not exist or the person has not allowed it
 */
export async function revokeAllowedApplication(
  userId: string,
  clientId: string,
  lockouts: ApplicationLockouts,
): Promise<void> {
  if (!isStorableText(clientId)) throw new NotFound("Application", clientId);
  const revoked = await db.transaction(async (tx) => {
    const rows = await tx
      .update(grants)
      .set({ revokedAt: sql`now()` })
      .where(and(ofPerson(userId), eq(grants.clientId, clientId)))
      .returning({ id: grants.id });
    if (rows.length === 0) throw new NotFound("Application", clientId);
    for (const stop of Object.values(lockouts)) await stop(tx, userId, clientId);
    await audit(tx, { action: "consent.revoked", actor: { id: userId }, subject: clientId, details: { userId } });
    return rows;
  });
  for (const { id } of revoked) accessChanged(id); // a trigger tells the other processes
}

/** Returns it as the API shows it. */
export function presentAllowedApplication({ registrar, scopes, ...application }: AllowedApplication) {
  const { clientId: id, name, allowedAt, firstUsedAt, lastUsedAt } = application;
  return {
    id,
    name,
    registeredBy: registrar === "operator" ? { type: "OPERATOR" } : { type: "USER", ...registrar },
    scopes: scopes.map((scope) => formatScopes([scope])),
    allowedTime: withSixDigits(allowedAt),
    ...(firstUsedAt ? { firstUsedTime: withSixDigits(firstUsedAt) } : {}),
    ...(lastUsedAt ? { lastUsedTime: withSixDigits(lastUsedAt) } : {}),
  };
}

/** Returns who registered an application. */
export async function findRegistrar({ ownerId }: Pick<Application, "ownerId">): Promise<Registrar> {
  if (ownerId === null) return "operator";
  const [row] = await db.select().from(users).where(eq(users.id, ownerId));
  return registrarFrom(row ?? null);
}

type Owner = Pick<typeof users.$inferSelect, "name" | "email" | "emailConfirmedAt">;

function registrarFrom(user: Owner | null): Registrar {
  if (!user) return "operator";
  return { name: user.name, ...(user.email && user.emailConfirmedAt ? { email: user.email } : {}) };
}
