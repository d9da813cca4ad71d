import { isDeepStrictEqual } from "node:util";
import { normalizedText } from "../near-duplicates";
import type { Post, Publication, Schedule } from "../read";

const FIELDS = ["content", "attachmentPaths", "chatId", "thumbnailPath"] as const satisfies (keyof Post)[];

export type MergeDifference = (typeof FIELDS)[number] | "platformSettings";

/** The publication that already has the same destination, and the fields in which the two differ. */
type Collision = { of: MergedPart; differences: MergeDifference[] };

/**
 * The outcome of a publication. `dropped`: another publication with the same destination has the same content. `clashing`: it
 * has different content. `collision` names that other publication.
 */
export type MergedPart = { scheduleId: number; publication: Publication } & (
  | { outcome: "kept" | "added"; collision?: undefined }
  | { outcome: "dropped" | "clashing"; collision: Collision }
);

/**
 * Returns the outcome of each publication when other schedules are merged into `kept`. Publications with different destinations
 * of one account do not collide.
 * @param others in the order in which they add publications
 */
export function planMerge(kept: Schedule, others: Schedule[]): MergedPart[] {
  const parts = kept.publications.map((publication): MergedPart => {
    return { scheduleId: kept.id, publication, outcome: "kept" };
  });
  for (const { id, publications } of others) parts.push(...publications.map((one) => placePublication(id, one, parts)));
  return parts;
}

function placePublication(scheduleId: number, publication: Publication, parts: MergedPart[]): MergedPart {
  const rivals = parts.filter(
    (part) => part.scheduleId !== scheduleId && !part.collision && haveSameDestination(part.publication, publication),
  );
  const same = rivals.find((part) => haveSameContent(part.publication, publication));
  const other = same ?? rivals[0];
  if (!other) return { scheduleId, publication, outcome: "added" };
  const differences = findDifferences(other.publication, publication);
  return { scheduleId, publication, outcome: same ? "dropped" : "clashing", collision: { of: other, differences } };
}

/** Returns whether two publications have the same destination. One without a destination matches all, so nothing goes out twice. */
function haveSameDestination(one: Publication, other: Publication): boolean {
  if (one.accountId !== other.accountId) return false;
  return one.posts.every(({ chatId }, index) => {
    const there = other.posts[index]?.chatId;
    return !chatId || !there || chatId === there;
  });
}

/** Compares texts as `lib/schedules/near-duplicates.ts` does; posts without text are compared by their files. */
function haveSameContent(one: Publication, other: Publication): boolean {
  const text = normalizedText(one.posts);
  if (text !== normalizedText(other.posts)) return false;
  const files = ({ posts }: Publication) => posts.map(({ attachmentPaths }) => attachmentPaths);
  return text !== "" || isDeepStrictEqual(files(one), files(other));
}

function findDifferences(one: Publication, other: Publication): MergeDifference[] {
  const differs = (field: (typeof FIELDS)[number]) =>
    !isDeepStrictEqual(
      one.posts.map((post) => post[field]),
      other.posts.map((post) => post[field]),
    );
  const settings = isDeepStrictEqual(one.settings, other.settings) ? [] : (["platformSettings"] as const);
  return [...settings, ...FIELDS.filter(differs)];
}
