import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, mails, mailTokens, users } from "../db";
import { OLD_MAIL_LOOP_LOCK } from "../db/locks";
import { env, isLoopback } from "../env";
import { NotFound } from "../errors";
import type { Loop } from "../jobs";
import { mailKinds } from "./kinds";

const EVERY_MS = 3_600_000;
/** Longer than any event can ask for the same mail again. */
const KEEP_DAYS = 90;
const BATCH = 1_000;

/** Deletes the mails and files of a user who is being deleted. The tokens go with the user's row. */
export async function eraseMail(userId: string): Promise<undefined> {
  const rows = await db.select({ id: mails.id }).from(mails).where(eq(mails.ownerId, userId));
  for (const { id } of rows) await remove(id);
}

/** Deletes the file first. A row whose file is gone is found again later; a file whose row is gone is not. */
async function remove(id: string): Promise<void> {
  await removeStoredFile(id);
  await db.delete(mails).where(eq(mails.id, id));
}

/** Deletes mails older than 90 days with their files, and link tokens a day after they expire. */
export async function removeOldMail(days = KEEP_DAYS): Promise<void> {
  const past = sql`created_at < now() - make_interval(days => ${days}) and ended_at is not null`;
  let count: number;
  do {
    const { rows } = await db.execute<{ id: string }>(sql`select id from ${mails} where ${past} limit ${BATCH}`);
    for (const { id } of rows) await remove(id);
    count = rows.length;
  } while (count === BATCH);
  await db.delete(mailTokens).where(sql`${mailTokens.expiresAt} < now() - interval '1 day'`);
}

/** Runs once an hour, in one process of all. */
export const oldMailLoop: Loop = {
  name: "old mail",
  lock: OLD_MAIL_LOOP_LOCK,
  async turn(signal) {
    await removeOldMail();
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

/** The file for a mail when no SMTP server is configured. */
export function storedMailFile(id: string): string {
  return join(env.dataDir, "mail", `${id}.eml`);
}

export type StoredMail = { id: string; subject: string; createdAt: string };

const MOST = 100;

/**
 * Whether a person's stored mails with a link that confirms the address or resets the password are shown in the account.
 * Only while everything is on this machine: otherwise, someone who signed up with another person's address could confirm it.
 */
export const areLinkMailsShown = !env.smtpUrl && env.isLocal && isLoopback(env.appUrl);

const linkMailKinds = Object.entries(mailKinds).flatMap(([kind, { token }]) => (token ? [kind] : []));

/** Returns the newest mails that were stored as files for this person. */
export async function listStoredMails(ownerId: string, showsLinks = areLinkMailsShown): Promise<StoredMail[]> {
  return storedWhere(eq(mails.ownerId, ownerId), showsLinks);
}

async function storedWhere(condition: SQL | undefined, showsLinks: boolean): Promise<StoredMail[]> {
  const isShown = showsLinks ? undefined : notInArray(mails.kind, linkMailKinds);
  const rows = await db
    .select({ id: mails.id, subject: mails.subject, createdAt: mails.createdAt })
    .from(mails)
    .where(and(condition, eq(mails.state, "KEPT"), isShown))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(MOST);
  return rows.map((row) => ({ ...row, subject: row.subject ?? "" }));
}

/**
 * Lists the recent mails to a person, newest first, without their content. None until the address is confirmed: which mails
 * there are would tell a stranger who signed up with the address what only the owner of the mailbox may know (ADR 43).
 * `next` is the `after` of the next page.
 */
export async function listMails(
  ownerId: string,
  { limit, after }: { limit: number; after?: [createdAt: string, id: string] },
): Promise<{ items: ListedMail[]; next?: [createdAt: string, id: string] }> {
  const beyond = after && sql`(${mails.createdAt}, ${mails.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const rows = await db
    .select({ id: mails.id, kind: mails.kind, state: mails.state, createdAt: mails.createdAt })
    .from(mails)
    .innerJoin(users, and(eq(users.id, mails.ownerId), isNotNull(users.emailConfirmedAt)))
    .where(and(eq(mails.ownerId, ownerId), beyond))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? [last.createdAt, last.id] : undefined };
}

type ListedMail = Pick<typeof mails.$inferSelect, "id" | "kind" | "state" | "createdAt">;

/** @throws NotFound, whether the mail is missing or belongs to someone else */
export async function getStoredMail(
  ownerId: string,
  id: string,
  showsLinks = areLinkMailsShown,
): Promise<StoredMail & { text: string; html: string }> {
  const isId = z.uuid().safeParse(id).success;
  const [stored] = isId ? await storedWhere(and(eq(mails.ownerId, ownerId), eq(mails.id, id)), showsLinks) : [];
  const eml = stored && (await readFile(storedMailFile(stored.id), "utf8").catch(() => undefined));
  if (!stored || eml === undefined) throw new NotFound("Mail", id);
  return { ...stored, text: partOf(eml, "text/plain"), html: partOf(eml, "text/html") };
}

export async function removeStoredFile(id: string): Promise<void> {
  await rm(storedMailFile(id), { force: true });
}

/**
 * Returns the text or HTML part of a mail that we wrote ourselves (multipart/alternative, RFC 2046; quoted-printable, RFC
 * 2045).
 */
export function partOf(eml: string, type: "text/plain" | "text/html"): string {
  const boundary = /boundary="([^"]+)"/.exec(eml)?.[1] ?? "";
  const part = eml.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? "";
  const body = part.slice(part.indexOf("\r\n\r\n") + 4);
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}
