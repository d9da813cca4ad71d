import { isDeepStrictEqual } from "node:util";
import { wordsOf } from "../near-duplicates";
import type { Post, Publication, Schedule } from "../read";

const FIELDS = ["content", "attachmentPaths", "chatId", "thumbnailPath"] as const satisfies (keyof Post)[];

export type Difference = (typeof FIELDS)[number] | "platformSettings";

/** Where a publication that is not wanted meets the one in whose place it would stand. */
type Met = { of: MergedPart; differences: Difference[] };

/**
 * What becomes of a publication. One that is `dropped` says what another says at the same place, one that is `clashing`
 * something else; it was `met` by that one, and the differences are the fields in which they are not the same.
 */
export type MergedPart = { scheduleId: number; publication: Publication } & (
  | { outcome: "kept" | "added"; met?: undefined }
  | { outcome: "dropped" | "clashing"; met: Met }
);

/**
 * What becomes of each publication when others are merged into a schedule; pure. What goes to another destination of an
 * account is no repetition.
 * @param others in the order in which they add what the kept one lacks
 */
export function planMerge(kept: Schedule, others: Schedule[]): MergedPart[] {
  const parts = kept.publications.map((publication): MergedPart => {
    return { scheduleId: kept.id, publication, outcome: "kept" };
  });
  for (const { id, publications } of others) parts.push(...publications.map((one) => placed(id, one, parts)));
  return parts;
}

function placed(scheduleId: number, publication: Publication, parts: MergedPart[]): MergedPart {
  const rivals = parts.filter(
    (part) => part.scheduleId !== scheduleId && !part.met && goAlike(part.publication, publication),
  );
  const twin = rivals.find((part) => sayTheSame(part.publication, publication));
  const met = twin ?? rivals[0];
  if (!met) return { scheduleId, publication, outcome: "added" };
  const differences = differencesOf(met.publication, publication);
  return { scheduleId, publication, outcome: twin ? "dropped" : "clashing", met: { of: met, differences } };
}

/** Whether two go to the same place. A destination that is still to be chosen may be any, so that nothing goes out twice. */
function goAlike(one: Publication, other: Publication): boolean {
  if (one.accountId !== other.accountId) return false;
  return one.posts.every(({ chatId }, index) => {
    const there = other.posts[index]?.chatId;
    return !chatId || !there || chatId === there;
  });
}

/** By the rule of `lib/schedules/near-duplicates.ts`; without words it is the files that speak. */
function sayTheSame(one: Publication, other: Publication): boolean {
  const words = wordsOf(one.posts);
  if (words !== wordsOf(other.posts)) return false;
  const files = ({ posts }: Publication) => posts.map(({ attachmentPaths }) => attachmentPaths);
  return words !== "" || isDeepStrictEqual(files(one), files(other));
}

function differencesOf(one: Publication, other: Publication): Difference[] {
  const differs = (field: (typeof FIELDS)[number]) =>
    !isDeepStrictEqual(
      one.posts.map((post) => post[field]),
      other.posts.map((post) => post[field]),
    );
  const settings = isDeepStrictEqual(one.settings, other.settings) ? [] : (["platformSettings"] as const);
  return [...settings, ...FIELDS.filter(differs)];
}
