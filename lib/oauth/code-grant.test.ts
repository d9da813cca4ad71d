import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { authorizationCodes, db, refreshTokens } from "../db";
import { env } from "../env";
import { challengeOf, randomToken, sha256 } from "../secrets";
import { newOwner, nobody, readResponse } from "../testing";
import { setSuspended } from "../users";
import { createApplication } from ".";
import { apiSays, codeFor, exchange, type IssuedTokens, newClient, REDIRECT, refreshGrant, tokensFor } from "./testing";

const REFUSED = [400, { error: "invalid_grant", error_description: expect.stringMatching(/./) }];
const invalid = (error: string) => [400, { error, error_description: expect.stringMatching(/./) }];

describe("200: a code is exchanged for tokens", () => {
  test("with the request of SPEC and the answer of DECISIONS", async () => {
    const client = await newClient();
    const answer = await exchange(client, await codeFor(client));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await readResponse(answer)).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        scope: "service-api/posts.read service-api/posts.write",
      },
    ]);
  });

  test("the access token acts for the person, within its scopes", async () => {
    const [client, owner] = [await newClient(), await newOwner()];
    const { access_token } = await tokensFor(client, {}, owner);
    const headers = { authorization: `Bearer ${access_token}` };
    expect(await readResponse(nobody.get("/v1/posts", headers))).toEqual([200, { items: [], nextCursor: null }]);
    expect((await nobody.get("/v1/accounts", headers)).status).toBe(403);
    expect((await nobody.get("/v1/posts", { ...headers, "x-connect-user-id": owner })).status).toBe(403);
    expect((await nobody.post("/v1/connect/users", { externalUserId: "x", name: "X" }, headers)).status).toBe(403);
  });

  test("code and refresh token are stored only as hashes", async () => {
    const client = await newClient();
    const code = await codeFor(client);
    const { refresh_token } = (await (await exchange(client, code)).json()) as IssuedTokens;
    const { rows } = await db.execute(sql`
      select (select string_agg(c::text, ' ') from authorization_codes c) || ' ' ||
             (select string_agg(r::text, ' ') from refresh_tokens r) as dump`);
    for (const secret of [code, refresh_token]) {
      expect(String(rows[0]?.dump)).not.toContain(secret);
      expect(String(rows[0]?.dump)).not.toContain(Buffer.from(secret).toString("hex"));
    }
    expect(await db.$count(refreshTokens, eq(refreshTokens.tokenHash, sha256(refresh_token)))).toBe(1);
  });
});

describe("A3: a code works once, for its client and redirect URI, for a minute", () => {
  test("one of 20 concurrent exchanges succeeds", async () => {
    const client = await newClient();
    const code = await codeFor(client);
    const answers = await Promise.all(Array.from({ length: 20 }, () => readResponse(exchange(client, code))));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 200)).toEqual(Array.from({ length: 19 }, () => REFUSED));
  });

  test("a second use is rejected and revokes every token of the grant", async () => {
    const [client, owner] = [await newClient(), await newOwner()];
    const code = await codeFor(client, {}, owner);
    const first = (await (await exchange(client, code)).json()) as IssuedTokens;
    const second = (await (await refreshGrant(client, first.refresh_token)).json()) as IssuedTokens;
    const other = await tokensFor(client, {}, owner);
    expect([await apiSays(first.access_token), await apiSays(second.access_token)]).toEqual([200, 200]);
    expect(await readResponse(exchange(client, code))).toEqual(REFUSED);
    expect([await apiSays(first.access_token), await apiSays(second.access_token)]).toEqual([401, 401]);
    expect(await readResponse(refreshGrant(client, second.refresh_token))).toEqual(REFUSED);
    expect(await apiSays(other.access_token)).toBe(200); // another consent is another grant
  });

  test("it expires after a minute", async () => {
    const client = await newClient();
    const code = await codeFor(client);
    const own = eq(authorizationCodes.codeHash, sha256(code));
    const [row] = await db
      .select({ life: sql<string>`extract(epoch from ${authorizationCodes.expiresAt} - now())` })
      .from(authorizationCodes)
      .where(own);
    expect(Number(row?.life)).toBeGreaterThan(50);
    expect(Number(row?.life)).toBeLessThanOrEqual(60);
    await db.update(authorizationCodes).set({ expiresAt: sql`now()` }).where(own);
    expect(await readResponse(exchange(client, code))).toEqual(REFUSED);
  });

  test("another client is rejected and does not use up the code", async () => {
    const [client, other] = [await newClient(), await newClient()];
    const code = await codeFor(client);
    expect(await readResponse(exchange(other, code))).toEqual(REFUSED);
    expect((await exchange(client, code)).status).toBe(200);
  });

  test.each(["https://app.example.com/callback/", "https://evil.example/", "x"])(
    "another redirect URI (%s) is rejected and uses up the code",
    async (redirect_uri) => {
      const client = await newClient();
      const code = await codeFor(client);
      expect(await readResponse(exchange(client, code, { redirect_uri }))).toEqual(REFUSED);
      expect(await readResponse(exchange(client, code))).toEqual(REFUSED);
    },
  );

  test("the exchange must name the loopback port of the request", async () => {
    const client = await newClient("http://127.0.0.1/cb");
    const redirect_uri = "http://127.0.0.1:5123/cb";
    const code = await codeFor(client, { redirect_uri });
    expect((await exchange(client, code, { redirect_uri })).status).toBe(200);
    expect(await readResponse(exchange(client, await codeFor(client, { redirect_uri })))).toEqual(REFUSED);
  });

  test.each([
    [{ code: undefined }, "invalid_request"],
    [{ code: "" }, "invalid_request"],
    [{ code: "x".repeat(43) }, "invalid_grant"],
    [{ code: "\0" }, "invalid_request"],
    [{ redirect_uri: undefined }, "invalid_request"],
    [{ audience: "https://elsewhere.example" }, "invalid_target"],
  ])("%j: %s", async (change, error) => {
    const client = await newClient();
    expect(await readResponse(exchange(client, await codeFor(client), change))).toEqual(invalid(error));
  });

  test("is rejected for a person who was suspended meanwhile", async () => {
    const [client, owner] = [await newClient(), await newOwner()];
    const code = await codeFor(client, {}, owner);
    await setSuspended(owner, true);
    expect(await readResponse(exchange(client, code))).toEqual(REFUSED);
  });
});

describe("A4: PKCE", () => {
  const verifier = randomToken();
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: "S256" };

  test.each<[when: string, asked: object, code_verifier: string | undefined, status: number]>([
    ["a challenge and its verifier", pkce, verifier, 200],
    ["a challenge, no verifier", pkce, undefined, 400],
    ["a challenge, another verifier", pkce, randomToken(), 400],
    ["a challenge, itself as verifier", pkce, pkce.code_challenge, 400],
    ["a challenge, a short verifier", pkce, "abc", 400],
    ["a verifier, no challenge", {}, verifier, 400],
    ["neither", {}, undefined, 200],
  ])("%s: %s", async (_, asked, code_verifier, status) => {
    const client = await newClient();
    const answer = await readResponse(exchange(client, await codeFor(client, { ...asked }), { code_verifier }));
    expect(status === 200 ? answer[0] : answer).toEqual(status === 200 ? 200 : REFUSED);
  });

  test("a failed check uses up the code", async () => {
    const client = await newClient();
    const code = await codeFor(client, pkce);
    expect(await readResponse(exchange(client, code, { code_verifier: randomToken() }))).toEqual(REFUSED);
    expect(await readResponse(exchange(client, code, { code_verifier: verifier }))).toEqual(REFUSED);
  });

  test("a public application exchanges a code with its verifier only; a secret does not replace it", async () => {
    const { clientId } = await createApplication("Phone", [REDIRECT], { isPublic: true });
    const client = { clientId, clientSecret: "", redirectUri: REDIRECT };
    const open = { client_secret: undefined, code_verifier: verifier };
    expect((await exchange(client, await codeFor(client, pkce), open)).status).toBe(200);
    const secret = { ...open, client_secret: "x" };
    expect((await exchange(client, await codeFor(client, pkce), secret)).status).toBe(401);
  });
});

describe("A5: refresh tokens rotate", () => {
  test("each works once and returns the next one", async () => {
    const client = await newClient();
    const first = await tokensFor(client);
    const answer = await refreshGrant(client, first.refresh_token);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const second = (await answer.json()) as IssuedTokens;
    expect(second).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: first.scope,
    });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect([await apiSays(first.access_token), await apiSays(second.access_token)]).toEqual([200, 200]);
  });

  test("reusing one revokes the grant with its access tokens", async () => {
    const client = await newClient();
    const first = await tokensFor(client);
    const second = (await (await refreshGrant(client, first.refresh_token)).json()) as IssuedTokens;
    expect(await apiSays(second.access_token)).toBe(200);
    expect(await readResponse(refreshGrant(client, first.refresh_token))).toEqual(REFUSED);
    expect(await readResponse(refreshGrant(client, second.refresh_token))).toEqual(REFUSED);
    expect([await apiSays(first.access_token), await apiSays(second.access_token)]).toEqual([401, 401]);
  });

  test("at most one of 20 concurrent refreshes succeeds", async () => {
    const client = await newClient();
    const { refresh_token } = await tokensFor(client);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => readResponse(refreshGrant(client, refresh_token))),
    );
    expect(answers.filter(([status]) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(([status]) => status !== 200 && status !== 400)).toEqual([]);
  });

  test("another client is rejected and changes nothing", async () => {
    const [client, other] = [await newClient(), await newClient()];
    const { refresh_token } = await tokensFor(client);
    expect(await readResponse(refreshGrant(other, refresh_token))).toEqual(REFUSED);
    expect((await refreshGrant(client, refresh_token)).status).toBe(200);
  });

  test("a refresh can narrow the scopes of its access token, but not widen them", async () => {
    const client = await newClient();
    const first = await tokensFor(client);
    const wider = { scope: "service-api/posts.read service-api/accounts.read" };
    expect(await readResponse(refreshGrant(client, first.refresh_token, wider))).toEqual(invalid("invalid_scope"));
    const all = { scope: "service-api/api" };
    expect(await readResponse(refreshGrant(client, first.refresh_token, all))).toEqual(invalid("invalid_scope"));
    const narrow = await refreshGrant(client, first.refresh_token, { scope: "service-api/posts.read" });
    const second = (await narrow.json()) as IssuedTokens;
    expect(second.scope).toBe("service-api/posts.read");
    const post = await nobody.post("/v1/posts", {}, { authorization: `Bearer ${second.access_token}` });
    expect([await apiSays(second.access_token), post.status]).toEqual([200, 403]);
    const third = (await (await refreshGrant(client, second.refresh_token)).json()) as IssuedTokens;
    expect(third.scope).toBe(first.scope);
  });

  test("all expire 90 days after the consent, however often they were refreshed", async () => {
    const client = await newClient();
    const { refresh_token } = await tokensFor(client);
    const { refresh_token: next } = (await (await refreshGrant(client, refresh_token)).json()) as IssuedTokens;
    const own = sql`id = (select grant_id from refresh_tokens where token_hash = ${sha256(next)})`;
    const { rows } = await db.execute(
      sql`select extract(day from expires_at - now()) as days from grants where ${own}`,
    );
    expect(Number(rows[0]?.days)).toBe(89);
    await db.execute(sql`update grants set expires_at = now() where ${own}`);
    expect(await readResponse(refreshGrant(client, next))).toEqual(REFUSED);
  });

  test("a suspended person gets no tokens, and can refresh again after resuming", async () => {
    const [client, owner] = [await newClient(), await newOwner()];
    const { refresh_token } = await tokensFor(client, {}, owner);
    await setSuspended(owner, true);
    expect(await readResponse(refreshGrant(client, refresh_token))).toEqual(REFUSED);
    await setSuspended(owner, false);
    expect((await refreshGrant(client, refresh_token)).status).toBe(200);
  });

  test.each([
    [{ refresh_token: undefined }, "invalid_request"],
    [{ refresh_token: "x" }, "invalid_grant"],
    [{ scope: "service-api/root" }, "invalid_scope"],
    [{ resource: "https://elsewhere.example" }, "invalid_target"],
  ])("%j: %s", async (change, error) => {
    const client = await newClient();
    const { refresh_token } = await tokensFor(client);
    expect(await readResponse(refreshGrant(client, refresh_token, change))).toEqual(invalid(error));
  });

  test("an access token cannot be used as a refresh token, and its audience is only this API", async () => {
    const client = await newClient();
    const { access_token } = await tokensFor(client);
    expect(await readResponse(refreshGrant(client, access_token))).toEqual(REFUSED);
    const claims = JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toMatchObject({ aud: env.baseUrl, iss: env.authUrl, client_id: client.clientId });
  });
});
