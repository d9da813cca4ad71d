import { describe, expect, test } from "vitest";
import type { PublicationStatus } from "../../db";
import { publicationStatus, scheduleStatus } from "./settle-batch";

const ALL: PublicationStatus[] = ["PENDING", "IN_PROGRESS", "PUBLISHED", "FAILED", "UNKNOWN"];

/** Every list of up to this many of these values. */
function listsOf<T>(of: readonly T[], most: number): T[][] {
  if (most === 0) return [];
  const shorter = listsOf(of, most - 1);
  const longest = most === 1 ? [[]] : shorter.filter((list) => list.length === most - 1);
  return [...shorter, ...longest.flatMap((list) => of.map((one) => [...list, one]))];
}

/** Every publication of up to three posts. */
const publications = listsOf(ALL, 3).map((posts) => ({
  posts,
  status: publicationStatus(posts),
  isLiveInPart: posts.includes("PUBLISHED"),
}));
/** Every schedule of up to two such publications, and of three with one post each. */
const schedules = [
  ...listsOf(publications, 2),
  ...listsOf(
    publications.filter(({ posts }) => posts.length === 1),
    3,
  ).filter(({ length }) => length === 3),
];
const isDecided = (status: PublicationStatus) => status !== "PENDING" && status !== "IN_PROGRESS";

type Whole = (typeof publications)[number];
/** True for every combination. */
const eachPublication = (is: (one: Whole) => boolean) => expect(publications.filter((one) => !is(one))).toEqual([]);
const eachSchedule = (is: (parts: Whole[]) => boolean) => expect(schedules.filter((one) => !is(one))).toEqual([]);

test("every combination has a status, and the order does not matter", () => {
  expect(publications).toHaveLength(5 + 25 + 125);
  expect(schedules).toHaveLength(155 + 155 ** 2 + 125);
  eachPublication(({ posts, status }) => publicationStatus([...posts].reverse()) === status);
  eachSchedule((parts) => scheduleStatus([...parts].reverse()) === scheduleStatus(parts));
});

describe("a publication", () => {
  test("is PUBLISHED only if every post is published", () => {
    eachPublication(({ posts, status }) => (status === "PUBLISHED") === posts.every((post) => post === "PUBLISHED"));
  });

  test("is never simply FAILED while one of its posts may be live", () => {
    eachPublication(({ posts, status }) => (status === "UNKNOWN") === posts.includes("UNKNOWN"));
  });

  test("is FAILED if one of its posts is and none is UNKNOWN", () => {
    const isFailed = (posts: PublicationStatus[]) => posts.includes("FAILED") && !posts.includes("UNKNOWN");
    eachPublication(({ posts, status }) => (status === "FAILED") === isFailed(posts));
  });

  test("is PENDING only before anything was started", () => {
    eachPublication(({ posts, status }) => (status === "PENDING") === posts.every((post) => post === "PENDING"));
  });
});

describe("a schedule", () => {
  test("is SCHEDULED only before anything was started", () => {
    eachSchedule(
      (parts) => (scheduleStatus(parts) === "SCHEDULED") === parts.every(({ status }) => status === "PENDING"),
    );
  });

  test("is IN_PROGRESS from the first start to the last outcome", () => {
    const isUnderWay = (parts: Whole[]) =>
      parts.some(({ status }) => !isDecided(status)) && parts.some(({ status }) => status !== "PENDING");
    eachSchedule((parts) => (scheduleStatus(parts) === "IN_PROGRESS") === isUnderWay(parts));
  });

  test("is COMPLETED only if every post of every publication is published", () => {
    const isAllOut = (parts: Whole[]) => parts.every(({ posts }) => posts.every((post) => post === "PUBLISHED"));
    eachSchedule((parts) => (scheduleStatus(parts) === "COMPLETED") === isAllOut(parts));
  });

  test("is FAILED only if every outcome is known and no post is published", () => {
    const isNothingOut = (parts: Whole[]) =>
      parts.every(({ posts, status }) => isDecided(status) && !posts.includes("PUBLISHED"));
    eachSchedule((parts) => (scheduleStatus(parts) === "FAILED") === isNothingOut(parts));
  });
});
