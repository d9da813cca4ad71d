/** A publication and a schedule, with the field names of the API. */
type PlannedPublication = { socialMediaAccountId: number; posts: { content?: string }[] };
export type PlannedSchedule = {
  id: number;
  overallStatus: string;
  scheduledTime?: string;
  publications: PlannedPublication[];
};

export type NearDuplicate = { scheduleId: number; accountId: number; at: string };

/** The same text on the same account within this time is probably a mistake. */
export const NEAR_MS = 24 * 3_600_000;

/**
 * Returns the publications of other schedules with the same text on the same account near the same time. Drafts are ignored.
 * @param exceptId the schedule that is being edited, which is ignored
 */
export function nearDuplicatesOf(
  publications: PlannedPublication[],
  { at, exceptId }: { at: number; exceptId?: number },
  others: PlannedSchedule[],
): NearDuplicate[] {
  const textByAccount = new Map(
    publications.map(({ socialMediaAccountId, posts }) => [socialMediaAccountId, normalizedText(posts)]),
  );
  return others.flatMap(({ id, overallStatus, scheduledTime, publications: there }) => {
    if (id === exceptId || overallStatus === "DRAFT" || !scheduledTime) return [];
    if (Math.abs(Date.parse(scheduledTime) - at) > NEAR_MS) return [];
    return there.flatMap(({ socialMediaAccountId: accountId, posts }) => {
      const text = normalizedText(posts);
      return text !== "" && textByAccount.get(accountId) === text
        ? [{ scheduleId: id, accountId, at: scheduledTime }]
        : [];
    });
  });
}

/** Returns the text for comparison, without differences in spaces and capitals. Empty if the posts have no text. */
export function normalizedText(posts: { content?: string }[]): string {
  return posts
    .map(({ content = "" }) => content.replace(/\s+/g, " ").trim().toLowerCase())
    .join("\n")
    .trim();
}
