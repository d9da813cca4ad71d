import { openBrowser } from "./browser";
import { apiOf, type Fields, told } from "./client";
import { BRIDGED, bearer, connect, expect, onX, RETURN, soon, test, unique, until } from "./service";
import { type Account, type ConnectUser, expectError, type List, type Schedule, UUID } from "./shapes";

const AUTHORIZE_URL = "/v1/connect/authorize-url";

test.describe("SPEC, Partner (connect) endpoints", () => {
  test("POST /v1/connect/users returns { uuid, name, email } and is idempotent on client ID and externalUserId", async ({
    service,
  }) => {
    const { api } = service.partner;
    const externalUserId = unique("ext ");
    const given = { externalUserId, name: "Cleo", email: "cleo@example.com" };
    const first = await api.post<ConnectUser>("/v1/connect/users", given);
    expect([200, 201]).toContain(first.status);
    expect(first.body).toEqual({ uuid: expect.stringMatching(UUID), name: "Cleo", email: "cleo@example.com" });
    const again = await api.post<ConnectUser>("/v1/connect/users", given);
    expect(again.body).toEqual(first.body);
    const renamed = await api.post<ConnectUser>("/v1/connect/users", { externalUserId, name: "Clio" });
    expect(renamed.body).toEqual({ ...first.body, name: "Clio" });
    const bare = await api.post<ConnectUser>("/v1/connect/users", { externalUserId });
    expect(bare.body).toEqual({ ...first.body, name: "Clio" });
    const other = (await service.otherPartner()).api;
    expect((await other.post<ConnectUser>("/v1/connect/users", given)).body.uuid).not.toBe(first.body.uuid);
  });

  test("name is required the first time, email is optional, and absent fields are omitted from the response", async ({
    service,
  }) => {
    const { api } = service.partner;
    expectError(await api.post("/v1/connect/users", { externalUserId: unique() }), 400, /^name cannot be null/);
    expectError(await api.post("/v1/connect/users", { name: "Dora" }), 400, "externalUserId cannot be null");
    expectError(
      await api.post("/v1/connect/users", { externalUserId: unique(), name: "D", email: "no" }),
      400,
      /^email/,
    );
    const { body } = await api.post("/v1/connect/users", { externalUserId: unique(), name: "Dora" });
    expect(body).toEqual({ uuid: expect.stringMatching(UUID), name: "Dora" });
  });

  test("GET /v1/connect/users and /{uuid} return the partner's own users in pages, and 404 for another partner's", async ({
    service,
  }) => {
    const partner = (await service.otherPartner()).api;
    const made: string[] = [];
    for (const name of ["A", "B", "C"]) {
      made.unshift(
        (await partner.post<ConnectUser>("/v1/connect/users", { externalUserId: unique(), name })).body.uuid,
      );
    }
    const page = async (query: string) => (await partner.get<List<ConnectUser>>(`/v1/connect/users?${query}`)).body;
    const first = await page("limit=2");
    expect(first.items.map(({ uuid }) => uuid)).toEqual(made.slice(0, 2));
    expect((await page(`limit=1&cursor=${first.nextCursor}`)).items[0]?.uuid).toBe(made[2]);
    expect((await partner.get(`/v1/connect/users/${made[0]}`)).body).toEqual(first.items[0]);
    for (const uuid of [made[0], "00000000-0000-4000-8000-000000000000", "nobody"]) {
      expectError(await service.partner.api.get(`/v1/connect/users/${uuid}`), 404, `Connect user not found: ${uuid}`);
    }
  });

  test("authorize-url returns a single JSON string: a signed URL on {app_url}/oauth/connect with whitelabel_state", async ({
    service,
  }) => {
    const { headers } = await service.user();
    const api = apiOf(service.url, { ...headers, "x-api-key": service.partner.clientId });
    const answer = await api.post<string>(AUTHORIZE_URL, { platform: "X_TWITTER", redirectUri: RETURN });
    expect([answer.status, typeof answer.body]).toEqual([200, "string"]);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    const url = new URL(answer.body);
    expect([url.origin + url.pathname, [...url.searchParams.keys()]]).toEqual([
      `${service.url}/oauth/connect`,
      ["whitelabel_state"],
    ]);
  });

  test("authorize-url accepts the seven platforms of SPEC and returns 400 for any other", async ({ service }) => {
    const { headers } = await service.user();
    const api = apiOf(service.url, { ...headers, "x-api-key": service.partner.clientId });
    for (const platform of BRIDGED) {
      const { status } = await api.post(AUTHORIZE_URL, { platform, redirectUri: RETURN });
      expect([platform, status]).toEqual([platform, 200]);
    }
    for (const platform of ["TELEGRAM", "BLUE_SKY", "PINTEREST", "TWITTER", "TIK_TOK", "x_twitter", "", null, 7]) {
      expectError(await api.post(AUTHORIZE_URL, { platform, redirectUri: RETURN }), 400, /^platform/);
    }
    expectError(await api.post(AUTHORIZE_URL, {}), 400, "platform cannot be null; redirectUri cannot be null");
  });

  test("a missing x-api-key returns 400, and one that is not the calling partner's client ID returns 403", async ({
    service,
  }) => {
    const { headers } = await service.user();
    const input = { platform: "X_TWITTER", redirectUri: RETURN };
    const api = apiOf(service.url, headers);
    expectError(await api.post(AUTHORIZE_URL, input), 400, /x-api-key/);
    const { clientId } = await service.otherPartner();
    for (const key of [clientId, "nobody"])
      expectError(await api.post(AUTHORIZE_URL, input, { "x-api-key": key }), 403, "Access denied");
  });

  test("redirectUri may be https, http on loopback or a private-use scheme, but not a scheme that browsers handle", async ({
    service,
  }) => {
    const { headers } = await service.user();
    const api = apiOf(service.url, { ...headers, "x-api-key": service.partner.clientId });
    const status = async (redirectUri: string) =>
      (await api.post(AUTHORIZE_URL, { platform: "X_TWITTER", redirectUri })).status;
    const long = (length: number) => `https://example.com/${"a".repeat(length - 20)}`;
    const taken = [
      "https://example.com/a?b=c#d",
      "http://localhost:1/a",
      "http://127.0.0.1/",
      "http://[::1]:8/",
      long(2048),
    ];
    for (const uri of [...taken, "com.example.app:/done", "myapp://done?x=%20"])
      expect([uri, await status(uri)]).toEqual([uri, 200]);
    const schemes = "javascript data vbscript file blob about view-source filesystem chrome intent".split(" ");
    const refused = [
      "http://example.com/",
      "/relative",
      "",
      "example.com",
      "https://user:pw@example.com/",
      long(2049),
      "ab:/x",
    ];
    for (const uri of [
      ...refused,
      "https://exa\nmple.com/",
      ...schemes.map((scheme) => `${scheme}:alert(1)`),
      "JavaScript:alert(1)",
    ]) {
      expect([uri, await status(uri)]).toEqual([uri, 400]);
    }
  });

  test("the bridge stores the account for the end user and redirects to redirectUri byte for byte", async ({
    service,
  }) => {
    const user = await service.user();
    const person = unique("p");
    const end = await connect(service.url, service.partner, user.headers, "X_TWITTER", person);
    expect(end.address).toBe(RETURN);
    expect((await user.api.get<Account[]>("/v1/accounts")).body).toMatchObject([
      { platform: "X_TWITTER", accountUsername: person },
    ]);
  });

  test("connecting an account that belongs to another user returns 402", async ({ service }) => {
    const [first, second] = [await service.user(), await service.user()];
    const person = unique("p");
    expect((await connect(service.url, service.partner, first.headers, "X_TWITTER", person)).address).toBe(RETURN);
    const { page } = await connect(service.url, service.partner, second.headers, "X_TWITTER", person);
    expect([page?.status, page?.html]).toEqual([402, expect.stringMatching(/was already used by another user/)]);
    expect((await second.api.get("/v1/accounts")).body).toEqual([]);
  });

  test("a changed or used connect state returns 410 and does not redirect to redirectUri", async ({ service }) => {
    const user = await service.user();
    const api = apiOf(service.url, { ...user.headers, "x-api-key": service.partner.clientId });
    const link = (await api.post<string>(AUTHORIZE_URL, { platform: "X_TWITTER", redirectUri: RETURN })).body;
    const changed = [
      `${link}A`,
      link.slice(0, -1),
      link.replace("whitelabel_state=1", "whitelabel_state=2"),
      link.split("?")[0],
    ];
    for (const url of changed) {
      const answer = await openBrowser().open(url ?? "");
      expect([url, answer.status, answer.headers.get("location")]).toEqual([url, 410, null]);
    }
    const yes = { account: unique("p"), decision: "allow" };
    expect((await openBrowser().follow(link, RETURN, yes)).address).toBe(RETURN);
    expect((await openBrowser().open(link)).status).toBe(410);
  });

  test.describe("identity headers, on every call for a user", () => {
    const calls = ["/v1/accounts", "/v1/posts", "/v1/media", "/v1/me/export"];

    test("X-Connect-User-Id and X-Connect-External-User-Id are equivalent, and both may be sent for the same user", async ({
      service,
    }) => {
      const { uuid, externalUserId, api } = await service.user("X_TWITTER");
      const expected = (await api.get("/v1/accounts")).body;
      const both = { "x-connect-user-id": uuid, "x-connect-external-user-id": externalUserId };
      for (const headers of [{ "x-connect-external-user-id": externalUserId }, both] as Fields[]) {
        expect(await told(service.partner.api.get("/v1/accounts", headers))).toEqual([200, expected]);
      }
    });

    test("no identity header returns 400, and so do two that name different users", async ({ service }) => {
      const [one, two] = [await service.user(), await service.user()];
      const both = { "x-connect-user-id": one.uuid, "x-connect-external-user-id": two.externalUserId };
      for (const path of calls) {
        expectError(await service.partner.api.get(path), 400, /X-Connect-User-Id/);
        expectError(await service.partner.api.get(path, both), 400, /X-Connect-User-Id/);
      }
    });

    test("an unknown user or another partner's user returns 404 Connect user not found: <value>", async ({
      service,
    }) => {
      const { uuid, externalUserId } = await service.user();
      const other = (await service.otherPartner()).api;
      const absent = "00000000-0000-4000-8000-000000000000";
      for (const value of [uuid, absent, "nobody"]) {
        expectError(
          await other.get("/v1/accounts", { "x-connect-user-id": value }),
          404,
          `Connect user not found: ${value}`,
        );
      }
      for (const value of [externalUserId, "nobody"]) {
        const answer = await other.get("/v1/accounts", { "x-connect-external-user-id": value });
        expectError(answer, 404, `Connect user not found: ${value}`);
      }
    });

    test("identity headers with a token that is not a partner's return 403, and so do partner endpoints", async ({
      service,
    }) => {
      const { uuid, externalUserId } = await service.user();
      const { api } = service.person;
      for (const [name, value] of [
        ["x-connect-user-id", uuid],
        ["x-connect-external-user-id", externalUserId],
      ] as const) {
        expectError(await api.get("/v1/accounts", { [name]: value }), 403, "Access denied");
      }
      expectError(await api.post("/v1/connect/users", { externalUserId: "a", name: "A" }), 403, "Access denied");
      expectError(await api.get("/v1/connect/users"), 403, "Access denied");
    });
  });

  test("the partner's example with the flat body is published for its user", async ({ service }) => {
    const user = await service.user("X_TWITTER");
    const body = {
      platform: "X_TWITTER",
      accountId: user.account("X_TWITTER").id,
      content: unique("From a partner "),
      mediaPaths: [],
      scheduledTime: soon(0),
    };
    const identity = { "x-connect-external-user-id": user.externalUserId };
    const { status, body: made } = await service.partner.api.post<Schedule>("/v1/posts", body, identity);
    expect(status).toBe(201);
    await until(user.api, made.id, "COMPLETED");
  });

  test("DELETE /v1/connect/users/{uuid} returns 202; other calls for the user return 409 until it is done, then 404", async ({
    service,
  }) => {
    const user = await service.user("X_TWITTER");
    const { api } = service.partner;
    const control = apiOf(service.sandboxUrl);
    const slow = { network: "x", operation: "publish", fault: "late_response", times: 1, afterSeconds: 4 };
    await control.post("/_control/faults", slow);
    const publications = [onX(user.account("X_TWITTER"))];
    const { id } = (await user.api.post<Schedule>("/v1/posts", { scheduledTime: soon(0), publications })).body;
    await until(user.api, id, "IN_PROGRESS"); // a post that is being sent is finished first
    const path = `/v1/connect/users/${user.uuid}`;
    expect(await told(api.delete(path))).toEqual([202, undefined]);
    expectError(await user.api.get("/v1/accounts"), 409, /deletion is in progress/i);
    expectError(await user.api.post("/v1/posts", { scheduledTime: soon(), publications }), 409);
    expectError(await api.delete(path), 409);
    expectError(await api.get(path), 409);
    expectError(await api.post("/v1/connect/users", { externalUserId: user.externalUserId }), 409);
    await expect.poll(async () => (await api.get(path)).status, { intervals: [200] }).toBe(404);
    expectError(await user.api.get("/v1/accounts"), 404, `Connect user not found: ${user.uuid}`);
    await control.delete("/_control/faults");
  });

  test("another partner cannot delete a user, post for it or connect accounts to it", async ({ service }) => {
    const user = await service.user("X_TWITTER");
    const other = await service.otherPartner();
    expectError(await other.api.delete(`/v1/connect/users/${user.uuid}`), 404, `Connect user not found: ${user.uuid}`);
    const headers = { ...bearer(other.token), "x-connect-user-id": user.uuid };
    const publications = [onX(user.account("X_TWITTER"))];
    expectError(await apiOf(service.url, headers).post("/v1/posts", { scheduledTime: soon(), publications }), 404);
    const input = { platform: "X_TWITTER", redirectUri: RETURN };
    expectError(await apiOf(service.url, headers).post(AUTHORIZE_URL, input, { "x-api-key": other.clientId }), 404);
  });
});
