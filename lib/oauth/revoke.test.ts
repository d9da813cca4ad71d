import { describe, expect, test } from "vitest";
import { env } from "../env";
import { newOwner, newPartner, nobody, readResponse } from "../testing";
import { createApplication, createPersonalToken } from ".";
import { apiSays, type IssuedTokens, newClient, refreshGrant, type TestClient, tokensFor } from "./testing";

function revoke(client: TestClient, fields: object): Promise<Response> {
  return nobody.post("/oauth/revoke", { client_id: client.clientId, client_secret: client.clientSecret, ...fields });
}

describe("200: revokes all tokens of the same consent", () => {
  test.each(["access_token", "refresh_token"] as const)("with its %s", async (name) => {
    const [client, owner] = [await newClient(), await newOwner()];
    const first = await tokensFor(client, {}, owner);
    const other = await tokensFor(client, {}, owner);
    const second = (await (await refreshGrant(client, first.refresh_token)).json()) as IssuedTokens;
    expect([await apiSays(first.access_token), await apiSays(second.access_token)]).toEqual([200, 200]);
    const answer = await revoke(client, { token: second[name], token_type_hint: "anything" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await readResponse(answer)).toEqual([200, ""]);
    expect([await apiSays(first.access_token), await apiSays(second.access_token)]).toEqual([401, 401]);
    expect((await refreshGrant(client, second.refresh_token)).status).toBe(400);
    expect(await apiSays(other.access_token)).toBe(200);
    expect((await revoke(client, { token: second[name] })).status).toBe(200);
  });

  test("for a partner's token, but the partner can get a new one", async () => {
    const { clientId, clientSecret, ...partner } = await newPartner();
    const client = { clientId, clientSecret, redirectUri: "" };
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const { access_token } = (await (await nobody.post("/oauth/token", body)).json()) as IssuedTokens;
    expect((await revoke(client, { token: access_token })).status).toBe(200);
    expect(await apiSays(access_token)).toBe(401);
    expect((await partner.get("/v1/posts")).status).toBe(400); // known, and asked for whom
  });

  test("for a text that was never a token, as a form and with HTTP Basic", async () => {
    const client = await newClient();
    const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString("base64")}`;
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    expect((await nobody.post("/oauth/revoke", "token=abc", headers)).status).toBe(200);
  });

  test("for a public application, which sends only its ID", async () => {
    const { clientId } = await createApplication("Phone", ["https://app.example.com/cb"], { isPublic: true });
    expect((await nobody.post("/oauth/revoke", { client_id: clientId, token: "abc" })).status).toBe(200);
  });
});

describe("rejected", () => {
  test("another client's token and a personal token, which stay valid", async () => {
    const [client, other, owner] = [await newClient(), await newClient(), await newOwner()];
    const tokens = await tokensFor(client);
    const personal = await createPersonalToken(owner, ["api"]);
    for (const token of [tokens.access_token, tokens.refresh_token, personal.access_token]) {
      const [status, body] = await readResponse(revoke(other, { token }));
      expect([status, body]).toEqual([400, { error: "invalid_grant", error_description: expect.any(String) }]);
    }
    expect([await apiSays(tokens.access_token), await apiSays(personal.access_token)]).toEqual([200, 200]);
  });

  test("a request without the client's secret, and one without a token", async () => {
    const client = await newClient();
    const { access_token: token } = await tokensFor(client);
    expect((await revoke({ ...client, clientSecret: "wrong" }, { token })).status).toBe(401);
    expect((await nobody.post("/oauth/revoke", { token })).status).toBe(401);
    expect((await revoke(client, {})).status).toBe(400);
    expect(await apiSays(token)).toBe(200);
  });
});

describe("public metadata", () => {
  test("the authorization server's metadata (RFC 8414)", async () => {
    expect(await readResponse(nobody.get("/.well-known/oauth-authorization-server"))).toEqual([
      200,
      expect.objectContaining({
        issuer: env.authUrl,
        authorization_endpoint: `${env.authUrl}/authorize`,
        token_endpoint: `${env.authUrl}/oauth/token`,
        revocation_endpoint: `${env.authUrl}/oauth/revoke`,
        jwks_uri: `${env.authUrl}/.well-known/jwks.json`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "client_credentials", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
      }),
    ]);
  });

  test("the API's metadata (RFC 9728)", async () => {
    expect(await readResponse(nobody.get("/.well-known/oauth-protected-resource"))).toEqual([
      200,
      expect.objectContaining({ resource: env.baseUrl, authorization_servers: [env.authUrl] }),
    ]);
  });
});
