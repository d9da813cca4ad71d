import { expect, test } from "vitest";
import type { ApiSchedule } from "@/components/api/types";
import { nearDuplicatesOf } from "./near-duplicates";

const AT = Date.parse("2031-05-01T12:00:00Z");
const HOUR_MS = 3_600_000;
const mine = (content: string) => [
  { socialMediaAccountId: 1, platformSettings: { type: "TWITTER" }, posts: [{ content, attachmentPaths: [] }] },
];

function other(
  content: string,
  { hours = 1, account = 1, ...rest }: Partial<ApiSchedule> & { hours?: number; account?: number } = {},
): ApiSchedule {
  const post = { id: 1, content, attachmentPaths: [], status: "PENDING" as const };
  const publication = {
    id: 1,
    socialMediaAccountId: account,
    platformSettings: { type: "TWITTER" },
    status: "PENDING" as const,
    posts: [post],
  };
  const scheduledTime = new Date(AT + hours * HOUR_MS).toISOString();
  return { id: 7, overallStatus: "SCHEDULED", scheduledTime, publications: [publication], ...rest };
}

test.each<[what: string, there: ApiSchedule, isNearDuplicate: boolean]>([
  ["the same words an hour later", other("Ding dong"), true],
  ["the same but for spaces and capitals", other(" ding  DONG\n"), true],
  ["a day before", other("Ding dong", { hours: -24 }), true],
  ["a published schedule", other("Ding dong", { overallStatus: "COMPLETED" }), true],
  ["more than a day away", other("Ding dong", { hours: 25 }), false],
  ["other words", other("Dong"), false],
  ["another account", other("Ding dong", { account: 2 }), false],
  ["a draft", other("Ding dong", { overallStatus: "DRAFT" }), false],
  ["the schedule that is being edited", other("Ding dong", { id: 5 }), false],
])("%s", (_, there, isNearDuplicate) => {
  expect(nearDuplicatesOf(mine("Ding dong"), { at: AT, exceptId: 5 }, [there]).length > 0).toBe(isNearDuplicate);
});

test("images without text are never near-duplicates", () => {
  expect(nearDuplicatesOf(mine(" "), { at: AT }, [other("")])).toEqual([]);
});
