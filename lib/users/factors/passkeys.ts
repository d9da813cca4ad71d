import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { db, passkeys } from "../../db";
import { env } from "../../env";
import { BadRequest, NotFound } from "../../errors";
import { factorRemoved, lockFactors } from "./changes";

/** The relying party of Web Authentication: passkeys belong to the dashboard's host name. */
export const relyingParty = { id: new URL(env.appUrl).hostname, origin: new URL(env.appUrl).origin, name: "Carillon" };

/** Browsers offer passkeys on https and on `localhost`, and never for an IP address. */
export const hasPasskeys =
  /[a-z]/i.test(relyingParty.id) &&
  !relyingParty.id.startsWith("[") &&
  (env.appUrl.startsWith("https:") || /(^|\.)localhost$/.test(relyingParty.id));

export type Passkey = Pick<
  typeof passkeys.$inferSelect,
  "id" | "name" | "createdAt" | "usedAt" | "backedUp" | "needsPassword"
>;

/** A person's passkeys, newest first. */
export async function listPasskeys(ownerId: string): Promise<Passkey[]> {
  const { id, name, createdAt, usedAt, backedUp, needsPassword } = passkeys;
  return db
    .select({ id, name, createdAt, usedAt, backedUp, needsPassword })
    .from(passkeys)
    .where(eq(passkeys.ownerId, ownerId))
    .orderBy(desc(passkeys.createdAt));
}

export const PasskeyName = z
  .string()
  .trim()
  .min(1, "name is required")
  .max(100, "name must have at most 100 characters")
  .refine((name) => !/\p{Cc}/u.test(name) && name.isWellFormed(), "name contains a character that is not allowed");

/** @throws BadRequest for an invalid name; NotFound if the person has no such passkey */
export async function renamePasskey(ownerId: string, id: string, name: string): Promise<void> {
  const parsed = PasskeyName.safeParse(name);
  if (!parsed.success) throw new BadRequest(...parsed.error.issues.map(({ message }) => message));
  const renamed = await db.update(passkeys).set({ name: parsed.data }).where(ownPasskey(ownerId, id)).returning();
  if (renamed.length === 0) throw new NotFound("Passkey", id);
}

/** @throws NotFound if the person has no such passkey */
export async function removePasskey(ownerId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockFactors(tx, ownerId);
    const [removed] = await tx.delete(passkeys).where(ownPasskey(ownerId, id)).returning();
    if (!removed) throw new NotFound("Passkey", id);
    await factorRemoved(tx, ownerId, { kind: "passkey", name: removed.name });
  });
}

function ownPasskey(ownerId: string, id: string) {
  if (!z.uuid().safeParse(id).success) throw new NotFound("Passkey", id);
  return and(eq(passkeys.ownerId, ownerId), eq(passkeys.id, id));
}
