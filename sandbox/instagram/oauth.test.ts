import { describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { authorizeUrl, codeFor, connect, errorOf, exchange, graph, redeem, refresh } from "./testing";

const sandbox = testSandbox();

test("Allow redirects with the code and #_, Deny with Meta's three error parameters", async () => {
  const allowed = await decide(authorizeUrl(sandbox), "allow");
  expect([allowed.searchParams.get("state"), allowed.hash]).toEqual(["st", "#_"]);
  const denied = await decide(authorizeUrl(sandbox), "deny");
  expect(denied.search).toBe(
    "?error=access_denied&error_reason=user_denied&error_description=The+user+denied+your+request&state=st",
  );
});

test("shows Instagram's error page for an unknown client id", async () => {
  const page = await fetch(authorizeUrl(sandbox, { client_id: "123" }));
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining("Invalid platform app")]);
});

describe("tokens", () => {
  test("user_id in the token response is a JSON number above 2^53 and not the account's id", async () => {
    const text = await (await redeem(sandbox, await codeFor(sandbox))).text();
    const [, userId = "0"] = /"user_id":(\d+),/.exec(text) ?? [];
    expect(BigInt(userId)).toBeGreaterThan(2n ** 53n);
    const me = await (
      await graph(sandbox, JSON.parse(text).access_token).get(
        "me?fields=id,user_id,username,name,account_type,profile_picture_url",
      )
    ).json();
    expect(me).toMatchObject({ id: userId, username: "alice", name: "Alice", account_type: "Business" });
    expect(me.user_id).not.toBe(me.id);
    expect((await fetch(me.profile_picture_url)).headers.get("content-type")).toBe("image/jpeg");
  });

  test.each<{ when: string; changed: Record<string, string> }>([
    { when: "another redirect URI", changed: { redirect_uri: "http://localhost:3000/other" } },
    { when: "another secret", changed: { client_secret: "guess" } },
    { when: "an unknown code", changed: { code: "made-up" } },
  ])("rejects $when in the flat error format", async ({ changed }) => {
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

  test("exchanges a short-lived token only while it is valid", async () => {
    const { access_token: short } = await (await redeem(sandbox, await codeFor(sandbox))).json();
    expect(await (await exchange(sandbox, short)).json()).toMatchObject({
      token_type: "bearer",
      expires_in: 5_184_000,
    });
    await sandbox.advance(3601);
    expect(await errorOf(await exchange(sandbox, short))).toEqual([400, 190, 463]);
  });

  test("refreshes a long-lived token after one day and within sixty, for another sixty days", async () => {
    const long = await connect(sandbox);
    expect((await refresh(sandbox, long)).status).toBe(400);
    await sandbox.advance(86_401);
    const { access_token: next } = await (await refresh(sandbox, long)).json();
    await sandbox.advance(59.5 * 86_400);
    expect(await errorOf(await refresh(sandbox, long))).toEqual([400, 190, 463]);
    expect((await graph(sandbox, next).get("me")).status).toBe(200);
    expect((await refresh(sandbox, next)).status).toBe(200);
  });

  test("revoke_token responds with 190/458 and revokes the token", async () => {
    const ig = graph(sandbox, await connect(sandbox, "bob"));
    await sandbox.fault({ network: "instagram", operation: "profile", fault: "revoke_token" });
    expect(await errorOf(await ig.get("me"))).toEqual([400, 190, 458]);
    expect(await errorOf(await ig.get("me"))).toEqual([400, 190, 463]);
  });

  test("rejects publishing without its scope", async () => {
    const ig = graph(sandbox, await connect(sandbox, "carol", { scope: "instagram_business_basic" }));
    expect(await errorOf(await ig.post("me/media", { image_url: "http://localhost/a.jpg" }))).toEqual([
      400,
      10,
      undefined,
    ]);
  });
});
