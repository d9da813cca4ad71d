import { describe, expect, test } from "vitest";
import type { PublicationStatus } from "../db";
import { publicationStatus, scheduleStatus } from "./status";

const ALL: PublicationStatus[] = ["PENDING", "IN_PROGRESS", "PUBLISHED", "FAILED", "UNKNOWN"];

/** Every list of one to three statuses. */
const lists = [1, 2, 3].flatMap((length) =>
  Array.from({ length: ALL.length ** length }, (_, n) =>
    Array.from({ length }, (_, position) => ALL[Math.floor(n / ALL.length ** position) % ALL.length] ?? "PENDING"),
  ),
);

test("every combination of up to three is decided, whatever its order", () => {
  expect(lists).toHaveLength(155);
  for (const list of lists) {
    const turned = [...list].reverse();
    expect(publicationStatus(turned)).toBe(publicationStatus(list));
    expect(scheduleStatus(turned)).toBe(scheduleStatus(list));
  }
});

describe("a schedule", () => {
  test.each<[of: PublicationStatus[], is: string]>([
    [["PENDING"], "SCHEDULED"],
    [["PENDING", "PENDING"], "SCHEDULED"],
    [["PENDING", "IN_PROGRESS"], "IN_PROGRESS"],
    [["PENDING", "PUBLISHED"], "IN_PROGRESS"],
    [["PENDING", "FAILED"], "IN_PROGRESS"],
    [["IN_PROGRESS", "UNKNOWN"], "IN_PROGRESS"],
    [["PUBLISHED"], "COMPLETED"],
    [["PUBLISHED", "PUBLISHED"], "COMPLETED"],
    [["PUBLISHED", "FAILED"], "PARTIALLY_COMPLETED"],
    [["PUBLISHED", "UNKNOWN"], "PARTIALLY_COMPLETED"],
    [["PUBLISHED", "FAILED", "UNKNOWN"], "PARTIALLY_COMPLETED"],
    [["FAILED"], "FAILED"],
    [["UNKNOWN"], "FAILED"],
    [["FAILED", "UNKNOWN"], "FAILED"],
  ])("of %j is %s", (publications, status) => {
    expect(scheduleStatus(publications)).toBe(status);
  });

  test("is COMPLETED only where everything is out, and FAILED only where nothing is and all is decided", () => {
    for (const list of lists) {
      const status = scheduleStatus(list);
      expect(status === "COMPLETED").toBe(list.every((one) => one === "PUBLISHED"));
      const nothingOut = list.every((one) => one === "FAILED" || one === "UNKNOWN");
      expect(status === "FAILED").toBe(nothingOut);
      expect(status === "SCHEDULED").toBe(list.every((one) => one === "PENDING"));
    }
  });
});

describe("a publication", () => {
  test.each<[of: PublicationStatus[], is: string]>([
    [["PENDING"], "PENDING"],
    [["PUBLISHED"], "PUBLISHED"],
    [["PUBLISHED", "PENDING"], "IN_PROGRESS"],
    [["PENDING", "IN_PROGRESS"], "IN_PROGRESS"],
    [["PUBLISHED", "FAILED", "PENDING"], "FAILED"],
    [["PUBLISHED", "UNKNOWN", "PENDING"], "UNKNOWN"],
    [["FAILED", "UNKNOWN"], "UNKNOWN"],
  ])("of posts %j is %s", (posts, status) => {
    expect(publicationStatus(posts)).toBe(status);
  });

  test("is never simply FAILED while one of its posts may be live", () => {
    for (const list of lists.filter((one) => one.includes("UNKNOWN"))) expect(publicationStatus(list)).toBe("UNKNOWN");
  });
});
