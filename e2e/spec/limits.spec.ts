import { startProduct } from "../setup/product";
import { apiOf } from "./client";
import { expect, newPartner, onX, soon, test, unique, upload } from "./service";
import { expectError, type Tokens } from "./shapes";

test.describe("SPEC, Limits", () => {
  test("429 of the gateway is { message } with Retry-After, RateLimit and RateLimit-Policy", async () => {
    test.slow();
    const product = await startProduct({ env: { RATE_LIMIT_API: "3", RATE_LIMIT_AUTH: "4", SANDBOX: "off" } });
    try {
      const partner = await newPartner(product, "Eager"); // the first of the four
      const list = () => partner.api.get<{ message: string; error?: string }>("/v1/connect/users");
      for (const left of [2, 1, 0]) {
        const { status, headers } = await list();
        expect([status, headers.get("ratelimit")]).toEqual([
          200,
          expect.stringMatching(new RegExp(`r=${left};t=\\d+`)),
        ]);
        expect(headers.get("ratelimit-policy")).toMatch(/q=3;w=60/);
      }
      const { status, body, headers } = await list();
      expect([status, body]).toEqual([429, { message: expect.any(String) }]);
      expect(headers.get("content-type")).toMatch(/^application\/json/);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
      expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([
        expect.stringMatching(/r=0/),
        expect.stringMatching(/q=3/),
      ]);
      const token = () => apiOf(product.url).post<Tokens & { message: string }>("/oauth/token", { grant_type: "none" });
      for (const nth of [2, 3, 4]) expect([nth, (await token()).status]).toEqual([nth, 400]);
      const refused = await token();
      expect([refused.status, refused.body]).toEqual([429, { message: expect.any(String) }]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      for (const of of [headers, refused.headers]) {
        const requestId = of.get("x-request-id");
        expect(requestId).toBeTruthy();
        await expect.poll(() => product.output()).toContain(`"requestId":"${requestId}"`);
      }
    } finally {
      await product.stop();
    }
  });

  test("every answer of /v1 has RateLimit and RateLimit-Policy", async ({ service }) => {
    for (const { headers } of [
      await service.person.api.get("/v1/accounts"),
      await service.anybody.get("/v1/accounts"),
    ]) {
      expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([
        expect.any(String),
        expect.any(String),
      ]);
    }
  });

  test("a TikTok carousel takes up to 10 images", async ({ service }) => {
    const { api, account } = await service.on("TIKTOK");
    const keys = await Promise.all(Array.from({ length: 11 }, () => upload(api)));
    const body = (count: number) => ({
      scheduledTime: soon(),
      publications: [
        {
          socialMediaAccountId: account.id,
          platformSettings: { type: "TIK_TOK", privacyLevel: "SELF_ONLY", title: "Bells" },
          posts: [{ content: "a", attachmentPaths: keys.slice(0, count) }],
        },
      ],
    });
    expect((await api.post("/v1/posts", body(10))).status).toBe(201);
    expectError(await api.post("/v1/posts", body(11)), 400, /publications\[0\]\.posts\[0\]\.attachmentPaths/);
  });

  test("a TikTok photo title over 90 characters is refused at schedule time", async ({ service }) => {
    const { api, account } = await service.on("TIKTOK");
    const key = await upload(api);
    const post = (length: number) => ({
      socialMediaAccountId: account.id,
      platformSettings: { type: "TIK_TOK", privacyLevel: "SELF_ONLY", title: "t".repeat(length) },
      posts: [{ content: "a", attachmentPaths: [key] }],
    });
    expect((await api.post("/v1/posts", { scheduledTime: soon(), publications: [post(90)] })).status).toBe(201);
    expectError(await api.post("/v1/posts", { scheduledTime: soon(), publications: [post(91)] }), 400, /title/);
  });

  test("text length, empty posts and unknown formats are checked at schedule time", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const says = async (content: string, post: object = {}) =>
      api.post("/v1/posts", { scheduledTime: soon(), publications: [onX(account, content, post)] });
    expect((await says(unique().padEnd(280, "x"))).status).toBe(201);
    expectError(await says("x".repeat(281)), 400, /^publications\[0\]\.posts\[0\]\.content/);
    expectError(await says(""), 400, /^publications\[0\]\.posts\[0\]\.content/);
    const instagram = await service.on("INSTAGRAM");
    const bare = {
      socialMediaAccountId: instagram.account.id,
      platformSettings: { type: "INSTAGRAM" },
      posts: [{ content: "a" }],
    };
    const refused = await instagram.api.post("/v1/posts", { scheduledTime: soon(), publications: [bare] });
    expectError(refused, 400, /^publications\[0\]\.posts\[0\]\.attachmentPaths/);
  });

  test("limit is 1 to 100 for every list and 20 by default", async ({ service }) => {
    const { api } = service.person;
    for (const path of ["/v1/posts", "/v1/media"]) {
      expect((await api.get(`${path}?limit=100`)).status).toBe(200);
      for (const limit of ["0", "101", "-1", "1.5", "all", ""])
        expectError(await api.get(`${path}?limit=${limit}`), 400, /limit/);
    }
  });
});
