import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { dbOrTransaction, mediaImports, type Tx } from "../../db";
import { NotFound } from "../../errors";
import { enqueue, type JobKind, type JobRef, removeJob } from "../../jobs";
import { assertImportAvailable } from "../quota";

/** Wakes an import up. Every unfinished import has one of these jobs waiting. */
export const importDue = {
  name: "media.import",
  payload: z.object({ importId: z.number().int() }),
} satisfies JobKind;

export const importKey = (importId: number) => `import:${importId}`;

export type MediaImport = typeof mediaImports.$inferSelect;

type NewImport = {
  url: string;
  filenameHint?: string;
  /** Enqueued when the import is ready or has failed permanently. */
  whenDone?: JobRef;
};

/** Starts importing a file from a public URL. The address is checked at every request. */
export async function createImport(ownerId: string, { url, filenameHint }: NewImport): Promise<MediaImport> {
  return dbOrTransaction.transaction((tx) => startImport(tx, ownerId, { url, filenameHint }));
}

/** Starts an import in the caller's transaction. @throws QuotaExceeded */
export async function startImport(
  tx: Tx,
  ownerId: string,
  { url, filenameHint, whenDone }: NewImport,
): Promise<MediaImport> {
  await assertImportAvailable(tx, ownerId);
  const [row] = await tx
    .insert(mediaImports)
    .values({ ownerId, sourceUrl: url, filenameHint, whenDone: whenDone ?? null })
    .returning();
  if (!row) throw new Error("the import was not stored");
  await enqueue(tx, importDue, { importId: row.id }, { key: importKey(row.id) });
  return row;
}

/** @throws NotFound, whether the import is missing or belongs to someone else */
export async function getImport(ownerId: string, id: number): Promise<MediaImport> {
  const [row] = await dbOrTransaction
    .select()
    .from(mediaImports)
    .where(and(eq(mediaImports.ownerId, ownerId), eq(mediaImports.id, id)));
  if (!row) throw new NotFound("Import", id);
  return row;
}

/** Lists an owner's imports, oldest first, for the owner's export. `next` is the `after` of the next page. */
export async function listImports(
  ownerId: string,
  { limit, after = 0 }: { limit: number; after?: number },
): Promise<{ items: MediaImport[]; next?: number }> {
  const rows = await dbOrTransaction
    .select()
    .from(mediaImports)
    .where(and(eq(mediaImports.ownerId, ownerId), gt(mediaImports.id, after)))
    .orderBy(mediaImports.id)
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1)?.id : undefined };
}

/** Cancels imports that are no longer needed. Finished ones are kept. */
export async function withdrawImports(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const gone = await tx
    .delete(mediaImports)
    .where(and(inArray(mediaImports.id, ids), sql`${mediaImports.state} not in ('READY', 'FAILED_PERMANENT')`))
    .returning({ id: mediaImports.id });
  for (const { id } of gone) await removeJob(tx, importKey(id));
}

/** SPEC's "Import job". The error fields are null if there is no error; other fields without a value are absent. */
export function presentImport(row: MediaImport) {
  return {
    id: row.id,
    state: row.state,
    sourceUrl: row.sourceUrl,
    bytesDownloaded: row.bytesDownloaded,
    ...(row.totalBytes === null ? {} : { totalBytes: row.totalBytes }),
    ...(row.detectedMime === null ? {} : { detectedMime: row.detectedMime }),
    ...(row.key === null ? {} : { s3Key: row.key }),
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
  };
}
