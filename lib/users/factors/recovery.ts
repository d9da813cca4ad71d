import { randomBytes } from "node:crypto";
import { and, count, eq } from "drizzle-orm";
import { db, recoveryCodes, type Tx } from "../../db";
import { auditForUser } from "../../db/audit";
import { sha256, toBase32 } from "../../secrets";

const CODES = 10;
/** 80 random bits, so that a plain SHA-256 cannot be reversed: 16 letters and digits. */
const CODE_BYTES = 10;

/** Replaces a person's recovery codes. @returns the new ones, `abcd-efgh-ijkl-mnop`, which are stored hashed only */
export async function replaceRecoveryCodes(tx: Tx, ownerId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () =>
    toBase32(randomBytes(CODE_BYTES))
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, "$1-"),
  );
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.ownerId, ownerId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ ownerId, codeHash: hashOf(code) })));
  return codes;
}

/** Replaces the codes at the person's request, and records it in the audit log. */
export async function renewRecoveryCodes(ownerId: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    await auditForUser(tx, ownerId, { action: "factor.codes_renewed", subject: ownerId });
    return replaceRecoveryCodes(tx, ownerId);
  });
}

export async function countRecoveryCodes(ownerId: string): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.ownerId, ownerId));
  return row?.left ?? 0;
}

/** Uses up a recovery code. @returns false if the person has no such code */
export async function redeemRecoveryCode(ownerId: string, code: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const used = await tx
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.ownerId, ownerId), eq(recoveryCodes.codeHash, hashOf(code))))
      .returning();
    if (used.length === 0) return false;
    await auditForUser(tx, ownerId, { action: "factor.code_used", subject: ownerId });
    return true;
  });
}

/** Spaces, hyphens and capitals do not matter. */
function hashOf(code: string): Buffer {
  return sha256(code.toLowerCase().replace(/[\s-]/g, ""));
}
