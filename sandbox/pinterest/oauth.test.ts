import { beforeEach, describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { authorizeUrl, codeFor, connect, errorOf, redeem, SCOPES, session, tokenCall } from "./testing";

const sandbox = testSandbox();
beforeEach(() => sandbox.control("POST", "reset"));

const DEAD = [401, 283, "The authorization grant is invalid"];
const switches = (set: object) => sandbox.control("POST", "pinterest/switches", set);

describe("consent", () => {
  test("Allow redirects with code and state, Deny with the error and the state", async () => {
    expect([...(await decide(authorizeUrl(sandbox), "allow")).searchParams.keys()]).toEqual(["code", "state"]);
    const denied = await decide(authorizeUrl(sandbox), "deny");
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: "access_denied", state: "s&1" });
  });

  test.each<{ when: string; changed: Record<string, string> }>([
    { when: "an unknown client", changed: { client_id: "other" } },
    { when: "plain http elsewhere", changed: { redirect_uri: "http://example.com/cb" } },
    { when: "space-separated scopes", changed: { scope: SCOPES.replaceAll(",", " ") } },
    { when: "no scope", changed: { scope: "" } },
    { when: "another response type", changed: { response_type: "token" } },
  ])("shows an error page without redirecting for $when", async ({ changed }) => {
    const page = await fetch(authorizeUrl(sandbox, changed), { redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  });
});

describe("token", () => {
  test("a code returns a token for 30 days and a refresh token for 60", async () => {
    expect(await connect(sandbox)).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      response_type: "authorization_code",
      token_type: "bearer",
      expires_in: 30 * 86_400,
      refresh_token_expires_in: 60 * 86_400,
      refresh_token_expires_at: expect.any(Number),
      scope: SCOPES.replaceAll(",", " "),
    });
  });

  test("a code is single-use and bound to its redirect URI", async () => {
    const code = await codeFor(sandbox);
    expect((await redeem(sandbox, code)).status).toBe(200);
    expect(await errorOf(redeem(sandbox, code))).toEqual(DEAD);
    const other = { redirect_uri: "http://localhost:3000/other" };
    expect(await errorOf(redeem(sandbox, await codeFor(sandbox), other))).toEqual(DEAD);
  });

  test("ignores client credentials in the body", async () => {
    const fields = { client_id: "sandbox-pinterest", client_secret: "sandbox-pinterest-secret" };
    const answer = tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: "x", ...fields }, "");
    expect(await errorOf(answer)).toEqual([401, 2, "Authentication failed."]);
  });

  test("a refresh replaces the refresh token, which expires after 60 days", async () => {
    const old = await connect(sandbox);
    const refresh = (token: string) => tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: token });
    const fresh = await (await refresh(old.refresh_token)).json();
    expect(fresh.refresh_token).not.toBe(old.refresh_token);
    expect(await errorOf(refresh(old.refresh_token))).toEqual(DEAD);
    await sandbox.advance(60 * 86_400);
    expect(await errorOf(refresh(fresh.refresh_token))).toEqual(DEAD);
  });

  test("rejects revoking a user's token", async () => {
    const { access_token } = await connect(sandbox);
    const answer = tokenCall(sandbox, { token: access_token }, undefined, "token/revoke");
    expect(await errorOf(answer)).toEqual([403, 29, "You are not permitted to access that resource."]);
  });
});

describe("a token", () => {
  test("expires after 30 days", async () => {
    const pinterest = await session(sandbox);
    expect((await pinterest.get("user_account")).status).toBe(200);
    await sandbox.advance(30 * 86_400);
    expect(await errorOf(pinterest.get("user_account"))).toEqual([401, 2, "Authentication failed."]);
  });

  test("of an application that is not activated is rejected", async () => {
    const pinterest = await session(sandbox);
    await switches({ pending: true });
    expect(await errorOf(pinterest.get("user_account"))).toEqual([
      401,
      3,
      "Your application consumer type is not supported",
    ]);
    const refresh = tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: "x" });
    expect((await errorOf(refresh)).slice(0, 2)).toEqual([401, 3]);
  });

  test("without the needed scope is rejected", async () => {
    const reader = await session(sandbox, "bob", { scope: "boards:read,user_accounts:read" });
    const denied = [403, 29, "You are not permitted to access that resource."];
    expect(await errorOf(reader.post("pins", {}))).toEqual(denied);
    expect(await errorOf(reader.post("media", { media_type: "video" }))).toEqual(denied);
    const stranger = await session(sandbox, "bob", { scope: "user_accounts:read" });
    expect(await errorOf(stranger.get("boards"))).toEqual(denied);
  });
});

test("user_account returns an id above 2^53, and every response has a request id", async () => {
  const answer = await (await session(sandbox, "carol")).get("user_account");
  expect(answer.headers.get("x-pinterest-rid")).toBeTruthy();
  expect(await answer.json()).toMatchObject({ id: expect.stringMatching(/^2\d{18}$/), username: "carol" });
});

describe("boards", () => {
  test("secret ones need their scope, and privacy filters the list", async () => {
    const names = (boards: { name: string }[]) => boards.map(({ name }) => name);
    expect(names((await session(sandbox)).boards)).toEqual(["Garden", "Kitchen", "Ad-only Pins"]);
    const all = await session(sandbox, "alice", { scope: `${SCOPES},boards:read_secret` });
    expect(names(all.boards)).toContain("Gifts");
    const secret = (await (await all.get("boards?privacy=SECRET")).json()).items;
    expect(names(secret)).toEqual(["Gifts"]);
    const gifts = all.boards.find(({ name }) => name === "Gifts")?.id ?? "";
    expect(await errorOf((await session(sandbox)).get(`boards/${gifts}/sections`))).toEqual([
      404,
      404,
      "Board not found.",
    ]);
    const pin = { board_id: gifts, media_source: { source_type: "image_url", url: "http://localhost:1/a.png" } };
    expect((await errorOf(all.post("pins", pin))).slice(0, 2)).toEqual([403, 29]);
  });

  test("are listed in pages of at most 250, each with the bookmark of the next", async () => {
    const pinterest = await session(sandbox);
    const first = await (await pinterest.get("boards?page_size=2")).json();
    expect(first.items).toHaveLength(2);
    const second = await (await pinterest.get(`boards?page_size=2&bookmark=${first.bookmark}`)).json();
    expect([second.items.length, second.bookmark]).toEqual([1, null]);
    for (const query of ["page_size=251", "page_size=0", "bookmark=x", "privacy=MINE"]) {
      expect((await pinterest.get(`boards?${query}`)).status).toBe(400);
    }
  });

  test("have sections that only their owner can list", async () => {
    const [alice, bob] = [await session(sandbox), await session(sandbox, "bob")];
    const { items } = await (await alice.get(`boards/${alice.board}/sections`)).json();
    expect(items).toMatchObject([{ name: "Spring" }, { name: "Autumn" }]);
    expect(await errorOf(bob.get(`boards/${alice.board}/sections`))).toEqual([404, 404, "Board not found."]);
    expect((await bob.get("boards/mine/sections")).status).toBe(400);
  });
});

describe("rate limits", () => {
  test("appear as structured lists, per kind of call", async () => {
    const pinterest = await session(sandbox, "dave");
    const { headers } = await pinterest.get("user_account");
    expect(headers.get("x-ratelimit-limit")).toBe('1000, 1000;w=60;name="org_read_app_id_user_id"');
    expect(Number(headers.get("x-ratelimit-reset"))).toBeLessThanOrEqual(60);
  });

  test("Trial access limits the application to 300 writes a day, then 429 without Retry-After", async () => {
    await switches({ trial: true });
    const [dave, erin] = [await session(sandbox, "dave"), await session(sandbox, "erin")];
    for (let n = 0; n < 300; n++) await (n % 2 ? dave : erin).post("pins", {});
    const answer = await erin.post("pins", {});
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, null]);
    await sandbox.advance(86_400);
    expect((await erin.post("pins", {})).status).toBe(400);
  });

  test("Trial access limits the application to 1,000 calls a day in total", async () => {
    await switches({ trial: true });
    const carol = await session(sandbox, "carol");
    for (let n = 0; n < 100; n++) await carol.post("pins", {});
    const reads = Array.from({ length: 900 }, () => carol.get("user_account"));
    const taken = (await Promise.all(reads)).filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1000 - 100 - 2); // connecting took two calls: the token and the boards
    expect((await carol.post("pins", {})).status).toBe(429);
  });
});
