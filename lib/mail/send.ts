import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type Mail from "nodemailer/lib/mailer";
import { z } from "zod";
import { db, dbOrTransaction, type MailState, mails, type QuietHours, users } from "../db";
import { batch } from "../db/batch";
import { statement, value } from "../db/statement";
import { env } from "../env";
import { defineJob, enqueue } from "../jobs";
import { log } from "../log";
import { htmlForm, textForm } from "./html-form";
import { isMailKind, isNotice, type MailContent, type MailKind, mailKinds } from "./kinds";
import { oneLine } from "./one-line";
import { unsubscribeUrl } from "./preferences";
import { canReceive, mailDue, mailJobKey } from "./queue";
import { quietHoursEnd } from "./quiet";
import { newTokenLink } from "./tokens";
import { MailRejected, transmit } from "./transport";

/** Seconds between attempts. Most temporary failures of mail servers last minutes, some a day. */
const RETRY_SECONDS = [15, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 28_800];

type Waiting = {
  id: string;
  ownerId: string;
  kind: MailKind;
  email: string;
  facts: unknown;
  attempts: number;
  quietHours: QuietHours | null;
};

/** The job: sends a waiting mail, and records the outcome or the next attempt. */
export const sendMail = defineJob({ ...mailDue, run: ({ mailId }) => sendDue(mailId, new Date()) });

/** Runs the job at a given time. A notice that is due in its recipient's quiet hours waits until they end. */
export async function sendDue(mailId: string, now: Date): Promise<void> {
  const mail = await waitingMail(mailId);
  if (!mail) return;
  const end = isNotice(mail.kind) && mail.quietHours ? quietHoursEnd(mail.quietHours, now.getTime()) : undefined;
  if (end !== undefined) {
    return enqueue(dbOrTransaction, mailDue, { mailId }, { at: new Date(end).toISOString(), key: mailJobKey(mailId) });
  }
  const isTaken = mail.kind === "confirmAddress" && (await isAddressTaken(mail.email));
  const { token, content } = mailKinds[isTaken ? "alreadyRegistered" : mail.kind];
  const link = token ? await newTokenLink(mail.kind, token, { ownerId: mail.ownerId, email: mail.email }) : "";
  const message = buildMessage(mail, content(mail.facts, link));
  try {
    const state = await transmit(mail.id, message);
    await recordSent({ id: mailId, state, subject: state === "KEPT" ? (message.subject ?? null) : null });
  } catch (error) {
    if (!(error instanceof MailRejected)) throw error;
    await scheduleRetry(mail, error);
  }
}

type WaitingRow = Omit<Waiting, "kind" | "email"> & { kind: string; email: string | null; isAllowed: boolean };

const readWaiting = statement<{ ids: string[] }, WaitingRow>(
  "mails.waiting",
  sql`
  select ${mails.id}, ${mails.ownerId} as "ownerId", ${mails.kind}, ${users.email}, ${mails.facts}, ${mails.attempts}, ${users.quietHours} as "quietHours",
    ${canReceive(sql`${mails.kind}`)} as "isAllowed"
  from ${mails} join ${users} on ${users.id} = ${mails.ownerId}
  where ${mails.id} = any(${value("ids", "uuid[]")}) and ${mails.state} = 'WAITING'`,
);

/** After a burst of posts, the mails of all running jobs are read at once, and recorded at once. */
const waitingRow = batch(async (ids: string[]) => {
  const rows = new Map((await readWaiting(db, { ids })).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id));
});

/** Returns the mail if it is still waiting and its recipient may still get it. Otherwise the mail is dropped. */
async function waitingMail(id: string): Promise<Waiting | undefined> {
  const row = await waitingRow(id);
  if (!row || !isMailKind(row.kind)) return undefined;
  const { kind, isAllowed, ...mail } = row;
  const email = z.email().safeParse(row.email);
  if (isAllowed && email.success) return { ...mail, kind, email: email.data };
  await end(id, "DROPPED", isAllowed ? "The address is not valid" : "The recipient no longer wants this mail");
  return undefined;
}

/** Whether a person has confirmed this address. Several may have signed up with it (ADR 43). */
async function isAddressTaken(email: string): Promise<boolean> {
  const isTheirs = and(isNull(users.partnerId), eq(sql`lower(${users.email})`, email.toLowerCase()));
  const [owner] = await dbOrTransaction
    .select({ id: users.id })
    .from(users)
    .where(and(isTheirs, isNotNull(users.emailConfirmedAt)));
  return owner !== undefined;
}

/** The content of a mail is erased once it has been sent or stored as a file. */
const erasedFacts = { facts: {}, endedAt: sql`clock_timestamp()` };

const storeSent = statement<{ ids: string[]; states: string[]; subjects: unknown[] }, object>(
  "mails.sent",
  sql`
  update mails set facts = '{}', ended_at = clock_timestamp(), state = s.state, subject = s.subject, failure = null
  from unnest(${value("ids", "uuid[]")}, ${value("states", "text[]")}, ${value("subjects", "text[]")}) as s(id, state, subject)
  where mails.id = s.id`,
);

const recordSent = batch(async (sent: { id: string; state: "SENT" | "KEPT"; subject: string | null }[]) => {
  const columns = {
    ids: sent.map(({ id }) => id),
    states: sent.map(({ state }) => state),
    subjects: sent.map(({ subject }) => subject),
  };
  await storeSent(db, columns);
  return sent.map(() => undefined);
});

async function scheduleRetry({ id, attempts }: Waiting, { message, isFinal }: MailRejected): Promise<void> {
  const wait = RETRY_SECONDS[attempts];
  log.warn({ mail: id, attempts: attempts + 1, error: message }, "a mail could not be sent");
  if (isFinal || wait === undefined) return end(id, "FAILED", message);
  await dbOrTransaction.transaction(async (tx) => {
    await tx
      .update(mails)
      .set({ attempts: attempts + 1, failure: message })
      .where(eq(mails.id, id));
    const at = { inSeconds: wait / env.timeFactor };
    await enqueue(tx, mailDue, { mailId: id }, { at, key: mailJobKey(id) });
  });
}

async function end(id: string, state: MailState, failure: string): Promise<void> {
  await dbOrTransaction
    .update(mails)
    .set({ ...erasedFacts, state, failure })
    .where(eq(mails.id, id));
}

type AddressedMail = { id: string; ownerId: string; kind: MailKind; email: string };

/**
 * Builds a mail with a text and an HTML part. The Message-ID is the ID of its row, so that mail programs show a mail only
 * once if it is sent twice after a crash. Only the address and the one-line subject contain personal data in the headers.
 */
export function buildMessage({ id, ownerId, kind, email }: AddressedMail, content: MailContent): Mail.Options {
  const footer = isNotice(kind)
    ? { preferencesUrl: `${env.appUrl}/settings`, unsubscribeUrl: unsubscribeUrl({ userId: ownerId, kind }) }
    : undefined;
  const subject = oneLine(content.subject);
  return {
    from: env.mailFrom,
    to: { name: "", address: email },
    subject,
    text: textForm(content, footer),
    html: htmlForm({ ...content, subject }, footer),
    messageId: `<${id}@${new URL(env.appUrl).hostname}>`,
    // Applies to both parts too, so that they read the same in transit and in DATA_DIR/mail.
    encoding: "quoted-printable",
    headers: {
      "Auto-Submitted": "auto-generated", // RFC 3834: out-of-office replies must not answer it
      ...(footer && {
        "List-Unsubscribe": `<${footer.unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", // RFC 8058
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
