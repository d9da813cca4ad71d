import { describe, expect, test } from "vitest";
import { chooseLookalike, earliestCreation, Indistinguishable, type LookalikeFacts, reachesBack } from "./lookalikes";

const since = new Date("2026-11-20T10:00:00Z");
const facts: LookalikeFacts = { since, from: earliestCreation(since), listedBefore: [], heldIds: [], hasRival: false };
const at = (id: string, seconds?: number) => ({
  id,
  createdAt: seconds === undefined ? undefined : new Date(since.getTime() + seconds * 1000),
});
const unread = { listedBefore: undefined };

describe("which of the posts that look the same did a lost call create?", () => {
  test.each([
    ["nothing is listed", [], {}, undefined],
    ["one post", [at("1", 2)], {}, "1"],
    ["one post without a time", [at("1")], {}, "1"],
    ["one post that the network processed for almost an hour", [at("1", 3599)], {}, "1"],
    ["one post, by a slow clock of the network", [at("1", -59)], {}, "1"],
    ["a post from long before the call", [at("1", -61)], {}, undefined],
    ["a post that was listed before the call", [at("1", 0)], { listedBefore: ["1"] }, undefined],
    ["a new post beside one that was listed before", [at("1", 0), at("2", 3)], { listedBefore: ["1"] }, "2"],
    ["a post of another publication", [at("1", 2)], { heldIds: ["1"] }, undefined],
    ["a new post beside one of another publication", [at("1", 2), at("2", 2)], { heldIds: ["1"] }, "2"],
    [
      "nothing but what another publication has, with a third one open",
      [at("1", 2)],
      { heldIds: ["1"], hasRival: true },
      undefined,
    ],
    ["one post after the call, if the list was not read before it", [at("1", 0)], unread, "1"],
    ["one post from the second of the call", [at("1", -0.9)], { aheadMs: 0 }, "1"],
    ["one post, by a clock of the network that is behind", [at("1", -5)], { aheadMs: -6000 }, "1"],
  ])("%s", (_, listed, more, id) => {
    expect(chooseLookalike(listed, { ...facts, ...more })?.id).toBe(id);
  });

  test.each([
    ["two new posts", [at("1", 2), at("2", 3)], {}],
    ["one post while another publication has an open outcome", [at("1", 2)], { hasRival: true }],
    ["one post from just before the call, if the list was not read before it", [at("1", -0.001)], unread],
    ["one post without a time, if the list was not read before it", [at("1")], unread],
    ["one post from before the call by a clock that is ahead", [at("1", 2)], { ...unread, aheadMs: 2001 }],
    ["one post from before the call that the network did not list then", [at("1", -1)], { aheadMs: 0 }],
  ])("%s: cannot be told apart", (_, listed, more) => {
    expect(() => chooseLookalike(listed, { ...facts, ...more })).toThrow(Indistinguishable);
  });
});

describe("does a list of at most three posts show everything since then?", () => {
  const times = (...seconds: number[]) => seconds.map((second) => new Date(since.getTime() + second * 1000));
  test.each([
    ["a list that is not full", times(2, 1), true],
    ["a full list of newer posts", times(3, 2, 1), false],
    ["a full list whose last post is older", times(3, 2, -1), true],
    ["a full list of older posts, newest first", times(-1, -2, -3), true],
    ["a full list of older posts, oldest first: newer ones may follow", times(-3, -2, -1), false],
  ])("%s", (_, listed, isWhole) => {
    expect(reachesBack({ times: listed, limit: 3 }, since)).toBe(isWhole);
  });

  test.each([
    ["an empty list", [], false],
    ["a list of newer posts that is not full", times(2, 1), false],
    ["a list that is not full and whose last post is older", times(2, -1), true],
  ])("if the network says that there are more: %s", (_, listed, isWhole) => {
    expect(reachesBack({ times: listed, limit: 3, hasMore: true }, since)).toBe(isWhole);
  });
});
