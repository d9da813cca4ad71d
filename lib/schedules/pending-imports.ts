import { and, asc, eq, inArray, sql } from "drizzle-orm";
import {
  attachmentImports,
  type ImportState,
  mediaImports,
  posts,
  publications,
  type ScheduleStatus,
  type Tx,
} from "../db";

/** SPEC's "Pending import entry", and whose it is. */
export type PendingImport = {
  scheduleId: number;
  postId: number;
  attachmentIndex: number;
  importTaskId: number;
  sourceUrl: string;
  state: ImportState;
};

const MAY_WAIT: ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "MEDIA_IMPORT_FAILED"];

/** The imports under way for these schedules, in the order of their attachments; asks only where there may be some. */
export async function pendingImportsOf(
  schedules: { id: number; status: ScheduleStatus }[],
  tx: Tx,
): Promise<PendingImport[]> {
  const ids = schedules.filter(({ status }) => MAY_WAIT.includes(status)).map(({ id }) => id);
  if (ids.length === 0) return [];
  return tx
    .select({
      scheduleId: publications.scheduleId,
      postId: attachmentImports.postId,
      attachmentIndex: attachmentImports.position,
      importTaskId: attachmentImports.importId,
      sourceUrl: attachmentImports.sourceUrl,
      state: mediaImports.state,
    })
    .from(attachmentImports)
    .innerJoin(mediaImports, eq(mediaImports.id, attachmentImports.importId))
    .innerJoin(posts, eq(posts.id, attachmentImports.postId))
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(and(inArray(publications.scheduleId, ids), sql`${mediaImports.state} not in ('READY', 'FAILED_PERMANENT')`))
    .orderBy(asc(publications.position), asc(posts.position), asc(attachmentImports.position));
}
