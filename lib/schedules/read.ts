import { and, asc, desc, eq, inArray, lt } from "drizzle-orm";
import { db, posts, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { NotFound } from "../errors";

export type Post = typeof posts.$inferSelect;
export type Publication = typeof publications.$inferSelect & { posts: Post[] };
export type Schedule = typeof schedules.$inferSelect & { publications: Publication[] };

export type Page = { limit: number; before?: number; status?: ScheduleStatus };

/** @throws NotFound, the same for a foreign schedule and for one that never was */
export async function getSchedule(ownerId: string, id: number, tx: Tx = db): Promise<Schedule> {
  const rows = await tx
    .select()
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), eq(schedules.id, id)));
  const [schedule] = await withPublications(tx, rows);
  if (!schedule) throw new NotFound("Posting schedule", id);
  return schedule;
}

/** The owner's schedules, newest first; `next` is the id to go on before, absent on the last page. */
export async function listSchedules(
  ownerId: string,
  { limit, before, status }: Page,
): Promise<{ items: Schedule[]; next?: number }> {
  const rows = await db
    .select()
    .from(schedules)
    .where(
      and(
        eq(schedules.ownerId, ownerId),
        before === undefined ? undefined : lt(schedules.id, before),
        status && eq(schedules.status, status),
      ),
    )
    .orderBy(desc(schedules.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  return { items: await withPublications(db, shown), next: rows.length > limit ? shown.at(-1)?.id : undefined };
}

async function withPublications(tx: Tx, rows: (typeof schedules.$inferSelect)[]): Promise<Schedule[]> {
  if (rows.length === 0) return [];
  const parts = await tx
    .select()
    .from(publications)
    .where(
      inArray(
        publications.scheduleId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(publications.position));
  const texts =
    parts.length > 0
      ? await postsOf(
          parts.map(({ id }) => id),
          tx,
        )
      : [];
  return rows.map((row) => ({
    ...row,
    publications: parts
      .filter(({ scheduleId }) => scheduleId === row.id)
      .map((part) => ({ ...part, posts: texts.filter(({ publicationId }) => publicationId === part.id) })),
  }));
}

/** The posts of these publications, in order. */
export async function postsOf(publicationIds: number[], tx: Tx = db): Promise<Post[]> {
  return tx.select().from(posts).where(inArray(posts.publicationId, publicationIds)).orderBy(asc(posts.position));
}
