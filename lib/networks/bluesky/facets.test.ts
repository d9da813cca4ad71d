import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownText } from "../text/rich-text";
import { facetsOf, richText } from "./facets";

/** Each facet as the text in its byte range and its target. */
function marked(written: string): string[] {
  const { text, entities } = richText(written);
  const bytes = Buffer.from(text);
  return entities.map((one) => {
    const publicProfile = bytes.subarray(one.byteStart, one.byteEnd).toString();
    if ("link" in one) return `${publicProfile} -> ${one.link}`;
    return "tag" in one ? `${publicProfile} = ${one.tag}` : `${publicProfile} @ ${one.handle}`;
  });
}

describe("links", () => {
  test.each([
    ["https://example.com", ["https://example.com -> https://example.com"]],
    ["see https://example.com/a?b=c#d.", ["https://example.com/a?b=c#d -> https://example.com/a?b=c#d"]],
    ["(https://example.com/a)", ["https://example.com/a -> https://example.com/a"]],
    [
      "https://en.wikipedia.org/wiki/Bell_(tool)",
      ["en.wikipedia.org/wiki/Bell_(t... -> https://en.wikipedia.org/wiki/Bell_(tool)"],
    ],
    ["go to example.com, now", ["example.com -> https://example.com"]],
    ["example.com/path?x=1!", ["example.com/path?x=1 -> https://example.com/path?x=1"]],
    ["HTTPS://EXAMPLE.COM/Path", ["HTTPS://EXAMPLE.COM/Path -> HTTPS://EXAMPLE.COM/Path"]],
    ["no.such.ending.zzzz and e.g. this", []],
    ["mail me@example.com", []],
    ["https://", []],
    [
      "👋 see https://www.example.com/bells/in/the/tower?ring=1#top, and https://b.com/a",
      [
        "www.example.com/bells/in/the... -> https://www.example.com/bells/in/the/tower?ring=1#top",
        "https://b.com/a -> https://b.com/a",
      ],
    ],
    ["two\nhttps://a.com\nhttps://b.com", ["https://a.com -> https://a.com", "https://b.com -> https://b.com"]],
  ])("%s", (text, found) => {
    expect(marked(text)).toEqual(found);
  });
});

describe("mentions", () => {
  test.each([
    ["@alice.bsky.social", ["@alice.bsky.social @ alice.bsky.social"]],
    ["hi @Alice.Example.com!", ["@Alice.Example.com @ alice.example.com"]],
    ["(@alice.test)", ["@alice.test @ alice.test"]],
    ["@alice without a domain", []],
    ["me@alice.test", []],
    ["@alice.test. Next", ["@alice.test @ alice.test"]],
    ["@under_score.test", []],
  ])("%s", (text, found) => {
    expect(marked(text)).toEqual(found);
  });
});

describe("hashtags", () => {
  test.each([
    ["#one #two", ["#one = one", "#two = two"]],
    ["#тег #タグ #ß", ["#тег = тег", "#タグ = タグ", "#ß = ß"]],
    ["＃wide", ["＃wide = wide"]],
    ["#end. #dash-ed! #2025 #a1", ["#end = end", "#dash-ed = dash-ed", "#a1 = a1"]],
    ["a#b ##", []],
    ["#️⃣ keycap", []],
    [`#${"a".repeat(64)}`, [`#${"a".repeat(64)} = ${"a".repeat(64)}`]],
    [`#${"a".repeat(65)}`, []],
  ])("%s", (text, found) => {
    expect(marked(text)).toEqual(found);
  });
});

test("uses byte offsets of UTF-8, with an exclusive end", () => {
  const { entities } = richText("Hello 👋 @alice.test https://example.com #тег");
  expect(entities.map(({ byteStart, byteEnd }) => [byteStart, byteEnd])).toEqual([
    [11, 22],
    [23, 42],
    [43, 50],
  ]);
});

test("does not overlap: a link's fragment is not a hashtag, a mention's domain not a link", () => {
  expect(marked("https://a.com/#tag @b.com")).toEqual(["https://a.com/#tag -> https://a.com/#tag", "@b.com @ b.com"]);
});

test("shifts the ranges after a shortened link", () => {
  const { text, entities } = richText("鐘 https://example.com/bells/in/the/tower @a.test #тег.");
  expect(text).toBe("鐘 example.com/bells/in/the... @a.test #тег.");
  expect(entities.map(({ byteStart, byteEnd }) => [byteStart, byteEnd])).toEqual([
    [4, 31],
    [32, 39],
    [40, 47],
  ]);
});

test("counts the text that is sent, and sends texts without long links unchanged", () => {
  const pieces = [
    "https://example.com/bells/in/the/tower",
    "https://a.com/b",
    "a.com/bells/in/the/tower/here",
    "#tag(",
  ];
  const piece = fc.constantFrom(...pieces, "(@a.test", "@a.test", " ", "(", ")", ".", "\n", "👋", "#x", "word");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (parts) => {
      const written = parts.join("");
      const { text, entities } = richText(written);
      expect(shownText({ shortLinks: true }, written)).toBe(text);
      expect(shownText({}, written)).toBe(written);
      const isLong = entities.some((one) => "link" in one && text.includes("..."));
      if (!isLong) expect(text).toBe(written);
    }),
    { numRuns: 300 },
  );
});

test("keeps a mention of an unknown handle as text", () => {
  const { entities } = richText("@a.test @b.test");
  expect(facetsOf(entities, { "a.test": "did:plc:a", "b.test": null })).toEqual([
    { index: { byteStart: 0, byteEnd: 7 }, features: [{ $type: "app.bsky.richtext.facet#mention", did: "did:plc:a" }] },
  ]);
});
