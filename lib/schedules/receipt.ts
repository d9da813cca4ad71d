import { asc, eq, inArray } from "drizzle-orm";
import { accounts, db, publications, publishAttempts } from "../db";
import type { Platform } from "../platforms";
import { getSchedule, type Publication, type Schedule } from "./read";

type Attempt = typeof publishAttempts.$inferSelect;
export type Receipt = Omit<Schedule, "publications"> & {
  publications: (Publication & { platform: Platform; story: Attempt[] })[];
};

/**
 * A schedule with the story of each publication, oldest first.
 * @throws NotFound
 */
export async function getReceipt(ownerId: string, id: number): Promise<Receipt> {
  const schedule = await getSchedule(ownerId, id);
  const ids = schedule.publications.map((publication) => publication.id);
  if (ids.length === 0) return { ...schedule, publications: [] };
  const [attempts, on] = await Promise.all([
    db
      .select()
      .from(publishAttempts)
      .where(inArray(publishAttempts.publicationId, ids))
      .orderBy(asc(publishAttempts.id)),
    db
      .select({ id: publications.id, platform: accounts.platform })
      .from(publications)
      .innerJoin(accounts, eq(accounts.id, publications.accountId))
      .where(inArray(publications.id, ids)),
  ]);
  return {
    ...schedule,
    publications: schedule.publications.flatMap((publication) => {
      const platform = on.find((one) => one.id === publication.id)?.platform;
      const story = attempts.filter(({ publicationId }) => publicationId === publication.id);
      return platform ? [{ ...publication, platform, story }] : [];
    }),
  };
}
