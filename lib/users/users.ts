import { scrypt, timingSafeEqual } from "node:crypto";
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { dbOrTransaction, type Tx, users } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { addressLockText } from "../db/locks";
import { BadRequest, Conflict, NotFound } from "../errors";
import { macOf } from "../secrets";
import { queueConfirmation } from "./confirm";

/** scrypt (RFC 7914) with N = 2^15, r = 8, p = 1: about 32 MB and 80 ms per check. The parameters are stored with the hash. */
const COST = 32_768;
const BLOCK_SIZE = 8;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

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

/**
 * Hashes a new password of a user with this address. All users of an address have the same salt, so that one derivation
 * checks a password against all of them, and the time of a sign-in does not reveal how many there are (ADR 43).
 */
export async function hashPassword(password: string, email: string): Promise<string> {
  const [first] = await dbOrTransaction
    .select({ hash: users.passwordHash })
    .from(users)
    .where(and(hasAddress(email), isNotNull(users.passwordHash)))
    .limit(1);
  return derivedLike(password, first?.hash ?? hashWith(firstSaltOf(email)));
}

/**
 * The salt of an address that has no user yet. It is the same for sign-ups at the same time, so that none of them has to derive
 * again, as none has to for a taken address. A hash contains its salt, so no password depends on the key that made the salt.
 */
function firstSaltOf(email: string): Buffer {
  return Buffer.from(macOf("sign-in", `password salt ${email.toLowerCase()}`).mac, "base64url").subarray(0, SALT_BYTES);
}

/** A hash with this salt that no password has, because its key has no bytes. */
function hashWith(salt: Buffer): string {
  return ["scrypt", COST, salt.toString("base64url"), ""].join("$");
}

/** The hash of a password with the parameters and the salt of another hash. */
async function derivedLike(password: string, hash: string): Promise<string> {
  const [, cost, salt = ""] = hash.split("$");
  const key = await derive(password, Buffer.from(salt, "base64url"), Number(cost));
  return ["scrypt", cost, salt, key.toString("base64url")].join("$");
}

const withoutKey = (hash: string) => hash.slice(0, hash.lastIndexOf("$"));

function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

type UserRow = typeof users.$inferSelect;

/**
 * Returns the first of the users of one address who has this password. They have one salt, so there is one derivation, also
 * for an address without users. A process of the previous release, which runs beside this one for a while, can bring a second
 * salt.
 */
async function findByPassword(rows: UserRow[], password: string): Promise<UserRow | undefined> {
  const hashes = rows.flatMap(({ passwordHash }) => passwordHash ?? []);
  const salts = new Map(hashes.map((hash) => [withoutKey(hash), hash]));
  const derived: string[] = [];
  for (const hash of salts.size === 0 ? [hashWith(Buffer.alloc(SALT_BYTES))] : salts.values()) {
    derived.push(await derivedLike(password, hash));
  }
  return rows.find(({ passwordHash }) => passwordHash !== null && derived.some((one) => isSameHash(one, passwordHash)));
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

const SignUp = z.object({
  email: z.email("email must be an email address").max(254, "email must have at most 254 characters"),
  password: NewPassword,
  name: Name.optional(),
});
const NewUser = SignUp.extend({ role: z.enum(["user", "staff"]).default("user") });

/** @throws BadRequest if the name is empty or too long */
export async function changeName(userId: string, name: string): Promise<void> {
  const parsed = Name.min(1, "name must have at least 1 character that is not white space").safeParse(name);
  if (!parsed.success) throw new BadRequest(...parsed.error.issues.map(({ message }) => message));
  await dbOrTransaction.update(users).set({ name: parsed.data }).where(eq(users.id, userId));
}

/** People who sign in. Partners' users never do. */
export const signInUser = isNull(users.partnerId);

/**
 * SQL condition: the people who signed up with this address, in any case. At most one of them has confirmed it, and the
 * address belongs to that person (ADR 43).
 */
export function hasAddress(email: string): SQL | undefined {
  return and(signInUser, eq(sql`lower(${users.email})`, email.toLowerCase()));
}

/** The person who confirmed the address comes first, then who signed up with it first. */
const ownerFirst = [sql`${users.emailConfirmedAt} is null`, asc(users.createdAt), asc(users.id)];

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
 * Creates a person for whom the operator vouches: the address counts as confirmed.
 * @throws BadRequest with a problem for each wrong field; Conflict if another person has confirmed the address
 */
export async function createUser(input: z.input<typeof NewUser>): Promise<User> {
  const { role, ...given } = parseNewUser(NewUser, input);
  const created = await storeUser(given, async (tx, named) => {
    const [row] = await tx
      .insert(users)
      .values({ ...named, role, emailConfirmedAt: sql`now()` })
      .onConflictDoNothing()
      .returning();
    if (!row) throw new Conflict(`email is already registered: ${given.email}`);
    await audit(tx, { action: "user.created", actor: "operator", subject: row.id, details: { role } });
    return row;
  });
  return present(created);
}

/** @throws BadRequest with a problem for each wrong field of a sign-up */
export const parseSignUp = (input: z.input<typeof SignUp>) => parseNewUser(SignUp, input);

function parseNewUser<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new BadRequest(...parsed.error.issues.map((issue) => issue.message));
  return parsed.data;
}

/**
 * Creates a person who signs up by themselves, and sends a mail to the address. Whether it belongs to another person makes a
 * difference only in that mail. If a person of this address has this password already, returns that person, so that a form
 * that was sent twice creates one account.
 * @param sendsMail false if the address has got too many such mails
 */
export async function registerUser(
  input: z.output<typeof SignUp>,
  sendsMail = true,
): Promise<{ user: User; isNew: boolean }> {
  let isNew = false;
  const stored = await storeUser(input, async (tx, named) => {
    const known = await tx
      .select()
      .from(users)
      .where(hasAddress(named.email))
      .orderBy(...ownerFirst);
    const same = known.find(
      ({ passwordHash }) => passwordHash !== null && isSameHash(passwordHash, named.passwordHash),
    );
    if (same) return same;
    const [row] = await tx.insert(users).values(named).returning();
    if (!row) throw new Error("the user was not stored");
    if (sendsMail) await queueConfirmation(tx, row);
    isNew = true;
    return row;
  });
  return { user: present(stored), isNew };
}

type NamedUser = { email: string; name: string; passwordHash: string };

/**
 * Hashes the password. Hashes it again if another sign-up with the address has brought another salt in the meantime, which
 * happens only while SECRETS_KEY differs between processes or the previous release is still running.
 */
async function storeUser(
  { email, password, name }: z.output<typeof SignUp>,
  store: (tx: Tx, named: NamedUser) => Promise<UserRow>,
): Promise<UserRow> {
  for (;;) {
    const passwordHash = await hashPassword(password, email);
    const named = { email, name: name || (email.split("@")[0] ?? email), passwordHash };
    const stored = await dbOrTransaction.transaction(async (tx) => {
      const lock = addressLockText(email.toLowerCase());
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
      const others = await tx.select({ hash: users.passwordHash }).from(users).where(hasAddress(email));
      const hashes = others.flatMap(({ hash }) => hash ?? []);
      const isSaltShared = hashes.some((hash) => withoutKey(hash) === withoutKey(passwordHash));
      return isSaltShared || hashes.length === 0 ? store(tx, named) : undefined;
    });
    if (stored) return stored;
  }
}

/**
 * Returns the person with this address and password, or undefined. If several people signed up with the address, the password
 * decides. It takes the same time in every case.
 * @param userId only this person may be returned
 */
export async function authenticate(email: string, password: string, userId?: string): Promise<User | undefined> {
  const rows = await dbOrTransaction
    .select()
    .from(users)
    .where(hasAddress(email))
    .orderBy(...ownerFirst);
  const candidates = userId === undefined ? rows : rows.filter(({ id }) => id === userId);
  const row = await findByPassword(candidates, password.slice(0, 1024));
  return row && present(row);
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

/**
 * Returns the person to whom an address belongs. If nobody has confirmed it, returns the only person who signed up with it.
 * @throws NotFound if no account has this address; Conflict if several have it and none has confirmed it
 */
export async function getUserByEmail(email: string): Promise<User> {
  const [first, second] = await usersOfAddress(email);
  if (!first) throw new NotFound("User", email);
  if (second && !first.emailConfirmed) {
    throw new Conflict(
      `Several accounts have the address ${email}, and none of them has confirmed it. Open the link in one of the confirmation emails first`,
    );
  }
  return first;
}

/**
 * Returns the person to whom an address belongs. For commands that give this person access to something: whoever signed up with
 * the address and has not confirmed it may be somebody else.
 * @throws NotFound if no account has this address; Conflict if nobody has confirmed it
 */
export async function getAddressOwner(email: string): Promise<User> {
  const user = await getUserByEmail(email);
  if (user.emailConfirmed) return user;
  throw new Conflict(
    `Nobody has confirmed the address ${email} yet, so the account may belong to somebody else. Open the link in the confirmation email first, then run the command again`,
  );
}

/** Returns the person who confirmed an address, then those who only signed up with it, the oldest first. */
export async function usersOfAddress(email: string): Promise<User[]> {
  const rows = await dbOrTransaction
    .select()
    .from(users)
    .where(hasAddress(email))
    .orderBy(...ownerFirst);
  return rows.map(present);
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
