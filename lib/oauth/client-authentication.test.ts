import { describe, expect, test } from "vitest";
import { api } from "../api";
import { env } from "../env";
import { nobody, readResponse } from "../testing";
import { createPartner } from ".";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const refused = (status: number, error: string) => [status, { error, error_description: expect.stringMatching(/./) }];
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

async function partner() {
  const { clientId: client_id, clientSecret: client_secret } = await createPartner("Test partner");
  return { grant_type: "client_credentials", client_id, client_secret, audience: env.baseUrl };
}

type Sent = { path?: string; headers?: { [name: string]: string }; from?: string; method?: string };

function ask(body: object | string, { path = "/oauth/token", headers = {}, from, method = "POST" }: Sent = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = { method, headers: { ...JSON_TYPE, ...headers }, ...(method === "POST" ? { body: text } : {}) };
  return readResponse(
    api.request(path, init, from === undefined ? {} : { incoming: { socket: { remoteAddress: from } } }),
  );
}

describe("A7: wrong secrets delay one client at one address, and lock no client out", () => {
  test("after 50 wrong secrets, the right one works at once from another address, and in its turn from this one", async () => {
    const right = await partner();
    const wrong = { ...right, client_secret: "wrong" };
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(wrong, { from: "192.0.2.1" })));
    const done: string[] = [];
    const slow = (async () => {
      for (let i = 0; i < 4; i++) answers.push(await ask(wrong, { from: "192.0.2.1" }));
      done.push("wrong secrets");
    })();
    expect((await ask(right, { from: "192.0.2.2" }))[0]).toBe(200);
    done.push("the right secret elsewhere");
    expect((await ask(await partner(), { from: "192.0.2.1" }))[0]).toBe(200);
    done.push("another client");
    await slow;
    expect(done).toEqual(["the right secret elsewhere", "another client", "wrong secrets"]);
    for (const [status] of answers) expect([401, 429]).toContain(status);
    expect((await ask(right, { from: "192.0.2.1" }))[0]).toBe(200);
  });
});

describe("A13: one authentication method, each parameter once, no parameter in the URL", () => {
  test("rejects HTTP Basic together with a secret or another client ID in the body", async () => {
    const { client_id, client_secret, ...rest } = await partner();
    const headers = basic(client_id, client_secret);
    expect(await ask({ ...rest, client_secret }, { headers })).toEqual(refused(400, "invalid_request"));
    expect(await ask({ ...rest, client_id, client_secret }, { headers })).toEqual(refused(400, "invalid_request"));
    expect(await ask({ ...rest, client_id: "other" }, { headers })).toEqual(refused(400, "invalid_request"));
    expect((await ask({ ...rest, client_id }, { headers }))[0]).toBe(200);
  });

  test.each([
    "Basic",
    "Basic !",
    "Basic Og==",
    "Basic OmE=",
    "Basic YQ==",
    "Basic JTAwOmE=",
    "Basic JTpi",
    "Bearer x",
    "",
  ])("401 for Authorization: %s", async (authorization) => {
    const { client_id: _, client_secret: __, ...rest } = await partner();
    expect(await ask(rest, { headers: { authorization } })).toEqual(refused(401, "invalid_client"));
  });

  test("rejects any repeated parameter, in a form and in JSON", async () => {
    const right = await partner();
    const form = new URLSearchParams(right).toString();
    const json = JSON.stringify(right);
    for (const name of Object.keys(right)) {
      expect(await ask(`${form}&${name}=x`, { headers: FORM_TYPE })).toEqual(refused(400, "invalid_request"));
      expect(await ask(json.replace("{", `{"${name}":"x",`))).toEqual(refused(400, "invalid_request"));
    }
    expect(await ask(json.replace("{", '{"scop\\u0065":"service-api/api","scope":"service-api/api",'))).toEqual(
      refused(400, "invalid_request"),
    );
    expect((await ask({ ...right, state: 'a "quoted": \\ text' }))[0]).toBe(200);
  });

  test("rejects parameters in the URL", async () => {
    const { client_secret, ...rest } = await partner();
    const query = new URLSearchParams({ client_secret });
    expect(await ask(rest, { path: `/oauth/token?${query}` })).toEqual(refused(400, "invalid_request"));
    expect(await ask(rest, { path: `/oauth/revoke?${query}` })).toEqual(refused(400, "invalid_request"));
    expect(await ask({ ...rest, client_secret }, { path: "/oauth/token?x=1" })).toEqual(
      refused(400, "invalid_request"),
    );
  });

  test.each(["GET", "HEAD", "PUT", "DELETE"])("405 for %s", async (method) => {
    for (const path of ["/oauth/token", "/oauth/revoke"]) {
      expect((await ask({}, { path, method }))[0]).toBe(405);
    }
  });

  test.each([
    "password",
    "implicit",
    "token",
    "__proto__",
    "constructor",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
  ])("rejects the grant type %s", async (grant_type) => {
    const body = { ...(await partner()), username: "a", password: "b" };
    const text = JSON.stringify({ ...body, grant_type: undefined }).replace("{", `{"grant_type":"${grant_type}",`);
    expect(await ask(text)).toEqual(refused(400, "unsupported_grant_type"));
  });

  test.each(["\0", "\ud800", "a\0b"])(
    "rejects characters that cannot be stored, in any parameter: %j",
    async (value) => {
      const right = await partner();
      for (const name of Object.keys(right)) {
        const [status] = await ask({ ...right, [name]: value });
        expect([400, 401]).toContain(status);
      }
    },
  );

  test("an error is JSON that must not be cached", async () => {
    const answer = await nobody.post("/oauth/token", "{");
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
