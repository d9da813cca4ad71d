import { randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { dbOrTransaction, users } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { BadRequest, Conflict, NotFound } from "../errors";
import { queueMail } from "../mail";
import { isMailLimitReached, queueConfirmation } from "./confirm";

/** scrypt (RFC 7914) with N = 2^15, r = 8, p = 1: about 32 MB and 80 ms per check. The parameters are stored with the hash. */
const COST = 32_768;
const BLOCK_SIZE = 8;
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(
      password.normalize("NFKC"),
      salt,
      KEY_BYTES,
      { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 256 * cost * BLOCK_SIZE },
      (error, key) => (error ? reject(error) : resolve(key)),
    ),
  );
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Takes the same time with and without a stored hash, so that registered addresses cannot be probed. */
async function isPasswordCorrect(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, cost, salt, key] = (hash ?? `scrypt$${COST}$${"A".repeat(22)}$${"A".repeat(43)}`).split("$");
  const wanted = Buffer.from(key ?? "", "base64url");
  const derived = await derive(password, Buffer.from(salt ?? "", "base64url"), Number(cost));
  return timingSafeEqual(wanted, derived) && Boolean(hash);
}

export type User = {
  id: string;
  email: string;
  name: string;
  role: "user" | "staff";
  suspended: boolean;
  deleting: boolean;
  /** Whether the person has confirmed the address. */
  emailConfirmed: boolean;
  /** Sessions of an earlier epoch have ended. */
  sessionEpoch: number;
};

const NewPassword = z
  .string("password cannot be null")
  .min(8, "password must have at least 8 characters")
  .max(1024, "password must have at most 1,024 characters");

/** @throws BadRequest if a new password is too short or too long */
export function parsePassword(password: string): string {
  const parsed = NewPassword.safeParse(password);
  if (!parsed.success) throw new BadRequest(...parsed.error.issues.map(({ message }) => message));
  return parsed.data;
}

const Name = z
  .string()
  .trim()
  .max(200, "name must have at most 200 characters")
  .refine((name) => !name.includes("\0") && name.isWellFormed(), "name contains a character that is not allowed");

const NewUser = z.object({
  email: z.email("email must be an email address").max(254, "email must have at most 254 characters"),
  password: NewPassword,
  name: Name.optional(),
  role: z.enum(["user", "staff"]).default("user"),
  /** Set by the operator for a known address; no confirmation mail is sent. */
  isConfirmed: z.boolean().default(false),
});

/** @throws BadRequest if the name is empty or too long */
export async function changeName(userId: string, name: string): Promise<void> {
  const parsed = Name.min(1, "name must have at least 1 character").safeParse(name);
  if (!parsed.success) throw new BadRequest(...parsed.error.issues.map(({ message }) => message));
  await dbOrTransaction.update(users).set({ name: parsed.data }).where(eq(users.id, userId));
}

/** People who sign in. Partners' users never do. */
export const signInUser = isNull(users.partnerId);

/**
 * SQL condition on a row `u` of users: the user is not suspended, not being deleted, and not of a suspended partner. Nothing
 * is published, sent, imported or shown for other users.
 */
export const isOwnerActive = sql`(u.deleting_at is null and u.suspended_at is null and not exists (
  select from partners join applications using (client_id)
  where partners.id = u.partner_id and applications.suspended_at is not null))`;

export function present(row: typeof users.$inferSelect): User {
  return {
    id: row.id,
    email: row.email ?? "",
    name: row.name,
    role: row.role,
    suspended: row.suspendedAt !== null,
    deleting: row.deletingAt !== null,
    emailConfirmed: row.emailConfirmedAt !== null,
    sessionEpoch: row.sessionEpoch,
  };
}

/**
 * Creates a person who signs in with a password, and asks them to confirm their address.
 * @throws BadRequest with a problem for each wrong field; Conflict if the address is taken
 */
export async function createUser(input: z.input<typeof NewUser>): Promise<User> {
  const parsed = NewUser.safeParse(input);
  if (!parsed.success) throw new BadRequest(...parsed.error.issues.map((issue) => issue.message));
  const { email, password, name, role, isConfirmed } = parsed.data;
  const passwordHash = await hashPassword(password);
  const named = { email, name: name || (email.split("@")[0] ?? email), role, passwordHash };
  return dbOrTransaction.transaction(async (tx) => {
    const [row] = await tx
      .insert(users)
      .values({ ...named, emailConfirmedAt: isConfirmed ? sql`now()` : null })
      .onConflictDoNothing()
      .returning();
    if (!row) throw new Conflict(`email is already registered: ${email}`);
    if (!isConfirmed) await queueConfirmation(tx, row.id);
    else await audit(tx, { action: "user.created", actor: "operator", subject: row.id, details: { role } });
    return present(row);
  });
}

/**
 * Creates a person who signs up by themselves. If the address is taken, its owner gets a mail instead. The work is the same
 * in both cases, and the caller must not show the difference.
 * @throws BadRequest with a problem for each wrong field
 */
export async function signUp(input: { email: string; password: string; name?: string }): Promise<void> {
  try {
    await createUser(input);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    await dbOrTransaction.transaction(async (tx) => {
      const isOwner = and(signInUser, eq(sql`lower(${users.email})`, input.email.toLowerCase()));
      const [owner] = await tx.select({ id: users.id }).from(users).where(isOwner).for("update");
      if (!owner || (await isMailLimitReached(tx, owner.id, "alreadyRegistered"))) return;
      const about = `${owner.id}:${randomUUID()}`;
      await queueMail(tx, { kind: "alreadyRegistered", ownerId: owner.id, about, facts: {} });
    });
  }
}

/** Returns the person with this address and password, or undefined. It takes the same time in every case. */
export async function authenticate(email: string, password: string): Promise<User | undefined> {
  const [row] = await dbOrTransaction
    .select()
    .from(users)
    .where(and(signInUser, eq(sql`lower(${users.email})`, email.toLowerCase())));
  const right = await isPasswordCorrect(password.slice(0, 1024), row?.passwordHash);
  return right && row ? present(row) : undefined;
}

export async function findUser(id: string): Promise<User | undefined> {
  const [row] = await dbOrTransaction
    .select()
    .from(users)
    .where(and(signInUser, eq(users.id, id)));
  return row && present(row);
}

/** A user's own row without its secrets. The user is a person or a partner's user. */
export type OwnUser = Pick<
  typeof users.$inferSelect,
  "id" | "name" | "email" | "role" | "externalUserId" | "createdAt"
>;

/** @throws NotFound if the user is gone */
export async function getOwnUser(id: string): Promise<OwnUser> {
  const { email, name, role, externalUserId, createdAt } = users;
  const [row] = await dbOrTransaction
    .select({ id: users.id, email, name, role, externalUserId, createdAt })
    .from(users)
    .where(eq(users.id, id));
  if (!row) throw new NotFound("User", id);
  return row;
}

/** @throws NotFound if no account has this address */
export async function getUserByEmail(email: string): Promise<User> {
  const user = await findUserByEmail(email);
  if (!user) throw new NotFound("User", email);
  return user;
}

export async function findUserByEmail(email: string): Promise<User | undefined> {
  const [row] = await dbOrTransaction
    .select()
    .from(users)
    .where(and(signInUser, eq(sql`lower(${users.email})`, email.toLowerCase())));
  return row && present(row);
}

/** Suspends or resumes a user, a person or a partner's user. It takes effect with the next request. */
export async function setSuspended(id: string, suspended: boolean): Promise<{ id: string; suspended: boolean }> {
  const isId = z.uuid().safeParse(id).success;
  if (!isId) throw new NotFound("User", id);
  await dbOrTransaction.transaction(async (tx) => {
    const [row] = await tx
      .update(users)
      .set({ suspendedAt: suspended ? sql`coalesce(${users.suspendedAt}, now())` : null })
      .where(eq(users.id, id))
      .returning();
    if (!row) throw new NotFound("User", id);
    const action = suspended ? "user.suspended" : "user.resumed";
    await audit(tx, { action, actor: "operator", subject: row.id, partnerId: row.partnerId ?? undefined });
  });
  accessChanged(id);
  return { id, suspended };
}
