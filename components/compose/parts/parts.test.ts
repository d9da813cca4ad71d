import { expect, test } from "vitest";
import { joined, partsWith, withoutPart, withPartAfter, withPartMoved, withPartSplit } from "./parts";

const three = partsWith(["one", "two", "three"]);
const texts = (parts: { text: string }[]) => parts.map(({ text }) => text);

test("adds a part after another with a new ID", () => {
  const { parts, added } = withPartAfter(three, "p1");
  expect(texts(parts)).toEqual(["one", "", "two", "three"]);
  expect(three.map(({ id }) => id)).not.toContain(added.id);
  expect(parts[1]).toBe(added);
});

test("removes a part; the previous one, or the next of the first, takes its files", () => {
  const last = withoutPart(three, "p3");
  expect([texts(last.parts), last.heir?.id]).toEqual([["one", "two"], "p2"]);
  const first = withoutPart(three, "p1");
  expect([texts(first.parts), first.heir?.id]).toEqual([["two", "three"], "p2"]);
});

test("keeps the only part", () => {
  const only = partsWith(["one"]);
  expect(withoutPart(only, "p1").parts).toBe(only);
});

test("moves a part by one, not beyond the ends", () => {
  expect(texts(withPartMoved(three, "p3", -1))).toEqual(["one", "three", "two"]);
  expect(withPartMoved(three, "p1", -1)).toBe(three);
  expect(withPartMoved(three, "p3", 1)).toBe(three);
});

test("replaces one part by several: the first keeps the ID and the files, all IDs differ", () => {
  const parts = withPartSplit(three, 1, ["two", "and", "a half"]);
  expect(texts(parts)).toEqual(["one", "two", "and", "a half", "three"]);
  expect(parts[1]?.id).toBe("p2");
  expect(new Set(parts.map(({ id }) => id)).size).toBe(5);
});

test("joins parts with blank lines, without empty ones", () => {
  expect(joined(["one", " ", "two"])).toBe("one\n\ntwo");
});
