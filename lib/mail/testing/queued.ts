import { and, eq, inArray } from "drizzle-orm";
import { db, mails, shareTransaction } from "../../db";
import { removeJob } from "../../jobs";
import type { Worker } from "../../jobs/job";
import { mailJobKey } from "../queue";
import { sendMail } from "../send";

/**
 * Returns the mails queued for an owner by some work (the owner may be known only afterwards), and withdraws their jobs.
 * Otherwise the workers of other test files would send them with their own settings.
 */
export async function mailsOf(
  owner: string | (() => string),
  work: () => Promise<unknown>,
): Promise<{ id: string; kind: string }[]> {
  return shareTransaction(async (tx) => {
    await work();
    const ownerId = typeof owner === "string" ? owner : owner();
    const waiting = and(eq(mails.ownerId, ownerId), eq(mails.state, "WAITING"));
    const rows = await tx.select({ id: mails.id, kind: mails.kind }).from(mails).where(waiting);
    for (const { id } of rows) await removeJob(tx, mailJobKey(id));
    return rows;
  });
}

const worker: Worker = { id: "00000000-0000-0000-0000-000000000000", assertAlive: () => {} };

/** Runs the jobs of these mails like a worker, and returns the outcomes. */
export async function sendQueued(...queued: { id: string }[]) {
  for (const { id } of queued) await sendMail.run({ mailId: id }, worker);
  const ids = queued.map(({ id }) => id);
  return db
    .select({ state: mails.state, failure: mails.failure, attempts: mails.attempts })
    .from(mails)
    .where(inArray(mails.id, ids));
}
