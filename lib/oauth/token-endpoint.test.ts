import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "../db";
import { env } from "../env";
import { newPartner, nobody, readResponse } from "../testing";
import { createApplication, createPartner, findBearerGrant, suspendPartner } from ".";
import { endPartnerCredentials } from "./client-secrets";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const GRANTED = {
  token_type: "Bearer",
  expires_in: expect.closeTo(3600, -1), // counted down until the answer
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  scope: "service-api/api",
};

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

async function ask(body: string | object, headers: { [name: string]: string } = JSON_TYPE): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return nobody.request("/oauth/token", { method: "POST", headers, body: text });
}

async function credentials() {
  const { clientId, clientSecret } = await createPartner("Test partner");
  return { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, audience: env.baseUrl };
}

describe("200: a partner's token", () => {
  test("with JSON, a form and HTTP Basic", async () => {
    const body = await credentials();
    const { client_id, client_secret, ...rest } = body;
    const form = (fields: object) => new URLSearchParams({ ...fields }).toString();
    expect(await readResponse(ask(body))).toEqual([200, GRANTED]);
    expect(await readResponse(ask(body, { "content-type": "application/json; charset=utf-8" }))).toEqual([
      200,
      GRANTED,
    ]);
    expect(await readResponse(ask(form(body), FORM_TYPE))).toEqual([200, GRANTED]);
    expect(await readResponse(ask(form(rest), { ...FORM_TYPE, ...basic(client_id, client_secret) }))).toEqual([
      200,
      GRANTED,
    ]);
    expect(await readResponse(ask(rest, { ...JSON_TYPE, ...basic(client_id, client_secret) }))).toEqual([200, GRANTED]);
  });

  test("must not be cached, and acts for the partner", async () => {
    const body = await credentials();
    const answer = await ask(body);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { access_token } = (await answer.json()) as { access_token: string };
    expect(await findBearerGrant(access_token)).toEqual({
      id: expect.any(String),
      scopes: ["api"],
      suspended: false,
      user: undefined,
      partner: { id: expect.any(String), clientId: body.client_id },
      clientId: body.client_id,
      name: "Test partner",
    });
  });
});

describe("an error has the shape of RFC 6749, section 5.2", () => {
  const WRONG = { error: "invalid_client", error_description: expect.stringMatching(/./) };

  test.each<[when: string, change: object, status: number, error: string]>([
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["no secret", { client_secret: undefined }, 401, "invalid_client"],
    ["an empty secret", { client_secret: "" }, 401, "invalid_client"],
    ["an unknown client", { client_id: "nobody" }, 401, "invalid_client"],
    ["another audience", { audience: "https://elsewhere.example" }, 400, "invalid_target"],
    ["an unknown scope", { scope: "service-api/everything" }, 400, "invalid_scope"],
    ["no grant type", { grant_type: undefined }, 400, "invalid_request"],
    ["an unknown grant type", { grant_type: "magic" }, 400, "unsupported_grant_type"],
    ["the password grant", { grant_type: "password", username: "a", password: "b" }, 400, "unsupported_grant_type"],
    ["a value that is not a string", { client_id: 1 }, 400, "invalid_request"],
  ])("%s", async (_, change, status, error) => {
    const answer = await ask({ ...(await credentials()), ...change });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("www-authenticate")).toBe(status === 401);
    expect(await readResponse(answer)).toEqual([status, { error, error_description: expect.stringMatching(/./) }]);
  });

  test.each<[when: string, body: string, type: string | undefined]>([
    ["malformed JSON", "{", "application/json"],
    ["JSON that is not an object", "[]", "text/plain"],
    ["JSON null", "null", "application/json"],
    ["an empty body", "", "application/json"],
    ["another type", "<a/>", "text/xml"],
    ["a repeated parameter", "grant_type=client_credentials&client_id=a&client_id=b", FORM_TYPE["content-type"]],
    ["more than 64 KB", JSON.stringify({ grant_type: "x".repeat(70_000) }), "application/json"],
  ])("%s", async (_, body, type) => {
    expect(await readResponse(ask(body, type ? { "content-type": type } : {}))).toEqual([
      400,
      { error: "invalid_request", error_description: expect.stringMatching(/./) },
    ]);
  });

  test("is the same for a wrong secret and an unknown client", async () => {
    const body = await credentials();
    const [, wrong] = await readResponse(ask({ ...body, client_secret: "wrong" }));
    const [, unknown] = await readResponse(ask({ ...body, client_id: "nobody" }));
    expect(wrong).toEqual(unknown);
  });

  test("is returned for a suspended partner and for another client's secret", async () => {
    const [body, other] = [await credentials(), await credentials()];
    expect(await readResponse(ask({ ...body, client_secret: other.client_secret }))).toEqual([401, WRONG]);
    await suspendPartner(body.client_id);
    expect(await readResponse(ask(body))).toEqual([401, WRONG]);
  });

  test("an authorization-code application cannot use client credentials", async () => {
    const { clientId, clientSecret } = await createApplication("Test app", ["https://example.com/callback"]);
    const [status, refusal] = await readResponse(
      ask({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }),
    );
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(refusal).toEqual({ error: expect.stringMatching(/_client$/), error_description: expect.any(String) });
  });

  test("rejects a secret in the query, and GET", async () => {
    const { client_id, client_secret, ...rest } = await credentials();
    const query = new URLSearchParams({ client_id, client_secret });
    const answer = await nobody.request(`/oauth/token?${query}`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify(rest),
    });
    expect([400, 401]).toContain(answer.status);
    expect((await nobody.get("/oauth/token")).status).toBe(405);
  });
});

describe("A14: suspension takes effect with the next request", () => {
  test("an earlier token gets 403", async () => {
    const partner = await newPartner();
    const provision = () => partner.post("/v1/connect/users", { externalUserId: "one", name: "One" });
    expect((await provision()).status).toBe(200);
    await suspendPartner(partner.clientId);
    expect(await readResponse(provision())).toEqual([403, { error: "Access denied" }]);
  });
});

test("401 if all secrets are revoked after the client has authenticated", async () => {
  const body = await credentials();
  let isOver = false;
  const asked = await db.transaction(async (tx) => {
    await endPartnerCredentials(body.client_id, "operator", tx);
    const { rows } = await tx.execute(sql`select pg_backend_pid() as pid`);
    const asking = readResponse(ask(body)).finally(() => {
      isOver = true;
    });
    const waits = sql`select 1 from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => isOver || (await db.execute(waits)).rows.length > 0, { timeout: 45_000 }).toBe(true);
    return { asking };
  });
  expect(await asked.asking).toEqual([401, expect.objectContaining({ error: "invalid_client" })]);
});
