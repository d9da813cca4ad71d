import { describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import {
  api,
  authorizeUrl,
  CLIENT,
  codeFor,
  connect,
  errorOf,
  redeem,
  SCOPES,
  tokenCall,
  UPLOAD_ONLY,
} from "./testing";

const sandbox = testSandbox();

describe("the consent page", () => {
  test("redirects with state, code and scope on Allow, with access_denied on Deny", async () => {
    const allowed = (await decide(authorizeUrl(sandbox), "allow")).searchParams;
    expect([allowed.get("state"), allowed.get("scope"), allowed.get("code")]).toEqual([
      "st",
      SCOPES,
      expect.stringMatching(/^4\//),
    ]);
    const denied = (await decide(authorizeUrl(sandbox), "deny")).searchParams;
    expect(Object.fromEntries(denied)).toEqual({ error: "access_denied", state: "st" });
  });

  test.each<[string, Record<string, string>]>([
    ["another client", { client_id: "other" }],
    ["a redirect URI over plain http", { redirect_uri: "http://example.com/cb" }],
    ["another response type", { response_type: "token" }],
    ["an unknown scope", { scope: "https://www.googleapis.com/auth/everything" }],
    ["comma-separated scopes", { scope: SCOPES.replace(" ", ",") }],
    ["an unknown prompt", { prompt: "always" }],
  ])("shows Google's error page for %s", async (_, changed) => {
    expect((await fetch(authorizeUrl(sandbox, changed))).status).toBe(400);
  });
});

describe("tokens", () => {
  test("last one hour, and a refresh does not rotate the refresh token", async () => {
    const first = await connect(sandbox);
    expect(first).toEqual({
      access_token: expect.any(String),
      expires_in: 3599,
      refresh_token: expect.stringMatching(/^1\/\//),
      scope: SCOPES,
      token_type: "Bearer",
    });
    const { refresh_token } = first;
    for (const _ of [1, 2]) {
      const answer = await (await tokenCall(sandbox, { grant_type: "refresh_token", refresh_token })).json();
      expect(Object.keys(answer).sort()).toEqual(["access_token", "expires_in", "scope", "token_type"]);
    }
  });

  test.each<[string, Record<string, string>, boolean]>([
    ["offline, for the first time", { prompt: "" }, true],
    ["offline, again", { prompt: "" }, false],
    ["offline, again, consent forced", { prompt: "consent select_account" }, true],
    ["online", { access_type: "online" }, false],
  ])("decides about a refresh token: %s", async (_, changed, isThere) => {
    expect("refresh_token" in (await connect(sandbox, "carol", changed))).toBe(isThere);
  });

  test.each<[string, Record<string, string>, [number, string]]>([
    ["another redirect URI", { redirect_uri: "http://localhost:3000/other" }, [400, "redirect_uri_mismatch"]],
    ["another secret", { client_secret: "guess" }, [401, "invalid_client"]],
    ["an unknown code", { code: "4/made-up" }, [400, "invalid_grant"]],
    ["another verifier", { code_verifier: "w".repeat(43) }, [400, "invalid_grant"]],
    ["an unknown grant type", { grant_type: "password" }, [400, "unsupported_grant_type"]],
  ])("rejects %s", async (_, changed, refusal) => {
    expect(await errorOf(await redeem(sandbox, await codeFor(sandbox), changed))).toEqual(refusal);
  });

  test("a code is single-use", async () => {
    const code = await codeFor(sandbox);
    expect((await redeem(sandbox, code)).status).toBe(200);
    expect(await errorOf(await redeem(sandbox, code))).toEqual([400, "invalid_grant"]);
  });

  test("revoking either token revokes both; an unknown token is rejected", async () => {
    const revoke = (token: string) =>
      fetch(`${sandbox.url}/youtube/revoke`, { method: "POST", body: new URLSearchParams({ token }) });
    for (const which of ["access_token", "refresh_token"]) {
      const tokens = await connect(sandbox);
      expect((await revoke(tokens[which])).status).toBe(200);
      const { refresh_token } = tokens;
      expect(
        await errorOf(await tokenCall(sandbox, { ...CLIENT, grant_type: "refresh_token", refresh_token })),
      ).toEqual([400, "invalid_grant"]);
      expect((await revoke(tokens[which])).status).toBe(400);
    }
  });
});

describe("channels", () => {
  test("mine=true returns the requested parts", async () => {
    const alice = await api(sandbox, "alice");
    const { items } = await (await alice.get("channels?part=id,snippet&mine=true")).json();
    expect(items).toMatchObject([
      { id: expect.stringMatching(/^UC/), snippet: { title: "Alice", customUrl: "@alice" } },
    ]);
    expect(items[0]).not.toHaveProperty("status");
    expect((await alice.get("channels?mine=true")).status).toBe(400);
  });

  test("an account without a channel has no items and cannot upload", async () => {
    await sandbox.control("POST", "youtube/channel", { account: "empty", exists: false });
    const empty = await api(sandbox, "empty");
    expect(await (await empty.get("channels?part=id&mine=true")).json()).not.toHaveProperty("items");
    expect(await errorOf(await empty.open())).toEqual([401, "youtubeSignupRequired"]);
  });

  test("the upload scope cannot read, and an expired token returns 401 with its header", async () => {
    const bob = await api(sandbox, "bob", { scope: UPLOAD_ONLY });
    expect(await errorOf(await bob.get("channels?part=id&mine=true"))).toEqual([403, "insufficientPermissions"]);
    expect(await errorOf(await bob.get("videos?part=id&id=x"))).toEqual([403, "insufficientPermissions"]);
    expect((await bob.open()).status).toBe(200);
    const alice = await api(sandbox, "alice");
    await sandbox.advance(3600);
    const dead = await alice.get("channels?part=id&mine=true");
    expect(dead.headers.get("www-authenticate")).toContain("invalid_token");
    expect(await errorOf(dead)).toEqual([401, "authError"]);
  });
});
