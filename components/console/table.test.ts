import { expect, test } from "vitest";
import { parseCursor, toCursor } from "./table";

const ID = "0b7f6a52-3a0e-4f0e-9a63-52fb2d9f3c11";

test.each(["2026-11-29 08:03:06+00", "2026-11-29 08:03:06.1+00", "2024-02-29 23:59:59.123456+00"])(
  "a list continues after %s",
  (at) => {
    expect(parseCursor(decodeURIComponent(toCursor([at, ID])))).toEqual([at, ID]);
  },
);

test.each([
  ["a month and a day that do not exist", `2026-99-99 08:03:06+00 ${ID}`],
  ["a day that the month does not have", `2026-02-31 08:03:06+00 ${ID}`],
  ["29 February of another year", `2026-02-29 08:03:06+00 ${ID}`],
  ["month 0", `2026-00-10 08:03:06+00 ${ID}`],
  ["hour 24", `2026-11-29 24:00:00+00 ${ID}`],
  ["minute 60", `2026-11-29 08:60:00+00 ${ID}`],
  ["year 0", `0000-11-29 08:03:06+00 ${ID}`],
  ["another zone", `2026-11-29 08:03:06+05 ${ID}`],
  ["seven digits", `2026-11-29 08:03:06.1234567+00 ${ID}`],
  ["no time", `2026-11-29 ${ID}`],
  ["words as long as an instant", `${"infinity".padEnd(25, "x")} ${ID}`],
  ["spaces as long as an instant", `${" ".repeat(25)} ${ID}`],
  ["an apostrophe", `2026-11-29 08:03:06+00' ${ID}`],
  ["a line break", `2026-11-29 08:03:06+00\n ${ID}`],
  ["U+0000", `2026-11-29 08:03:06\u0000+00 ${ID}`],
  ["no ID", "2026-11-29 08:03:06+00 "],
  ["an ID that is not one", "2026-11-29 08:03:06+00 0b7f6a52-3a0e-4f0e-9a63-52fb2d9f3c1x"],
  ["more behind the ID", `2026-11-29 08:03:06+00 ${ID} `],
  ["only an ID", ID],
  ["no text", ""],
  ["a long text", "9".repeat(100_000)],
  ["the parameter twice", [`2026-11-29 08:03:06+00 ${ID}`, `2026-11-29 08:03:06+00 ${ID}`]],
  ["no parameter", undefined],
])("a list begins at the start with %s", (_, text) => {
  expect(parseCursor(text)).toBeUndefined();
});
