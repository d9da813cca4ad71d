import { createHash, randomBytes } from "node:crypto";
import { openBrowser } from "./browser";
import { type Answer, apiOf, type Fields, told } from "./client";
import { bearer, expect, newPartner, onX, PASSWORD, type Service, soon, test, unique } from "./service";
import { expectError, type Tokens } from "./shapes";

const CALLBACK = "https://app.example/callback";
const PREFIX = "service-api/";
const ALL = "accounts.read api media.write posts.read posts.write webhooks.write".split(" ");
type Client = { clientId: string; clientSecret: string };

let client: Client;

test.beforeAll(async ({ service }) => {
  const of = ["--name", "Planner", "--redirect-uri", CALLBACK];
  client = (await service.product.carillon("clients", "create", ...of)) as Client;
});

/** Completes /authorize with forms only: signs in, and allows or denies. Returns the parameters of the redirect. */
async function authorize(service: Service, change: Fields = {}, decision = "allow"): Promise<URLSearchParams> {
  const query = new URLSearchParams({
    client_id: client.clientId,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope: ALL.map((scope) => PREFIX + scope).join(" "),
    state: "kept as it is/+%",
    audience: service.url,
    ...change,
  });
  const { email } = service.person;
  const fields = { email, password: PASSWORD, decision };
  const { address, page } = await openBrowser().follow(`${service.url}/authorize?${query}`, CALLBACK, fields);
  if (!address) throw new Error(`no redirect: ${page?.status} ${page?.html.slice(0, 500)}`);
  return new URL(address).searchParams;
}

/** POST /oauth/token, as JSON. */
function exchange<T = Tokens>(service: Service, fields: object): Promise<Answer<T>> {
  const { clientId: client_id, clientSecret: client_secret } = client;
  return service.anybody.post("/oauth/token", { client_id, client_secret, ...fields });
}

async function tokensFor(service: Service, scope: string): Promise<Tokens> {
  const code = (await authorize(service, { scope })).get("code");
  const { status, body } = await exchange(service, { grant_type: "authorization_code", code, redirect_uri: CALLBACK });
  expect(status).toBe(200);
  return body;
}

const works = async (service: Service, token: string) =>
  (await apiOf(service.url, bearer(token)).get("/v1/accounts")).status;

function expectRefusal(answer: Answer<unknown>, status: number, error: string): void {
  expect([answer.status, answer.body]).toMatchObject([status, { error, error_description: expect.any(String) }]);
}

test.describe("SPEC, Authentication", () => {
  test("/authorize and POST /oauth/token with JSON complete the authorization code flow", async ({ service }) => {
    const back = await authorize(service);
    expect([back.get("state"), back.get("code")]).toEqual(["kept as it is/+%", expect.any(String)]);
    const grant = { grant_type: "authorization_code", code: back.get("code"), redirect_uri: CALLBACK };
    const answer = await exchange(service, grant);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: expect.any(Number),
        refresh_token: expect.any(String),
        scope: expect.stringContaining(`${PREFIX}api`),
      },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await works(service, answer.body.access_token)).toBe(200);
  });

  for (const state of ["a%20b+c", "%FF%00", "~!()*", "%E2%82%AC", "x=y"]) {
    test(`state ${state} is returned character for character`, async ({ service }) => {
      const known = new URLSearchParams({ client_id: client.clientId, redirect_uri: CALLBACK });
      const refused = await openBrowser().open(`${service.url}/authorize?${known}&state=${state}`);
      expect([refused.status, refused.headers.get("location")?.endsWith(`&state=${state}`)]).toEqual([303, true]);
      const whole = `/authorize?${known}&response_type=code&scope=${PREFIX}api&state=${state}`;
      const fields = { email: service.person.email, password: PASSWORD, decision: "deny" };
      const { address } = await openBrowser().follow(service.url + whole, CALLBACK, fields);
      expect(address?.endsWith(`&state=${state}`)).toBe(true);
    });
  }

  test("a code works once, for its client and redirect_uri; after a second use its tokens stop working", async ({
    service,
  }) => {
    const code = (await authorize(service)).get("code");
    const grant = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
    expectRefusal(await exchange(service, { ...grant, redirect_uri: `${CALLBACK}/` }), 400, "invalid_grant");
    const fresh = (await authorize(service)).get("code");
    const { body } = await exchange(service, { ...grant, code: fresh });
    expectRefusal(await exchange(service, { ...grant, code: fresh }), 400, "invalid_grant");
    await expect.poll(() => works(service, body.access_token)).toBe(401);
  });

  test("a denial returns access_denied with the state, and an unknown redirect_uri is never redirected to", async ({
    service,
  }) => {
    const back = await authorize(service, {}, "deny");
    expect([back.get("error"), back.get("state"), back.has("code")]).toEqual([
      "access_denied",
      "kept as it is/+%",
      false,
    ]);
    const query = new URLSearchParams({
      client_id: client.clientId,
      response_type: "code",
      redirect_uri: "https://evil.example/",
    });
    const answer = await openBrowser().open(`${service.url}/authorize?${query}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });

  test("/authorize returns an RFC 6749 error for an unknown scope, response_type or audience", async ({ service }) => {
    for (const [change, error] of [
      [{ scope: "accounts.read" }, "invalid_scope"],
      [{ scope: `${PREFIX}everything` }, "invalid_scope"],
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ audience: "https://another.example" }, "invalid_target"],
      [{ code_challenge: "x", code_challenge_method: "plain" }, "invalid_request"],
    ] as const) {
      expect([error, (await authorize(service, { ...change })).get("error")]).toEqual([error, error]);
    }
  });

  test("a PKCE S256 challenge is verified whenever it is sent", async ({ service }) => {
    const code_verifier = randomBytes(32).toString("base64url");
    const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const asked = { code_challenge, code_challenge_method: "S256" };
    const grant = { grant_type: "authorization_code", redirect_uri: CALLBACK };
    for (const wrong of [{}, { code_verifier: code_verifier.replace(/^./, (first) => (first === "a" ? "b" : "a")) }]) {
      const code = (await authorize(service, asked)).get("code");
      expectRefusal(await exchange(service, { ...grant, code, ...wrong }), 400, "invalid_grant");
    }
    const code = (await authorize(service, asked)).get("code");
    expect((await exchange(service, { ...grant, code, code_verifier })).status).toBe(200);
  });

  test("refresh tokens rotate, and the reuse of a spent one revokes the family", async ({ service }) => {
    const first = await tokensFor(service, `${PREFIX}accounts.read`);
    const refresh = (refresh_token: string) => exchange(service, { grant_type: "refresh_token", refresh_token });
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(second.body.scope).toBe(`${PREFIX}accounts.read`);
    expect(await works(service, second.body.access_token)).toBe(200);
    expectRefusal(await refresh(first.refresh_token), 400, "invalid_grant");
    expectRefusal(await refresh(second.body.refresh_token), 400, "invalid_grant");
    await expect.poll(() => works(service, second.body.access_token)).toBe(401);
  });

  test("client credentials return access_token and expires_in in seconds for JSON and form bodies, with body and HTTP Basic credentials", async ({
    service,
  }) => {
    const { clientId, clientSecret } = service.partner;
    const fields = { grant_type: "client_credentials", audience: service.url };
    const inBody = { client_id: clientId, client_secret: clientSecret };
    const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` };
    const form = (body: Fields, headers: Fields = {}) =>
      service.anybody.send<Tokens>("POST", "/oauth/token", { body: new URLSearchParams(body), headers });
    for (const answer of [
      await service.anybody.post<Tokens>("/oauth/token", { ...fields, ...inBody }),
      await service.anybody.post<Tokens>("/oauth/token", fields, basic),
      await form({ ...fields, ...inBody }),
      await form(fields, basic),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { access_token: expect.any(String), token_type: "Bearer", expires_in: expect.any(Number) },
      ]);
      expect(answer.body).not.toHaveProperty("refresh_token"); // RFC 6749, section 4.4.3
      expect((await apiOf(service.url, bearer(answer.body.access_token)).get("/v1/connect/users")).status).toBe(200);
    }
  });

  test("POST /oauth/token returns error and error_description as in RFC 6749", async ({ service }) => {
    const { clientId: client_id, clientSecret: client_secret } = service.partner;
    const good = { grant_type: "client_credentials", client_id, client_secret, audience: service.url };
    for (const [change, status, error] of [
      [{ client_secret: "wrong" }, 401, "invalid_client"],
      [{ client_id: "nobody" }, 401, "invalid_client"],
      [{ grant_type: "password" }, 400, "unsupported_grant_type"],
      [{ grant_type: undefined }, 400, "invalid_request"],
      [{ grant_type: "authorization_code", code: "c", redirect_uri: CALLBACK }, 400, "unauthorized_client"],
      [{ audience: "https://another.example" }, 400, "invalid_target"],
      [{ scope: "everything" }, 400, "invalid_scope"],
    ] as const) {
      const answer = await service.anybody.post("/oauth/token", { ...good, ...change });
      expectRefusal(answer, status, error);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    const headers = { "content-type": "application/json" };
    expectRefusal(await service.anybody.send("POST", "/oauth/token", { headers, body: "{" }), 400, "invalid_request");
    const wrong = { authorization: `Basic ${Buffer.from(`${client_id}:wrong`).toString("base64")}` };
    const basic = await service.anybody.post("/oauth/token", { grant_type: "client_credentials" }, wrong);
    expectRefusal(basic, 401, "invalid_client");
    expect(basic.headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  test("access tokens are short-lived signed JWTs with aud {base_url}, iss {auth_url}, sub, client_id, scope and jti", async ({
    service,
  }) => {
    const tokens = await tokensFor(service, `${PREFIX}posts.read`);
    const [header, claims] = tokens.access_token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(claims).toMatchObject({
      aud: service.url,
      iss: service.url,
      sub: expect.any(String),
      client_id: client.clientId,
      scope: `${PREFIX}posts.read`,
      jti: expect.any(String),
    });
    expect(claims.exp - claims.iat).toBe(tokens.expires_in);
    expect(tokens.expires_in).toBeLessThanOrEqual(86_400);
    const keys = await service.anybody.get<{ keys: { kid: string; d?: string }[] }>("/.well-known/jwks.json");
    expect(keys.body.keys.map(({ kid }) => kid)).toContain(header.kid);
    for (const key of keys.body.keys) expect(key).not.toHaveProperty("d");
  });

  test("the metadata documents follow RFC 8414 and RFC 9728", async ({ service }) => {
    const { url, anybody } = service;
    expect(await told(anybody.get("/.well-known/oauth-authorization-server"))).toMatchObject([
      200,
      {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/oauth/token`,
        revocation_endpoint: `${url}/oauth/revoke`,
        jwks_uri: `${url}/.well-known/jwks.json`,
        response_types_supported: ["code"],
        grant_types_supported: expect.arrayContaining(["authorization_code", "client_credentials", "refresh_token"]),
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: expect.arrayContaining(["client_secret_basic", "client_secret_post"]),
        scopes_supported: expect.arrayContaining(ALL.map((scope) => PREFIX + scope)),
      },
    ]);
    expect(await told(anybody.get("/.well-known/oauth-protected-resource"))).toMatchObject([
      200,
      { resource: url, authorization_servers: [url] },
    ]);
  });

  test("POST /oauth/revoke returns 200 and ends the token, and returns 200 for an unknown token too", async ({
    service,
  }) => {
    const { clientId: client_id, clientSecret: client_secret } = client;
    const revoke = (token: string) => service.anybody.post("/oauth/revoke", { client_id, client_secret, token });
    for (const which of ["access_token", "refresh_token"] as const) {
      const tokens = await tokensFor(service, `${PREFIX}accounts.read`);
      expect((await revoke(tokens[which])).status).toBe(200);
      await expect.poll(() => works(service, tokens.access_token)).toBe(401);
      const { refresh_token } = tokens;
      expectRefusal(await exchange(service, { grant_type: "refresh_token", refresh_token }), 400, "invalid_grant");
    }
    expect((await revoke("no token")).status).toBe(200);
    expectRefusal(
      await service.anybody.post("/oauth/revoke", { client_id, client_secret: "x", token: "t" }),
      401,
      "invalid_client",
    );
  });

  /** DECISIONS, "Which scope guards what". */
  const GUARDED: { [scope: string]: [method: string, path: string, body?: object][] } = {
    "accounts.read": [
      ["GET", "/v1/accounts"],
      ["GET", "/v1/accounts/1/chats?platform=TELEGRAM"],
    ],
    "media.write": [
      ["GET", "/v1/media"],
      ["POST", "/v1/media/upload"],
      ["DELETE", "/v1/media/a.jpg"],
      ["POST", "/v1/media/upload/urls", {}],
      ["POST", "/v1/media/upload/confirm", {}],
      ["POST", "/v1/media/upload/import", {}],
      ["GET", "/v1/media/upload/import/1"],
    ],
    "posts.read": [
      ["GET", "/v1/posts"],
      ["GET", "/v1/posts/1"],
    ],
    "posts.write": [
      ["POST", "/v1/posts", {}],
      ["POST", "/v1/posts/validate", {}],
      ["PUT", "/v1/posts/1", {}],
      ["DELETE", "/v1/posts/1"],
      ["POST", "/v1/posts/1/retry"],
    ],
    "webhooks.write": [
      ["GET", "/v1/webhooks"],
      ["POST", "/v1/webhooks", {}],
      ["GET", "/v1/webhooks/1"],
      ["DELETE", "/v1/webhooks/1"],
    ],
    api: [["DELETE", "/v1/accounts/1"]],
  };

  for (const [scope, routes] of Object.entries(GUARDED)) {
    test(`${scope} opens its own endpoints, api opens all of them, and any other scope returns 403 Access denied`, async ({
      service,
    }) => {
      const others = ALL.filter((other) => other !== scope && other !== "api");
      const without = await tokensFor(service, others.map((other) => PREFIX + other).join(" "));
      const holding = await tokensFor(service, PREFIX + scope);
      const ask = async ({ access_token }: Tokens, [method, path, body]: [string, string, object?]) => {
        const headers = { ...bearer(access_token), ...(body ? { "content-type": "application/json" } : {}) };
        return service.anybody.send<{ error?: string }>(method, path, { headers, body: body && JSON.stringify(body) });
      };
      for (const route of routes) {
        const { status, body } = await ask(holding, route);
        expect([401, 403, 405], String(route)).not.toContain(status);
        expect(body?.error ?? "", String(route)).not.toMatch(/^Route not found/);
        expectError(await ask(without, route), 403, "Access denied");
        expect([route, (await service.person.api.send(route[0], route[1])).status]).not.toEqual([route, 403]);
      }
    });
  }

  test("a missing, malformed, forged, edited or expired token returns 401 Unauthorized with a Bearer challenge", async ({
    service,
  }) => {
    const { url, product, person, partner } = service;
    const real = person.headers.authorization?.slice(7) ?? "";
    const [header = "", claims = "", signature = ""] = real.split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const edited = Buffer.from(
      Buffer.from(claims, "base64url")
        .toString()
        .replace(/"exp":\d/, '"exp":9'),
    ).toString("base64url");
    const brief = (await product.carillon("tokens", "create", "--user", person.email, "--ttl", "1")) as Tokens;
    await expect.poll(() => works(service, brief.access_token)).toBe(401);
    for (const authorization of [
      undefined,
      "",
      "Bearer",
      "Bearer abc",
      `Basic ${Buffer.from(`${partner.clientId}:${partner.clientSecret}`).toString("base64")}`,
      real,
      `Bearer ${none}.${claims}.`,
      `Bearer ${header}.${edited}.${signature}`,
      `Bearer ${real}x`,
      `Bearer ${brief.access_token}`,
    ]) {
      const answer = await apiOf(url, authorization === undefined ? {} : { authorization }).get("/v1/accounts");
      expectError(answer, 401, "Unauthorized");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    }
  });

  test("a suspended user and a suspended partner get 403 Access denied", async ({ service }) => {
    const { product, url } = service;
    const email = `${unique("mallory")}@example.com`;
    const user = (await product.carillon("users", "create", "--email", email, "--password", PASSWORD)) as {
      id: string;
    };
    const token = (await product.carillon("tokens", "create", "--user", email)) as Tokens;
    const api = apiOf(url, bearer(token.access_token));
    expect((await api.get("/v1/accounts")).status).toBe(200);
    await product.carillon("users", "suspend", user.id);
    await expect.poll(async () => (await api.get("/v1/accounts")).status).toBe(403);
    expectError(await api.get("/v1/accounts"), 403, "Access denied");
    await product.carillon("users", "resume", user.id);
    await expect.poll(async () => (await api.get("/v1/accounts")).status).toBe(200);
    const partner = await newPartner(product, "Suspended");
    expect(await product.carillon("partners", "suspend", partner.clientId)).toEqual({
      clientId: partner.clientId,
      suspended: true,
    });
    await expect.poll(async () => (await partner.api.get("/v1/connect/users")).status).toBe(403);
  });

  test("the dashboard's session cookie is accepted, and for changes only with our own Origin", async ({ service }) => {
    const browser = openBrowser();
    const fields = { email: service.person.email, password: PASSWORD };
    const signIn = await browser.open(`${service.url}/sign-in`);
    await browser.submit({ url: `${service.url}/sign-in`, status: 200, html: await signIn.text() }, fields);
    const api = apiOf(service.url, { cookie: browser.cookie() });
    expect((await api.get("/v1/me")).body).toMatchObject({ email: service.person.email });
    const account = { id: 1, platform: "X_TWITTER", accountId: "1", accountUsername: "a" };
    const body = { scheduledTime: soon(), publications: [onX(account)] };
    expectError(await api.post("/v1/posts", body), 403);
    expectError(await api.post("/v1/posts", body, { origin: "https://evil.example" }), 403);
    expectError(await api.post("/v1/posts", body, { origin: service.url }), 400, /socialMediaAccountId/);
  });
});
