import { describe, expect, test } from "vitest";
import { allNetworks, type Formats, type Limits } from "../../networks";
import { boundsOf, breakable, type Given, knownFile } from "../testing/bounds";
import type { KnownMedia } from "./facts";
import { commentProblems, limitProblems } from "./limits";
import { formatProblems } from "./publication";

const PAGE = /^https:\/\/[\w.-]+\//;

/** The worker converts an image that violates these, so they are only warnings (lib/schedules/check/conversion.ts). */
const CONVERTIBLE = ["media.type", "media.size", "image.side", "image.side_sum", "image.pixels"];

const problemsOf = (limits: Limits, given: Given) =>
  limitProblems("Net", limits, { content: "", settings: {}, media: [], ...given });

const variantsOf = ({
  formats,
  variants,
}: {
  formats: Formats<unknown>;
  variants?: { formats: { [value: string]: Formats<unknown> } };
}) => Object.entries(variants?.formats ?? { "": formats });

describe.each(allNetworks())("$platform", (network) => {
  const formats = variantsOf(network).flatMap(([variant, some]) =>
    Object.entries(some).map(([name, { limits }]) => ({ limits, when: `${name} ${variant}`.trim() })),
  );
  const rows = formats.flatMap(({ limits, when }) => boundsOf(limits).map((bound) => ({ ...bound, limits, when })));

  test.each(formats)("$when: every number and list of its limits is tested", ({ limits }) => {
    expect(
      boundsOf(limits)
        .map(({ of }) => of)
        .toSorted(),
    ).toEqual(breakable(limits).toSorted());
  });

  test.each(rows)("$when: $of inside the bound, at it, and one beyond it", ({ limits, rule, keeps, breaks }) => {
    const isConverted = CONVERTIBLE.includes(rule) && !limits.image?.sentAs; // otherwise the original is checked
    const rules = isConverted ? [rule, "image.converted"] : [rule];
    const broken = (given: Given) => problemsOf(limits, given).filter((found) => rules.includes(found.rule));
    expect(keeps.map(broken)).toEqual(keeps.map(() => []));
    const [problem, ...others] = broken(breaks);
    expect(others).toEqual([]);
    expect(problem?.source).toMatch(PAGE);
    if (problem?.severity === "warning") return;
    expect(problem).toMatchObject({ measured: expect.anything(), limit: expect.anything(), fix: expect.any(String) });
  });
});

test("a rule that is not a limit of one field also names its source, and so does an unsupported format", () => {
  const youtube = allNetworks().find(({ platform }) => platform === "YOUTUBE");
  const pagesOf = (attachmentPaths: string[], media: KnownMedia[]) =>
    youtube &&
    formatProblems(youtube, { title: "a < b", madeForKids: false }, { content: "", attachmentPaths }, media).map(
      ({ rule, source }) => [rule, source],
    );
  const video = knownFile({ contentType: "video/mp4", durationSeconds: 10 });
  expect(pagesOf(["a"], [video])).toEqual([[expect.any(String), expect.stringMatching(PAGE)]]);
  expect(pagesOf([], [])).toEqual([["format.unsupported", expect.stringMatching(PAGE)]]);
});

const OWN = /^https:\/\/(developers\.(facebook|google)|docs\.x|github|learn\.microsoft)\.com\//;

describe.each(allNetworks().filter(({ comment }) => comment))("the first comment of $platform", (network) => {
  const problemsOf = (settings: object, scopes?: string[]) =>
    commentProblems(network, { firstComment: "A comment", ...settings }, "settings", { scopes });

  test("a text that is too long names the page that states its limit", () => {
    const [problem] = problemsOf({ firstComment: "a".repeat(20_000) });
    expect(problem).toMatchObject({ path: "settings.firstComment", source: expect.stringMatching(PAGE) });
  });

  test("a missing permission, and a post that takes none, name the network's own page", () => {
    if (!network.comment?.scope) return expect(problemsOf({}, [])).toEqual([]);
    const unsupported = { publicationType: "STORY", privacyStatus: "PRIVATE" };
    for (const [rule, found] of [
      ["comment.scope", problemsOf({}, [])],
      ["comment.unsupported", problemsOf(unsupported)],
    ])
      expect(found).toMatchObject([{ rule, source: expect.stringMatching(OWN) }]);
  });
});
