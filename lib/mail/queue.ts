import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, users } from "../db";
import { fewRows, statement, value } from "../db/statement";
import { enqueueAll, type JobKind } from "../jobs";
import { type FactsOf, type MailKind, subscribedKinds } from "./kinds";

/** A mail is due. Its row holds the content, and its recipient's row decides whether it may still be sent. */
export const mailDue = { name: "mail.send", payload: z.object({ mailId: z.uuid() }) } satisfies JobKind;

export type NewMail = {
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
 * @param kind SQL for the kind's name
 */
export function canReceive(kind: SQL): SQL {
  return sql`(${users.partnerId} is null and ${users.email} is not null and ${users.deletingAt} is null and ${users.suspendedAt} is null
    and (${kind} in (${namesOf(provingKinds)}) or ${users.emailConfirmedAt} is not null
      and not (${kind} in (${namesOf(subscribedKinds)}) and ${kind} = any(${users.mutedMails}))))`;
}

const provingKinds: MailKind[] = ["confirmAddress", "alreadyRegistered", "resetPassword"];
const namesOf = (kinds: readonly MailKind[]) => sql.raw(kinds.map((kind) => `'${kind}'`).join(", "));

const storeMails = statement<{ mails: string }, { id: string }>(
  "mails.queue",
  sql`
  insert into mails (owner_id, kind, key, facts)
  select ${users.id}, w.kind, w.key, w.facts
  from (select * from jsonb_to_recordset(${value("mails", "jsonb")}) as r("ownerId" uuid, kind text, key text, facts jsonb) ${fewRows}) w
    join ${users} on ${users.id} = w."ownerId"
  where ${canReceive(sql`w.kind`)}
  on conflict (key) do nothing returning id`,
);

/**
 * Stores mails and enqueues the jobs that send them, in the caller's transaction. Leaves out a mail if one about the same thing
 * exists or the person may not get it.
 * @returns how many this call stored
 */
export async function queueMails(tx: Tx, mails: NewMail[]): Promise<number> {
  if (mails.length === 0) return 0;
  const rows = mails.map(({ kind, ownerId, about, facts }) => ({ kind, ownerId, key: `${kind}:${about}`, facts }));
  const stored = await storeMails(tx, { mails: JSON.stringify(rows) });
  await enqueueAll(
    tx,
    mailDue,
    stored.map(({ id }) => ({ payload: { mailId: id }, key: mailJobKey(id) })),
  );
  return stored.length;
}

/** `queueMails` for one mail. Returns whether this call stored it. */
export async function queueMail(tx: Tx, mail: NewMail): Promise<boolean> {
  return (await queueMails(tx, [mail])) > 0;
}

export function mailJobKey(mailId: string): string {
  return `mail.send:${mailId}`;
}
