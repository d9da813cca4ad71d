import { beforeAll, describe, expect, test } from "vitest";
import { as, type Client, connectAccount, newOwner, picture, readResponse } from "../../testing";

const TIME = "2031-05-01T12:00:00Z";

let owner: string;
let caller: Client;
let x: number;
let telegram: number;
let instagram: number;
let image: string;
let wide: string;
let foreign: { account: number; image: string };

beforeAll(async () => {
  owner = await newOwner();
  const other = await newOwner();
  caller = as(owner);
  [x, telegram, instagram] = [
    (await connectAccount(owner, "X_TWITTER")).id,
    (await connectAccount(owner, "TELEGRAM")).id,
    (await connectAccount(owner, "INSTAGRAM")).id,
  ];
  image = await picture(owner);
  wide = await picture(owner, 1000, 100);
  foreign = { account: (await connectAccount(other, "X_TWITTER")).id, image: await picture(other) };
});

type Post = { [field: string]: unknown };
const on = (account: number, type: string, ...posts: Post[]) => ({
  socialMediaAccountId: account,
  platformSettings: { type },
  posts,
});
async function refused(...publications: unknown[]): Promise<unknown> {
  const [status, body] = await readResponse(caller.post("/v1/posts", { scheduledTime: TIME, publications }));
  return status === 400 ? (body as { error: string }).error.split("; ") : status;
}

/** The fields named by an error, in order. */
async function pathsOf(answer: Promise<Response>): Promise<(string | undefined)[]> {
  const [status, body] = await readResponse(answer);
  expect(status).toBe(400);
  return (body as { error: string }).error.split("; ").map((problem) => problem.split(/[ :]/)[0]);
}

describe("400: lists all problems, each starting with the field's path", () => {
  test("words missing fields as SPEC does", async () => {
    expect(await refused({})).toEqual([
      "publications[0].socialMediaAccountId cannot be null",
      "publications[0].platformSettings cannot be null",
      "publications[0].posts cannot be null",
    ]);
    expect(await refused({ socialMediaAccountId: null, platformSettings: {}, posts: [] })).toEqual([
      "publications[0].socialMediaAccountId cannot be null",
      "publications[0].platformSettings.type cannot be null",
      "publications[0].posts must have at least 1 entry",
    ]);
    expect(await refused()).toEqual(["publications must have at least 1 entry"]);
  });

  test("a wrong shape does not hide other problems, for POST and PUT", async () => {
    const nested = {
      scheduledTime: "2020-01-01T00:00:00Z",
      publications: [on(x, "TWITTER", { content: "a".repeat(281) }), {}],
    };
    const flat = { platform: "X_TWITTER", accountId: "nobody" };
    const draft = await readResponse(caller.post("/v1/posts", { isDraft: true, publications: [on(x, "TWITTER", {})] }));
    const [, { id }] = draft as [number, { id: number }];
    for (const send of [
      (body: object) => caller.post("/v1/posts", body),
      (body: object) => caller.put(`/v1/posts/${id}`, body),
    ]) {
      expect(await pathsOf(send(nested))).toEqual([
        "publications[1].socialMediaAccountId",
        "publications[1].platformSettings",
        "publications[1].posts",
        "scheduledTime",
        "publications[0].posts[0].content",
      ]);
      expect(await pathsOf(send(flat))).toEqual(["scheduledTime", "accountId"]);
      expect(await pathsOf(send({ ...flat, content: 7 }))).toEqual(["content", "scheduledTime"]);
    }
  });

  test("words problems of settings like those of other fields", async () => {
    const [youtube, tiktok] = [await connectAccount(owner, "YOUTUBE"), await connectAccount(owner, "TIKTOK")];
    const settings = { type: "TIKTOK", title: 5, disableDuet: "no", aiContent: null, privacyLevel: "EVERYONE" };
    const problems = await refused(
      on(youtube.id, "YOUTUBE", { content: "a" }),
      { ...on(tiktok.id, "TIKTOK", { content: "a" }), platformSettings: settings },
      on(tiktok.id, "TIKTOK", { content: "a" }),
    );
    expect(problems).toEqual([
      "publications[0].platformSettings.title cannot be null",
      "publications[0].posts[0].attachmentPaths: YouTube does not take posts without media here",
      "publications[1].platformSettings.title must be a string",
      "publications[1].platformSettings.privacyLevel must be PUBLIC_TO_EVERYONE, FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS or SELF_ONLY",
      "publications[1].platformSettings.disableDuet must be a boolean",
      "publications[1].platformSettings.aiContent cannot be null",
      "publications[1].posts[0].attachmentPaths: TikTok does not take posts without media here",
      "publications[2].platformSettings.privacyLevel cannot be null",
      "publications[2].posts[0].attachmentPaths: TikTok does not take posts without media here",
    ]);
  });

  test("wrong types", async () => {
    const publication = {
      socialMediaAccountId: "1",
      platformSettings: [],
      posts: [{ content: 1, attachmentPaths: "a" }],
    };
    expect(await refused(publication, 7)).toEqual([
      "publications[0].socialMediaAccountId must be a number",
      "publications[0].platformSettings must be an object",
      "publications[0].posts[0].content must be a string",
      "publications[0].posts[0].attachmentPaths must be an array",
      "publications[1] must be an object",
    ]);
  });

  test("lists problems of several networks and the time together", async () => {
    const [status, body] = await readResponse(
      caller.post("/v1/posts", {
        scheduledTime: "yesterday",
        publications: [
          on(x, "TWITTER", { content: "a".repeat(281) }),
          on(instagram, "INSTAGRAM", { content: "a" }),
          on(telegram, "TELEGRAM", { content: " " }),
        ],
      }),
    );
    expect([status, (body as { error: string }).error.split("; ")]).toEqual([
      400,
      [
        "scheduledTime is not a valid ISO 8601 date and time: yesterday",
        "publications[0].posts[0].content: X takes at most 280 weighted characters, this text has 281",
        "publications[1].posts[0].attachmentPaths: Instagram does not take posts without media here",
        "publications[2].posts[0].content: Telegram needs a text here",
        "publications[2].posts[0].chatId cannot be null: the account has several destinations",
      ],
    ]);
  });
});

describe("400: a network's rule that can be checked beforehand", () => {
  test.each<[when: string, publication: () => unknown, says: string[]]>([
    [
      "an emoji counts two on X",
      () => on(x, "TWITTER", { content: "😀".repeat(141) }),
      ["posts[0].content: X takes at most 280 weighted characters, this text has 282"],
    ],
    ["no text on X", () => on(x, "TWITTER", {}), ["posts[0].content: X needs a text here"]],
    [
      "two cashtags on X",
      () => on(x, "TWITTER", { content: "$AAPL and $MSFT" }),
      ["posts[0].content: X takes at most 1 cashtags, this text has 2"],
    ],
    [
      "five images on X",
      () => on(x, "TWITTER", { attachmentPaths: Array(5).fill(image) }),
      ["posts[0].attachmentPaths: X takes at most 4 images"],
    ],
    ["26 posts on X", () => on(x, "TWITTER", ...Array(26).fill({ content: "a" })), ["posts: X takes at most 25 posts"]],
    [
      "two posts on Instagram",
      () => on(instagram, "INSTAGRAM", ...Array(2).fill({ attachmentPaths: [image] })),
      ["posts: Instagram takes one post"],
    ],
    [
      "31 hashtags on Instagram",
      () => on(instagram, "INSTAGRAM", { content: "#a ".repeat(31), attachmentPaths: [image] }),
      ["posts[0].content: Instagram takes at most 30 hashtags, this text has 31"],
    ],
    [
      "a wide image on Instagram",
      () => on(instagram, "INSTAGRAM", { attachmentPaths: [wide] }),
      [
        "posts[0].attachmentPaths[0]: Instagram takes a ratio of width to height from 0.5625 to 1.91, this file has 10.00 (1000 x 100)",
      ],
    ],
    [
      "eleven images on Instagram",
      () => on(instagram, "INSTAGRAM", { attachmentPaths: Array(11).fill(image) }),
      ["posts[0].attachmentPaths: Instagram takes at most 10 images"],
    ],
  ])("%s", async (_, publication, says) => {
    const wanted = says.map((one) => `publications[0].${one}${/\bposts?$/.test(one) ? " a publication" : ""}`);
    expect(await refused(publication())).toEqual(wanted);
  });

  test("accepts exactly the limits", async () => {
    const body = {
      scheduledTime: TIME,
      publications: [
        on(x, "TWITTER", { content: "a".repeat(280) }, { attachmentPaths: Array(4).fill(image) }),
        on(instagram, "INSTAGRAM", { content: "#a ".repeat(30).trim(), attachmentPaths: Array(10).fill(image) }),
      ],
    };
    expect((await readResponse(caller.post("/v1/posts", body)))[0]).toBe(201);
  });
});

describe("400: platformSettings", () => {
  const settings = (account: number, platformSettings: object, path = image) =>
    refused({ socialMediaAccountId: account, platformSettings, posts: [{ content: "a", attachmentPaths: [path] }] });

  test.each<[when: string, given: object, says: string[]]>([
    [
      "another platform's type",
      { type: "TELEGRAM" },
      [".type must be TWITTER or X_TWITTER for this X account, not TELEGRAM"],
    ],
    [
      "an unknown field",
      { type: "TWITTER", visibility: "PUBLIC", x: 1 },
      [".visibility is not a setting of X", ".x is not a setting of X"],
    ],
    ["a type that is not a text", { type: 1 }, [".type must be a string"]],
  ])("%s on X", async (_, given, says) => {
    expect(await settings(x, given)).toEqual(says.map((one) => `publications[0].platformSettings${one}`));
  });

  test("rejects values that Instagram does not have", async () => {
    expect(await settings(instagram, { type: "INSTAGRAM", publicationType: "POST", aiContent: "yes" })).toEqual([
      "publications[0].platformSettings.publicationType must be FEED, REELS or STORY",
      expect.stringMatching(/^publications\[0\]\.platformSettings\.aiContent .*boolean/),
    ]);
  });
});

describe("400: the same words for someone else's things and missing ones", () => {
  test("accounts", async () => {
    const say = (id: number) => [`publications[0].socialMediaAccountId is not one of this user's accounts: ${id}`];
    for (const id of [foreign.account, 999_999_999, 0, -1, Number.MAX_SAFE_INTEGER]) {
      expect(await refused(on(id, "TWITTER", { content: "a" }))).toEqual(say(id));
    }
  });

  test("storage keys and thumbnails", async () => {
    for (const key of [
      foreign.image,
      "nobody/nothing.jpg",
      "../../etc/passwd",
      "/etc/passwd",
      "file:///etc/passwd",
      "",
    ]) {
      expect(await refused(on(x, "TWITTER", { content: "a", attachmentPaths: [key] }))).toEqual([
        `publications[0].posts[0].attachmentPaths[0] is not a storage key of this user's media: ${key}`,
      ]);
    }
    expect(await refused(on(x, "TWITTER", { content: "a", thumbnailPath: foreign.image }))).toEqual([
      `publications[0].posts[0].thumbnailPath is not a storage key of this user's media: ${foreign.image}`,
    ]);
  });

  test("chats", async () => {
    for (const chatId of ["-1001", "@somebody", "x".repeat(255)]) {
      expect(await refused(on(telegram, "TELEGRAM", { content: "a", chatId }))).toEqual([
        `publications[0].posts[0].chatId is not a destination of this Telegram account: ${chatId}`,
      ]);
    }
  });
});

describe("T15: no body causes a 5xx", () => {
  const send = (body: string, type = "application/json") =>
    readResponse(caller.post("/v1/posts", body, { "content-type": type }));
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const text = (content: string) => `{"scheduledTime":"${TIME}","publications":[{"posts":[{"content":"${content}"}]}]}`;
  const path = "publications[0].posts[0].content";

  test.each<[when: string, body: string, status: number, says: string]>([
    ["nothing", "", 400, "The body is not valid JSON"],
    ["half an object", '{"publications":[', 400, "The body is not valid JSON"],
    ["a comment", "{/* */}", 400, "The body is not valid JSON"],
    ["null", "null", 400, "The body cannot be null"],
    ["a number", "1", 400, "The body must be an object"],
    ["a list", "[]", 400, "The body must be an object"],
    ["NUL", text("a\\u0000b"), 400, `${path} contains a character that is not valid text`],
    ["a lone surrogate", text("a\\ud800b"), 400, `${path} contains a character that is not valid text`],
    ["NUL in a field's name", '{"a\\u0000":1}', 400, "A field name contains a character that is not valid text"],
    ["34 levels", deep(34), 400, "The body is nested deeper than 32 levels"],
    ["100,000 levels", deep(100_000), 400, "The body is nested deeper than 32 levels"],
    ["100,000 lists", "[".repeat(100_000) + "]".repeat(100_000), 400, "The body is nested deeper than 32 levels"],
    [
      "100,000 objects",
      `[${"{},".repeat(100_000)}1]`,
      400,
      "The body has more than 30,000 values; send several smaller ones",
    ],
    ["more than 1 MB", text("a".repeat(1_048_576)), 413, "The body is too large: the maximum is 1 MB"],
    [
      "__proto__",
      '{"__proto__":{"publications":[]}}',
      400,
      "publications cannot be null; scheduledTime cannot be null",
    ],
  ])("%s", async (_, body, status, says) => {
    expect(await send(body)).toEqual([status, { error: says }]);
  });

  test("rejects bytes that are not UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from('{"publications":[{"posts":[{"content":"'), Buffer.from([0xc3, 0x28])]);
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: new Uint8Array(bytes) };
    const said = { error: "The body is not valid UTF-8" };
    expect(await readResponse(caller.request("/v1/posts", init))).toEqual([400, said]);
    expect((await readResponse(caller.request("/v1/posts/validate", init)))[1]).toEqual(said);
  });

  test("415 for another content type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"]) {
      expect(await send("{}", type)).toEqual([415, { error: "Content-Type must be application/json" }]);
    }
  });

  test.each([2 ** 53, 1e15, 1e21, 1e308, -1e308, 1.5, -0.1])("an account id of %d", async (id) => {
    const [first, ...others] = (await refused(on(id, "TWITTER", { content: "a" }))) as string[];
    expect(first).toMatch(/^publications\[0\]\.socialMediaAccountId (must|is not one)/);
    expect(others).toEqual([]);
  });
});
