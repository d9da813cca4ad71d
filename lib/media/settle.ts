import { and, eq, inArray } from "drizzle-orm";
import { db, media, type Tx, uploads } from "../db";
import { BadRequest, NotFound } from "../errors";
import { discard, type Staged, StreamTooLong, store, uploadOf } from "../storage";
import { fileTooLarge, MAX_BYTES, UnusableFile } from "./file-errors";
import { inspectFile } from "./inspect";
import { KeyTaken, keepMedia } from "./keep";
import type { Media } from "./media";

const KEY = /^(?:[0-9a-f-]{36}\/)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/;

/**
 * Confirms an upload. The answer is the same for every call.
 * @param given the grant's key, or only its object name
 * @throws BadRequest with the file's problem, the same for every call; NotFound if nothing was uploaded yet, or the key is
 * unknown or belongs to someone else
 */
export async function confirmUpload(ownerId: string, given: string): Promise<Media> {
  const absent = new NotFound("Media", given);
  if (!KEY.test(given)) throw absent;
  const key = given.includes("/") ? given : `${ownerId}/${given}`;
  const known = await mediaByKey(ownerId, key);
  if (known) return known;
  const upload = await uploadByKey(ownerId, key);
  if (!upload) throw absent;
  const settled = await settleUpload(upload);
  if (settled.state === "REJECTED") throw new BadRequest(settled.reason);
  const item = await mediaByKey(ownerId, key);
  if (!item) throw absent; // not uploaded yet, or deleted from the library since
  return item;
}

type Upload = typeof uploads.$inferSelect;

/** The outcome of a granted upload: a medium, a rejection with its reason, or nothing has arrived yet. */
export type UploadOutcome = { state: "CONFIRMED" } | { state: "REJECTED"; reason: string } | { state: "AWAITED" };

/**
 * Settles a granted upload once, when it is confirmed or first used. The bytes are copied to an ID that no pre-signed PUT
 * can reach, inspected and stored, or rejected with a reason that is kept. Concurrent and later calls get the outcome of
 * the first one.
 */
export async function settleUpload(upload: Upload): Promise<UploadOutcome> {
  if (upload.state === "REJECTED") return { state: "REJECTED", reason: upload.reason ?? "" };
  if (upload.state === "CONFIRMED") return { state: "CONFIRMED" };
  const name = uploadOf(upload.key);
  try {
    const file = await store.copyOut(name, MAX_BYTES);
    if (!file) return { state: "AWAITED" };
    try {
      await keep(upload, file);
    } finally {
      await discard(file);
    }
    await store.remove(name);
    return { state: "CONFIRMED" };
  } catch (error) {
    if (error instanceof KeyTaken) return settleAgain(upload.id);
    const reason = reasonOf(error);
    if (!(await decide(db, upload.id, { state: "REJECTED", reason }))) return settleAgain(upload.id);
    await store.remove(name);
    return { state: "REJECTED", reason };
  }
}

async function keep(upload: Upload, file: Staged): Promise<void> {
  if (file.sizeBytes !== upload.sizeBytes) {
    const message = `file is corrupt or incomplete: ${file.sizeBytes} of ${upload.sizeBytes} bytes have arrived`;
    throw new UnusableFile("corrupt", message);
  }
  const look = await inspectFile(file.path, upload.ownerId);
  await keepMedia(upload.ownerId, file, look, {
    key: upload.key,
    filename: upload.filename,
    async also(tx) {
      if (!(await decide(tx, upload.id, { state: "CONFIRMED" })))
        throw new KeyTaken("the upload was settled in the meantime");
    },
  });
}

/** Records the outcome. Only the first one counts: returns false if there is one already. */
async function decide(tx: Tx, id: string, outcome: { state: "CONFIRMED" | "REJECTED"; reason?: string }) {
  const decided = await tx
    .update(uploads)
    .set(outcome)
    .where(and(eq(uploads.id, id), eq(uploads.state, "GRANTED")))
    .returning({ id: uploads.id });
  return decided.length > 0;
}

async function settleAgain(id: string): Promise<UploadOutcome> {
  const [row] = await db.select().from(uploads).where(eq(uploads.id, id));
  if (!row || row.state === "GRANTED") return { state: "AWAITED" }; // its owner is being deleted
  return settleUpload(row);
}

/** Returns the file's problem. Any other failure is rethrown, because it says nothing about the file. */
function reasonOf(error: unknown): string {
  if (error instanceof UnusableFile) return error.message;
  if (error instanceof StreamTooLong) return fileTooLarge().message;
  throw error;
}

/**
 * Settles the owner's granted keys that have not been used yet.
 * @returns the problem of each unusable key. Usable keys and keys that were never granted are not included
 */
export async function settleUploads(ownerId: string, keys: string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), inArray(uploads.key, keys)));
  const refused = new Map<string, string>();
  for (const row of rows) {
    // Committed separately, so that the outcome is kept even if the request that needs it fails.
    const settled = await settleUpload(row);
    if (settled.state === "REJECTED") refused.set(row.key, settled.reason);
    if (settled.state === "AWAITED") refused.set(row.key, "file has not been uploaded yet");
  }
  return refused;
}

export async function uploadByKey(ownerId: string, key: string): Promise<Upload | undefined> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), eq(uploads.key, key)));
  return row;
}

/** Returns the medium with this key, if it exists. */
export async function mediaByKey(ownerId: string, key: string) {
  const [row] = await db
    .select()
    .from(media)
    .where(and(eq(media.ownerId, ownerId), eq(media.key, key)));
  return row;
}
