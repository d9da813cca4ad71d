import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, users } from "../db";
import { enqueue, type JobKind } from "../jobs";
import { type FactsOf, isNotice, type MailKind } from "./kinds";

/** A mail is due: what it says and whether it may still go, its row and its addressee's decide. */
export const mailDue = { name: "mail.send", payload: z.object({ mailId: z.uuid() }) } satisfies JobKind;

type NewMail = {
  [K in MailKind]: {
    kind: K;
    ownerId: string;
    /** What it is about: a second mail of this kind with the same words is none. */
    about: string;
    facts: FactsOf<K>;
  };
}[MailKind];

/**
 * Whether this row of `users` may have a mail of this kind: people who sign in, never a partner's users; notices only to an
 * address that was confirmed, of a kind that was not switched off.
 */
export function canReceive(kind: MailKind): SQL {
  const reached = sql`(${users.partnerId} is null and ${users.email} is not null
    and ${users.deletingAt} is null and ${users.suspendedAt} is null)`;
  if (!isNotice(kind)) return reached;
  return sql`(${reached} and ${users.emailConfirmedAt} is not null and not (${kind}::text = any(${users.mutedMails})))`;
}

/**
 * Writes a mail down and wakes the job that sends it, in the caller's transaction. It is written once for what it is about,
 * and not at all to somebody who may not have it.
 * @returns whether this call wrote it
 */
export async function queueMail(tx: Tx, { kind, ownerId, about, facts }: NewMail): Promise<boolean> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into mails (owner_id, kind, key, facts)
    select ${users.id}, ${kind}, ${`${kind}:${about}`}, ${JSON.stringify(facts)}::jsonb from ${users}
    where ${users.id} = ${ownerId} and ${canReceive(kind)}
    on conflict (key) do nothing returning id`);
  const [row] = rows;
  if (row) await enqueue(tx, mailDue, { mailId: row.id }, { key: mailJobKey(row.id) });
  return row !== undefined;
}

export function mailJobKey(mailId: string): string {
  return `mail.send:${mailId}`;
}
