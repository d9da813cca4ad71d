import { beforeAll, expect, test } from "vitest";
import { as, type Client, connectAccount, newOwner, picture } from "../../testing";
import { type Body, type Operation, patched } from "../../testing/patch";

type Problem = { path: string; rule: string; apply?: Operation[] };

const TIME = "2031-05-01T12:00:00Z";
const LONG = "The bells of the old tower ring again https://example.com/tower ".repeat(12);

let caller: Client;
let ids: { x: number; telegram: number; instagram: number };
let pictures: string[];

beforeAll(async () => {
  const owner = await newOwner();
  caller = as(owner);
  const on = async (platform: Parameters<typeof connectAccount>[1]) => (await connectAccount(owner, platform)).id;
  ids = { x: await on("X_TWITTER"), telegram: await on("TELEGRAM"), instagram: await on("INSTAGRAM") };
  pictures = await Promise.all(Array.from({ length: 11 }, () => picture(owner)));
});

async function problemsOf(body: Body): Promise<Problem[]> {
  const answer = await caller.post("/v1/posts/validate", body);
  return ((await answer.json()) as { problems: Problem[] }).problems;
}

const nested = (account: number, platformSettings: object, post: object, scheduledTime = TIME) => ({
  scheduledTime,
  publications: [{ socialMediaAccountId: account, platformSettings, posts: [post] }],
});

test.each<[rule: string, when: string, body: () => Body]>([
  ["text.length", "a text too long", () => nested(ids.x, { type: "TWITTER" }, { content: LONG })],
  [
    "text.length",
    "a flat one",
    () => ({ platform: "X_TWITTER", accountId: ids.x, content: LONG, scheduledTime: TIME }),
  ],
  [
    "media.count",
    "more pictures than it takes",
    () => nested(ids.instagram, { type: "INSTAGRAM" }, { content: "a", attachmentPaths: pictures }),
  ],
  [
    "media.count",
    "a flat one",
    () => ({
      platform: "INSTAGRAM",
      accountId: ids.instagram,
      content: "a",
      mediaPaths: pictures,
      scheduledTime: TIME,
    }),
  ],
  ["settings.type", "another network's type", () => nested(ids.x, { type: "TELEGRAM" }, { content: "a" })],
  [
    "settings.unknown",
    "another network's setting",
    () => nested(ids.x, { type: "TWITTER", title: "a" }, { content: "a" }),
  ],
  [
    "time.past",
    "a time that is over",
    () => nested(ids.x, { type: "TWITTER" }, { content: "a" }, "2020-01-01T00:00:00Z"),
  ],
])("%s: applying the patch fixes %s", async (rule, _, body) => {
  const found = (await problemsOf(body())).find((problem) => problem.rule === rule);
  expect(found?.apply).toHaveLength(1);
  const after = patched(body(), found?.apply ?? []);
  expect(await problemsOf(after)).toEqual([]);
});

test("all patches of one answer can be applied together", async () => {
  const body = nested(
    ids.x,
    { type: "X", title: "a" },
    { content: LONG, attachmentPaths: pictures },
    "2020-01-01T00:00:00Z",
  );
  let left: Body = body;
  for (let round = 0; round < 3; round++) {
    left = patched(
      left,
      (await problemsOf(left)).flatMap(({ apply }) => apply ?? []),
    );
  }
  expect(await problemsOf(left)).toEqual([]);
  expect((await caller.post("/v1/posts", left)).status).toBe(201);
});

test("there is no patch where a person must decide: several destinations, a missing text, a wrong kind of file", async () => {
  const wrong = [
    nested(ids.telegram, { type: "TELEGRAM" }, { content: "a" }),
    nested(ids.telegram, { type: "TELEGRAM" }, { content: "a", chatId: "-1" }),
    nested(ids.x, { type: "TWITTER" }, { content: "" }),
    nested(ids.x, { type: "TWITTER" }, { content: "a", attachmentPaths: ["nobody/nothing.jpg"] }),
  ];
  for (const body of wrong) {
    const problems = await problemsOf(body);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.filter((problem) => "apply" in problem)).toEqual([]);
  }
});
