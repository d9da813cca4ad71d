import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as page from "@/app/authorize/route";
import { api } from "../api";
import { env } from "../env";
import { newOwner, sessionCookie } from "../testing";
import { createApplication, createPartner } from ".";
import { formOn } from "./testing";

/** The server over HTTP, at the address that its metadata names. */
let server: Server;
const CALLBACK = "http://127.0.0.1:9/callback";
const insecure = { [oauth.allowInsecureRequests]: true };

beforeAll(async () => {
  const listener = getRequestListener((request, bindings) => {
    if (new URL(request.url).pathname !== "/authorize") return api.fetch(request, bindings);
    return request.method === "POST" ? page.POST(request) : page.GET(request);
  });
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(env.port, "localhost", resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Acts like a browser: opens the address, presses Allow, and follows the redirect. */
async function browse(address: URL | string, owner: string): Promise<URL> {
  const cookie = await sessionCookie(owner);
  const form = await formOn(await fetch(address, { headers: { cookie }, redirect: "manual" }));
  const answer = await fetch(`${env.authUrl}/authorize`, {
    method: "POST",
    headers: { cookie, origin: "null", "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ ...form, decision: "allow" }),
    redirect: "manual",
  });
  return new URL(answer.headers.get("location") ?? "");
}

async function discovered(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(env.authUrl);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
  return oauth.processDiscoveryResponse(issuer, answer);
}

describe("an OAuth library needs only the metadata", () => {
  const kinds = [
    ["client_secret_post", false, (secret: string) => oauth.ClientSecretPost(secret)],
    ["client_secret_basic", false, (secret: string) => oauth.ClientSecretBasic(secret)],
    ["a public application", true, () => oauth.None()],
  ] as const;

  test.each(kinds)("%s: code, API, refresh, revocation", async (_, isPublic, authentication) => {
    const { clientId, clientSecret = "" } = await createApplication("Library", [CALLBACK], { isPublic });
    const as = await discovered();
    const client: oauth.Client = { client_id: clientId };
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(as.authorization_endpoint ?? "");
    address.search = new URLSearchParams({
      client_id: clientId,
      response_type: "code",
      redirect_uri: CALLBACK,
      scope: "service-api/posts.read",
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();

    const returned = await browse(address, await newOwner());
    const parameters = oauth.validateAuthResponse(as, client, returned, state); // checks state and iss
    const auth = authentication(clientSecret);
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, CALLBACK, verifier, insecure),
    );
    const posts = (token: string) =>
      oauth.protectedResourceRequest(token, "GET", new URL(`${env.baseUrl}/v1/posts`), undefined, undefined, insecure);
    expect((await posts(tokens.access_token)).status).toBe(200);

    // The library checks the token's issuer, audience, type and signature, as a separate resource server would.
    const validated = await oauth.validateJwtAccessToken(
      as,
      new Request(env.baseUrl, { headers: { authorization: `Bearer ${tokens.access_token}` } }),
      env.baseUrl,
      insecure,
    );
    expect(validated).toMatchObject({ client_id: clientId, scope: "service-api/posts.read" });

    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? "", insecure),
    );
    expect((await posts(refreshed.access_token)).status).toBe(200);
    const revoked = await oauth.revocationRequest(as, client, auth, refreshed.refresh_token ?? "", insecure);
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    await expect(posts(refreshed.access_token)).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
  });

  test("client credentials", async () => {
    const { clientId, clientSecret } = await createPartner("Library");
    const [as, client] = [await discovered(), { client_id: clientId }];
    const auth = oauth.ClientSecretBasic(clientSecret);
    const answer = await oauth.clientCredentialsGrantRequest(as, client, auth, {}, insecure);
    expect(await oauth.processClientCredentialsResponse(as, client, answer)).toMatchObject({ expires_in: 3600 });
  });

  test("the metadata of a resource names its authorization server", async () => {
    const resource = new URL(env.baseUrl);
    const answer = await oauth.resourceDiscoveryRequest(resource, insecure);
    const { authorization_servers } = await oauth.processResourceDiscoveryResponse(resource, answer);
    expect(authorization_servers).toEqual([env.authUrl]);
  });
});

test("plain fetch calls as in SPEC work", async () => {
  const { clientId, clientSecret } = await createApplication("Plain", [CALLBACK]);
  const scope = "service-api/accounts.read service-api/posts.write";
  const address = `${env.authUrl}/authorize?${new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope,
    state: "xyz",
    audience: env.baseUrl,
  })}`;
  const returned = await browse(address, await newOwner());
  expect([returned.origin + returned.pathname, returned.searchParams.get("state")]).toEqual([CALLBACK, "xyz"]);
  const answer = await fetch(`${env.authUrl}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "authorization_code",
      client_id: clientId,
      client_secret: clientSecret,
      code: returned.searchParams.get("code"),
      redirect_uri: CALLBACK,
    }),
  });
  const tokens = (await answer.json()) as { access_token: string; expires_in: number; scope: string };
  expect([answer.status, tokens.expires_in, tokens.scope]).toEqual([200, 3600, scope]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  expect((await fetch(`${env.baseUrl}/v1/accounts`, { headers })).status).toBe(200);
});
