import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db, schedules } from "../../db";
import { as, type Client, connectAccount, newOwner, picture, readResponse } from "../../testing";

const TIME = "2031-05-01T12:00:00Z";

let owner: string;
let caller: Client;
let x: number;
let telegram: number;
let instagram: { id: number; networkId: string };
let image: string;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  x = (await connectAccount(owner, "X_TWITTER")).id;
  telegram = (await connectAccount(owner, "TELEGRAM")).id;
  const { id } = await connectAccount(owner, "INSTAGRAM");
  const [, accounts] = await readResponse(caller.get("/v1/accounts"));
  const found = (accounts as { id: number; accountId: string }[]).find((account) => account.id === id);
  instagram = { id, networkId: found?.accountId ?? "" };
  image = await picture(owner);
});

const onX = (text: string) => ({
  socialMediaAccountId: x,
  platformSettings: { type: "TWITTER" },
  posts: [{ content: text }],
});
const ID = expect.any(Number);

describe("201 for the nested body", () => {
  test("answers SPEC's creation response with the status of every part; fields without a value are absent", async () => {
    const [, chats] = await readResponse(caller.get(`/v1/accounts/${telegram}/chats?platform=TELEGRAM`));
    const chatId = (chats as { id: string }[])[0]?.id;
    const body = {
      scheduledTime: "2031-05-01T08:00:00.250-04:00",
      isDraft: false,
      publications: [
        {
          socialMediaAccountId: x,
          platformSettings: { type: "X_TWITTER" },
          posts: [
            { content: "one", chatId: "ignored" },
            { content: "two", attachmentPaths: [image], thumbnailPath: image },
          ],
        },
        {
          socialMediaAccountId: telegram,
          platformSettings: { type: "TELEGRAM" },
          posts: [{ content: "three", chatId, thumbnailPath: null }],
        },
        {
          socialMediaAccountId: instagram.id,
          platformSettings: { type: "INSTAGRAM" },
          posts: [{ attachmentPaths: [image] }],
        },
      ],
    };
    const post = { id: ID, status: "PENDING" };
    const publication = { id: ID, status: "PENDING" };
    const made = {
      id: ID,
      overallStatus: "SCHEDULED",
      scheduledTime: "2031-05-01T12:00:00.250Z",
      publications: [
        {
          ...publication,
          socialMediaAccountId: x,
          platformSettings: { type: "TWITTER" },
          posts: [
            { ...post, content: "one" },
            { ...post, content: "two", attachmentPaths: [image], thumbnail: image },
          ],
        },
        {
          ...publication,
          socialMediaAccountId: telegram,
          platformSettings: { type: "TELEGRAM" },
          posts: [{ ...post, content: "three", chatId }],
        },
        {
          ...publication,
          socialMediaAccountId: instagram.id,
          platformSettings: { type: "INSTAGRAM", publicationType: "FEED", aiContent: false },
          posts: [{ ...post, attachmentPaths: [image] }],
        },
      ],
    };
    const [status, schedule] = await readResponse(caller.post("/v1/posts", body));
    expect([status, schedule]).toEqual([201, made]);
    const { id } = schedule as { id: number };
    expect(await readResponse(caller.get(`/v1/posts/${id}`))).toEqual([200, schedule]);
  });

  test("returns text unchanged in any script", async () => {
    const content = "Grüße 👩‍👩‍👧‍👦 \u202eשלום\u202c\r\n\t<b>&amp;</b> '); drop table posts; --  ";
    const [, schedule] = await readResponse(
      caller.post("/v1/posts", { scheduledTime: TIME, publications: [onX(content)] }),
    );
    expect((schedule as { publications: { posts: { content: string }[] }[] }).publications[0]?.posts[0]?.content).toBe(
      content,
    );
  });
});

describe("201 for the flat body, with the same answer", () => {
  const flat = (fields: object) => readResponse(caller.post("/v1/posts", { scheduledTime: TIME, ...fields }));
  const answer = (publication: object, post: object) => [
    201,
    {
      id: ID,
      overallStatus: "SCHEDULED",
      scheduledTime: TIME,
      publications: [
        {
          id: ID,
          status: "PENDING",
          ...publication,
          posts: [{ id: ID, status: "PENDING", ...post }],
        },
      ],
    },
  ];

  test("accepts an account ID as a number or text, and the network's own ID", async () => {
    const made = answer({ socialMediaAccountId: x, platformSettings: { type: "TWITTER" } }, { content: "flat" });
    for (const accountId of [x, String(x)]) {
      expect(await flat({ platform: "X_TWITTER", accountId, content: "flat" })).toEqual(made);
    }
    const { id, networkId } = instagram;
    const settings = { type: "INSTAGRAM", publicationType: "STORY", aiContent: false };
    expect(
      await flat({ platform: "INSTAGRAM", accountId: networkId, mediaPaths: [image], publicationType: "STORY" }),
    ).toEqual(answer({ socialMediaAccountId: id, platformSettings: settings }, { attachmentPaths: [image] }));
  });

  test("accepts REEL for REELS", async () => {
    expect(
      await flat({ platform: "INSTAGRAM", accountId: instagram.id, mediaPaths: [image], publicationType: "REEL" }),
    ).toEqual([400, { error: "mediaPaths: Instagram does not take an image here" }]);
  });

  test.each<[when: string, fields: object, says: string]>([
    ["no account", { platform: "X_TWITTER", content: "a" }, "accountId cannot be null"],
    ["no platform", { accountId: 1, content: "a" }, "platform cannot be null"],
    [
      "an account of nobody",
      { platform: "X_TWITTER", accountId: "abc" },
      "accountId is not one of this user's X_TWITTER accounts: abc",
    ],
    [
      "a huge account",
      { platform: "X_TWITTER", accountId: "9".repeat(200) },
      `accountId is not one of this user's X_TWITTER accounts: ${"9".repeat(200)}`,
    ],
    [
      "both shapes",
      { platform: "X_TWITTER", publications: [] },
      "publications cannot be combined with the fields of the flat body",
    ],
    [
      "both shapes, by content",
      { content: "a", publications: [] },
      "publications cannot be combined with the fields of the flat body",
    ],
  ])("400 for %s", async (_, fields, says) => {
    expect(await flat(fields)).toEqual([400, { error: says }]);
  });

  test("400 for an account of another platform", async () => {
    expect(await flat({ platform: "INSTAGRAM", accountId: x, content: "a" })).toEqual([
      400,
      { error: `accountId is not one of this user's INSTAGRAM accounts: ${x}` },
    ]);
  });
});

describe("drafts", () => {
  const draft = (body: object) => readResponse(caller.post("/v1/posts", { isDraft: true, ...body }));

  test("need no time, text or destination, and are not published", async () => {
    const [status, made] = await draft({
      publications: [{ socialMediaAccountId: telegram, platformSettings: { type: "TELEGRAM" }, posts: [{}] }],
    });
    expect([status, made]).toEqual([
      201,
      {
        id: ID,
        overallStatus: "DRAFT",
        publications: [
          {
            id: ID,
            socialMediaAccountId: telegram,
            platformSettings: { type: "TELEGRAM" },
            status: "PENDING",
            posts: [{ id: ID, status: "PENDING" }],
          },
        ],
      },
    ]);
  });

  test.each<[platform: "YOUTUBE" | "TIKTOK" | "PINTEREST" | "INSTAGRAM", settings: object]>([
    ["YOUTUBE", { type: "YOUTUBE" }],
    ["YOUTUBE", { type: "YOUTUBE", title: "a".repeat(500), privacyStatus: "PRIVATE" }],
    ["TIKTOK", { type: "TIK_TOK", disableDuet: true }],
    ["PINTEREST", { type: "PINTEREST", link: "https:/" }],
    ["INSTAGRAM", { type: "INSTAGRAM", publicationType: "FEED", videoCoverTimestampMs: "1," }],
  ])(
    "may have incomplete settings, which are read back, changed and only checked on scheduling: %s %j",
    async (platform, platformSettings) => {
      const owner = await newOwner();
      const client = as(owner);
      const publications = [
        {
          socialMediaAccountId: (await connectAccount(owner, platform)).id,
          platformSettings,
          posts: [{ content: "a" }],
        },
      ];
      const [status, made] = await readResponse(client.post("/v1/posts", { isDraft: true, publications }));
      expect([status, made]).toMatchObject([201, { publications: [{ platformSettings }] }]);
      const { id } = made as { id: number };
      const [, shown] = await readResponse(client.get(`/v1/posts/${id}`));
      expect(shown).toMatchObject({ overallStatus: "DRAFT", publications: [{ platformSettings }] });
      const [previewed, preview] = await readResponse(client.get(`/v1/posts/${id}/preview`));
      expect([previewed, preview]).toMatchObject([
        200,
        { publications: [{ posts: [{ problem: expect.any(String) }] }] },
      ]);
      expect((await readResponse(client.put(`/v1/posts/${id}`, { isDraft: true, publications })))[0]).toBe(200);
      const planned = { scheduledTime: "2031-05-01T12:00:00Z", publications };
      expect((await readResponse(client.put(`/v1/posts/${id}`, planned)))[0]).toBe(400);
    },
  );

  test.each<[settings: object, says: string]>([
    [{ type: "TWITTER", mood: "good" }, "mood is not a setting of X"],
    [{ type: "TELEGRAM" }, "type must be TWITTER or X_TWITTER for this X account, not TELEGRAM"],
    [{ type: "TWITTER", pollOptions: 5 }, "pollOptions must be an array"],
    [{ type: "TWITTER", whoCanReply: "NOBODY" }, "whoCanReply must be "],
    [{ type: "TWITTER", pollOptions: ["a", "b"], pollMinutes: true }, "pollMinutes must be "],
  ])("may not have unknown settings or values of another type: %j", async (platformSettings, says) => {
    const [status, body] = await draft({ publications: [{ ...onX("a"), platformSettings }] });
    expect([status, body]).toEqual([
      400,
      { error: expect.stringContaining(`publications[0].platformSettings.${says}`) },
    ]);
  });

  test("may have a past time, but no invalid one and no one else's account", async () => {
    const publications = [onX("a")];
    expect((await draft({ publications, scheduledTime: "2020-01-01T00:00:00Z" }))[0]).toBe(201);
    expect(await draft({ publications, scheduledTime: "2031-02-30T00:00:00Z" })).toEqual([
      400,
      { error: "scheduledTime is not a valid ISO 8601 date and time: 2031-02-30T00:00:00Z" },
    ]);
    expect(await draft({ publications: [{ ...onX("a"), socialMediaAccountId: 1e12 }] })).toEqual([
      400,
      { error: "publications[0].socialMediaAccountId is not one of this user's accounts: 1000000000000" },
    ]);
  });
});

describe("scheduledTime", () => {
  const at = (scheduledTime: unknown) =>
    readResponse(caller.post("/v1/posts", { scheduledTime, publications: [onX("time")] }));

  test.each([
    ["2031-05-01T12:00:00", "2031-05-01T12:00:00Z"],
    ["2031-05-01T12:00:00Z", "2031-05-01T12:00:00Z"],
    ["2031-05-01T12:00:00-04:00", "2031-05-01T16:00:00Z"],
    ["2031-05-01T00:30+05:30", "2031-04-30T19:00:00Z"],
    ["2031-05-01T12:00:00.1239Z", "2031-05-01T12:00:00.123Z"],
  ])("%s is %s", async (given, answered) => {
    expect(await at(given)).toMatchObject([201, { scheduledTime: answered }]);
  });

  test.each<[given: unknown, says: string | RegExp]>([
    [undefined, "scheduledTime cannot be null"],
    [null, "scheduledTime cannot be null"],
    [1763726400, "scheduledTime must be a string"],
    ["", "scheduledTime is not a valid ISO 8601 date and time: "],
    ["2031-02-30T12:00:00Z", "scheduledTime is not a valid ISO 8601 date and time: 2031-02-30T12:00:00Z"],
    ["x".repeat(65), "scheduledTime must have at most 64 characters"],
    ["2020-01-01T00:00:00Z", /^scheduledTime is in the past: 2020-01-01T00:00:00.000Z \(it is \d{4}-.*Z now\)$/],
  ])("400 for %s", async (given, says) => {
    expect(await at(given)).toEqual([400, { error: typeof says === "string" ? says : expect.stringMatching(says) }]);
  });

  test("rejects six minutes ago as past", async () => {
    const [status] = await at(new Date(Date.now() - 6 * 60_000).toISOString());
    expect(status).toBe(400);
  });
});

test("a rejected schedule stores nothing", async () => {
  const person = await newOwner();
  const body = { scheduledTime: TIME, publications: [onX("a")] };
  expect((await readResponse(as(person).post("/v1/posts", body)))[0]).toBe(400);
  expect(await db.select().from(schedules).where(eq(schedules.ownerId, person))).toEqual([]);
});
