import { describe, expect, test } from "vitest";
import { best, excerptOf, rankOf } from "./search";

describe("how well a text answers what was typed", () => {
  test.each([
    ["it begins with it", "cal", ["Calendar"], 0],
    ["whatever the case and the accents", "CAFE", ["Café at noon"], 0],
    ["each word begins one of its words, in any order", "api try", ["Try the API"], 1],
    ["further texts count too", "csv", ["Import posts", "from a file, CSV"], 1],
    ["a word's middle counts least", "count", ["Accounts"], 2],
    ["nothing was typed", "  ", ["Anything"], 0],
    ["one word is missing", "try bells", ["Try the API"], undefined],
  ])("%s", (_, query, texts, rank) => {
    expect(rankOf(query, ...texts)).toBe(rank);
  });

  test("the best comes first, and equals stay in their order", () => {
    const names = ["Discounts", "Accounts", "My count", "Count me in"];
    expect(best(names, "count", (name) => [name])).toEqual(["Count me in", "My count", "Discounts", "Accounts"]);
  });
});

describe("an excerpt", () => {
  const long = `${"ding dong ".repeat(20)}the noon bell`;

  test("of a long text begins a little before the word", () => {
    expect(excerptOf(long, "Noon bell")).toBe(`…${long.slice(long.indexOf("noon") - 24)}`);
  });

  test.each(["dong", "", "unheard"])("of one where “%s” stands early or nowhere is its beginning", (query) => {
    expect(excerptOf(long, query)).toBe(long);
  });
});
