import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type MailState, mails, type QuietHours, users } from "../db";
import { env } from "../env";
import { defineJob, enqueue } from "../jobs";
import { log } from "../log";
import { isMailKind, isNotice, kinds, type MailKind } from "./kinds";
import { messageOf } from "./message";
import { jobKeyOf, mailDue, mayHave } from "./queue";
import { quietUntil } from "./quiet";
import { newTokenLink } from "./tokens";
import { deliver, MailRefused } from "./transport";

/** The waits between tries, in seconds: most mail servers that refuse for a while mean minutes, some a day. */
const WAITS = [15, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 28_800];

type Waiting = {
  id: string;
  ownerId: string;
  kind: MailKind;
  email: string;
  facts: unknown;
  attempts: number;
  quietHours: QuietHours | null;
};

/** The job: sends a mail that waits, and writes down how it ended or when it is tried again. */
export const sendMail = defineJob({ ...mailDue, run: ({ mailId }) => sendDue(mailId, new Date()) });

/** What the job does at a given time: a notice that falls into its addressee's quiet hours waits until they end. */
export async function sendDue(mailId: string, now: Date): Promise<void> {
  const mail = await waitingMail(mailId);
  if (!mail) return;
  const end = isNotice(mail.kind) && mail.quietHours ? quietUntil(mail.quietHours, now.getTime()) : undefined;
  if (end !== undefined) {
    return enqueue(db, mailDue, { mailId }, { at: new Date(end).toISOString(), key: jobKeyOf(mailId) });
  }
  const { token, content } = kinds[mail.kind];
  const link = token ? await newTokenLink(mail.kind, token, { ownerId: mail.ownerId, email: mail.email }) : "";
  const message = messageOf(mail, content(mail.facts, link));
  try {
    const state = await deliver(mail.id, message);
    await db
      .update(mails)
      .set({ ...forgotten, state, subject: state === "KEPT" ? message.subject : null, failure: null })
      .where(eq(mails.id, mailId));
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await putOff(mail, error);
  }
}

/** The mail, where it still waits and its addressee may still have it; one who may not any more ends it. */
async function waitingMail(id: string): Promise<Waiting | undefined> {
  const [row] = await db
    .select({
      id: mails.id,
      ownerId: mails.ownerId,
      kind: mails.kind,
      email: users.email,
      facts: mails.facts,
      attempts: mails.attempts,
      quietHours: users.quietHours,
    })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.ownerId))
    .where(and(eq(mails.id, id), eq(mails.state, "WAITING")));
  if (!row || !isMailKind(row.kind)) return undefined;
  const { kind } = row;
  const [allowed] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, row.ownerId), mayHave(kind)));
  const email = z.email().safeParse(row.email);
  if (allowed && email.success) return { ...row, kind, email: email.data };
  await end(id, "DROPPED", allowed ? "The address is none" : "It was not wanted any more");
  return undefined;
}

/** What a mail said is kept where it went, and nowhere else. */
const forgotten = { facts: {}, endedAt: sql`clock_timestamp()` };

async function putOff({ id, attempts }: Waiting, { message, isFinal }: MailRefused): Promise<void> {
  const wait = WAITS[attempts];
  log.warn({ mail: id, attempts: attempts + 1, error: message }, "a mail could not be sent");
  if (isFinal || wait === undefined) return end(id, "FAILED", message);
  await db.transaction(async (tx) => {
    await tx
      .update(mails)
      .set({ attempts: attempts + 1, failure: message })
      .where(eq(mails.id, id));
    const at = { inSeconds: wait / env.timeFactor };
    await enqueue(tx, mailDue, { mailId: id }, { at, key: jobKeyOf(id) });
  });
}

async function end(id: string, state: MailState, failure: string): Promise<void> {
  await db
    .update(mails)
    .set({ ...forgotten, state, failure })
    .where(eq(mails.id, id));
}
