import { describe, expect, test } from "vitest";
import { best, excerptOf, rankOf } from "./search";

describe("the rank of a text", () => {
  test.each([
    ["the text begins with the query", "cal", ["Calendar"], 0],
    ["case and accents do not matter", "CAFE", ["Café at noon"], 0],
    ["each word of the query begins a word of the text, in any order", "api try", ["Try the API"], 1],
    ["further texts count too", "csv", ["Import posts", "from a file, CSV"], 1],
    ["the middle of a word counts least", "count", ["Accounts"], 2],
    ["nothing was typed", "  ", ["Anything"], 0],
    ["one word is missing", "try bells", ["Try the API"], undefined],
  ])("%s", (_, query, texts, rank) => {
    expect(rankOf(query, ...texts)).toBe(rank);
  });

  test("sorts by rank and keeps the order of equals", () => {
    const names = ["Discounts", "Accounts", "My count", "Count me in"];
    expect(best(names, "count", (name) => [name])).toEqual(["Count me in", "My count", "Discounts", "Accounts"]);
  });
});

describe("an excerpt", () => {
  const long = `${"ding dong ".repeat(20)}the noon bell`;

  test("begins a little before the word in a long text", () => {
    expect(excerptOf(long, "Noon bell")).toBe(`…${long.slice(long.indexOf("noon") - 24)}`);
  });

  test.each(["dong", "", "unheard"])("is the beginning if “%s” is near the start or missing", (query) => {
    expect(excerptOf(long, query)).toBe(long);
  });
});
