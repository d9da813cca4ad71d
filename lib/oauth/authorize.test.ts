import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { POST as signInForm } from "@/app/sign-in/route";
import { db, users } from "../db";
import { env } from "../env";
import { newOwner, sessionCookie } from "../testing";
import { createUser, setSuspended } from "../users";
import { createApplication, suspendApplication } from ".";
import { broughtBack, decide, formOn, newClient, open, queryFrom, queryOf, REDIRECT, submit } from "./testing";

describe("any other error is sent to the application with its state and the issuer", () => {
  const OK = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  test.each<[when: string, change: { [name: string]: string | undefined }, error: string]>([
    ["no response_type", { response_type: undefined }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["an additional ID token", { response_type: "code id_token" }, "unsupported_response_type"],
    ["another response_mode", { response_mode: "form_post" }, "invalid_request"],
    ["no scope", { scope: undefined }, "invalid_scope"],
    ["an empty scope", { scope: "" }, "invalid_scope"],
    ["an unknown scope", { scope: "service-api/posts.read service-api/root" }, "invalid_scope"],
    ["the scope account, which is only for personal tokens", { scope: "service-api/account" }, "invalid_scope"],
    ["a scope without its prefix", { scope: "posts.read" }, "invalid_scope"],
    ["another audience", { audience: "https://elsewhere.example" }, "invalid_target"],
    ["another resource", { resource: "https://elsewhere.example" }, "invalid_target"],
    ["A4: a plain challenge", { code_challenge: OK, code_challenge_method: "plain" }, "invalid_request"],
    ["A4: a challenge without method, which means plain", { code_challenge: OK }, "invalid_request"],
    ["A4: a method without challenge", { code_challenge_method: "S256" }, "invalid_request"],
    ["A4: a short challenge", { code_challenge: "abc", code_challenge_method: "S256" }, "invalid_request"],
    ["an unknown prompt", { prompt: "login" }, "invalid_request"],
    ["prompt=none", { prompt: "none" }, "consent_required"],
    ["a request object", { request: "eyJ" }, "request_not_supported"],
    ["a request by reference", { request_uri: "https://evil.example" }, "request_uri_not_supported"],
    ["a character that cannot be stored", { nonce: "\0" }, "invalid_request"],
  ])("%s", async (_, change, error) => {
    const client = await newClient();
    const answer = await open(queryOf(client, change), await sessionCookie(await newOwner()));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(/^https:\/\/app\.example\.com\/callback\?/);
    expect(Object.fromEntries(broughtBack(answer))).toEqual({
      error,
      error_description: expect.any(String),
      iss: env.authUrl,
      state: "opaque state/+%",
    });
  });

  test("A13: rejects a repeated parameter; a repeated state is not returned", async () => {
    const query = queryOf(await newClient());
    const twice = broughtBack(await open(`${query}&scope=service-api%2Fapi`));
    expect([twice.get("error"), twice.get("state")]).toEqual(["invalid_request", "opaque state/+%"]);
    const states = broughtBack(await open(`${query}&state=other`));
    expect([states.get("error"), states.has("state")]).toEqual(["invalid_request", false]);
  });

  test("prompt=none without a session is login_required", async () => {
    expect(broughtBack(await open(queryOf(await newClient(), { prompt: "none" }))).get("error")).toBe("login_required");
  });

  test("A4: a public application must use PKCE", async () => {
    const { clientId } = await createApplication("Phone", [REDIRECT], { isPublic: true });
    const client = { clientId, clientSecret: "", redirectUri: REDIRECT };
    expect(broughtBack(await open(queryOf(client))).get("error")).toBe("invalid_request");
  });
});

describe("the consent page", () => {
  test("requires signing in first, and then continues with the same request", async () => {
    const query = queryOf(await newClient());
    const answer = await open(query);
    const to = new URL(answer.headers.get("location") ?? "");
    expect([answer.status, to.pathname]).toEqual([303, "/sign-in"]);
    expect(to.searchParams.get("callbackUrl")).toBe(`/authorize?${query}`);
  });

  test("shows the application, the scopes and the account, and escapes every value of the request", async () => {
    const { clientId } = await createApplication('<script>alert("x")</script>', [REDIRECT]);
    const client = { clientId, clientSecret: "", redirectUri: REDIRECT };
    const answer = await open(queryOf(client, { state: '"><script>' }), await sessionCookie(await newOwner()));
    const markup = await answer.text();
    expect(answer.status).toBe(200);
    expect(markup).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; wants to use your Carillon account");
    expect(markup).toMatch(/signed in as <strong>[\w-]+@example\.com/);
    expect(markup).toContain(
      "Publish, schedule, change and delete posts in your name, add feeds whose items become posts, and share posts for review.",
    );
    expect(markup).toContain("app.example.com");
    expect(markup).not.toContain("<script");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(answer.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example.com;");
  });

  test("names whoever registered the application, says that it was not reviewed, and explains its scopes", async () => {
    const cookie = await sessionCookie(await newOwner());
    const pageOf = async (clientId: string, scope: string) =>
      (await open(queryOf({ clientId, clientSecret: "", redirectUri: REDIRECT }, { scope }), cookie)).text();
    const operators = await pageOf((await newClient()).clientId, "service-api/api");
    expect(operators).toContain("<strong>The operator of this service</strong> registered this application");
    expect(operators).toContain("has not reviewed it");
    expect(operators).toContain("It cannot delete your Carillon account, export all of your data, sign you out");
    const ownerId = await newOwner("Ada <b>");
    const { clientId } = await createApplication("Planner", [REDIRECT], { isPublic: false, ownerId });
    // Such an owner cannot register an application, but the page must still not show an address that is not confirmed.
    await db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, ownerId));
    const unconfirmed = await pageOf(clientId, "service-api/posts.read");
    expect(unconfirmed).toContain("The Carillon user “Ada &lt;b&gt;” (email address not confirmed)");
    await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, ownerId));
    const [owner] = await db.select().from(users).where(eq(users.id, ownerId));
    expect(await pageOf(clientId, "service-api/posts.read")).toContain(`“Ada &lt;b&gt;” (${owner?.email})`);
  });

  test.each(["allow", "deny"])("A12: %s redirects with state and issuer", async (decision) => {
    const client = await newClient("https://app.example.com/callback?keep=this");
    const answer = await decide(queryOf(client), await newOwner(), decision);
    expect(answer.status).toBe(303);
    expect(Object.fromEntries(broughtBack(answer))).toEqual({
      keep: "this",
      state: "opaque state/+%",
      iss: env.authUrl,
      ...(decision === "allow"
        ? { code: expect.stringMatching(/^[\w-]{43}$/) }
        : { error: "access_denied", error_description: expect.any(String) }),
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test.each(["a+b%20c", "%FF%00", "%0D%0Aline", "%E2%82%AC", "a%2526b", "=&x=y", ""])(
    "A12: returns the state unchanged: %s",
    async (state) => {
      const query = `${queryOf(await newClient(), { state: undefined })}&state=${state.split("&")[0]}`;
      const location = (await decide(query, await newOwner(), "deny")).headers.get("location");
      expect(location?.endsWith(`&state=${state.split("&")[0]}`)).toBe(true);
    },
  );

  test("returns no state if there was none", async () => {
    const answer = await decide(queryOf(await newClient(), { state: undefined }), await newOwner());
    expect([...broughtBack(answer).keys()]).toEqual(["code", "iss"]);
  });

  test("keeps a custom scheme and a loopback port", async () => {
    for (const uri of ["com.example.app:/cb", "http://[::1]:4123/cb"]) {
      const answer = await decide(queryOf(await newClient(uri)), await newOwner());
      expect(answer.headers.get("location")?.startsWith(`${uri}?code=`)).toBe(true);
    }
  });

  test("403 for a suspended person, before and after the page, and for a suspended application", async () => {
    const [client, owner] = [await newClient(), await newOwner()];
    const cookie = await sessionCookie(owner);
    const form = await formOn(await open(queryOf(client), cookie));
    await setSuspended(owner, true);
    expect((await open(queryOf(client), cookie)).status).toBe(403);
    expect((await submit({ ...form, decision: "allow" }, cookie)).status).toBe(403);
    await setSuspended(owner, false);
    await suspendApplication(client.clientId, true);
    for (const answer of [await open(queryOf(client), cookie), await submit({ ...form, decision: "allow" }, cookie)]) {
      expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    }
  });
});

describe("A12: the form is valid only for its own session and request", () => {
  test.each<[when: string, change: (form: { [name: string]: string }) => object]>([
    ["no token", ({ csrf: _, ...form }) => form],
    ["an empty token", (form) => ({ ...form, csrf: "" })],
    ["a made-up token", (form) => ({ ...form, csrf: "9999999999.abcd.xxxx" })],
    ["an expired token", (form) => ({ ...form, csrf: form.csrf?.replace(/^\d+/, "1000000000") })],
    ["a token with a later expiry", (form) => ({ ...form, csrf: form.csrf?.replace(/^\d+/, "9999999999") })],
    ["a wider scope", (form) => ({ ...form, request: form.request?.replace("posts.read", "api") })],
    ["another state", (form) => ({ ...form, request: form.request?.replace("state=opaque", "state=other") })],
  ])("403 for %s", async (_, change) => {
    const cookie = await sessionCookie(await newOwner());
    const form = await formOn(await open(queryOf(await newClient()), cookie));
    const answer = await submit({ ...change(form), decision: "allow" }, cookie);
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  });

  test("403 in another person's session, and in another session of the same person", async () => {
    const owner = await newOwner();
    const form = await formOn(await open(queryOf(await newClient()), await sessionCookie(owner)));
    for (const cookie of [await sessionCookie(await newOwner()), await sessionCookie(owner)]) {
      expect((await submit({ ...form, decision: "allow" }, cookie)).status).toBe(403);
    }
  });

  test.each<{ [name: string]: string }>([
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("403 for a form from another site: %j", async (headers) => {
    const cookie = await sessionCookie(await newOwner());
    const form = await formOn(await open(queryOf(await newClient()), cookie));
    expect((await submit({ ...form, decision: "allow" }, cookie, headers)).status).toBe(403);
  });

  test("redirects to sign-in without a session; 400 for an invalid decision or an oversized form", async () => {
    const cookie = await sessionCookie(await newOwner());
    const form = await formOn(await open(queryOf(await newClient()), cookie));
    expect((await submit({ ...form, decision: "allow" })).headers.get("location")).toContain("/sign-in?");
    expect((await submit(form, cookie)).status).toBe(400);
    expect((await submit({ ...form, decision: "perhaps" }, cookie)).status).toBe(400);
    expect((await submit({}, cookie)).status).toBe(400);
    expect((await submit({ ...form, decision: "allow", more: "x".repeat(70_000) }, cookie)).status).toBe(400);
  });
});

test("400, not 500, for an oversized or malformed request", async () => {
  const client = await newClient();
  expect((await open(queryOf(client, { state: "x".repeat(9000) }))).status).toBe(400);
  expect((await open(queryFrom({ client_id: "%", redirect_uri: "%" }))).status).toBe(400);
});

test("A12: signing in starts a new session, whatever cookie the browser sent", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  await createUser({ email, password: "a long password" });
  const planted = await sessionCookie(await newOwner());
  const body = new URLSearchParams({ email, password: "a long password", callbackUrl: "/" });
  const signIn = () =>
    signInForm(new Request(`${env.appUrl}/sign-in`, { method: "POST", body, headers: { cookie: planted } }));
  const cookies = await Promise.all([signIn(), signIn()].map(async (answer) => sessionOn(await answer)));
  expect(new Set([...cookies, planted]).size).toBe(3);
  const form = await formOn(await open(queryOf(await newClient()), cookies[0]));
  expect((await submit({ ...form, decision: "deny" }, cookies[1])).status).toBe(403);
  expect((await submit({ ...form, decision: "deny" }, cookies[0])).status).toBe(303);
});

function sessionOn(answer: Response): string {
  const cookie = answer.headers.getSetCookie().find((one) => one.includes("session-token"));
  return cookie?.split(";")[0] ?? "";
}
