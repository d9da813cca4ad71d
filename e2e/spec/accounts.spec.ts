import { apiOf } from "./client";
import { BRIDGED, bearer, expect, onX, soon, test, unique } from "./service";
import { type Account, type Chat, type ErrorBody, expectError, expectNoNull, SIX_DIGITS } from "./shapes";

const FIELDS = {
  id: expect.any(Number),
  accountId: expect.any(String),
  accountUsername: expect.any(String),
  accountDisplayName: expect.any(String),
  createdTime: expect.stringMatching(SIX_DIGITS),
  updatedTime: expect.stringMatching(SIX_DIGITS),
};

test.describe("SPEC, Endpoints: Accounts", () => {
  test("GET /v1/accounts returns an array with the accounts of the authenticated user only", async ({ service }) => {
    const user = await service.user("X_TWITTER", "INSTAGRAM");
    const { status, body, headers } = await user.api.get<Account[]>("/v1/accounts");
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(body.map(({ platform }) => platform).sort()).toEqual(["INSTAGRAM", "X_TWITTER"]);
    expect((await (await service.user()).api.get("/v1/accounts")).body).toEqual([]);
  });

  const PLATFORMS = [...BRIDGED, "BLUE_SKY", "TELEGRAM", "PINTEREST"];

  for (const platform of PLATFORMS) {
    test(`an Account on ${platform} has every field of the table and the exact platform name`, async ({ service }) => {
      const { api, account: connected } = await service.on(platform);
      const { body } = await api.get<(Account & { accountAvatarUrl?: string })[]>("/v1/accounts");
      const account = body.find(({ id }) => id === connected.id);
      expect(account).toMatchObject({ ...FIELDS, platform });
      expect(Number.isInteger(account?.id)).toBe(true);
      expect(URL.canParse(account?.accountAvatarUrl ?? service.url)).toBe(true);
      expectNoNull(body);
    });
  }

  test("accountId is the network's own ID and is refused as socialMediaAccountId", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const publication = { ...onX(account), socialMediaAccountId: Number(account.accountId) };
    const body = { scheduledTime: soon(), publications: [publication] };
    expectError(await api.post("/v1/posts", body), 400, /^publications\[0\]\.socialMediaAccountId/);
  });

  for (const [platform, type] of [
    ["TELEGRAM", /^(channel|group|supergroup|private)$/],
    ["FACEBOOK", /^PAGE$/],
    ["PINTEREST", /^BOARD$/],
  ] as const) {
    test(`GET /v1/accounts/{id}/chats?platform=${platform} returns Chats whose id is accepted as chatId`, async ({
      service,
    }) => {
      const { api, account } = await service.on(platform);
      const { id } = account;
      const { status, body } = await api.get<Chat[]>(`/v1/accounts/${id}/chats?platform=${platform}`);
      expect(status).toBe(200);
      expect(body.length).toBeGreaterThan(0);
      for (const chat of body) {
        expect(chat).toEqual({
          id: expect.any(String),
          title: expect.any(String),
          type: expect.stringMatching(type),
          platform,
        });
      }
      const publication = {
        socialMediaAccountId: id,
        platformSettings: { type: platform },
        posts: [{ content: "To a chat", chatId: body[0]?.id }],
      };
      const draft = await api.post("/v1/posts", { isDraft: true, publications: [publication] });
      expect(draft).toMatchObject({ status: 201, body: { publications: [{ posts: [{ chatId: body[0]?.id }] }] } });
    });
  }

  test("GET chats returns the same 404 for another user's account and for an ID that does not exist", async ({
    service,
  }) => {
    const { id } = (await service.on("X_TWITTER")).account;
    const other = await service.user();
    const says = async (given: number | string) => {
      const { status, text } = await other.api.get(`/v1/accounts/${given}/chats?platform=TELEGRAM`);
      return [status, text.replaceAll(String(given), "…")];
    };
    expect(await says(id)).toEqual(await says(999_999_999));
    expect((await says(id))[0]).toBe(404);
    expect((await says("abc"))[0]).toBe(404);
  });

  test("GET chats returns 400 if platform is missing, unknown or has no destinations", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    for (const query of ["", "?platform=MYSPACE", "?platform=telegram", "?platform=X_TWITTER", "?platform=TELEGRAM"]) {
      expectError(await api.get(`/v1/accounts/${account.id}/chats${query}`), 400, /platform/);
    }
  });

  test("DELETE /v1/accounts/{id} returns 204 and removes the account", async ({ service }) => {
    const user = await service.user("X_TWITTER");
    const { id } = user.account("X_TWITTER");
    const foreign = await service.person.api.delete<ErrorBody>(`/v1/accounts/${id}`);
    expectError(foreign, 404, `Account not found: ${id}`);
    const { status, text } = await user.api.delete(`/v1/accounts/${id}`);
    expect([status, text]).toEqual([204, ""]);
    expect((await user.api.get("/v1/accounts")).body).toEqual([]);
    expectError(await user.api.delete(`/v1/accounts/${id}`), 404, `Account not found: ${id}`);
  });
});

test.describe("DECISIONS, Added 2026-11-23: GET, DELETE /v1/me", () => {
  test("GET /v1/me and GET /v1/me/export return the user's own data without any token", async ({ service }) => {
    const { api, email, headers } = service.person;
    expect((await api.get("/v1/me")).body).toMatchObject({ id: expect.any(String), email, role: "user" });
    const { status, body, text } = await api.get("/v1/me/export");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { email },
      accounts: expect.any(Array),
      media: expect.any(Array),
      posts: expect.any(Array),
    });
    expect(text).not.toContain(headers.authorization?.slice(7));
    expect(text).not.toMatch(/access_?token|refresh_?token|secret/i);
  });

  test("DELETE /v1/me returns 202, and the token stops working", async ({ service }) => {
    const email = `${unique("eve")}@example.com`;
    const { product } = service;
    await product.carillon("users", "create", "--email", email, "--password", "a long password");
    const token = (await product.carillon("tokens", "create", "--user", email)) as { access_token: string };
    const api = apiOf(service.url, bearer(token.access_token));
    const { status, text } = await api.delete("/v1/me");
    expect([status, text]).toEqual([202, ""]);
    await expect.poll(async () => (await api.get("/v1/me")).status, { intervals: [50] }).toBe(401);
  });
});
