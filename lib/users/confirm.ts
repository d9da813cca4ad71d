import { randomUUID } from "node:crypto";
import { and, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { dbOrTransaction, grants, type Tx, users } from "../db";
import { AccessDenied, Conflict, Unauthorized } from "../errors";
import { queueMail, useToken } from "../mail";
import { countMail } from "./sign-in/attempts";
import { accountOf } from "./sign-in/cookies";

/**
 * Queues a mail that asks the person to confirm their address. If the address belongs to another person by the time the mail
 * is sent, it says so instead (lib/mail/send.ts).
 */
export async function queueConfirmation(tx: Tx, { id, createdAt }: CreatedUser): Promise<void> {
  const facts = { accountCreatedTime: new Date(createdAt).toISOString() };
  await queueMail(tx, { kind: "confirmAddress", ownerId: id, about: `${id}:${randomUUID()}`, facts });
}

type CreatedUser = Pick<typeof users.$inferSelect, "id" | "createdAt">;

/**
 * Sends the confirmation mail again. Does nothing if the address is confirmed.
 * @param headers of the request: mails to one address are limited by network
 * @returns undefined, or the seconds to wait if too many mails were requested and nothing was sent
 */
export async function requestConfirmation(headers: Headers, { id, email }: AddressedUser): Promise<number | undefined> {
  const seconds = await countMail(headers, "confirm", accountOf(email));
  if (seconds !== undefined) return seconds;
  await dbOrTransaction.transaction(async (tx) => {
    const unconfirmed = and(eq(users.id, id), isNull(users.emailConfirmedAt));
    const { createdAt } = users;
    const [open] = await tx.select({ id: users.id, createdAt }).from(users).where(unconfirmed).for("update");
    if (open) await queueConfirmation(tx, open);
  });
  return undefined;
}

type AddressedUser = { id: string; email: string };

/**
 * A person who acts, the session epoch with which the request was authenticated, if it is known, and the application that calls
 * for the person, if one does.
 */
type Actor = { id: string; sessionEpoch?: number; clientId?: string };

/**
 * Prevents a password reset and the revocation of the calling application until the transaction ends, so that a request that is
 * under way creates nothing for a caller who is locked out.
 * @throws Unauthorized if either happened after the request was authenticated
 */
export async function assertStillAllowed(tx: Tx, actor: Actor): Promise<void> {
  await holdUser(tx, actor);
}

/**
 * For tokens, applications, webhooks and feeds, which outlast a session. Otherwise, anyone could sign up with another person's
 * address, create one and wait. Users of a partner have no address to confirm.
 * @throws AccessDenied if the address is not confirmed; Unauthorized like `assertStillAllowed`
 */
export async function assertConfirmedAddress(tx: Tx, actor: Actor, what: string): Promise<void> {
  const user = await holdUser(tx, actor);
  if (user && user.partnerId === null && user.emailConfirmedAt === null) {
    throw new AccessDenied(`Confirm your email address before you create ${what}: Settings sends you the link again`);
  }
}

async function holdUser(tx: Tx, { id, sessionEpoch, clientId }: Actor) {
  const { emailConfirmedAt, partnerId } = users;
  const [user] = await tx
    .select({ emailConfirmedAt, partnerId, sessionEpoch: users.sessionEpoch })
    .from(users)
    .where(eq(users.id, id))
    .for("share");
  if (user && sessionEpoch !== undefined && user.sessionEpoch !== sessionEpoch) throw new Unauthorized();
  if (clientId !== undefined) {
    const isAllowed = and(eq(grants.userId, id), eq(grants.clientId, clientId), isNull(grants.revokedAt));
    const allowed = await tx.select({ id: grants.id }).from(grants).where(isAllowed).for("share");
    if (allowed.length === 0) throw new Unauthorized();
  }
  return user;
}

/**
 * SQL: this person still allows this application. It is not so once either has ended the consent, the consent has expired or the
 * application was deleted.
 */
export const allowsApplication = (userId: SQLWrapper, clientId: SQLWrapper) =>
  sql`exists (select from grants g where g.user_id = ${userId} and g.client_id = ${clientId}
    and g.revoked_at is null and g.expires_at > now())`;

/** The address of a link belongs to another person, who has confirmed it. Nothing was changed, and the link still works. */
export class AddressTaken extends Conflict {
  constructor() {
    super("The email address belongs to another account, which has confirmed it");
  }
}

/** Runs a transaction that confirms an address. @throws AddressTaken */
export async function confirming<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await dbOrTransaction.transaction(work);
  } catch (error) {
    if (isAddressTaken(error)) throw new AddressTaken();
    throw error;
  }
}

/** Whether the database refused a second confirmed user of an address, also if the query layer wrapped the error. */
function isAddressTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("constraint" in error && error.constraint === "users_confirmed_address") || isAddressTaken(error.cause);
}

/** The link is for another account with the same address, and not for the one that is signed in. Nothing was changed. */
export class OtherAccountSignedIn extends Conflict {
  constructor() {
    super("The link is for another account with this email address, and not for the one that is signed in");
  }
}

/**
 * Confirms the address that a token was sent to.
 * @param signedIn the person in whose browser the link was pressed. If they signed up with the same address, they most likely
 * want to confirm their own account, and the link in the mailbox may be for the account of a stranger.
 * @returns the address, or undefined if the token is unknown, used or expired, or was sent to another address
 * @throws AddressTaken, OtherAccountSignedIn; the token can still be used
 */
export async function confirmEmail(
  token: string,
  signedIn?: { id: string; email: string; emailConfirmed: boolean },
): Promise<string | undefined> {
  return confirming(async (tx) => {
    const sent = await useToken(tx, "confirmAddress", token);
    if (!sent) return undefined;
    const isOther = signedIn && !signedIn.emailConfirmed && signedIn.id !== sent.ownerId;
    if (isOther && signedIn.email.toLowerCase() === sent.email.toLowerCase()) throw new OtherAccountSignedIn();
    const [row] = await tx
      .update(users)
      .set({ emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, now())` })
      .where(and(eq(users.id, sent.ownerId), eq(users.email, sent.email)))
      .returning({ email: users.email });
    return row?.email ?? undefined;
  });
}
