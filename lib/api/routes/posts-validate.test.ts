import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { accounts, db } from "../../db";
import type { Problem } from "../../errors";
import { as, type Client, connectAccount, newOwner, picture, readResponse } from "../../testing";

const TIME = "2031-05-01T12:00:00Z";

let owner: string;
let caller: Client;
let x: number;
let telegram: number;
let instagram: number;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  [x, telegram, instagram] = [
    (await connectAccount(owner, "X_TWITTER")).id,
    (await connectAccount(owner, "TELEGRAM")).id,
    (await connectAccount(owner, "INSTAGRAM")).id,
  ];
});

const on = (account: number, type: string, ...posts: object[]) => ({
  socialMediaAccountId: account,
  platformSettings: { type },
  posts,
});
const validate = (body: unknown) => readResponse(caller.post("/v1/posts/validate", body));
const problemsOf = async (body: unknown) => ((await validate(body))[1] as { problems: Problem[] }).problems;

test("a subscriber of X may post 25,000 characters, other accounts 280, and the problem names the account's limit", async () => {
  const { id } = await connectAccount(owner, "X_TWITTER");
  await db.update(accounts).set({ textMax: 25_000 }).where(eq(accounts.id, id));
  const lengthsOf = async (account: number, length: number) =>
    (
      await problemsOf({ publications: [on(account, "TWITTER", { content: "a".repeat(length) })], scheduledTime: TIME })
    ).map(({ rule, measured, limit }) => ({ rule, measured, limit }));
  expect(await lengthsOf(id, 25_000)).toEqual([]);
  expect(await lengthsOf(id, 25_001)).toMatchObject([
    { rule: "text.length", measured: 25_001, limit: { max: 25_000 } },
  ]);
  expect(await lengthsOf(x, 281)).toMatchObject([{ rule: "text.length", measured: 281, limit: { max: 280 } }]);
  const [, listed] = await readResponse(caller.get("/v1/accounts"));
  const shown = (listed as { id: number; textMax?: number }[]).filter((one) => [id, x].includes(one.id));
  expect(shown.map(({ textMax }) => textMax)).toEqual([undefined, 25_000]);
});

test("Telegram counts a text without its markup, and a mistake in the markup is a problem with its place", async () => {
  const html = (content: string, parseMode?: string) => ({
    ...on(telegram, "TELEGRAM", { content }),
    platformSettings: { type: "TELEGRAM", ...(parseMode ? { parseMode } : {}) },
  });
  const rulesOf = async (content: string, parseMode?: string) =>
    (await problemsOf({ publications: [html(content, parseMode)], scheduledTime: TIME }))
      .filter(({ rule }) => rule !== "chat.required")
      .map(({ path, rule, measured, message, severity }) => [
        ...[path, rule, measured ?? message],
        ...(severity ? [severity] : []),
      ]);
  const at = "publications[0].posts[0].content";
  const bold = (letters: number) => `<b>${"a".repeat(letters)}</b>`;
  expect(await rulesOf(bold(4096), "HTML")).toEqual([]);
  expect(await rulesOf(bold(4097), "HTML")).toEqual([[at, "text.length", 4097]]);
  expect(await rulesOf(bold(4096))).toEqual([[at, "text.length", 4103]]);
  expect(await rulesOf("<b> </b>", "HTML")).toEqual([[at, "text.required", 0]]);
  expect(await rulesOf("1 < 2", "HTML")).toEqual([
    [at, "text.markup", expect.stringContaining('The "<" at character 3 begins no tag. Write it as &lt;')],
  ]);
  expect(await rulesOf("<i>a</i>".repeat(101), "HTML")).toEqual([[at, "telegram.formatted_parts", 101, "warning"]]);
  expect(await rulesOf("a", "MARKDOWN")).toEqual([
    ["publications[0].platformSettings.parseMode", "settings.choice", "must be HTML"],
  ]);
});

describe("200", () => {
  test("accepts valid bodies of both forms and stores nothing", async () => {
    const good = [200, { valid: true, problems: [] }];
    expect(await validate({ scheduledTime: TIME, publications: [on(x, "TWITTER", { content: "a" })] })).toEqual(good);
    const flat = { platform: "X_TWITTER", accountId: x, content: "a", scheduledTime: TIME };
    expect(await validate(flat)).toEqual(good);
    expect(await validate({ isDraft: true, publications: [on(telegram, "TELEGRAM", {})] })).toEqual(good);
    const { rows } = await db.execute(sql`select 1 from schedules where owner_id = ${owner}`);
    expect(rows).toEqual([]);
  });

  test("lists every problem with its rule, measured value, limit, source and fix", async () => {
    const wide = await picture(owner, 1000, 100);
    const body = {
      scheduledTime: "yesterday",
      publications: [
        on(x, "TWITTER", { content: "a".repeat(281) }),
        on(instagram, "INSTAGRAM", { attachmentPaths: [wide, "nobody/nothing.jpg"] }, {}),
        on(instagram, "INSTAGRAM", { attachmentPaths: [wide] }),
        on(telegram, "TELEGRAM", { content: "a" }),
        on(999_999_999, "TWITTER", { content: "a" }),
        on(x, "TELEGRAM", { content: "a" }),
      ],
    };
    const tooWide = (path: string) => ({
      path,
      message: expect.stringMatching(/^Instagram takes a ratio/),
      rule: "media.ratio",
      measured: 10,
      limit: { min: 0.5625, max: 1.91 },
      source: expect.stringMatching(/ig-user\/media$/),
      fix: "Crop the file",
    });
    const [status, answer] = await validate(body);
    expect([status, answer]).toEqual([
      200,
      {
        valid: false,
        problems: [
          {
            path: "scheduledTime",
            message: "is not a valid ISO 8601 date and time: yesterday",
            rule: "time.invalid",
            fix: expect.any(String),
          },
          {
            path: "publications[0].posts[0].content",
            message: "X takes at most 280 weighted characters, this text has 281",
            rule: "text.length",
            measured: 281,
            limit: { max: 280 },
            source: "https://docs.x.com/fundamentals/counting-characters",
            fix: "Shorten the text by 1 weighted character",
            apply: [{ op: "replace", path: "/publications/0/posts/0/content", value: "a".repeat(280) }],
          },
          {
            path: "publications[1].posts",
            message: "Instagram takes one post a publication",
            rule: "posts.count",
            measured: 2,
            limit: { max: 1 },
          },
          {
            path: "publications[1].posts[0].attachmentPaths[1]",
            message: "is not a storage key of this user's media: nobody/nothing.jpg",
            rule: "media.unknown",
            fix: expect.any(String),
          },
          tooWide("publications[1].posts[0].attachmentPaths[0]"),
          {
            path: "publications[1].posts[1].attachmentPaths",
            message: "Instagram does not take posts without media here",
            rule: "format.unsupported",
            limit: expect.arrayContaining(["image", "carousel"]),
            source: expect.stringMatching(/ig-user\/media$/),
          },
          tooWide("publications[2].posts[0].attachmentPaths[0]"),
          {
            path: "publications[3].posts[0].chatId",
            message: "cannot be null: the account has several destinations",
            rule: "chat.required",
            fix: expect.any(String),
          },
          {
            path: "publications[4].socialMediaAccountId",
            message: "is not one of this user's accounts: 999999999",
            rule: "account.unknown",
            fix: expect.any(String),
          },
          {
            path: "publications[5].platformSettings.type",
            message: "must be TWITTER or X_TWITTER for this X account, not TELEGRAM",
            rule: "settings.type",
            measured: "TELEGRAM",
            limit: ["TWITTER", "X_TWITTER"],
            fix: "Use TWITTER",
            apply: [{ op: "replace", path: "/publications/5/platformSettings/type", value: "TWITTER" }],
          },
        ],
      },
    ]);
  });

  test("a wrong shape does not hide other problems", async () => {
    const problems = await problemsOf({
      scheduledTime: "2020-01-01T00:00:00Z",
      publications: [{ posts: [] }, on(x, "TWITTER", { content: "" }), 7],
    });
    expect(problems.map(({ path, rule }) => [path, rule])).toEqual([
      ["publications[0].socialMediaAccountId", "required"],
      ["publications[0].platformSettings", "required"],
      ["publications[0].posts", "too_small"],
      ["publications[2]", "type"],
      ["scheduledTime", "time.past"],
      ["publications[1].posts[0].content", "text.required"],
    ]);
  });

  test.each<[when: string, body: object, says: [path: string, rule: string][]]>([
    [
      "nothing",
      {},
      [
        ["publications", "required"],
        ["scheduledTime", "required"],
      ],
    ],
    ["both shapes", { content: "a", publications: [] }, [["publications", "body.mixed"]]],
    [
      "a flat body for an account that is not there",
      { platform: "X_TWITTER", accountId: "nobody", content: "a" },
      [
        ["scheduledTime", "required"],
        ["accountId", "account.unknown"],
      ],
    ],
    [
      "a flat body of a wrong shape",
      { platform: "MYSPACE", accountId: 1 },
      [
        ["platform", "choice"],
        ["scheduledTime", "required"],
      ],
    ],
  ])("%s", async (_, body, says) => {
    expect((await problemsOf(body)).map(({ path, rule }) => [path, rule])).toEqual(says);
  });

  test("names the fields of a flat body", async () => {
    const flat = (platform: string, accountId: unknown, fields: object) => ({ platform, accountId, ...fields });
    const pathsOf = async (body: object) =>
      (await problemsOf({ scheduledTime: TIME, ...body })).map(({ path }) => path);
    const absent = { mediaPaths: ["nobody/nothing.jpg"] };
    const long = { content: "a".repeat(2_201), mediaPaths: [await picture(owner, 1000, 100)] };
    expect(await pathsOf(flat("INSTAGRAM", instagram, long))).toEqual(["content", "mediaPaths[0]"]);
    expect(await pathsOf(flat("INSTAGRAM", instagram, { ...absent, publicationType: "SONG" }))).toEqual([
      "publicationType",
      "mediaPaths[0]",
    ]);
    expect(await pathsOf(flat("TELEGRAM", String(telegram), { content: "a" }))).toEqual(["chatId"]);
    expect(await pathsOf(flat("TELEGRAM", x, absent))).toEqual(["accountId", "mediaPaths[0]"]);
    const tiktok = await connectAccount(owner, "TIKTOK");
    expect(await pathsOf(flat("TIKTOK", tiktok.id, { content: "a" }))).toEqual(["mediaPaths"]);
  });

  test("reports the same sentences as creation", async () => {
    const body = { publications: [on(x, "TWITTER", { content: "#a ".repeat(200) }), on(instagram, "X", {})] };
    const [, refused] = await readResponse(caller.post("/v1/posts", body));
    const { problemSentence } = await import("../../errors");
    const sentences = (await problemsOf(body)).map(problemSentence);
    expect(sentences.join("; ")).toBe((refused as { error: string }).error);
  });
});

test("400 for a body that is not a JSON object", async () => {
  expect(await validate("{")).toEqual([400, { error: "The body is not valid JSON" }]);
  expect(await validate("[]")).toEqual([400, { error: "The body must be an object" }]);
});

test("403 without posts.write", async () => {
  expect((await as(owner, ["posts.read"]).post("/v1/posts/validate", {})).status).toBe(403);
});
