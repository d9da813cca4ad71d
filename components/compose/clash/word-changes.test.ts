import { describe, expect, test } from "vitest";
import { type Piece, wordChanges } from "./word-changes";

/** `[mine|theirs]` where they differ. */
const shown = (pieces: Piece[]) =>
  pieces.map((piece) => ("same" in piece ? piece.same : `[${piece.mine}|${piece.theirs}]`)).join("");

describe("changes between two texts", () => {
  test.each([
    ["", "", ""],
    ["Ding dong", "Ding dong", "Ding dong"],
    ["", "Ding", "[|Ding]"],
    ["Ding", "", "[Ding|]"],
    ["The bell rings", "The old bell rings", "The [|old ]bell rings"],
    ["The bell rings.", "The bell rang.", "The bell [rings|rang]."],
    ["a b c d", "a x y d", "a [b c|x y] d"],
    ["one two three", "three one two", "[|three ]one two[ three|]"],
    ["Ding!\n\nDong", "Ding!\nDong", "Ding!\n[\n|]Dong"],
    ["鐘が鳴る", "鐘は鳴る", "鐘[が|は]鳴る"],
    ["ding ding ding", "ding ding", "ding ding[ ding|]"],
  ])("%j and %j: %j", (mine, theirs, says) => {
    expect(shown(wordChanges(mine, theirs))).toBe(says);
  });
});

test("both texts can be rebuilt from the pieces", () => {
  const words = ["bell", "tower", " ", "\n", ".", "rings", "鐘", "🔔"];
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const text = () => Array.from({ length: next(30) }, () => words[next(words.length)]).join("");
  for (let round = 0; round < 300; round++) {
    const [mine, theirs] = [text(), text()];
    const pieces = wordChanges(mine, theirs);
    expect(pieces.map((piece) => ("same" in piece ? piece.same : piece.mine)).join("")).toBe(mine);
    expect(pieces.map((piece) => ("same" in piece ? piece.same : piece.theirs)).join("")).toBe(theirs);
  }
});

test("compares only the beginning and the end of texts that are too long", () => {
  const long = (word: string) => `Begin ${`${word} `.repeat(3_000)}end`;
  expect(wordChanges(long("ding"), long("dong"))).toEqual([
    { same: "Begin " },
    { mine: "ding ".repeat(3_000).trimEnd(), theirs: "dong ".repeat(3_000).trimEnd() },
    { same: " end" },
  ]);
});
