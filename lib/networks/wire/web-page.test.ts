import { expect, test } from "vitest";
import { firstLink, pageFacts } from "./web-page";

const page = (html: string, contentType = "text/html; charset=utf-8") =>
  pageFacts({ contentType, bytes: Buffer.from(html, contentType.includes("8859") ? "latin1" : "utf8") });
const og = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`;

test.each([
  [
    "Open Graph tags first",
    `<title>Other</title><meta name="description" content="Other">${og("title", "Bells")}${og("description", "Ring")}${og("image", "/a.png")}`,
    { title: "Bells", description: "Ring", image: "/a.png" },
  ],
  [
    "title and description as fallback",
    "<title>\n Bells &amp;  more\n</title><META content='Ring' NAME=description>",
    { title: "Bells & more", description: "Ring", image: undefined },
  ],
  [
    "character references",
    og("title", "&quot;A&quot; &#233; &#x1F514; &unknown; &#55296;"),
    { title: '"A" é 🔔 &unknown;', description: undefined, image: undefined },
  ],
  ["nothing", "<p>Hello</p>", { title: undefined, description: undefined, image: undefined }],
])("reads a page with %s", (_, html, facts) => {
  expect(page(html)).toEqual(facts);
});

test("decodes a page with its charset", () => {
  expect(page("<title>café</title>", "text/html; charset=iso-8859-1").title).toBe("café");
  expect(page("<title>café</title>", "text/html; charset=klingon").title).toBe("café");
});

test("returns nothing for other files", () => {
  expect(page("<title>Bells</title>", "application/pdf")).toEqual({});
});

test.each([
  ["See https://example.com/a?b=1. And http://example.org", "https://example.com/a?b=1"],
  ["(https://example.com/a)", "https://example.com/a"],
  ["(see https://example.com/a).", "https://example.com/a"],
  ["https://example.com/a_(b)", "https://example.com/a_(b)"],
  ["“https://example.com/a”", "https://example.com/a"],
  ["example.com and xhttps://example.com", undefined],
  ["https://", undefined],
])("finds the first link of %s", (text, link) => {
  expect(firstLink(text)).toBe(link);
});

test("an image's address of more than 2,048 characters is left out, and a host of 300 characters is not a link", () => {
  const imageOf = (length: number) => page(`<meta property="og:image" content="${"a".repeat(length)}">`).image?.length;
  expect([imageOf(2_048), imageOf(2_049)]).toEqual([2_048, undefined]);
  const link = (length: number) => `https://${"a".repeat(length)}/b`;
  expect([firstLink(link(299)), firstLink(link(300))]).toEqual([link(299), undefined]);
});
