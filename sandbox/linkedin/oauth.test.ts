import { beforeEach, describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import {
  authorizeUrl,
  CLIENT,
  codeFor,
  connect,
  errorOf,
  redeem,
  SCOPES,
  session,
  sessionWith,
  tokenCall,
  VERSION,
} from "./testing";

const sandbox = testSandbox();
beforeEach(() => sandbox.control("POST", "reset"));
const switches = (set: object) => sandbox.control("POST", "linkedin/switches", set);
const DAY = 86_400;

describe("consent", () => {
  test("Allow redirects with code and state, Deny with user_cancelled_authorize", async () => {
    expect([...(await decide(authorizeUrl(sandbox), "allow")).searchParams.keys()]).toEqual(["code", "state"]);
    const denied = await decide(authorizeUrl(sandbox), "deny");
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({ error: "user_cancelled_authorize", state: "s&1" });
  });

  test("rejects the authorization for a scope that the application does not have", async () => {
    const scope = `${SCOPES} r_ads`;
    const answer = await fetch(authorizeUrl(sandbox, { scope }), { redirect: "manual" });
    expect(answer.headers.get("location")).toContain("error=unauthorized_scope_error");
  });

  test.each<{ when: string; changed: Record<string, string> }>([
    { when: "an unknown client", changed: { client_id: "other" } },
    { when: "plain http elsewhere", changed: { redirect_uri: "http://example.com/cb" } },
    { when: "a redirect URI with a fragment", changed: { redirect_uri: "http://localhost:3000/cb#a" } },
  ])("shows an error page without redirecting for $when", async ({ changed }) => {
    const page = await fetch(authorizeUrl(sandbox, changed), { redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  });
});

describe("token", () => {
  test("a code returns a token for 60 days, comma-separated scopes and no refresh token", async () => {
    expect(await connect(sandbox)).toEqual({
      access_token: expect.any(String),
      expires_in: 60 * DAY,
      scope: SCOPES.replaceAll(" ", ","),
      token_type: "Bearer",
    });
  });

  test("requires the client credentials in the body; Basic is ignored", async () => {
    const basic = Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString("base64");
    const fields = { grant_type: "authorization_code", code: await codeFor(sandbox) };
    const answer = tokenCall(sandbox, fields, { authorization: `Basic ${basic}` });
    expect(await errorOf(answer)).toEqual([400, "invalid_request", 'A required parameter "client_id" is missing']);
    expect((await errorOf(redeem(sandbox, "x", { client_secret: "other" })))[1]).toBe("invalid_client");
  });

  test("a code is single-use, expires after 30 minutes and is bound to its redirect URI", async () => {
    const gone = [401, "invalid_request", expect.stringContaining("authorization code not found")];
    const used = await codeFor(sandbox);
    expect((await redeem(sandbox, used)).status).toBe(200);
    expect(await errorOf(redeem(sandbox, used))).toEqual(gone);
    const other = { redirect_uri: "http://localhost:3000/other" };
    expect((await errorOf(redeem(sandbox, await codeFor(sandbox), other)))[1]).toBe("invalid_redirect_uri");
    const old = await codeFor(sandbox);
    await sandbox.advance(1800);
    expect(await errorOf(redeem(sandbox, old))).toEqual([
      400,
      "invalid_redirect_uri",
      expect.stringContaining("Or authorization code expired"),
    ]);
  });

  test("an approved partner's refresh token lasts one year from the consent and is not extended by use", async () => {
    await switches({ refreshTokens: true });
    const { refresh_token = "" } = await connect(sandbox);
    const refresh = () => tokenCall(sandbox, { grant_type: "refresh_token", refresh_token, ...CLIENT });
    await sandbox.advance(300 * DAY);
    const fresh = await (await refresh()).json();
    expect(fresh.refresh_token_expires_in).toBeLessThanOrEqual(65 * DAY);
    await sandbox.advance(65 * DAY);
    expect((await errorOf(refresh()))[1]).toBe("invalid_request");
  });

  test("a consent with other scopes revokes the member's earlier tokens; one with the same scopes does not", async () => {
    const first = await session(sandbox, "carol");
    const second = await session(sandbox, "carol");
    expect((await first.get("v2/userinfo")).status).toBe(200);
    await session(sandbox, "carol", { scope: `${SCOPES} email` });
    for (const one of [first, second]) {
      expect((await errorOf(one.get("v2/userinfo"))).slice(0, 2)).toEqual([401, "REVOKED_ACCESS_TOKEN"]);
    }
  });
});

describe("a token", () => {
  test("expired, unknown and missing ones return different codes", async () => {
    const one = await session(sandbox);
    await sandbox.advance(60 * DAY);
    const expired = await one.get("v2/userinfo");
    expect([expired.status, await expired.json()]).toEqual([
      401,
      {
        status: 401,
        serviceErrorCode: 65602,
        code: "EXPIRED_ACCESS_TOKEN",
        message: "The token used in the request has expired",
      },
    ]);
    const invalid = fetch(`${sandbox.url}/linkedin/v2/userinfo`, { headers: { authorization: "Bearer x" } });
    expect((await errorOf(invalid))[1]).toBe("INVALID_ACCESS_TOKEN");
    expect((await errorOf(fetch(`${sandbox.url}/linkedin/v2/userinfo`)))[1]).toBe("EMPTY_ACCESS_TOKEN");
  });

  test("without the posting scope returns 403 for posts", async () => {
    const { access_token } = await connect(sandbox, "dave", { scope: "openid profile" });
    const dave = await sessionWith(sandbox, access_token);
    const [status, code, message] = await errorOf(dave.publish());
    expect([status, code]).toEqual([403, "ACCESS_DENIED"]);
    expect(message).toMatch(/^Not enough permissions to access: posts\.CREATE\.\d{8}$/);
  });
});

describe("the versioned API", () => {
  test.each<[when: string, headers: Record<string, string>, status: number, code: string]>([
    ["no version", { "x-restli-protocol-version": "2.0.0" }, 400, "VERSION_MISSING"],
    ["a retired version", { ...VERSION, "linkedin-version": "202409" }, 426, "NONEXISTENT_VERSION"],
    ["a future version", { ...VERSION, "linkedin-version": "203001" }, 426, "NONEXISTENT_VERSION"],
    ["a malformed version", { ...VERSION, "linkedin-version": "2026.9" }, 426, "NONEXISTENT_VERSION"],
    ["another protocol version", { ...VERSION, "x-restli-protocol-version": "1.0.0" }, 400, "ILLEGAL_ARGUMENT"],
  ])("rejects %s", async (_, headers, status, code) => {
    const one = await session(sandbox);
    expect((await errorOf(one.post("rest/posts", {}, headers))).slice(0, 2)).toEqual([status, code]);
  });

  test("limits calls to 150 per member and UTC day, then returns 429 without Retry-After", async () => {
    const erin = await session(sandbox, "erin");
    for (let n = 0; n < 150; n++) await erin.get("rest/posts");
    const answer = await erin.publish();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, null]);
    expect((await answer.json()).message).toContain("MEMBER DAY limit");
    expect((await (await session(sandbox, "frank")).publish()).status).toBe(201);
    await sandbox.advance(DAY);
    expect((await erin.publish()).status).toBe(201);
  });

  test("rejects reading a member's posts", async () => {
    const one = await session(sandbox);
    expect((await errorOf(one.get(`rest/posts?q=author&author=${encodeURIComponent(one.author)}`)))[0]).toBe(403);
  });
});
