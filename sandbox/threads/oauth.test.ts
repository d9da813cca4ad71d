import { describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { authorizeUrl, codeFor, connect, errorOf, exchange, graph, redeem, refresh } from "./testing";

const sandbox = testSandbox();

test("Allow redirects with the code and #_, Deny with three error parameters", async () => {
  const allowed = await decide(authorizeUrl(sandbox), "allow");
  expect([allowed.searchParams.get("state"), allowed.hash]).toEqual(["st", "#_"]);
  const denied = await decide(authorizeUrl(sandbox), "deny");
  expect(denied.search).toBe(
    "?error=access_denied&error_reason=user_denied&error_description=The+user+denied+your+request&state=st",
  );
});

test.each([
  ["the Meta app's id", { client_id: "123" }],
  ["a redirect URI over plain http", { redirect_uri: "http://example.com/cb" }],
  ["an unknown scope", { scope: "threads_everything" }],
  ["no response type", { response_type: "" }],
])("shows an error page without redirecting for %s", async (_, changed) => {
  expect((await fetch(authorizeUrl(sandbox, changed), { redirect: "manual" })).status).toBe(400);
});

describe("tokens", () => {
  test("user_id is a JSON number above 2^53, and a string in /me", async () => {
    const text = await (await redeem(sandbox, await codeFor(sandbox))).text();
    const [, userId = "0"] = /"user_id":(\d{17})\}/.exec(text) ?? [];
    expect(BigInt(userId)).toBeGreaterThan(2n ** 53n);
    expect(await (await graph(sandbox, JSON.parse(text).access_token).get("me?fields=id")).json()).toEqual({
      id: userId,
    });
  });

  test.each([
    ["another redirect URI", { redirect_uri: "http://localhost:3000/other" }],
    ["another secret", { client_secret: "guess" }],
    ["an unknown code", { code: "made-up" }],
  ])("rejects %s in the flat error format", async (_, changed) => {
    const answer = await redeem(sandbox, await codeFor(sandbox), changed);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error_type: "OAuthException", code: 400, error_message: expect.any(String) },
    ]);
  });

  test("a code is single-use and expires after an hour", async () => {
    const used = await codeFor(sandbox);
    expect((await redeem(sandbox, used)).status).toBe(200);
    expect((await (await redeem(sandbox, used)).json()).error_message).toBe(
      "Matching code was not found or was already used",
    );
    const old = await codeFor(sandbox);
    await sandbox.advance(3601);
    expect((await redeem(sandbox, old)).status).toBe(400);
  });

  test("exchanges a short-lived token only while it is valid, and never a long-lived one", async () => {
    const { access_token: short } = await (await redeem(sandbox, await codeFor(sandbox))).json();
    const long = await (await exchange(sandbox, short)).json();
    expect(long).toMatchObject({ token_type: "bearer", expires_in: 5_184_000 });
    expect((await (await exchange(sandbox, long.access_token)).json()).error.message).toContain("Session key invalid");
    await sandbox.advance(3601);
    expect(await errorOf(await exchange(sandbox, short))).toEqual([401, 190, 463]);
  });

  test("refreshes a long-lived token after one day and within sixty, for another sixty days", async () => {
    const long = await connect(sandbox);
    expect((await refresh(sandbox, long)).status).toBe(400);
    await sandbox.advance(86_401);
    const { access_token: next } = await (await refresh(sandbox, long)).json();
    expect(next).not.toBe(long);
    await sandbox.advance(59.5 * 86_400);
    expect(await errorOf(await refresh(sandbox, long))).toEqual([401, 190, 463]);
    expect((await graph(sandbox, next).get("me")).status).toBe(200);
  });

  test("debug_token shows the scopes of a token to the same application", async () => {
    const api = graph(sandbox, await connect(sandbox, "carol", { scope: "threads_basic" }));
    const token = await connect(sandbox, "carol", { scope: "threads_basic" });
    const answer = await (await api.get(`debug_token?input_token=${token}`)).json();
    expect(answer.data).toMatchObject({ type: "USER", is_valid: true, scopes: ["threads_basic"] });
    expect(await errorOf(await api.post("me/threads", { media_type: "TEXT", text: "a" }))).toEqual([
      403,
      10,
      undefined,
    ]);
  });

  test("every call needs threads_basic", async () => {
    const { access_token: token } = await (
      await redeem(sandbox, await codeFor(sandbox, "dora", { scope: "threads_content_publish" }))
    ).json();
    const posted = graph(sandbox, token).post("me/threads", { media_type: "TEXT", text: "a" });
    expect(await errorOf(await posted)).toEqual([403, 10, undefined]);
  });

  test("revoke_token responds with 190/458 and revokes the token", async () => {
    const api = graph(sandbox, await connect(sandbox, "bob"));
    await sandbox.fault({ network: "threads", operation: "profile", fault: "revoke_token" });
    expect(await errorOf(await api.get("me"))).toEqual([401, 190, 458]);
    expect(await errorOf(await api.get("me"))).toEqual([401, 190, 463]);
  });
});
