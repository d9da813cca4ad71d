import { and, eq, gt, sql } from "drizzle-orm";
import { dbOrTransaction, mailTokens, type Tx } from "../db";
import { env } from "../env";
import { randomToken, sha256 } from "../secrets";
import type { MailKind, TokenLink } from "./kinds";

type Addressee = { ownerId: string; email: string };

/**
 * Returns the link of a mail's button, with a new token. Only the token's hash is stored, and only when the mail is sent.
 * If a mail is sent twice, both links work until one is used.
 */
export async function newTokenLink(kind: MailKind, { path, seconds }: TokenLink, to: Addressee): Promise<string> {
  const token = randomToken();
  const expiresAt = sql`now() + make_interval(secs => ${seconds})`;
  await dbOrTransaction.insert(mailTokens).values({ ...to, kind, tokenHash: sha256(token), expiresAt });
  return `${env.appUrl}${path}?${new URLSearchParams({ token })}`;
}

/** Returns the person and address that a token was sent to, or undefined if it is unknown, used or expired. */
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
 * Uses up a token and all others of its kind for this person. If it is used twice at the same time, one call succeeds.
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
