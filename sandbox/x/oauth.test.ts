import { describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { authorizeUrl, codeFor, connect, redeem, SCOPES, session, sessionWith, tokenCall } from "./testing";

const sandbox = testSandbox();

describe("consent", () => {
  test("the page is a form with the default users and two buttons", async () => {
    const page = await fetch(authorizeUrl(sandbox));
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(text).toContain("Sandbox X");
    for (const name of ["alice", "bob", "carol", "dave"]) expect(text).toContain(`name="account" value="${name}"`);
    for (const decision of ["allow", "deny"]) expect(text).toContain(`name="decision" value="${decision}"`);
  });

  test("the query is HTML-escaped", async () => {
    const text = await (await fetch(authorizeUrl(sandbox, { state: '"><script>alert(1)</script>' }))).text();
    expect(text).not.toContain("<script>");
  });

  test("Allow redirects with state and code, Deny with the error and the state", async () => {
    const allowed = await decide(authorizeUrl(sandbox), "allow");
    expect([...allowed.searchParams.keys()]).toEqual(["code", "state"]);
    const denied = await decide(authorizeUrl(sandbox), "deny");
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: "access_denied", state: "s&1" });
  });

  test.each<{ when: string; changed: Record<string, string> }>([
    { when: "an unknown client", changed: { client_id: "other" } },
    { when: "a redirect URI over plain http", changed: { redirect_uri: "http://example.com/cb" } },
    { when: "an unknown scope", changed: { scope: "tweet.read everything" } },
    { when: "no state", changed: { state: "" } },
    { when: "no challenge", changed: { code_challenge: "" } },
    { when: "another response type", changed: { response_type: "token" } },
  ])("shows X's error page without redirecting for $when", async ({ changed }) => {
    const page = await fetch(authorizeUrl(sandbox, changed), { redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expect(await page.text()).toContain("Something went wrong");
  });

  test("rejects an invalid user name with a message", async () => {
    const answer = await fetch(authorizeUrl(sandbox), {
      method: "POST",
      body: new URLSearchParams({ account: "Alice!", decision: "allow" }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Enter a valid name");
  });

  test("the text field takes precedence over the radio buttons and creates new users", async () => {
    const body = new URLSearchParams([
      ["account", "alice"],
      ["account", "erin_9"],
      ["decision", "allow"],
    ]);
    const answer = await fetch(authorizeUrl(sandbox), { method: "POST", redirect: "manual", body });
    const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const { access_token } = await (await redeem(sandbox, code)).json();
    expect(await (await sessionWith(sandbox, access_token).get("users/me")).json()).toMatchObject({
      data: { username: "erin_9", name: "Erin_9" },
    });
  });
});

describe("token", () => {
  test("a code returns both tokens, for two hours, with the granted scopes", async () => {
    expect(await connect(sandbox)).toEqual({
      token_type: "bearer",
      expires_in: 7200,
      access_token: expect.any(String),
      scope: SCOPES,
      refresh_token: expect.any(String),
    });
  });

  test("returns no refresh token without offline.access", async () => {
    expect(await connect(sandbox, "bob", { scope: "tweet.read users.read" })).not.toHaveProperty("refresh_token");
  });

  test.each<{ when: string; changed: Record<string, string> }>([
    { when: "another redirect URI", changed: { redirect_uri: "http://localhost:3000/other" } },
    { when: "another verifier", changed: { code_verifier: "b".repeat(43) } },
  ])("rejects $when with invalid_request", async ({ changed }) => {
    const answer = await redeem(sandbox, await codeFor(sandbox), changed);
    expect([answer.status, (await answer.json()).error]).toEqual([400, "invalid_request"]);
  });

  test("a code is single-use and expires after 30 seconds", async () => {
    const dead = {
      error: "invalid_request",
      error_description: "Value passed for the authorization code was invalid.",
    };
    const used = await codeFor(sandbox);
    expect((await redeem(sandbox, used)).status).toBe(200);
    expect(await (await redeem(sandbox, used)).json()).toEqual(dead);
    const old = await codeFor(sandbox);
    await sandbox.advance(31);
    expect(await (await redeem(sandbox, old)).json()).toEqual(dead);
  });

  test("rejects a confidential client without Basic authentication", async () => {
    const answer = await tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: "x" }, "");
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { error: "unauthorized_client", error_description: "Missing valid authorization header" },
    ]);
  });

  test("a refresh revokes the old tokens at once, and one of two concurrent refreshes fails", async () => {
    const old = await connect(sandbox);
    const both = await Promise.all(
      [1, 2].map(() => tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: old.refresh_token })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await sessionWith(sandbox, old.access_token).get("users/me")).status).toBe(401);
    const refused = await tokenCall(sandbox, { grant_type: "refresh_token", refresh_token: old.refresh_token });
    expect(await refused.json()).toEqual({
      error: "invalid_request",
      error_description: "Value passed for the token was invalid.",
    });
  });

  test("an access token expires after two hours, a revoked one at once", async () => {
    const pair = await connect(sandbox);
    await fetch(`${sandbox.url}/x/2/oauth2/revoke`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from("sandbox-x:sandbox-x-secret").toString("base64")}` },
      body: new URLSearchParams({ token: pair.refresh_token }),
    });
    expect((await sessionWith(sandbox, pair.access_token).get("users/me")).status).toBe(401);
    const x = await session(sandbox);
    await sandbox.advance(7200);
    const late = await x.get("users/me");
    expect([late.status, await late.json()]).toEqual([
      401,
      { title: "Unauthorized", type: "about:blank", status: 401, detail: "Unauthorized" },
    ]);
  });
});

test("users/me returns the requested fields, an id above 2^53 and a working picture URL", async () => {
  const x = await session(sandbox, "carol");
  const { data } = await (await x.get("users/me?user.fields=profile_image_url,subscription_type")).json();
  expect(data).toMatchObject({ username: "carol", name: "Carol", subscription_type: "None" });
  expect(data.id).toMatch(/^\d{19}$/);
  const picture = await fetch(data.profile_image_url);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
});
