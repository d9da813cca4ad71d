import { request as httpRequest } from "node:http";
import { apiOf, fileForm } from "./client";
import { expect, onX, soon, test, unique } from "./service";
import { type ErrorBody, expectError } from "./shapes";

const JSON_TYPE = { "content-type": "application/json" };

test.describe("SPEC, Errors", () => {
  test("every error of /v1 is JSON with the single string field error", async ({ service }) => {
    const { api } = service.person;
    for (const [answer, status] of [
      [await api.post("/v1/posts", {}), 400],
      [await service.anybody.get("/v1/accounts"), 401],
      [await api.post("/v1/connect/users", {}), 403],
      [await api.get("/v1/nowhere"), 404],
      [await api.get("/v1/posts/999999999"), 404],
      [await api.send("PATCH", "/v1/accounts"), 405],
    ] as const) {
      expectError(answer, status);
    }
  });

  test("malformed JSON and a body that is not an object return 400", async ({ service }) => {
    const { api } = service.person;
    const paths = ["/v1/posts", "/v1/posts/validate"];
    for (const path of paths) {
      for (const body of ["{", "", "[]", "null", '"text"', "7", '{"a":1}}', "{'a':1}"]) {
        expectError(await api.send("POST", path, { headers: JSON_TYPE, body }), 400);
      }
    }
  });

  test("missing fields return 400 with <Field> cannot be null; <Field> cannot be null", async ({ service }) => {
    const answer = await service.partner.api.post<ErrorBody>("/v1/connect/authorize-url", {});
    expectError(answer, 400, "platform cannot be null; redirectUri cannot be null");
    expectError(await service.person.api.post("/v1/posts", {}), 400, /publications cannot be null/);
  });

  test("a value of a wrong type returns 400 with its path", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const good = onX(account);
    for (const [publication, path] of [
      [{ ...good, socialMediaAccountId: "1" }, "publications[0].socialMediaAccountId"],
      [{ ...good, socialMediaAccountId: 1.5 }, "publications[0].socialMediaAccountId"],
      [{ ...good, platformSettings: "TWITTER" }, "publications[0].platformSettings"],
      [{ ...good, platformSettings: { type: 1 } }, "publications[0].platformSettings.type"],
      [{ ...good, posts: [] }, "publications[0].posts"],
      [{ ...good, posts: "text" }, "publications[0].posts"],
      [{ ...good, posts: [{ content: 7 }] }, "publications[0].posts[0].content"],
      [{ ...good, posts: [{ content: "a", attachmentPaths: "key" }] }, "publications[0].posts[0].attachmentPaths"],
      [{ ...good, posts: [{ content: "a", attachmentPaths: [1] }] }, "publications[0].posts[0].attachmentPaths[0]"],
    ] as const) {
      const answer = await api.post<ErrorBody>("/v1/posts", { scheduledTime: soon(), publications: [publication] });
      expect(answer.status).toBe(400);
      expect(answer.body.error.split(/ |: /)[0]).toBe(path);
    }
    for (const body of [{ publications: {} }, { publications: [] }, { publications: [good], isDraft: "no" }]) {
      expectError(await api.post("/v1/posts", { scheduledTime: soon(), ...body }), 400);
    }
  });

  test("an unknown route or resource returns 404, for example Posting schedule not found: <id>", async ({
    service,
  }) => {
    const { api } = service.person;
    expectError(await api.get("/v1/posts/424242424"), 404, "Posting schedule not found: 424242424");
    expectError(await api.get("/v1"), 404);
    expect((await api.get("/v2/accounts")).status).toBe(404);
  });

  test("404 is byte for byte the same for a resource of another owner and for one that does not exist", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const made = await api.post<{ id: number }>("/v1/posts", { scheduledTime: soon(), publications: [onX(account)] });
    const stranger = (await service.user()).api;
    const nobody = "999999999";
    for (const [path, id] of [
      ["/v1/posts/", made.body.id],
      ["/v1/accounts/", account.id],
    ] as const) {
      for (const method of path === "/v1/posts/" ? ["GET", "DELETE"] : ["DELETE"]) {
        const foreign = await stranger.send(method, path + id);
        const absent = await stranger.send(method, path + nobody);
        expect([foreign.status, foreign.text.replace(String(id), nobody)]).toEqual([404, absent.text]);
      }
    }
  });

  test("a wrong method on a known path returns 405 with Allow, and HEAD works wherever GET does", async ({
    service,
  }) => {
    const { api } = service.person;
    for (const [method, path, allow] of [
      ["POST", "/v1/accounts", "GET, HEAD"],
      ["PUT", "/v1/posts", "GET, HEAD, POST"],
      ["PATCH", "/v1/posts/1", "GET, HEAD, PUT, DELETE"],
      ["GET", "/v1/posts/validate/", undefined],
    ] as const) {
      const answer = await api.send(method, path);
      expect([path, answer.status, answer.headers.get("allow") ?? undefined]).toEqual([path, allow ? 405 : 404, allow]);
    }
    for (const path of ["/v1/accounts", "/v1/posts", "/v1/me", "/.well-known/jwks.json"]) {
      const [head, get] = [await api.send("HEAD", path), await api.get(path)];
      expect([head.status, head.text, head.headers.get("content-type")]).toEqual([
        200,
        "",
        get.headers.get("content-type"),
      ]);
    }
  });

  test("a JSON body over the limit returns 413 with the maximum, and another content type returns 415", async ({
    service,
  }) => {
    const { api } = service.person;
    expectError(await api.post("/v1/posts", { content: "x".repeat(2_000_000) }), 413, /\d+ MB/);
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
      expectError(await api.send("POST", "/v1/posts", { headers: { "content-type": type }, body: "{}" }), 415);
    }
    expectError(await api.send("POST", "/v1/posts", { body: fileForm(Buffer.from("a"), "a") }), 415);
    const charset = { "content-type": "application/json; charset=utf-8" };
    expectError(await api.send("POST", "/v1/posts", { headers: charset, body: "{}" }), 400);
  });

  test("U+0000, lone surrogates, deep nesting, huge numbers and odd IDs and cursors never return 500", async ({
    service,
  }) => {
    const { api, account } = await service.on("X_TWITTER");
    const post = (text: string) => api.send("POST", "/v1/posts", { headers: JSON_TYPE, body: text });
    const withText = (text: string) => JSON.stringify({ isDraft: true, publications: [onX(account, text)] });
    for (const body of [
      withText("a\0b"),
      withText("a").replace('"a"', '"\\ud800"'),
      `${"[".repeat(5000)}${"]".repeat(5000)}`,
      `{"isDraft":true,"publications":${"[".repeat(100)}${"]".repeat(100)}}`,
      withText("a").replace(String(account.id), "1e400"),
      withText("a").replace(String(account.id), "99999999999999999999"),
    ]) {
      expectError(await post(body), 400);
    }
    for (const id of ["0", "-1", "1.5", "99999999999999999999", "%00", "%ff", "a%2Fb", "null", "NaN"]) {
      const { status } = await api.get(`/v1/posts/${id}`);
      expect([id, status >= 400 && status < 500]).toEqual([id, true]);
    }
    for (const cursor of ["AAAA", "%00", "bnVsbA", "LTE", Buffer.from("[1,2]").toString("base64url")]) {
      for (const path of ["/v1/posts", "/v1/media"]) {
        expectError(await api.get(`${path}?cursor=${cursor}`), 400, /cursor/);
      }
    }
  });

  test("every answer has its own request ID and is not cached", async ({ service }) => {
    const { api } = service.person;
    const answers = [await api.get("/v1/accounts"), await api.get("/v1/accounts"), await api.get("/v1/posts/1")];
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(ids).not.toContain(null);
    expect(new Set(ids).size).toBe(3);
    for (const { headers } of answers) expect(headers.get("cache-control")).toMatch(/no-store/);
  });

  test("the log contains the request ID of every answer", async ({ service }) => {
    const { api } = service.person;
    const answers = [
      await api.get("/v1/nowhere"),
      await api.get("/authorize"),
      await api.post("/oauth/token", {}),
      await api.get("/.well-known/jwks.json"),
    ];
    for (const { status, headers } of answers) {
      const line = `"requestId":"${headers.get("x-request-id")}"`;
      const lines = () => service.product.output().split("\n");
      await expect
        .poll(() => lines().some((one) => one.includes(line) && one.includes(`"status":${status}`)))
        .toBe(true);
    }
  });

  test("the scheme of Authorization is case-insensitive, as in RFC 9110", async ({ service }) => {
    const token = service.person.headers.authorization?.slice(7);
    for (const scheme of ["bearer", "BEARER"]) {
      const { status } = await apiOf(service.url, { authorization: `${scheme} ${token}` }).get("/v1/accounts");
      expect([scheme, status]).toEqual([scheme, 200]);
    }
  });

  test("an Upgrade header is ignored, as RFC 9110 allows: Java's HTTP client offers HTTP/2 with each first request", async ({
    service,
  }) => {
    const offer = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" };
    const statusOf = (path: string) =>
      new Promise<unknown>((resolve) => {
        httpRequest(`${service.url}${path}`, { headers: { ...service.person.headers, ...offer } })
          .on("response", (answer) => resolve(answer.resume().statusCode))
          .on("error", (error) => resolve(error.message))
          .end();
      });
    expect((await service.anybody.get("/sign-in")).status).toBe(200); // Next listens for upgrades after its first page
    for (const path of ["/v1/accounts", "/health/live", "/sign-in"]) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }
  });

  test("a request that is cut off does not affect the next one", async ({ service }) => {
    const { url, person } = service;
    const headers = { ...JSON_TYPE, ...person.headers, "content-length": "1000" };
    await new Promise<void>((resolve) => {
      const cut = httpRequest(`${url}/v1/posts`, { method: "POST", headers });
      cut.on("error", () => resolve());
      cut.write(`{"content":"${unique()}`, () => cut.destroy(new Error("cut")));
    });
    expect((await person.api.get("/v1/accounts")).status).toBe(200);
  });
});
