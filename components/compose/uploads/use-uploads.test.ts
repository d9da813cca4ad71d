import { expect, test } from "vitest";
import { moveWithinPart } from "./use-uploads";

const files = [
  { id: "a", partId: "p1" },
  { id: "b", partId: "p2" },
  { id: "c", partId: "p1" },
];
const order = (all: { id: string }[]) => all.map(({ id }) => id).join("");

test("swaps a file with its neighbour in the same part", () => {
  expect(order(moveWithinPart(files, "a", 1))).toBe("cba");
  expect(order(moveWithinPart(files, "c", -1))).toBe("cba");
});

test("stays at the edge of its part", () => {
  expect(moveWithinPart(files, "b", 1)).toBe(files);
  expect(moveWithinPart(files, "a", -1)).toBe(files);
});
