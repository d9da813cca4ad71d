import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { api, authorizeUrl, CLIENT, codeFor, connect, errorOf, redeem, SCOPES, tokenCall } from "./testing";

const sandbox = testSandbox();

describe("the consent page", () => {
  test("redirects with code, scopes and state on Allow, with the error and state on Deny", async () => {
    const allowed = (await decide(authorizeUrl(sandbox), "allow")).searchParams;
    expect([allowed.get("state"), allowed.get("scopes")]).toEqual(["st", SCOPES]);
    expect(allowed.get("code")).toMatch(/[*!]/);
    const denied = (await decide(authorizeUrl(sandbox), "deny")).searchParams;
    expect(Object.fromEntries(denied)).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "st",
    });
  });

  test.each<[string, Record<string, string>]>([
    ["client_id instead of client_key", { client_key: "", client_id: "sandbox-tiktok" }],
    ["space-separated scopes", { scope: SCOPES.replaceAll(",", " ") }],
    ["an unknown scope", { scope: "video.publish,everything" }],
    ["a redirect URI over plain http", { redirect_uri: "http://example.com/cb" }],
    ["a redirect URI with a query", { redirect_uri: "https://example.com/cb?a=1" }],
    ["a redirect URI with a fragment", { redirect_uri: "https://example.com/cb#a" }],
    ["a redirect URI of 512 characters", { redirect_uri: `https://example.com/${"a".repeat(492)}` }],
    ["another response type", { response_type: "token" }],
  ])("shows TikTok's error page for %s", async (_, changed) => {
    expect((await fetch(authorizeUrl(sandbox, changed))).status).toBe(400);
  });

  test("paths without a trailing slash return 404", async () => {
    const url = new URL(authorizeUrl(sandbox));
    url.pathname = url.pathname.slice(0, -1);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe("tokens", () => {
  test("are returned flat and with prefixes, and last two hours and 180 days", async () => {
    expect(await connect(sandbox)).toEqual({
      access_token: expect.stringMatching(/^act\./),
      expires_in: 7200,
      open_id: expect.any(String),
      refresh_expires_in: 15_552_000,
      refresh_token: expect.stringMatching(/^rft\./),
      scope: SCOPES,
      token_type: "Bearer",
      log_id: expect.any(String),
    });
  });

  test("rejects a JSON body", async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(CLIENT) };
    expect(await errorOf(await fetch(`${sandbox.url}/tiktok/v2/oauth/token/`, init))).toEqual([400, "invalid_request"]);
  });

  test.each<[string, Record<string, string>, [number, string]]>([
    ["another redirect URI", { redirect_uri: "http://localhost:3000/other" }, [400, "invalid_request"]],
    ["another secret", { client_secret: "guess" }, [401, "invalid_client"]],
    ["an unknown code", { code: "made-up" }, [400, "invalid_grant"]],
    ["an unknown grant type", { grant_type: "password" }, [400, "unsupported_grant_type"]],
  ])("rejects %s", async (_, changed, refusal) => {
    expect(await errorOf(await redeem(sandbox, await codeFor(sandbox), changed))).toEqual(refusal);
  });

  test("a used refresh token is invalid at once, reported with HTTP 200", async () => {
    const { refresh_token } = await connect(sandbox);
    const refresh = () => tokenCall(sandbox, { grant_type: "refresh_token", refresh_token });
    expect((await (await refresh()).json()).refresh_token).not.toBe(refresh_token);
    const again = await refresh();
    expect([again.status, await again.json()]).toEqual([
      200,
      { error: "invalid_grant", error_description: expect.any(String), log_id: expect.any(String) },
    ]);
  });

  test("an access token expires after two hours", async () => {
    const alice = await api(sandbox, "alice");
    expect((await alice.get("user/info/?fields=open_id")).status).toBe(200);
    await sandbox.advance(7201);
    expect(await errorOf(await alice.get("user/info/?fields=open_id"))).toEqual([401, "access_token_invalid"]);
  });

  test("revoking the access token revokes the refresh token too", async () => {
    const { access_token: token, refresh_token } = await connect(sandbox);
    const body = new URLSearchParams({ ...CLIENT, token });
    const answer = await fetch(`${sandbox.url}/tiktok/v2/oauth/revoke/`, { method: "POST", body });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    const refreshed = await tokenCall(sandbox, { grant_type: "refresh_token", refresh_token });
    expect(await errorOf(refreshed)).toEqual([200, "invalid_grant"]);
  });
});

describe("PKCE of a desktop application", () => {
  const verifier = "v".repeat(50);
  const hash = (encoding: "hex" | "base64url") => createHash("sha256").update(verifier).digest(encoding);
  const withChallenge = (code_challenge: string) =>
    codeFor(sandbox, "alice", { code_challenge, code_challenge_method: "S256" });

  test("accepts a challenge in hex", async () => {
    const code = await withChallenge(hash("hex"));
    expect((await redeem(sandbox, code, { code_verifier: verifier })).status).toBe(200);
  });

  test("rejects a challenge in base64url, and a missing verifier", async () => {
    const encoded = await withChallenge(hash("base64url"));
    expect(await errorOf(await redeem(sandbox, encoded, { code_verifier: verifier }))).toEqual([
      400,
      "invalid_request",
    ]);
    expect((await redeem(sandbox, await withChallenge(hash("hex")))).status).toBe(400);
  });

  test("a web application needs no verifier", async () => {
    const redirect_uri = "https://example.com/callback/";
    const code = await codeFor(sandbox, "alice", { redirect_uri, code_challenge: "x", code_challenge_method: "S256" });
    expect((await redeem(sandbox, code, { redirect_uri })).status).toBe(200);
  });
});

describe("user/info", () => {
  test("returns the requested fields and a log_id", async () => {
    const alice = await api(sandbox, "alice");
    expect(await (await alice.get("user/info/?fields=open_id,username,display_name")).json()).toEqual({
      data: { user: { open_id: expect.any(String), username: "alice", display_name: "Alice" } },
      error: { code: "ok", message: "", log_id: expect.any(String) },
    });
    expect(await errorOf(await alice.get("user/info/"))).toEqual([400, "invalid_params"]);
  });

  test("rejects fields outside the granted scopes", async () => {
    const basic = await api(sandbox, "bob", { scope: "user.info.basic" });
    expect((await basic.get("user/info/?fields=open_id")).status).toBe(200);
    expect(await errorOf(await basic.get("user/info/?fields=username"))).toEqual([401, "scope_not_authorized"]);
    expect(await errorOf(await basic.creator())).toEqual([401, "scope_not_authorized"]);
  });
});

test.each(["token", "refresh"])("the invalid_grant fault on %s uses TikTok's format", async (operation) => {
  const { refresh_token } = await connect(sandbox);
  const code = await codeFor(sandbox);
  await sandbox.fault({ network: "tiktok", operation, fault: "invalid_grant" });
  const answer =
    operation === "token"
      ? await redeem(sandbox, code)
      : await tokenCall(sandbox, { grant_type: "refresh_token", refresh_token });
  expect((await answer.json()).error).toBe("invalid_grant");
});
