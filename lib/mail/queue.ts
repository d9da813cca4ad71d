import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, users } from "../db";
import { enqueue, type JobKind } from "../jobs";
import { type FactsOf, isNotice, type MailKind } from "./kinds";

/** A mail is due. Its row holds the content, and its recipient's row decides whether it may still be sent. */
export const mailDue = { name: "mail.send", payload: z.object({ mailId: z.uuid() }) } satisfies JobKind;

type NewMail = {
  [K in MailKind]: {
    kind: K;
    ownerId: string;
    /** What the mail is about. A second mail of this kind about the same thing is not written. */
    about: string;
    facts: FactsOf<K>;
  };
}[MailKind];

/**
 * SQL: whether this row of `users` may get a mail of this kind. Only people who sign in get mail, never a partner's users. An
 * address that the person has not confirmed may be another person's, so it only gets mails that prove whose it is. Notices
 * also need a kind that is not switched off.
 */
export function canReceive(kind: MailKind): SQL {
  const reached = sql`(${users.partnerId} is null and ${users.email} is not null
    and ${users.deletingAt} is null and ${users.suspendedAt} is null)`;
  if (provingKinds.includes(kind)) return reached;
  const confirmed = sql`(${reached} and ${users.emailConfirmedAt} is not null)`;
  return isNotice(kind) ? sql`(${confirmed} and not (${kind}::text = any(${users.mutedMails})))` : confirmed;
}

const provingKinds: MailKind[] = ["confirmAddress", "alreadyRegistered", "resetPassword"];

/**
 * Stores a mail and enqueues the job that sends it, in the caller's transaction. Does nothing if a mail about the same
 * thing exists or the person may not get it.
 * @returns whether this call stored it
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
