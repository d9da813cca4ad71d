import { expect, test } from "vitest";
import { account, draftFor, file, targetsFor } from "../testing/page";
import { altTextLimitOf } from "./targets";

const accounts = {
  x: account(1, "X_TWITTER"),
  linkedin: account(2, "LINKEDIN"),
  pinterest: account(3, "PINTEREST"),
  telegram: account(4, "TELEGRAM"),
  bluesky: account(5, "BLUE_SKY"),
};
const [picture, film] = [file("a.jpg", "p1"), file("a.mp4", "p1")];

test.each([
  { on: ["linkedin", "x"], most: 1000 },
  { on: ["x", "linkedin", "pinterest"], most: 500 },
  { on: ["telegram"], most: undefined },
  { on: [], most: undefined },
] as const)("a picture's alt text limit for $on: $most", ({ on, most }) => {
  const chosen = on.map((name) => accounts[name]);
  const targets = targetsFor(draftFor(chosen, ["Ding"]), chosen, [picture]);
  expect(altTextLimitOf(picture, targets)?.max).toBe(most);
});

test("a video's alt text goes to other networks; an account without the file sets no limit", () => {
  const chosen = [accounts.x, accounts.bluesky];
  expect(altTextLimitOf(film, targetsFor(draftFor(chosen, ["Ding"]), chosen, [film]))?.max).toBe(2000);
  const draft = draftFor(chosen, ["Ding"], { without: { a1: [picture.id] } });
  expect(altTextLimitOf(picture, targetsFor(draft, chosen, [picture]))?.max).toBe(2000);
});

test("a Pin with its own alt text does not use the picture's", () => {
  const draft = draftFor([accounts.pinterest], ["Ding"], { settings: { a3: { altText: "A bell" } } });
  expect(altTextLimitOf(picture, targetsFor(draft, [accounts.pinterest], [picture]))).toBeUndefined();
});
