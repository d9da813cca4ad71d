import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db, users } from "../../db";
import { hashPassword } from "../users";

const hashes = new Map<string, Promise<string>>();

/**
 * Creates a person with a confirmed address and this password. A password is hashed once for all people with it, because hashing
 * takes longer than most tests.
 */
export async function newPersonWithPassword(
  password: string,
  email = `${randomUUID()}@example.com`,
): Promise<{ id: string; email: string }> {
  const hash = hashes.get(password) ?? hashPassword(password, email);
  hashes.set(password, hash);
  const [row] = await db
    .insert(users)
    .values({ email, name: "Test", passwordHash: await hash, emailConfirmedAt: sql`now()` })
    .returning({ id: users.id });
  if (!row) throw new Error("the person was not stored");
  return { id: row.id, email };
}
