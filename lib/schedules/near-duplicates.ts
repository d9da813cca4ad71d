/** What says something on an account, and a schedule of such, as the API shows them. */
type Saying = { socialMediaAccountId: number; posts: { content?: string }[] };
export type Planned = { id: number; overallStatus: string; scheduledTime?: string; publications: Saying[] };

export type Twin = { scheduleId: number; accountId: number; at: string };

/** So near in time that the same words are more likely a mistake than meant. */
export const NEAR_MS = 24 * 3_600_000;

/**
 * What says the same on the same account near the same time. Drafts go nowhere, and a schedule is no twin of itself.
 * @param besides the schedule that is being edited
 */
export function twinsOf(
  publications: Saying[],
  { at, besides }: { at: number; besides?: number },
  others: Planned[],
): Twin[] {
  const said = new Map(publications.map(({ socialMediaAccountId, posts }) => [socialMediaAccountId, wordsOf(posts)]));
  return others.flatMap(({ id, overallStatus, scheduledTime, publications: there }) => {
    if (id === besides || overallStatus === "DRAFT" || !scheduledTime) return [];
    if (Math.abs(Date.parse(scheduledTime) - at) > NEAR_MS) return [];
    return there.flatMap(({ socialMediaAccountId: accountId, posts }) => {
      const words = wordsOf(posts);
      return words !== "" && said.get(accountId) === words ? [{ scheduleId: id, accountId, at: scheduledTime }] : [];
    });
  });
}

/** The text without what nobody sees a difference in: spaces and capitals. Empty where there are no words. */
export function wordsOf(posts: { content?: string }[]): string {
  return posts
    .map(({ content = "" }) => content.replace(/\s+/g, " ").trim().toLowerCase())
    .join("\n")
    .trim();
}
