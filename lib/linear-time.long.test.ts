import { expect, test } from "vitest";
import { slowOnLongSequences, slowOnRuns } from "./testing/hostile-text";
import {
  isRepeating,
  matcherOf,
  slowTextFunctions,
  sourcePatterns,
  textFunctions,
  weightedTextFunctions,
} from "./testing/text-functions";
import { allCharacters, atomsOf, distinguished, emojiSequences, isMark, traitsOf } from "./testing/unicode";

// Runs of 100,000 characters of everything in Unicode (`npm run test:long`). Every punctuation mark, combining mark and emoji is
// run. Of the other characters, and of the sequences of several characters, one of each kind is run: no class, escape or literal of
// any pattern of ours answers differently for two of a kind, and neither does anything else that code asks of characters.

const HOURS = 4 * 3_600_000;
const allPatterns = sourcePatterns();
const atoms = allPatterns.flatMap(({ pattern }) => atomsOf(pattern));
const repeating = allPatterns.filter(isRepeating);
const matchers = Object.fromEntries(repeating.map(({ name, pattern }) => [name, matcherOf(pattern)]));

const characters = allCharacters();
const marks = characters.filter(isMark);
const others = distinguished([...characters.filter((one) => !isMark(one)), ...emojiSequences()], atoms, traitsOf);
const functions = { ...textFunctions, ...slowTextFunctions };

test(
  "every regular expression takes linear time on every character of Unicode",
  async () => {
    const kinds = distinguished(characters, atoms);
    expect(kinds.length).toBeGreaterThan(100);
    expect(await slowOnRuns([...kinds, ...others], matchers)).toEqual([]);
  },
  HOURS,
);

test(
  "so does every function over text on one of each kind of letter, symbol and sequence",
  async () => {
    expect(others.length).toBeGreaterThan(100);
    expect(await slowOnRuns(others, functions)).toEqual([]);
    expect(await slowOnRuns(others, weightedTextFunctions, 5_000)).toEqual([]);
  },
  HOURS,
);

test(
  "so do functions and regular expressions on sequences and after starts of 100,000 characters",
  async () => {
    expect(await slowOnLongSequences({ ...functions, ...matchers })).toEqual([]);
    expect(await slowOnLongSequences(weightedTextFunctions, 5_000)).toEqual([]);
  },
  HOURS,
);

test(
  "so does every function over text on every punctuation mark, combining mark and emoji",
  async () => {
    expect(marks.length).toBeGreaterThan(4_000);
    expect(await slowOnRuns(marks, functions)).toEqual([]);
    expect(await slowOnRuns(marks, weightedTextFunctions, 5_000)).toEqual([]);
  },
  HOURS,
);
