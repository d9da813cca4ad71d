import { beforeAll, describe, expect, test } from "vitest";
import type { Platform } from "@/lib/platforms";
import { as, type Client, connectAccount, newOwner, picture } from "@/lib/testing";
import { type Body, patched as patchedBody } from "@/lib/testing/patch";
import type { ApiAccount } from "../../api/types";
import type { Draft } from "../draft/draft";
import type { CheckProblem } from "../draft/queries";
import { checkRequest } from "../draft/submission";
import { account, draftFor, file, targetsFor } from "../testing/page";
import type { Upload } from "../uploads/use-uploads";
import { applyPatch } from "./fixes";
import { type ComposeProblem, checkProblems } from "./problems";

let caller: Client;
let x: ApiAccount;
let linkedin: ApiAccount;
let instagram: ApiAccount;
let files: Upload[];

beforeAll(async () => {
  const owner = await newOwner();
  caller = as(owner);
  const on = async (platform: Platform) => account((await connectAccount(owner, platform)).id, platform);
  [x, linkedin, instagram] = [await on("X_TWITTER"), await on("LINKEDIN"), await on("INSTAGRAM")];
  files = (await Promise.all(Array.from({ length: 5 }, () => picture(owner)))).map((path) => file(path, "p1"));
});

/** Returns the problems that the API finds in what the page would send. */
async function foundIn(draft: Draft, accounts: ApiAccount[], attached: Upload[]) {
  const targets = targetsFor(draft, accounts, attached);
  const body = checkRequest(targets);
  const answer = await caller.post("/v1/posts/validate", body);
  const { problems: found } = (await answer.json()) as { problems: CheckProblem[] };
  return { targets, body, found, problems: checkProblems(found, targets, draft) };
}

const telegram = account(-1, "TELEGRAM");
const PLACES = ["-100", "-200"].map((id) => ({ id, title: id, type: "channel", platform: telegram.platform }));
const LONG = "The bells of the old tower ring again tonight. ".repeat(9).trim();
const labels = ({ fixes }: ComposeProblem) => fixes.map(({ label }) => label);

/** Presses the button with this label. */
function pressed(draft: Draft, problem: ComposeProblem | undefined, label: string): Draft {
  const fix = problem?.fixes.find((one) => one.label === label);
  if (!fix || !("change" in fix)) throw new Error(`there is no ${label}: ${problem && labels(problem)}`);
  return fix.change(draft);
}

describe("each button removes its problem, for that account only", () => {
  test.each<
    [button: string, problem: RegExp, draft: () => Draft, accounts: () => ApiAccount[], attached: () => Upload[]]
  >([
    [
      "Split into a thread of 2",
      /characters too long/,
      () => draftFor([x, linkedin], [LONG]),
      () => [x, linkedin],
      () => [],
    ],
    ["Shorten it", /characters too long/, () => draftFor([x, linkedin], [LONG]), () => [x, linkedin], () => []],
    ["Keep the first 4 files", /at most 4/, () => draftFor([x, linkedin], ["Ding"]), () => [x, linkedin], () => files],
    ["Remove part 2", /^Part 2: The text is needed/, () => draftFor([x], ["One", ""]), () => [x], () => []],
    [
      "Publish as feed",
      /does not take/,
      () => draftFor([instagram], ["Ding"], { settings: { [`a${instagram.id}`]: { publicationType: "REELS" } } }),
      () => [instagram],
      () => files.slice(0, 1),
    ],
    ["Remove this account", /does not take/, () => draftFor([instagram, x], ["Ding"]), () => [instagram, x], () => []],
  ])("%s", async (button, says, draft, accounts, attached) => {
    const before = await foundIn(draft(), accounts(), attached());
    const problem = before.problems.find(({ text }) => says.test(text));
    const after = await foundIn(pressed(draft(), problem, button), accounts(), attached());
    expect(after.problems.map(({ text }) => text)).toEqual([]);
    const other = linkedin.id;
    const ofOther = ({ body }: typeof before) => body.publications.filter((one) => one.socialMediaAccountId === other);
    expect(ofOther(after)).toEqual(ofOther(before));
  });
});

test("the API's patch and the page's change give the same request", async () => {
  for (const [draft, attached] of [
    [draftFor([x], [LONG]), []],
    [draftFor([x], ["Ding"]), files],
  ] as const) {
    const { targets, body, found } = await foundIn(draft, [x], [...attached]);
    const operation = found[0]?.apply?.[0];
    const [target] = targets;
    if (!operation || !target) throw new Error("the API offers no change");
    const fixed = applyPatch(draft, target, operation);
    expect(fixed && checkRequest(targetsFor(fixed, [x], [...attached]))).toEqual(
      patchedBody(body as Body, [operation]),
    );
  }
});

test("a problem that needs a person leads to its field", async () => {
  const { problems } = await foundIn(draftFor([x], ["$BELL and $DING"]), [x], []);
  expect(problems.map((problem) => [problem.text, labels(problem)])).toEqual([
    ["X takes at most 1 cashtags, this text has 2.", ["Go to the text", "Remove this account"]],
  ]);
});

test("an alt text that is too long leads to its field, and offers no other fix", async () => {
  const [one] = files;
  if (!one?.path) throw new Error("there is no picture");
  const [, name] = one.path.split("/");
  await caller.patch(`/v1/media/${name}`, { altText: "a".repeat(1003) });
  const { problems } = await foundIn(draftFor([x, linkedin], ["Ding"]), [x, linkedin], [one]);
  await caller.patch(`/v1/media/${name}`, { altText: null });
  expect(problems.map((problem) => [problem.text, problem.fixes[0], ...labels(problem).slice(1)])).toEqual([
    [
      `The alt text of ${one.name} is 3 characters too long: X takes 1,000.`,
      { label: "Shorten the alt text", goTo: `alt-${one.id}` },
      `Leave ${one.name} out`,
      "Remove this account",
    ],
  ]);
});

test("asks for a destination once, however many parts there are", async () => {
  const targets = targetsFor(draftFor([telegram], ["One", "Two"]), [telegram], [], { [telegram.id]: PLACES });
  const at = (post: number) => `publications[0].posts[${post}].chatId`;
  const found = [0, 1].map((post) => ({ path: at(post), rule: "chat.required", message: "cannot be null: …" }));
  const problems = checkProblems(found, targets, draftFor([telegram], ["One", "Two"]));
  expect(problems.map((problem) => [problem.text, labels(problem)])).toEqual([
    ["Choose where to post.", ["Choose a place", "Remove this account"]],
  ]);
});

test("for an unfinished upload, reports only problems that do not depend on the file", async () => {
  const underway: Upload = { id: "new one.jpg-1", name: "new one.jpg", kind: "image", share: 0.5 };
  const { problems } = await foundIn(draftFor([instagram], ["Ding"]), [instagram], [underway]);
  expect(problems).toEqual([]);
});
