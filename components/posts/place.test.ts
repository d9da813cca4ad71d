import { expect, onTestFinished, test, vi } from "vitest";
import { postFiltersOf } from "./place";

test.each([
  ["Monday", "1", "2027-03-08", "2027-03-15"],
  ["Saturday", "6", "2027-03-06", "2027-03-13"],
  ["Sunday", "7", "2027-03-07", "2027-03-14"],
])("“This week” begins on the day that the settings say: %s", (_, cookie, first, next) => {
  vi.stubGlobal("document", { cookie: `carillon-theme=dark; carillon-week=${cookie}` });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { from, to } = postFiltersOf({ tab: "all", span: "week" }, "2027-03-10");
  const before = new Date(`${next}T00:00:00`).getTime() - 1;
  expect({ from, to }).toEqual({
    from: new Date(`${first}T00:00:00`).toISOString(),
    to: new Date(before).toISOString(),
  });
});
