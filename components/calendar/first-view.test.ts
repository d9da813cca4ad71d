import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ApiSchedule } from "../api/types";
import { FirstView } from "./first-view";

test.each([
  ["SCHEDULED", "PENDING", "RECONNECT_REQUIRED", "Needs attention, "],
  ["SCHEDULED", "PENDING", "ACTIVE", "Scheduled, "],
  ["DRAFT", "PENDING", "RECONNECT_REQUIRED", "Draft, "],
  ["COMPLETED", "PUBLISHED", "RECONNECT_REQUIRED", "Published, "],
] as const)(
  "a post that is %s (%s) on an account that is %s begins with “%s”",
  (overallStatus, status, state, words) => {
    const schedule = {
      ...{ id: 1, overallStatus, scheduledTime: "2027-03-10T12:00:00Z" },
      publications: [
        {
          ...{ id: 1, socialMediaAccountId: 7, platformSettings: { type: "TWITTER" }, status },
          posts: [{ id: 1, content: "Ring at noon", status }],
        },
      ],
    } as ApiSchedule; // only the fields that are shown
    const page = renderToStaticMarkup(
      createElement(FirstView, {
        ...{ day: "2027-03-10", today: "2027-03-10", weeks: 5, language: "en-GB", clock: () => "12:00" },
        ...{ schedules: [schedule], accounts: [{ id: 7, platform: "X_TWITTER", state }] },
        nowMs: Date.parse("2027-03-10T09:00:00Z"),
      }),
    );
    expect(page).toContain(`<span class="sr-only">${words}</span>`);
  },
);
