import { describe, expect, test } from "vitest";
import { shortLink, shownText } from "./rich-text";

const path = (characters: number) => `/${"a".repeat(characters - 1)}`;

describe("links shortened like in Bluesky's app", () => {
  test.each([
    ["https://example.com", "https://example.com"],
    [`https://example.com${path(14)}`, `https://example.com${path(14)}`],
    [`https://example.com${path(15)}`, `https://example.com${path(15)}`],
    [`https://example.com${path(16)}`, `example.com${path(13)}...`],
    ["https://www.example.com:8080/bells/in/the/tower", "www.example.com:8080/bells/in/the..."],
    ["HTTP://example.com?bell=great&tower=north", "example.com?bell=great&t..."],
    ["https://example.com#the-bells-in-the-tower", "example.com#the-bells-in..."],
    ["https://known.example@example.com/bells/in/the/tower", "example.com/bells/in/the..."],
    ["https://example.com\\@known.example/bells/in", "example.com\\@known.examp..."],
    ["https://glocken.example/колокола-на-башне", "glocken.example/колокола-на-..."],
    [`https://example.com/${"👩‍👩‍👧‍👦".repeat(15)}`, `example.com/${"👩‍👩‍👧‍👦".repeat(12)}...`],
    ["example.com/bells/in/the/tower/ring", "example.com/bells/in/the/tower/ring"],
  ])("%s", (address, shown) => {
    expect(shortLink(address)).toBe(shown);
  });
});

describe("shownText", () => {
  const shown = (text: string) => shownText({ shortLinks: true }, text);

  test("returns the text unchanged if nothing is shortened", () => {
    const text = "Ring (https://example.com/bells/in/the/tower)";
    expect([shownText({}, text), shown("Ring https://example.com/a")]).toEqual([text, "Ring https://example.com/a"]);
  });

  test("shortens every long link and keeps the surrounding text", () => {
    const link = "https://example.com/bells/in/the/tower";
    expect(shown(`(${link}), ${link}.\n${link}`)).toBe(
      "(example.com/bells/in/the...), example.com/bells/in/the....\nexample.com/bells/in/the...",
    );
  });

  test("treats an address in a hashtag as part of it, unless the hashtag is too long", () => {
    const link = "https://example.com/bells/in/the/tower";
    expect([shown(`#a(${link}`), shown(`#${"a".repeat(60)}(${link}`)]).toEqual([
      `#a(${link}`,
      `#${"a".repeat(60)}(example.com/bells/in/the...`,
    ]);
  });
});
