import { expect, test } from "vitest";
import { draftRequest, submissionOf } from "../draft/submission";
import { draftFor } from "../testing/page";
import { timeOf } from "./time-of";

const SLOT = "2031-05-03T10:00:00Z";
const times = { slot: SLOT, at: "2031-06-01T08:30" };

test("each choice uses only its own time", () => {
  expect(timeOf({ ...times, when: "now" })).toBeUndefined();
  expect(timeOf({ ...times, when: "next" })).toEqual(new Date(SLOT));
  expect(timeOf({ ...times, when: "later" })).toEqual(new Date(2031, 5, 1, 8, 30));
});

test("an unknown time is undefined", () => {
  expect(timeOf({ when: "next", slot: "", at: times.at })).toBeUndefined();
  expect(timeOf({ when: "later", slot: SLOT, at: "" })).toBeUndefined();
});

test("the sent and the saved request contain the exact slot", () => {
  const draft = draftFor([], ["Ding"], { ...times, when: "next" });
  expect(submissionOf(draft, []).body.scheduledTime).toBe("2031-05-03T10:00:00.000Z");
  expect(draftRequest(draft, []).scheduledTime).toBe("2031-05-03T10:00:00.000Z");
  expect(draftRequest({ ...draft, slot: "" }, [])).not.toHaveProperty("scheduledTime");
});
