import { expect, test } from "vitest";
import { joined, partsOf, withoutPart, withPartAfter, withPartMoved, withPartSplit } from "./parts";

const three = partsOf(["one", "two", "three"]);
const texts = (parts: { text: string }[]) => parts.map(({ text }) => text);

test("a part is added behind another, under an id that none has", () => {
  const { parts, added } = withPartAfter(three, "p1");
  expect(texts(parts)).toEqual(["one", "", "two", "three"]);
  expect(three.map(({ id }) => id)).not.toContain(added.id);
  expect(parts[1]).toBe(added);
});

test("a part goes, and the one before it inherits; of the first the one behind", () => {
  const last = withoutPart(three, "p3");
  expect([texts(last.parts), last.heir?.id]).toEqual([["one", "two"], "p2"]);
  const first = withoutPart(three, "p1");
  expect([texts(first.parts), first.heir?.id]).toEqual([["two", "three"], "p2"]);
});

test("the only part stays", () => {
  const only = partsOf(["one"]);
  expect(withoutPart(only, "p1").parts).toBe(only);
});

test("a part moves by one, and not over the edge", () => {
  expect(texts(withPartMoved(three, "p3", -1))).toEqual(["one", "three", "two"]);
  expect(withPartMoved(three, "p1", -1)).toBe(three);
  expect(withPartMoved(three, "p3", 1)).toBe(three);
});

test("several take the place of one: the first keeps its id and so its files, all ids differ", () => {
  const parts = withPartSplit(three, 1, ["two", "and", "a half"]);
  expect(texts(parts)).toEqual(["one", "two", "and", "a half", "three"]);
  expect(parts[1]?.id).toBe("p2");
  expect(new Set(parts.map(({ id }) => id)).size).toBe(5);
});

test("as one text the parts stand apart, without the empty ones", () => {
  expect(joined(["one", " ", "two"])).toBe("one\n\ntwo");
});
