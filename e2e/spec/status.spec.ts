import { apiOf } from "./client";
import { expect, ledger, onX, picture, type Service, soon, test, unique, until, upload } from "./service";
import { expectError, type List, type Schedule, ZULU } from "./shapes";

/** Arms a fault for the network's next publishing calls. All tests share the network, so the fault is removed afterwards. */
async function withFault(service: Service, fault: object, work: () => Promise<void>): Promise<void> {
  const control = apiOf(service.sandboxUrl);
  expect((await control.post("/_control/faults", fault)).status).toBe(204);
  try {
    await work();
  } finally {
    await control.delete("/_control/faults");
  }
}

test.describe("SPEC, States and transitions", () => {
  test("a SCHEDULED post becomes COMPLETED with PUBLISHED, networkPostId, permalink and publishedTime per post", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const text = unique("Now ");
    const { body } = await api.post<Schedule>("/v1/posts", {
      scheduledTime: soon(0),
      publications: [onX(account, text)],
    });
    const done = await until(api, body.id, "COMPLETED");
    const [held] = await ledger(service, "x", text);
    expect(held).toMatchObject({ account: account.accountUsername, text });
    expect(done.publications).toMatchObject([
      {
        status: "PUBLISHED",
        posts: [
          {
            status: "PUBLISHED",
            networkPostId: held?.id,
            permalink: expect.stringMatching(/^https?:\/\//),
            publishedTime: expect.stringMatching(ZULU),
          },
        ],
      },
    ]);
  });

  test("a post is not published before its time", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const text = unique("Later ");
    const at = Date.now() + 3000;
    const body = { scheduledTime: new Date(at).toISOString(), publications: [onX(account, text)] };
    const { id } = (await api.post<Schedule>("/v1/posts", body)).body;
    const done = await until(api, id, "COMPLETED");
    expect(Date.parse(done.publications[0]?.posts[0]?.publishedTime ?? "")).toBeGreaterThanOrEqual(at - 1000);
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });

  test("each post of a thread on X replies to the one before", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const word = unique();
    const posts = ["one", "two", "three"].map((nth) => ({ content: `${word} ${nth}` }));
    const publications = [{ ...onX(account), posts }];
    const { id } = (await api.post<Schedule>("/v1/posts", { scheduledTime: soon(0), publications })).body;
    await until(api, id, "COMPLETED");
    const held = await ledger(service, "x", word);
    expect(held.map(({ text, replyTo }) => [text, replyTo])).toEqual([
      [`${word} one`, undefined],
      [`${word} two`, held[0]?.id],
      [`${word} three`, held[1]?.id],
    ]);
  });

  test("one failed publication makes the schedule PARTIALLY_COMPLETED, with the reason at the post", async ({
    service,
  }) => {
    const user = await service.user("X_TWITTER", "INSTAGRAM");
    const word = unique();
    const key = await upload(user.api, await picture());
    const instagram = {
      socialMediaAccountId: user.account("INSTAGRAM").id,
      platformSettings: { type: "INSTAGRAM" },
      posts: [{ content: word, attachmentPaths: [key] }],
    };
    const publications = [onX(user.account("X_TWITTER"), word), instagram];
    await withFault(service, { network: "x", operation: "publish", fault: "duplicate", times: 1 }, async () => {
      const { id } = (await user.api.post<Schedule>("/v1/posts", { scheduledTime: soon(0), publications })).body;
      const done = await until(user.api, id, "PARTIALLY_COMPLETED");
      expect(done.publications.map(({ status }) => status)).toEqual(["FAILED", "PUBLISHED"]);
      expect(done.publications[0]?.posts[0]).toMatchObject({ status: "FAILED", error: expect.stringMatching(/./) });
      expect(done.publications[1]?.posts[0]).not.toHaveProperty("error");
    });
  });

  test("a schedule whose publications all fail is FAILED; retry repeats them, and returns 409 if nothing is left to retry", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const word = unique();
    const publications = [onX(account, word)];
    const { id } = (await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications })).body;
    expectError(await api.post(`/v1/posts/${id}/retry`), 409);
    await withFault(service, { network: "x", operation: "publish", fault: "duplicate", times: 1 }, async () => {
      const now = await api.put<Schedule>(`/v1/posts/${id}`, { scheduledTime: soon(0), publications });
      expect([now.status, now.body.id]).toEqual([200, id]);
      await until(api, id, "FAILED");
    });
    expect((await api.post(`/v1/posts/${id}/retry`)).status).toBe(200);
    const done = await until(api, id, "COMPLETED");
    expect(done.publications[0]?.posts[0]).not.toHaveProperty("error");
    expect(await ledger(service, "x", word)).toHaveLength(1);
    expectError(await api.post(`/v1/posts/${id}/retry`), 409);
  });

  test("PUT and DELETE return 409 while the schedule is being published, and DELETE returns 204 afterwards", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const publications = [onX(account)];
    const slow = { network: "x", operation: "publish", fault: "late_response", times: 1, afterSeconds: 4 };
    await withFault(service, slow, async () => {
      const { id } = (await api.post<Schedule>("/v1/posts", { scheduledTime: soon(0), publications })).body;
      await until(api, id, "IN_PROGRESS");
      expectError(await api.put(`/v1/posts/${id}`, { scheduledTime: soon(), publications }), 409);
      expectError(await api.delete(`/v1/posts/${id}`), 409);
      expectError(await api.post(`/v1/posts/${id}/retry`), 409);
      await until(api, id, "COMPLETED");
      expectError(await api.put(`/v1/posts/${id}`, { scheduledTime: soon(), publications }), 409);
      expect((await api.delete(`/v1/posts/${id}`)).status).toBe(204);
      expectError(await api.get(`/v1/posts/${id}`), 404, `Posting schedule not found: ${id}`);
    });
  });

  test("AWAITING_MEDIA becomes SCHEDULED when all imports have finished", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const address = service.files.serve(`/${unique()}.jpg`, await picture());
    const publications = [onX(account, unique(), { attachmentPaths: [address] })];
    const { id } = (await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications })).body;
    const done = await until(api, id, "SCHEDULED");
    expect(done).not.toHaveProperty("pendingImports");
  });

  test("AWAITING_MEDIA becomes MEDIA_IMPORT_FAILED when an import fails permanently", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const address = service.files.serve(`/${unique()}.jpg`, Buffer.from("<html>no picture</html>"), "text/html");
    const publications = [onX(account, unique(), { attachmentPaths: [address] })];
    const { id } = (await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications })).body;
    await until(api, id, "MEDIA_IMPORT_FAILED");
  });
});

test.describe("DECISIONS, Schedules", () => {
  test("GET /v1/posts returns { items, nextCursor } newest first, and posts added meanwhile do not shift the pages", async ({
    service,
  }) => {
    const user = await service.user("X_TWITTER");
    const make = async () => {
      const body = { scheduledTime: soon(), publications: [onX(user.account("X_TWITTER"))] };
      return (await user.api.post<Schedule>("/v1/posts", body)).body.id;
    };
    const ids = [await make(), await make(), await make(), await make(), await make()].toReversed();
    const page = async (cursor: string | null) =>
      (await user.api.get<List<Schedule>>(`/v1/posts?limit=2${cursor ? `&cursor=${cursor}` : ""}`)).body;
    const first = await page(null);
    await make();
    const second = await page(first.nextCursor);
    await make();
    const third = await page(second.nextCursor);
    expect([...first.items, ...second.items, ...third.items].map(({ id }) => id)).toEqual(ids);
    expect(third.nextCursor).toBeNull();
  });

  test("GET /v1/posts can be filtered by status, platform, accountId, from and to", async ({ service }) => {
    const { api, account: x } = await service
      .user("X_TWITTER", "INSTAGRAM")
      .then((user) => ({ ...user, account: user.account }));
    const make = async (publication: object, more: object) =>
      (await api.post<Schedule>("/v1/posts", { publications: [publication], ...more })).body.id;
    const instagram = {
      socialMediaAccountId: x("INSTAGRAM").id,
      platformSettings: { type: "INSTAGRAM" },
      posts: [{ attachmentPaths: [await upload(api)] }],
    };
    const a = await make(onX(x("X_TWITTER")), { scheduledTime: "2031-01-01T00:00:00Z" });
    const b = await make(instagram, { scheduledTime: "2031-02-01T00:00:00Z" });
    const c = await make(onX(x("X_TWITTER")), { isDraft: true });
    for (const [query, expected] of [
      ["", [c, b, a]],
      ["status=SCHEDULED", [b, a]],
      ["status=DRAFT", [c]],
      ["platform=INSTAGRAM", [b]],
      ["platform=X_TWITTER", [c, a]],
      [`accountId=${x("INSTAGRAM").id}`, [b]],
      [`accountId=${x("X_TWITTER").accountId}`, [c, a]],
      ["from=2031-01-15T00:00:00Z", [b]],
      ["to=2031-01-15T00:00:00Z", [a]],
      ["from=2031-01-01T00:00:00Z&to=2031-02-01T00:00:00Z", [b, a]],
      ["status=COMPLETED", []],
    ] as const) {
      const { body } = await api.get<List<Schedule>>(`/v1/posts?${query}`);
      expect([query, body.items.map(({ id }) => id)]).toEqual([query, expected]);
    }
    for (const query of ["status=DONE", "platform=X", "from=today", "limit=0", "limit=1001", "limit=x", "cursor=%20"]) {
      expectError(await api.get(`/v1/posts?${query}`), 400, new RegExp(query.split("=")[0] ?? ""));
    }
  });

  test("GET /v1/posts/{id} returns the creation response and the same 404 for another owner's and an unknown ID", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const made = await api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications: [onX(account)] });
    expect((await api.get(`/v1/posts/${made.body.id}`)).body).toEqual(made.body);
    const other = await service.user();
    const { id } = made.body;
    for (const method of ["GET", "PUT", "DELETE"]) {
      for (const absent of [id, 999_999_999, "abc"]) {
        const body = method === "PUT" ? JSON.stringify({ publications: [] }) : undefined;
        const answer = await other.api.send(method, `/v1/posts/${absent}`, {
          headers: { "content-type": "application/json" },
          body,
        });
        expectError(answer, 404, `Posting schedule not found: ${absent}`);
      }
    }
    expectError(await other.api.post(`/v1/posts/${id}/retry`), 404, `Posting schedule not found: ${id}`);
  });

  test("PUT replaces a schedule that has not started and turns a draft into SCHEDULED", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const { id } = (await api.post<Schedule>("/v1/posts", { isDraft: true, publications: [onX(account)] })).body;
    const publications = [onX(account, "Another text")];
    const { status, body } = await api.put<Schedule>(`/v1/posts/${id}`, {
      scheduledTime: "2031-03-01T00:00:00",
      publications,
    });
    expect([status, body]).toMatchObject([
      200,
      {
        id,
        overallStatus: "SCHEDULED",
        scheduledTime: "2031-03-01T00:00:00Z",
        publications: [{ posts: [{ content: "Another text" }] }],
      },
    ]);
    expect((await api.get(`/v1/posts/${id}`)).body).toEqual(body);
    expectError(await api.put(`/v1/posts/${id}`, { publications }), 400, "scheduledTime cannot be null");
  });

  test.describe("Idempotency-Key", () => {
    test("the same key and body return the first answer again with Idempotency-Replayed: true", async ({ service }) => {
      const { api, account } = await service.on("X_TWITTER");
      const key = { "idempotency-key": unique("k") };
      const body = { scheduledTime: soon(), publications: [onX(account)] };
      const first = await api.post<Schedule>("/v1/posts", body, key);
      const again = await api.post<Schedule>("/v1/posts", body, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect([first, again].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
      const other = await api.post("/v1/posts", { ...body, scheduledTime: soon(99_999) }, key);
      expectError(other, 409, /Idempotency-Key/);
    });

    test("a key has 1 to 255 characters, belongs to one user, and is not used up by a refused request", async ({
      service,
    }) => {
      const { api, account } = await service.on("X_TWITTER");
      const body = { scheduledTime: soon(), publications: [onX(account)] };
      const long = { "idempotency-key": "k".repeat(256) };
      expectError(await api.post("/v1/posts", body, long), 400, /Idempotency-Key/);
      const key = { "idempotency-key": "k".repeat(246) + unique().slice(0, 9) };
      expectError(await api.post("/v1/posts", { publications: [] }, key), 400);
      expect((await api.post("/v1/posts", body, key)).status).toBe(201);
      const other = await service.user("X_TWITTER");
      const theirs = { scheduledTime: soon(), publications: [onX(other.account("X_TWITTER"))] };
      const answer = await other.api.post("/v1/posts", theirs, key);
      expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([201, null]);
    });

    test("of many requests at once one does the work; the others get its answer, or 409 while it runs", async ({
      service,
    }) => {
      const user = await service.user("X_TWITTER");
      const key = { "idempotency-key": unique("k") };
      const body = { scheduledTime: soon(), publications: [onX(user.account("X_TWITTER"))] };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => user.api.post<Schedule>("/v1/posts", body, key)),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect(new Set(made.map(({ body: { id } }) => id)).size).toBe(1);
      expect((await user.api.get<List<Schedule>>("/v1/posts")).body.items).toHaveLength(1);
    });
  });
});
