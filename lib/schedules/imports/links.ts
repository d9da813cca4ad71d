import { asc, eq, inArray } from "drizzle-orm";
import { attachmentImports, mediaImports, posts, publications, type ScheduleStatus, type Tx } from "../../db";

/** An attachment that was given as a public URL, with the state of its import and its post. */
export type ImportLink = Awaited<ReturnType<typeof readImportLinks>>[number];

const STATUSES_WITH_IMPORTS: ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "MEDIA_IMPORT_FAILED"];
const FINISHED_STATES: readonly ImportLink["state"][] = ["READY", "FAILED_PERMANENT"];

/** Reads every attachment of these schedules that was given as a URL, in order. */
export function readImportLinks(tx: Tx, scheduleIds: number[]) {
  return tx
    .select({
      scheduleId: publications.scheduleId,
      postId: attachmentImports.postId,
      position: attachmentImports.position,
      sourceUrl: attachmentImports.sourceUrl,
      importId: attachmentImports.importId,
      state: mediaImports.state,
      key: mediaImports.key,
      errorMessage: mediaImports.errorMessage,
      error: posts.error,
    })
    .from(attachmentImports)
    .innerJoin(mediaImports, eq(mediaImports.id, attachmentImports.importId))
    .innerJoin(posts, eq(posts.id, attachmentImports.postId))
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(inArray(publications.scheduleId, scheduleIds))
    .orderBy(asc(publications.position), asc(posts.position), asc(attachmentImports.position));
}

/** Returns the unfinished imports of these schedules (SPEC, "Pending import entry"). Queries only if there may be some. */
export async function pendingImportsOf(
  schedules: { id: number; status: ScheduleStatus }[],
  tx: Tx,
): Promise<ImportLink[]> {
  const ids = schedules.filter(({ status }) => STATUSES_WITH_IMPORTS.includes(status)).map(({ id }) => id);
  if (ids.length === 0) return [];
  return (await readImportLinks(tx, ids)).filter(({ state }) => !FINISHED_STATES.includes(state));
}
