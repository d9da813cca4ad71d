import { apiOf } from "./client";
import { expect, newPersonOn, onX, soon, test, unique, upload } from "./service";
import { expectError, expectNoNull, type Schedule, type Validation, ZULU } from "./shapes";

test.describe("SPEC, Endpoints: Posts", () => {
  test.describe("POST /v1/posts, rule 1: scheduledTime is ISO 8601 with or without offset, normalised to UTC", () => {
    for (const [given, answered] of [
      ["2031-05-01T12:00:00", "2031-05-01T12:00:00Z"],
      ["2031-05-01T12:00:00Z", "2031-05-01T12:00:00Z"],
      ["2031-05-01T12:00:00-04:00", "2031-05-01T16:00:00Z"],
      ["2031-05-01T12:00:00+05:30", "2031-05-01T06:30:00Z"],
      ["2031-05-01T23:30:00-04:00", "2031-05-02T03:30:00Z"],
      ["2031-05-01T12:00:00.250Z", "2031-05-01T12:00:00.250Z"],
      ["2031-05-01T12:00:00.000Z", "2031-05-01T12:00:00Z"],
      ["2031-05-01T12:00Z", "2031-05-01T12:00:00Z"],
    ] as const) {
      test(`scheduledTime ${given} is returned as ${answered}`, async ({ service }) => {
        const { api, account } = await service.on("X_TWITTER");
        const { status, body } = await api.post<Schedule>("/v1/posts", {
          scheduledTime: given,
          publications: [onX(account)],
        });
        expect([status, body.scheduledTime]).toEqual([201, answered]);
      });
    }

    for (const given of ["tomorrow", "2031-02-30T12:00:00Z", "2031-05-01", "", 1_935_000_000, "2031-05-01T25:00:00Z"]) {
      test(`scheduledTime ${JSON.stringify(given)} returns 400`, async ({ service }) => {
        const { api, account } = await service.on("X_TWITTER");
        const answer = await api.post("/v1/posts", { scheduledTime: given, publications: [onX(account)] });
        expectError(answer, 400, /scheduledTime/);
      });
    }
  });

  test("a publication without socialMediaAccountId and platformSettings returns 400 with messages joined by '; '", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const refused = async (...publications: object[]) => api.post("/v1/posts", { scheduledTime: soon(), publications });
    const posts = [{ content: "a", attachmentPaths: [] }];
    const both = await refused({ posts });
    expectError(
      both,
      400,
      "publications[0].socialMediaAccountId cannot be null; publications[0].platformSettings cannot be null",
    );
    const noType = await refused({ socialMediaAccountId: account.id, platformSettings: {}, posts });
    expectError(noType, 400, "publications[0].platformSettings.type cannot be null");
    const second = await refused(onX(account), {
      socialMediaAccountId: null,
      platformSettings: { type: "TWITTER" },
      posts,
    });
    expectError(second, 400, "publications[1].socialMediaAccountId cannot be null");
  });

  test("a post whose attachments are all storage keys returns 201 and is SCHEDULED at once", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const key = await upload(api);
    const publications = [onX(account, unique(), { attachmentPaths: [key] })];
    const { status, body } = await api.post<Schedule>("/v1/posts", {
      scheduledTime: soon(),
      isDraft: false,
      publications,
    });
    expect([status, body.overallStatus]).toEqual([201, "SCHEDULED"]);
    expect(body.publications[0]?.posts[0]?.attachmentPaths).toEqual([key]);
  });

  test("an attachment by public URL makes the schedule AWAITING_MEDIA with one pending import per URL", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const key = await upload(api);
    const sourceUrl = service.files.address(`/not-there-${unique()}.jpg`);
    const publications = [onX(account, unique(), { attachmentPaths: [key, sourceUrl] })];
    const { status, body } = await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications });
    expect([status, body.overallStatus]).toEqual([201, "AWAITING_MEDIA"]);
    const [pending] = body.pendingImports ?? [];
    expect(body.pendingImports).toEqual([
      {
        postId: body.publications[0]?.posts[0]?.id,
        attachmentIndex: 1,
        importTaskId: expect.any(Number),
        sourceUrl,
        state: expect.stringMatching(/^(QUEUED|DOWNLOADING)$/),
      },
    ]);
    const job = await api.get<{ id: number }>(`/v1/media/upload/import/${pending?.importTaskId}`);
    expect([job.status, job.body.id]).toEqual([200, pending?.importTaskId]);
  });

  test("chatId is required for Pinterest", async ({ service }) => {
    const { api, account } = await service.on("PINTEREST");
    const posts = [{ content: "A pin", attachmentPaths: [await upload(api)] }];
    const publication = { socialMediaAccountId: account.id, platformSettings: { type: "PINTEREST" }, posts };
    const answer = await api.post("/v1/posts", { scheduledTime: soon(), publications: [publication] });
    expectError(answer, 400, /publications\[0\]\.posts\[0\]\.chatId cannot be null/);
  });

  test("the creation response has every field of the table and omits fields without a value instead of sending null", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const publications = [onX(account, "With all fields")];
    const { body, headers } = await api.post<Schedule>("/v1/posts", {
      scheduledTime: "2031-01-01T00:00:00Z",
      isDraft: false,
      publications,
    });
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(body).toEqual({
      id: expect.any(Number),
      overallStatus: "SCHEDULED",
      scheduledTime: "2031-01-01T00:00:00Z",
      publications: [
        {
          id: expect.any(Number),
          socialMediaAccountId: account.id,
          platformSettings: { type: "TWITTER" },
          status: "PENDING",
          posts: [{ id: expect.any(Number), content: "With all fields", status: "PENDING" }],
        },
      ],
    });
    expectNoNull(body);
  });

  test("chatId on a platform without destinations is ignored, not stored and omitted from the response", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const publications = [onX(account, unique(), { chatId: "-1001" })];
    const { status, body } = await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications });
    const read = (await api.get<Schedule>(`/v1/posts/${body.id}`)).body;
    expect([status, body.publications[0]?.posts[0], read.publications[0]?.posts[0]]).toEqual([
      201,
      expect.not.objectContaining({ chatId: expect.anything() }),
      expect.not.objectContaining({ chatId: expect.anything() }),
    ]);
  });

  test("thumbnailPath is returned as the post's thumbnail", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const thumbnailPath = await upload(api);
    const publications = [onX(account, unique(), { thumbnailPath })];
    const { body } = await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications });
    expect(body.publications[0]?.posts[0]).toMatchObject({ thumbnail: thumbnailPath });
    expect(body.publications[0]?.posts[0]).not.toHaveProperty("thumbnailPath");
  });

  test("the flat body creates one publication with one post and returns the same response as the nested body", async ({
    service,
  }) => {
    const { api, account } = await service.on("INSTAGRAM");
    const key = await upload(api);
    const flat = {
      platform: "INSTAGRAM",
      content: "Flat",
      mediaPaths: [key],
      scheduledTime: "2031-01-01T10:00:00+02:00",
      publicationType: "FEED",
    };
    for (const accountId of [account.id, account.accountId]) {
      const { status, body } = await api.post<Schedule>("/v1/posts", { ...flat, accountId });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        overallStatus: "SCHEDULED",
        scheduledTime: "2031-01-01T08:00:00Z",
        publications: [
          {
            socialMediaAccountId: account.id,
            platformSettings: { type: "INSTAGRAM", publicationType: "FEED" },
            posts: [{ content: "Flat", attachmentPaths: [key] }],
          },
        ],
      });
    }
  });

  test("publicationType REEL is an alias of REELS in the flat body", async ({ service }) => {
    const { api, account } = await service.on("INSTAGRAM");
    const flat = {
      platform: "INSTAGRAM",
      accountId: account.id,
      content: "A reel",
      isDraft: true,
      publicationType: "REEL",
    };
    const { status, body } = await api.post<Schedule>("/v1/posts", flat);
    expect([status, body.publications[0]?.platformSettings.publicationType]).toEqual([201, "REELS"]);
  });

  test("a body that mixes both shapes, or a flat body for an unknown account, returns 400", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const flat = { platform: "X_TWITTER", accountId: account.id, content: "a", scheduledTime: soon() };
    expectError(await api.post("/v1/posts", { ...flat, publications: [onX(account)] }), 400);
    expectError(await api.post("/v1/posts", { ...flat, platform: "INSTAGRAM" }), 400, /accountId/);
    expectError(await api.post("/v1/posts", { ...flat, accountId: 999_999_999 }), 400, /accountId/);
  });

  test("another user's account, storage key or chatId in a body returns the same 400 as one that does not exist", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const other = await service.user("X_TWITTER");
    const says = async (publication: object, name: string | number) => {
      const answer = await api.post<{ error: string }>("/v1/posts", {
        scheduledTime: soon(),
        publications: [publication],
      });
      expectError(answer, 400, new RegExp(String(name)));
      return answer.body.error.replaceAll(String(name), "…");
    };
    const foreignAccount = other.account("X_TWITTER");
    expect(await says(onX(foreignAccount), foreignAccount.id)).toBe(
      await says(onX({ ...account, id: 999_999_999 }), 999_999_999),
    );
    const foreignKey = await upload(other.api);
    const absentKey = foreignKey.replaceAll(/[1-9]/g, "0");
    expect(await says(onX(account, "a", { attachmentPaths: [foreignKey] }), foreignKey)).toBe(
      await says(onX(account, "a", { attachmentPaths: [absentKey] }), absentKey),
    );
    const telegram = await service.on("TELEGRAM");
    const toChat = {
      socialMediaAccountId: telegram.account.id,
      platformSettings: { type: "TELEGRAM" },
      posts: [{ content: "a", chatId: "-100999999" }],
    };
    const refused = await telegram.api.post("/v1/posts", { scheduledTime: soon(), publications: [toChat] });
    expectError(refused, 400, /publications\[0\]\.posts\[0\]\.chatId/);
  });

  test("all problems are returned at once, joined by '; ', each starting with the path of its field", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const answer = await api.post<{ error: string }>("/v1/posts", {
      scheduledTime: "2001-01-01T00:00:00Z",
      publications: [onX(account, "x".repeat(300)), onX({ ...account, id: 999_999_999 })],
    });
    expect(answer.status).toBe(400);
    const problems = answer.body.error.split("; ");
    expect(problems.map((problem) => problem.split(/[ :]/)[0])).toEqual([
      "scheduledTime",
      "publications[0].posts[0].content",
      "publications[1].socialMediaAccountId",
    ]);
  });

  test("Telegram without chatId uses the only destination and returns it, and returns 400 if there are several", async ({
    service,
  }) => {
    const { product, person, user, sandboxUrl } = service;
    const { api, account } = await newPersonOn(product, "TELEGRAM", person, user); // its destinations change here
    const path = `/v1/accounts/${account.id}/chats?platform=TELEGRAM`;
    const chats = async () => (await api.get<{ id: string }[]>(path)).body.map(({ id }) => id);
    const create = () => {
      const posts = [{ content: "Where to?" }];
      const publication = { socialMediaAccountId: account.id, platformSettings: { type: "TELEGRAM" }, posts };
      return api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications: [publication] });
    };
    const [only, ...others] = await chats();
    expect(others).not.toEqual([]);
    expectError(await create(), 400, /publications\[0\]\.posts\[0\]\.chatId cannot be null/);
    for (const chatId of others) await apiOf(sandboxUrl).post("/_control/telegram/remove-bot", { chatId });
    await expect.poll(chats).toEqual([only]);
    expect((await create()).body.publications[0]?.posts[0]?.chatId).toBe(only);
  });
});

test.describe("DECISIONS, Schedules", () => {
  test("isDraft: true creates a DRAFT that needs no scheduledTime, and isDraft defaults to false", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const draft = await api.post<Schedule>("/v1/posts", {
      isDraft: true,
      publications: [onX(account, "x".repeat(999))],
    });
    expect([draft.status, draft.body.overallStatus]).toEqual([201, "DRAFT"]);
    expect(draft.body).not.toHaveProperty("scheduledTime");
    expectError(await api.post("/v1/posts", { publications: [onX(account)] }), 400, "scheduledTime cannot be null");
    const timed = await api.post<Schedule>("/v1/posts", {
      isDraft: true,
      scheduledTime: "2031-01-01T00:00:00",
      publications: [onX(account)],
    });
    expect(timed.body.scheduledTime).toBe("2031-01-01T00:00:00Z");
  });

  test("a time up to five minutes in the past is published now, and an older one returns 400", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const late = await api.post("/v1/posts", { scheduledTime: soon(-310), publications: [onX(account)] });
    expectError(late, 400, /^scheduledTime/);
    const now = await api.post<Schedule>("/v1/posts", { scheduledTime: soon(-240), publications: [onX(account)] });
    expect(now.status).toBe(201);
  });

  test("POST /v1/posts/validate returns 200 { valid, problems: [{ path, message, fix? }] } and stores nothing", async ({
    service,
  }) => {
    const { api, account } = await service
      .user("X_TWITTER")
      .then((user) => ({ ...user, account: user.account("X_TWITTER") }));
    const good = await api.post("/v1/posts/validate", { scheduledTime: soon(), publications: [onX(account)] });
    expect([good.status, good.body]).toEqual([200, { valid: true, problems: [] }]);
    const bad = await api.post<Validation>("/v1/posts/validate", {
      scheduledTime: "2001-01-01T00:00:00Z",
      publications: [{ posts: [] }, onX(account, "x".repeat(300))],
    });
    expect([bad.status, bad.body.valid]).toEqual([200, false]);
    expect(bad.body.problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "publications[0].socialMediaAccountId",
        "publications[0].platformSettings",
        "scheduledTime",
        "publications[1].posts[0].content",
      ]),
    );
    for (const problem of bad.body.problems) expect(problem.message).toEqual(expect.any(String));
    expect((await api.get("/v1/posts")).body).toEqual({ items: [], nextCursor: null });
  });

  test("several posts are a thread on X and are refused on Instagram", async ({ service }) => {
    const x = await service.on("X_TWITTER");
    const thread = { ...onX(x.account), posts: [{ content: "one" }, { content: "two" }, { content: "three" }] };
    const made = await x.api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications: [thread] });
    expect(made.body.publications[0]?.posts.map(({ content }) => content)).toEqual(["one", "two", "three"]);
    const { api, account } = await service.on("INSTAGRAM");
    const posts = [{ attachmentPaths: [await upload(api)] }, { attachmentPaths: [await upload(api)] }];
    const publication = { socialMediaAccountId: account.id, platformSettings: { type: "INSTAGRAM" }, posts };
    const refused = await api.post("/v1/posts", { scheduledTime: soon(), publications: [publication] });
    expectError(refused, 400, /^publications\[0\]\.posts:/);
  });

  test("scheduledTime is returned as YYYY-MM-DDTHH:mm:ssZ everywhere", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const { body } = await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications: [onX(account)] });
    const { items } = (await api.get<{ items: Schedule[] }>("/v1/posts?status=SCHEDULED")).body;
    expect(items.map(({ id }) => id)).toContain(body.id);
    for (const { scheduledTime } of items) expect(scheduledTime).toMatch(ZULU);
  });
});
