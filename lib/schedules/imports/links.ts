import { asc, eq, inArray } from "drizzle-orm";
import { attachmentImports, mediaImports, posts, publications, type ScheduleStatus, type Tx } from "../../db";

/** An attachment that was given as a public URL, with how its import and its post stand. */
export type ImportLink = Awaited<ReturnType<typeof linksOf>>[number];

const MAY_WAIT: ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "MEDIA_IMPORT_FAILED"];
const ENDED: readonly ImportLink["state"][] = ["READY", "FAILED_PERMANENT"];

/** Every attachment of these schedules that was given as a URL, in the order in which they stand there. */
export function linksOf(tx: Tx, scheduleIds: number[]) {
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

/** The imports under way for these schedules (SPEC, "Pending import entry"); asks only where there may be some. */
export async function pendingImportsOf(
  schedules: { id: number; status: ScheduleStatus }[],
  tx: Tx,
): Promise<ImportLink[]> {
  const ids = schedules.filter(({ status }) => MAY_WAIT.includes(status)).map(({ id }) => id);
  if (ids.length === 0) return [];
  return (await linksOf(tx, ids)).filter(({ state }) => !ENDED.includes(state));
}
