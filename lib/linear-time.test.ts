import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { slowCalls, slowPatterns, unitsFor, unitsOfUnicode } from "./testing/hostile-text";
import {
  isRepeating,
  slowTextFunctions,
  sourceFiles,
  sourcePatterns,
  textFunctions,
  weightedTextFunctions,
} from "./testing/text-functions";

// One character of each kind that matters. `npm run test:long` tries every character of Unicode (linear-time.long.test.ts).

const allPatterns = sourcePatterns();
const units = unitsFor(allPatterns.map(({ pattern }) => pattern));

test("every function over the text of a caller or of a web page takes time linear in its length", async () => {
  expect(await slowCalls(textFunctions, { units })).toEqual([]);
}, 300_000);

test("so does every function that is slow on any text", async () => {
  expect(await slowCalls(slowTextFunctions, { units: unitsOfUnicode() })).toEqual([]);
}, 300_000);

test("so does counting as X does, which is slow but exact only for the first 5,000 characters", async () => {
  expect(await slowCalls(weightedTextFunctions, { units: unitsOfUnicode(), mostScans: 5_000 })).toEqual([]);
}, 300_000);

test("every regular expression takes linear time on any text", async () => {
  const unique = new Map(allPatterns.filter(isRepeating).map((one) => [String(one.pattern), one]));
  expect(await slowPatterns([...unique.values()])).toEqual([]);
}, 300_000);

test("text is normalized in linear time, except passwords, which have at most 1,024 characters", () => {
  const normalizing = [...sourceFiles(), ...sourceFiles(["sandbox", "packages"])].filter((file) =>
    /\.normalize\(/.test(readFileSync(file, "utf8")),
  );
  expect(normalizing.sort()).toEqual(["lib/text.ts", "lib/users/users.ts", "sandbox/x/text.ts"]);
});
