import { expect, test } from "vitest";
import { retryAfter } from "./retry-after";

const NOW = Date.UTC(2026, 10, 21, 20, 0, 0);
const told = (value: string) => retryAfter(new Headers({ "retry-after": value }), NOW);

test.each([
  ["0", 0],
  ["120", 120],
  [" 7 ", 7],
  ["Sat, 21 Nov 2026 20:01:30 GMT", 90],
  ["Saturday, 21-Nov-26 20:01:30 GMT", 90],
  ["Sat Nov 21 20:01:30 2026", 90],
  ["Sun Nov  1 20:01:30 2026", 0],
  ["Sat, 21 Nov 2026 19:00:00 GMT", 0],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
])("%s is %d seconds", (value, seconds) => {
  expect(told(value)).toBe(seconds);
});

test.each(["99999999999999999999", "86401", "Fri, 21 Nov 2031 20:00:00 GMT", "Friday, 21-Nov-31 20:00:00 GMT"])(
  "%s is more than a day, and not believed: an hour",
  (value) => {
    expect(told(value)).toBe(3_600);
  },
);

test.each(["-5", "1.5", "soon", "1e3", "2026-11-21T20:01:30Z", "Sat, 21 Foo 2026 20:01:30 GMT", "21 Nov 2026"])(
  "%s says nothing",
  (value) => {
    expect(told(value)).toBeUndefined();
  },
);

test("no header says nothing", () => {
  expect(retryAfter(new Headers(), NOW)).toBeUndefined();
});
