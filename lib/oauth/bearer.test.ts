import { eq, sql } from "drizzle-orm";
import { exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";
import { describe, expect, test, vi } from "vitest";
import { db, grants, users } from "../db";
import { env } from "../env";
import { randomToken } from "../secrets";
import { as, newOwner, newPartner, nobody, readResponse, sessionCookie } from "../testing";
import { setSuspended } from "../users";
import { createPersonalToken, rotateSigningKey, suspendApplication, suspendPartner } from ".";
import { publicKeys, signingKey } from "./keys";
import { apiSays, codeFor, newClient, tokensFor } from "./testing";

/** A revoked token must stop working within this time, also if another process revoked it. */
const ENDS_WITHIN_MS = 1_000;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decoded = (text = "") => JSON.parse(Buffer.from(text, "base64url").toString());

describe("A8: only access tokens are bearer tokens", () => {
  test("401 for a code, a refresh token, a secret, a session cookie, a connect state and an ID", async () => {
    const owner = await newOwner();
    const client = await newClient();
    const partner = await newPartner();
    const { uuid } = (await (await partner.post("/v1/connect/users", { externalUserId: "1", name: "N" })).json()) as {
      uuid: string;
    };
    const state = await partner.post(
      "/v1/connect/authorize-url",
      { platform: "X_TWITTER", redirectUri: "https://partner.example/done" },
      { "x-api-key": partner.clientId, "x-connect-user-id": uuid },
    );
    const wrong = [
      await codeFor(client),
      (await tokensFor(client)).refresh_token,
      client.clientSecret,
      (await sessionCookie(owner)).split("=")[1] ?? "",
      new URL((await state.json()) as string).searchParams.get("whitelabel_state") ?? "",
      owner,
      client.clientId,
      env.secretsKey?.[0] ?? "",
    ];
    expect(wrong.every((one) => one.length > 15)).toBe(true);
    for (const one of wrong) expect(await apiSays(one), one).toBe(401);
  });
});

describe("A9: only access tokens signed by this server are accepted", () => {
  const owner = newOwner();
  const genuine = owner.then(async (id) => (await createPersonalToken(id, ["api"])).access_token);

  /** Signed with the real key, so that only the change can make it invalid. */
  async function resigned(header: object, claims: object): Promise<string> {
    const { kid, key } = await signingKey();
    const { payload, ...rest } = await partsOf(await genuine);
    const all = { ...payload, ...claims };
    return new SignJWT(all).setProtectedHeader({ ...rest.header, kid, ...header } as JWTHeaderParameters).sign(key);
  }

  async function partsOf(token: string) {
    const [header, payload, signature = ""] = token.split(".");
    return { header: decoded(header), payload: decoded(payload), signature };
  }

  async function unsigned(header: object, claims: object = {}): Promise<string> {
    const { header: was, payload, signature } = await partsOf(await genuine);
    return [encoded({ ...was, ...header }), encoded({ ...payload, ...claims }), signature].join(".");
  }

  /** Uses the public key, which anyone can read, as the secret of an HMAC. */
  async function hmac(alg: string, secretOf: (jwk: object) => Promise<string>): Promise<string> {
    const { payload, header } = await partsOf(await genuine);
    const [jwk] = await publicKeys();
    const secret = new TextEncoder().encode(await secretOf(jwk ?? {}));
    return new SignJWT(payload).setProtectedHeader({ ...header, alg }).sign(secret);
  }

  async function foreign(header: object): Promise<string> {
    const pair = await generateKeyPair("ES256", { extractable: true });
    const { payload, header: was } = await partsOf(await genuine);
    const jwk = await exportJWK(pair.publicKey);
    return new SignJWT(payload)
      .setProtectedHeader({ ...was, ...header, ...("jwk" in header ? { jwk } : {}) } as JWTHeaderParameters)
      .sign(pair.privateKey);
  }

  const now = () => Math.floor(Date.now() / 1000);
  const spki = async () => {
    const { importJWK } = await import("jose");
    const [jwk] = await publicKeys();
    return exportSPKI((await importJWK(jwk ?? {}, "ES256")) as CryptoKey);
  };

  const forged: [what: string, make: () => Promise<string>][] = [
    [
      "alg none, no signature",
      async () => `${encoded({ alg: "none", typ: "at+jwt" })}.${(await genuine).split(".")[1]}.`,
    ],
    ["alg none, our kid", async () => (await unsigned({ alg: "none" })).replace(/\.[^.]*$/, ".")],
    ["alg None with the signature", () => unsigned({ alg: "None" })],
    ["HS256 with the public key as PEM", () => hmac("HS256", spki)],
    ["HS256 with the public key as JWK", () => hmac("HS256", async (jwk) => JSON.stringify(jwk))],
    ["HS512 with the key id", () => hmac("HS512", async () => (await signingKey()).kid.repeat(2))],
    ["another key under our kid", () => foreign({})],
    ["another kid", () => foreign({ kid: "A".repeat(43) })],
    ["a kid that is a path", () => foreign({ kid: "../../../../dev/null" })],
    ["a kid that is SQL", () => foreign({ kid: "' or 1=1 --" })],
    ["no kid", () => foreign({ kid: undefined })],
    ["its own key in the header", () => foreign({ jwk: true })],
    ["a jku, signed by us", () => resigned({ jku: `${env.authUrl}/.well-known/jwks.json` }, {})],
    ["an x5u, signed by us", () => resigned({ x5u: "https://evil.example" }, {})],
    ["a jwk, signed by us", () => resigned({ jwk: { kty: "EC" } }, {})],
    ["an x5c, signed by us", () => resigned({ x5c: ["AA=="] }, {})],
    ["a known crit", () => unsigned({ crit: ["b64"], b64: true })],
    ["an unknown crit", () => unsigned({ crit: ["exp"], exp: 1 })],
    ["typ JWT", () => resigned({ typ: "JWT" }, {})],
    ["no typ", () => resigned({ typ: undefined }, {})],
    ["another issuer", () => resigned({}, { iss: "https://evil.example" })],
    ["no issuer", () => resigned({}, { iss: undefined })],
    ["another audience", () => resigned({}, { aud: "https://evil.example" })],
    ["the audience with a slash", () => resigned({}, { aud: `${env.baseUrl}/` })],
    ["no audience", () => resigned({}, { aud: undefined })],
    ["expired a second ago", () => resigned({}, { exp: now() - 1 })],
    ["expiring now", () => resigned({}, { exp: now() })],
    ["no expiry", () => resigned({}, { exp: undefined })],
    ["an expiry that is text", () => unsigned({}, { exp: "9999999999" })],
    ["issued two minutes ahead", () => resigned({}, { iat: now() + 120 })],
    ["not before two minutes ahead", () => resigned({}, { nbf: now() + 120 })],
    ["no iat", () => resigned({}, { iat: undefined })],
    ["no subject", () => resigned({}, { sub: undefined })],
    ["no grant", () => resigned({}, { gid: undefined })],
    ["an unknown grant", () => resigned({}, { gid: crypto.randomUUID() })],
    ["a grant that is not a UUID", () => resigned({}, { gid: "1" })],
    ["no client", () => resigned({}, { client_id: undefined })],
    ["no scope", () => resigned({}, { scope: undefined })],
    ["an unknown scope", () => resigned({}, { scope: "service-api/root" })],
    ["no jti", () => resigned({}, { jti: undefined })],
    ["changed claims", () => unsigned({}, { sub: "someone" })],
    ["two parts", async () => (await genuine).split(".").slice(0, 2).join(".")],
    ["four parts", async () => `${await genuine}.x`],
    ["an additional character", async () => `${await genuine}x`],
    ["two missing characters", async () => (await genuine).slice(0, -2)],
    ["a padded signature", async () => `${await genuine}==`],
    [
      "spare bits in the signature",
      async () => (await genuine).replace(/.$/, (last) => ({ A: "B", Q: "R", g: "h", w: "x" })[last] ?? "x"),
    ],
    ["not a JWT", async () => "abc"],
    ["a very long text", async () => "a".repeat(5000)],
  ];

  test.each(forged)("401 for %s", async (_, make) => {
    const answer = await nobody.get("/v1/accounts", { authorization: `Bearer ${await make()}` });
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect(await readResponse(answer)).toEqual([401, { error: "Unauthorized" }]);
  });

  test("200 for a valid token, also if our clock is half a minute behind; a scope beyond the grant has no effect", async () => {
    expect(await apiSays(await genuine)).toBe(200);
    expect(await apiSays(await resigned({}, { iat: now() + 30, nbf: now() + 30 }))).toBe(200);
    const { access_token } = await createPersonalToken(await owner, ["accounts.read"]);
    const { gid } = decoded(access_token.split(".")[1]);
    expect(await apiSays(await resigned({}, { gid }))).toBe(403);
  });

  test("requires the Bearer scheme, and the challenge names the metadata", async () => {
    const token = await genuine;
    for (const authorization of [token, `Basic ${token}`, `Bearer  ${token}`, "Bearer", "Bearer "]) {
      expect((await nobody.get("/v1/accounts", { authorization })).status, authorization.slice(0, 10)).toBe(401);
    }
    expect((await nobody.get("/v1/accounts", { authorization: `bearer ${token}` })).status).toBe(200);
    const challenge = (await nobody.get("/v1/accounts")).headers.get("www-authenticate");
    expect(challenge).toBe(
      `Bearer realm="carillon", resource_metadata="${env.baseUrl}/.well-known/oauth-protected-resource"`,
    );
    expect((await nobody.get(`/v1/accounts?access_token=${token}`)).status).toBe(401);
  });
});

describe("A14: revocation, suspension and deletion take effect with the next request", () => {
  /** Uses a token often enough that it is cached. */
  async function warm(token: string): Promise<string> {
    for (let i = 0; i < 3; i++) expect(await apiSays(token)).toBe(200);
    return token;
  }

  test("of a person, and resuming", async () => {
    const owner = await newOwner();
    const { access_token } = await tokensFor(await newClient(), {}, owner);
    await warm(access_token);
    await setSuspended(owner, true);
    expect(await apiSays(access_token)).toBe(403);
    await setSuspended(owner, false);
    await warm(access_token);
    await db.delete(users).where(eq(users.id, owner));
    await vi.waitFor(async () => expect(await apiSays(access_token)).toBe(401), {
      timeout: ENDS_WITHIN_MS,
      interval: 20,
    });
  });

  test("of an application and a partner", async () => {
    const client = await newClient();
    const { access_token } = await tokensFor(client);
    await warm(access_token);
    await suspendApplication(client.clientId, true);
    expect(await apiSays(access_token)).toBe(403);
    await suspendApplication(client.clientId, false);
    expect(await apiSays(access_token)).toBe(200);
    const partner = await newPartner();
    expect((await partner.get("/v1/posts")).status).toBe(400);
    await suspendPartner(partner.clientId);
    expect((await partner.get("/v1/posts")).status).toBe(403);
  });

  test("by another process, within a second", async () => {
    const owner = await newOwner();
    const { access_token } = await tokensFor(await newClient(), {}, owner);
    const said = (status: number) =>
      vi.waitFor(async () => expect(await apiSays(access_token)).toBe(status), {
        timeout: ENDS_WITHIN_MS,
        interval: 20,
      });
    const suspendedAt = (value: ReturnType<typeof sql>) => db.update(users).set({ suspendedAt: value });
    await warm(access_token);
    await suspendedAt(sql`now()`).where(eq(users.id, owner));
    await said(403);
    await suspendedAt(sql`null`).where(eq(users.id, owner));
    await said(200);
    await warm(access_token);
    await db.update(users).set({ deletingAt: sql`now()` }).where(eq(users.id, owner));
    await said(409);
    await db.update(users).set({ deletingAt: null }).where(eq(users.id, owner));
    await said(200);
    await warm(access_token);
    await db.update(grants).set({ revokedAt: sql`now()` }).where(eq(grants.userId, owner));
    await said(401);
  });

  test("while the database listener is disconnected, because the cache is not used then", async () => {
    const owner = await newOwner();
    const { access_token } = await createPersonalToken(owner, ["api"]);
    await warm(access_token);
    await db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${`carillon ${process.pid} listen`}`);
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    await vi.waitFor(async () => expect(await apiSays(access_token)).toBe(403), {
      timeout: ENDS_WITHIN_MS,
      interval: 10,
    });
  });

  test("cached tokens are not read from the database again", async () => {
    const { access_token } = await createPersonalToken(await newOwner(), ["api"]);
    const { findBearerGrant } = await import(".");
    await vi.waitFor(
      async () => expect(await findBearerGrant(access_token)).toBe(await findBearerGrant(access_token)),
      {
        timeout: 45_000,
      },
    );
  });
});

describe("signing keys", () => {
  test("a rotation under load causes no errors, and the old key's tokens stay valid", async () => {
    const owner = await newOwner();
    const before = await createPersonalToken(owner, ["api"]);
    const load = Array.from({ length: 40 }, async (_, index) => {
      if (index === 10 || index === 25) await rotateSigningKey();
      return apiSays((await createPersonalToken(owner, ["api"])).access_token);
    });
    expect(new Set(await Promise.all(load))).toEqual(new Set([200]));
    expect(await apiSays(before.access_token)).toBe(200);
  });

  test("a key created by another process signs and verifies here", async () => {
    const { kid } = await rotateSigningKey();
    const { access_token } = await createPersonalToken(await newOwner(), ["api"]);
    expect(decoded(access_token.split(".")[0]).kid).toBe(kid);
    expect(await apiSays(access_token)).toBe(200);
  });

  test("an old key is removed after its last token has expired", async () => {
    const { kid: old } = await rotateSigningKey();
    const { kid: long } = await rotateSigningKey();
    await createPersonalToken(await newOwner(), ["api"], 30 * 86_400);
    await rotateSigningKey();
    await db.execute(sql`update signing_keys set created_at = created_at - interval '1 day'`);
    const { kid: newest } = await rotateSigningKey();
    await db.execute(sql`update signing_keys set created_at = created_at - interval '3 hours'`);
    const kids = (await publicKeys()).map(({ kid }) => kid);
    expect([kids.includes(old), kids.includes(long), kids[0]]).toEqual([false, true, newest]);
  });

  test("anyone can read the public keys, and they contain no private part", async () => {
    const [status, body] = await readResponse(nobody.get("/.well-known/jwks.json"));
    expect(status).toBe(200);
    const key = { kty: "EC", crv: "P-256", x: expect.any(String), y: expect.any(String), use: "sig", alg: "ES256" };
    const { keys } = body as { keys: object[] };
    for (const one of keys) expect(one).toEqual({ ...key, kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(randomToken()).toHaveLength(43);
    expect((await as(await newOwner()).get("/v1/posts")).status).toBe(200);
  });
});
