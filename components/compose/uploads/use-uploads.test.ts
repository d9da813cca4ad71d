import { expect, test } from "vitest";
import { moved } from "./use-uploads";

const files = [
  { id: "a", partId: "p1" },
  { id: "b", partId: "p2" },
  { id: "c", partId: "p1" },
];
const order = (all: { id: string }[]) => all.map(({ id }) => id).join("");

test("a file changes places with the next one of its own part", () => {
  expect(order(moved(files, "a", 1))).toBe("cba");
  expect(order(moved(files, "c", -1))).toBe("cba");
});

test("at the edge of its part it stays", () => {
  expect(moved(files, "b", 1)).toBe(files);
  expect(moved(files, "a", -1)).toBe(files);
});
