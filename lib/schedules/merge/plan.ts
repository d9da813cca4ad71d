import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { giveWay } from "../../time/give-way";
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
 * of one account do not collide. Several thousand publications of 10 KB each may be compared, so each text is normalized once
 * and other requests may run in between.
 * @param others in the order in which they add publications
 */
export async function planMerge(kept: Schedule, others: Schedule[]): Promise<MergedPart[]> {
  const all = kept.publications.map((publication): MergedPart => {
    return { scheduleId: kept.id, publication, outcome: "kept" };
  });
  const rivals = [...all]; // the parts without a collision
  const contentOf = contentsOnce();
  for (const { id, publications } of others) {
    const placed: MergedPart[] = [];
    for (const publication of publications) {
      await giveWay();
      placed.push(placePublication(id, publication, { rivals, contentOf }));
    }
    all.push(...placed);
    rivals.push(...placed.filter(({ collision }) => !collision));
  }
  return all;
}

type Placing = { rivals: MergedPart[]; contentOf: (publication: Publication) => string };

function placePublication(scheduleId: number, publication: Publication, { rivals, contentOf }: Placing): MergedPart {
  const there = rivals.filter((part) => haveSameDestination(part.publication, publication));
  const same = there.find((part) => contentOf(part.publication) === contentOf(publication));
  const other = same ?? there[0];
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

/**
 * Returns a function that returns the same text for publications with the same content, and computes it once for each.
 * Texts are compared as `lib/schedules/near-duplicates.ts` does; posts without text are compared by their files.
 */
function contentsOnce(): (publication: Publication) => string {
  const known = new Map<Publication, string>();
  return (publication) => {
    const before = known.get(publication);
    if (before !== undefined) return before;
    const text = normalizedText(publication.posts);
    const files = publication.posts.map(({ attachmentPaths }) => attachmentPaths);
    const content = createHash("sha256").update(text === "" ? `files ${JSON.stringify(files)}` : `text ${text}`);
    const digest = content.digest("base64");
    known.set(publication, digest);
    return digest;
  };
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
