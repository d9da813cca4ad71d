import { expect, test } from "vitest";
import { zoneIn } from "../time/zone";
import { zonesLike } from "./appearance";

const winter = new Date("2027-01-15T12:00:00Z");
const zones = new Map(
  ["UTC", "America/New_York", "America/Los_Angeles", "Asia/Kathmandu", "Europe/Copenhagen", "Europe/Berlin"].map(
    (zone) => [zone, zoneIn(zone, winter)],
  ),
);

test.each([
  ["copenhagen", ["Europe/Copenhagen"]],
  [" New York ", ["America/New_York"]],
  ["america/new_york", ["America/New_York"]],
  ["Europe/Berlin (UTC+01:00)", ["Europe/Berlin"]],
  ["utc", ["UTC"]], // the zone itself, although every name contains it
  ["UTC+05:45", ["Asia/Kathmandu"]],
  ["-08:00", ["America/Los_Angeles"]], // typed with a hyphen, shown with a minus sign
  ["+01:00", ["Europe/Copenhagen", "Europe/Berlin"]],
  ["america", ["America/New_York", "America/Los_Angeles"]],
  ["Atlantis", []],
])("%j finds %j", (typed, found) => {
  expect(zonesLike(typed, zones)).toEqual(found);
});
