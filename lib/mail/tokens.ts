import { and, eq, gt, sql } from "drizzle-orm";
import { dbOrTransaction, mailTokens, type Tx } from "../db";
import { env } from "../env";
import { randomToken, sha256 } from "../secrets";
import type { MailKind, TokenLink } from "./kinds";

type Addressee = { ownerId: string; email: string };

/**
 * The address that a button leads to, with a new token in it. Only its hash is stored, and only from the moment of sending:
 * should a mail be sent again, both of its links work until one is used.
 */
export async function newTokenLink(kind: MailKind, { path, seconds }: TokenLink, to: Addressee): Promise<string> {
  const token = randomToken();
  const expiresAt = sql`now() + make_interval(secs => ${seconds})`;
  await dbOrTransaction.insert(mailTokens).values({ ...to, kind, tokenHash: sha256(token), expiresAt });
  return `${env.appUrl}${path}?${new URLSearchParams({ token })}`;
}

/** Whose token of this kind it is, and for which address; undefined where it is none, was used or has expired. */
export async function findToken(tx: Tx, kind: MailKind, token: string): Promise<Addressee | undefined> {
  const [row] = await tx
    .select({ ownerId: mailTokens.ownerId, email: mailTokens.email })
    .from(mailTokens)
    .where(
      and(eq(mailTokens.tokenHash, sha256(token)), eq(mailTokens.kind, kind), gt(mailTokens.expiresAt, sql`now()`)),
    );
  return row;
}

/**
 * Uses a token up, and with it every other one of its kind that this person has: of two uses at once one succeeds.
 * @returns as `findToken`
 */
export async function useToken(tx: Tx, kind: MailKind, token: string): Promise<Addressee | undefined> {
  const [used] = await tx
    .delete(mailTokens)
    .where(
      and(eq(mailTokens.tokenHash, sha256(token)), eq(mailTokens.kind, kind), gt(mailTokens.expiresAt, sql`now()`)),
    )
    .returning({ ownerId: mailTokens.ownerId, email: mailTokens.email });
  if (used) await tx.delete(mailTokens).where(and(eq(mailTokens.ownerId, used.ownerId), eq(mailTokens.kind, kind)));
  return used;
}
