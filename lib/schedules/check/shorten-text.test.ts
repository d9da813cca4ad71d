import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TextUnit } from "../../networks";
import { textLength } from "../../networks/text/count";
import { jsonPatchOf } from "../present";
import { truncateText } from "./limits";

const units: TextUnit[] = ["code points", "UTF-16 units", "graphemes", "bytes", "weighted characters"];
const pieces = fc.constantFrom(
  "a",
  "bell ",
  "é",
  "鐘",
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  " ",
  "\n",
  "https://example.com/tower?x=1 ",
  "bells.community",
  "#x ",
);

describe("a text shortened to its limit", () => {
  test("is a prefix of the text, fits as the network counts, and ends between characters", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...units),
        fc.integer({ min: 1, max: 60 }),
        fc.array(pieces, { maxLength: 80 }),
        (unit, max, parts) => {
          const text = parts.join("");
          fc.pre(textLength(unit, text) > max);
          const kept = truncateText(text, { max, unit });
          if (kept === undefined) return;
          expect(text.startsWith(kept)).toBe(true);
          expect(textLength(unit, kept)).toBeLessThanOrEqual(max);
          expect(textLength("graphemes", kept) + textLength("graphemes", text.slice(kept.length))).toBe(
            textLength("graphemes", text),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each<[unit: TextUnit, max: number, text: string, kept: string | undefined]>([
    ["code points", 12, "the bells ring tonight", "the bells"],
    ["code points", 14, "the bells ring tonight", "the bells ring"],
    ["code points", 5, "carillon", "caril"],
    ["bytes", 30, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"],
    ["bytes", 24, "👩‍👩‍👧‍👦", undefined],
    ["weighted characters", 30, "ring https://example.com/one https://example.com/two", "ring https://example.com/one"],
    ["weighted characters", 20, "ring https://example.com/one", "ring"],
  ])("%s, %d: %s", (unit, max, text, kept) => {
    expect(truncateText(text, { max, unit })).toBe(kept);
  });

  test("a link that is shown shortened counts as it is shown, and stays whole", () => {
    const link = `https://example.com/${"a".repeat(50)}`; // shown as 27 characters
    const cut = (max: number) =>
      truncateText(`ring ${link} now and then`, { max, unit: "graphemes", shortLinks: true });
    expect([cut(31), cut(32), cut(34), cut(36)]).toEqual(["ring", `ring ${link}`, `ring ${link}`, `ring ${link} now`]);
  });

  test("the longest possible text is shortened, too", () => {
    const text = "https://example.com/bells ".repeat(3_800);
    const kept = truncateText(text, { max: 280, unit: "weighted characters" });
    expect(kept).toBe("https://example.com/bells ".repeat(11).trimEnd());
  });
});

test("a patch addresses the field with a JSON Pointer", () => {
  const problem = (path: string) => ({ path, message: "", rule: "", change: { op: "remove" as const } });
  const at = (path: string) => jsonPatchOf(problem(path))?.[0]?.path;
  expect(at("publications[0].posts[11].chatId")).toBe("/publications/0/posts/11/chatId");
  expect(at("scheduledTime")).toBe("/scheduledTime");
  expect(jsonPatchOf({ path: "a", message: "", rule: "" })).toBeUndefined();
});
