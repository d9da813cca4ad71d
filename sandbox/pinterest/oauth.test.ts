import { beforeEach, describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { authorizeUrl, codeFor, connect, redeem, SCOPES, session, tokenCall, errorOf } from "./testing";

const sandbox = testSandbox();
beforeEach(() => sandbox.control("POST", "reset"));

const DEAD = [401, 283, "The authorization grant is invalid"];
const switches = (set: object) => sandbox.control("POST", "pinterest/switches", set);

describe("consent", () => {
  test("allow gives code and state, deny gives the error and the state", async () => {
    expect([...(await decide(authorizeUrl(sandbox), "allow")).searchParams.keys()]).toEqual(["code", "state"]);
    const denied = await decide(authorizeUrl(sandbox), "deny");
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: "access_denied", state: "s&1" });
  });

  test.each<{ when: string; changed: Record<string, string> }>([
    { when: "an unknown client", changed: { client_id: "other" } },
    { when: "plain http elsewhere", changed: { redirect_uri: "http://example.com/cb" } },
    { when: "scopes with spaces between", changed: { scope: SCOPES.replaceAll(",", " ") } },
    { when: "no scope", changed: { scope: "" } },
    { when: "another response type", changed: { response_type: "token" } },
  ])("$when shows an error page and sends nobody back", async ({ changed }) => {
    const page = await fetch(authorizeUrl(sandbox, changed), { redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  });
});

describe("token", () => {
  test("a code gives 30 days, and a refresh token of 60", async () => {
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

  test("a code works once, and with the exact redirect address", async () => {
    const code = await codeFor(sandbox);
    expect((await redeem(sandbox, code)).status).toBe(200);
    expect(await errorOf(redeem(sandbox, code))).toEqual(DEAD);
    const other = { redirect_uri: "http://localhost:3000/other" };
    expect(await errorOf(redeem(sandbox, await codeFor(sandbox), other))).toEqual(DEAD);
  });

  test("credentials in the body do not count", async () => {
    const fields = { client_id: "sandbox-pinterest", client_secret: "sandbox-pinterest-secret" };
    const answer = tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: "x", ...fields }, "");
    expect(await errorOf(answer)).toEqual([401, 2, "Authentication failed."]);
  });

  test("a refresh answers a new refresh token and ends the old one; after 60 days there is none", async () => {
    const old = await connect(sandbox);
    const refresh = (token: string) => tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: token });
    const fresh = await (await refresh(old.refresh_token)).json();
    expect(fresh.refresh_token).not.toBe(old.refresh_token);
    expect(await errorOf(refresh(old.refresh_token))).toEqual(DEAD);
    await sandbox.advance(60 * 86_400);
    expect(await errorOf(refresh(fresh.refresh_token))).toEqual(DEAD);
  });

  test("people's tokens cannot be revoked", async () => {
    const { access_token } = await connect(sandbox);
    const answer = tokenCall(sandbox, { token: access_token }, undefined, "token/revoke");
    expect(await errorOf(answer)).toEqual([403, 29, "You are not permitted to access that resource."]);
  });
});

describe("a token", () => {
  test("ends after 30 days", async () => {
    const pinterest = await session(sandbox);
    expect((await pinterest.get("user_account")).status).toBe(200);
    await sandbox.advance(30 * 86_400);
    expect(await errorOf(pinterest.get("user_account"))).toEqual([401, 2, "Authentication failed."]);
  });

  test("of an application that is not activated is refused", async () => {
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

  test("without a scope is refused where it is needed", async () => {
    const reader = await session(sandbox, "bob", { scope: "boards:read,user_accounts:read" });
    const denied = [403, 29, "You are not permitted to access that resource."];
    expect(await errorOf(reader.post("pins", {}))).toEqual(denied);
    expect(await errorOf(reader.post("media", { media_type: "video" }))).toEqual(denied);
    const stranger = await session(sandbox, "bob", { scope: "user_accounts:read" });
    expect(await errorOf(stranger.get("boards"))).toEqual(denied);
  });
});

test("user_account answers the id above 2^53, and every answer has its request id", async () => {
  const answer = await (await session(sandbox, "carol")).get("user_account");
  expect(answer.headers.get("x-pinterest-rid")).toBeTruthy();
  expect(await answer.json()).toMatchObject({ id: expect.stringMatching(/^2\d{18}$/), username: "carol" });
});

describe("boards", () => {
  test("secret ones need their scope, and privacy chooses among them", async () => {
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

  test("come in pages of 250 at most, each with the bookmark of the next", async () => {
    const pinterest = await session(sandbox);
    const first = await (await pinterest.get("boards?page_size=2")).json();
    expect(first.items).toHaveLength(2);
    const second = await (await pinterest.get(`boards?page_size=2&bookmark=${first.bookmark}`)).json();
    expect([second.items.length, second.bookmark]).toEqual([1, null]);
    for (const query of ["page_size=251", "page_size=0", "bookmark=x", "privacy=MINE"]) {
      expect((await pinterest.get(`boards?${query}`)).status).toBe(400);
    }
  });

  test("have sections, and only their owner sees them", async () => {
    const [alice, bob] = [await session(sandbox), await session(sandbox, "bob")];
    const { items } = await (await alice.get(`boards/${alice.board}/sections`)).json();
    expect(items).toMatchObject([{ name: "Spring" }, { name: "Autumn" }]);
    expect(await errorOf(bob.get(`boards/${alice.board}/sections`))).toEqual([404, 404, "Board not found."]);
    expect((await bob.get("boards/mine/sections")).status).toBe(400);
  });
});

describe("rates", () => {
  test("are told as structured lists, per kind of call", async () => {
    const pinterest = await session(sandbox, "dave");
    const { headers } = await pinterest.get("user_account");
    expect(headers.get("x-ratelimit-limit")).toBe('1000, 1000;w=60;name="org_read_app_id_user_id"');
    expect(Number(headers.get("x-ratelimit-reset"))).toBeLessThanOrEqual(60);
  });

  test("Trial access: 300 writes a day for the whole application, then 429 without Retry-After", async () => {
    await switches({ trial: true });
    const [dave, erin] = [await session(sandbox, "dave"), await session(sandbox, "erin")];
    for (let n = 0; n < 300; n++) await (n % 2 ? dave : erin).post("pins", {});
    const answer = await erin.post("pins", {});
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, null]);
    await sandbox.advance(86_400);
    expect((await erin.post("pins", {})).status).toBe(400);
  });

  test("Trial access: 1,000 calls a day of either kind", async () => {
    await switches({ trial: true });
    const carol = await session(sandbox, "carol");
    for (let n = 0; n < 100; n++) await carol.post("pins", {});
    const reads = Array.from({ length: 900 }, () => carol.get("user_account"));
    const taken = (await Promise.all(reads)).filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1000 - 100 - 2); // the code for the token, and the boards
    expect((await carol.post("pins", {})).status).toBe(429);
  });
});
