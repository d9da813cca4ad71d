import { describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { answerOf, post, prover, push, serverOf, signedIn, verifier } from "./testing";

const sandbox = testSandbox();
const DAY = 86_400;

describe("two origins", () => {
  test("the data server names the entryway; only the entryway serves OAuth metadata", async () => {
    const at = (origin: string, path: string) => answerOf(fetch(`${origin}/.well-known/${path}`));
    const resource = await at(serverOf(sandbox), "oauth-protected-resource");
    expect(resource.body).toEqual({ resource: serverOf(sandbox), authorization_servers: [sandbox.url] });
    expect((await at(sandbox.url, "oauth-authorization-server")).body).toMatchObject({ issuer: sandbox.url });
    expect((await at(serverOf(sandbox), "oauth-authorization-server")).status).toBe(404);
  });

  test("a handle resolves to a DID, whose document names the data server", async () => {
    const { body } = await answerOf(
      fetch(`${sandbox.url}/bluesky/xrpc/com.atproto.identity.resolveHandle?handle=alice.bsky.test`),
    );
    const document = await answerOf(fetch(`${sandbox.url}/bluesky/${body.did}`));
    expect(document.body).toMatchObject({
      id: body.did,
      alsoKnownAs: ["at://alice.bsky.test"],
      service: [{ id: "#atproto_pds", serviceEndpoint: serverOf(sandbox) }],
    });
    for (const handle of ["dave.bsky.social", "dave.bsky.test"]) {
      const { body } = await answerOf(
        fetch(`${sandbox.url}/bluesky/xrpc/com.atproto.identity.resolveHandle?handle=${handle}`),
      );
      const claimed = await answerOf(fetch(`${sandbox.url}/bluesky/${body.did}`));
      expect(claimed.body).toMatchObject({ alsoKnownAs: [`at://${handle}`] });
    }
    const nobody = await answerOf(
      fetch(`${sandbox.url}/bluesky/xrpc/com.atproto.identity.resolveHandle?handle=a.example.com`),
    );
    expect(nobody).toMatchObject({ status: 400, body: { message: "Unable to resolve handle" } });
  });
});

describe("a pushed authorization request", () => {
  test("the first call returns the DPoP nonce", async () => {
    const { first, answer } = await push(sandbox);
    expect([first.status, first.body.error]).toEqual([400, "use_dpop_nonce"]);
    expect(first.headers.get("dpop-nonce")).toBeTruthy();
    expect(answer).toMatchObject({
      status: 201,
      body: { request_uri: expect.any(String), expires_in: expect.any(Number) },
    });
  });

  test.each<[string, Record<string, string>, object, string]>([
    ["a proof for another method", {}, { htm: "GET" }, "invalid_dpop_proof"],
    ["a proof for another address", {}, { htu: "http://localhost/other" }, "invalid_dpop_proof"],
    ["an unknown nonce", {}, { nonce: "x" }, "use_dpop_nonce"],
    ["no PKCE", { code_challenge: "" }, {}, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, {}, "invalid_request"],
    ["another response type", { response_type: "token" }, {}, "invalid_request"],
    ["an unregistered redirect URI", { redirect_uri: "https://evil.example/cb" }, {}, "invalid_request"],
    ["an undeclared scope", { scope: "atproto transition:generic" }, {}, "invalid_scope"],
    ["no atproto scope", { scope: "repo:app.bsky.feed.post?action=create" }, {}, "invalid_scope"],
    [
      "a redirect to localhost by name",
      { client_id: "http://localhost?redirect_uri=http%3A%2F%2Flocalhost%2Fcb" },
      {},
      "invalid_client_metadata",
    ],
    [
      "a localhost client id with a port",
      { client_id: "http://localhost:3000?scope=atproto" },
      {},
      "invalid_client_metadata",
    ],
    [
      "a localhost client id with a path",
      { client_id: "http://localhost/?scope=atproto" },
      {},
      "invalid_client_metadata",
    ],
    ["a client id that cannot be fetched", { client_id: "http://127.0.0.1:9/client" }, {}, "invalid_client_metadata"],
  ])("rejects %s", async (_, fields, claims, error) => {
    const { answer } = await push(sandbox, fields, claims);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  test("shows an error page without a pushed request, or after it has expired", async () => {
    const page = async (uri: string, client: string) =>
      (
        await fetch(
          `${sandbox.url}/bluesky/oauth/authorize?${new URLSearchParams({ request_uri: uri, client_id: client })}`,
        )
      ).status;
    const { answer } = await push(sandbox);
    const client = `http://localhost?${new URLSearchParams({ redirect_uri: "http://127.0.0.1:3000/cb", scope: "atproto repo:app.bsky.feed.post?action=create" })}`;
    const uri = String(answer.body.request_uri);
    expect([await page(uri, client), await page("urn:x", client), await page(uri, "http://localhost")]).toEqual([
      200, 400, 400,
    ]);
    await sandbox.advance(301);
    expect(await page(uri, client)).toBe(400);
  });

  test("redirects with the issuer; the code is bound to the DPoP key", async () => {
    const { answer } = await push(sandbox);
    const query = new URLSearchParams({
      redirect_uri: "http://127.0.0.1:3000/cb",
      scope: "atproto repo:app.bsky.feed.post?action=create",
    });
    const client_id = `http://localhost?${query}`;
    const request = new URLSearchParams({ client_id, request_uri: String(answer.body.request_uri) });
    const back = await decide(`${sandbox.url}/bluesky/oauth/authorize?${request}`, "allow");
    expect(Object.fromEntries(back.searchParams)).toEqual({ iss: sandbox.url, state: "s", code: expect.any(String) });
    const url = `${sandbox.url}/bluesky/oauth/token`;
    const prove = await prover();
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: "http://127.0.0.1:3000/cb",
      code_verifier: verifier,
      client_id,
    });
    const send = async (nonce?: string) =>
      answerOf(
        fetch(url, { method: "POST", headers: { dpop: await prove("POST", url, nonce ? { nonce } : {}) }, body }),
      );
    const first = await send();
    expect((await send(first.headers.get("dpop-nonce") ?? "")).body).toMatchObject({ error: "invalid_grant" });
  });
});

describe("an app-password session", () => {
  const call = (nsid: string, token: string) =>
    answerOf(post(`${serverOf(sandbox)}/xrpc/${nsid}`, {}, { authorization: `Bearer ${token}` }));

  test.each([
    ["an unknown handle", "nobody.bsky.test", "AuthenticationRequired"],
    ["the main password, which requires a sign-in code", "alice.bsky.test", "AuthFactorTokenRequired"],
  ])("rejects %s", async (_, identifier, error) => {
    const password = error === "AuthFactorTokenRequired" ? "the main password" : "aaaa-bbbb-cccc-dddd";
    const answer = await answerOf(
      post(`${serverOf(sandbox)}/xrpc/com.atproto.server.createSession`, { identifier, password }),
    );
    expect([answer.status, answer.body.error]).toEqual([401, error]);
  });

  test("rejects an access token as refresh token, and the reverse", async () => {
    const { accessJwt, refreshJwt } = await signedIn(sandbox, "bob");
    const wrong = await call("com.atproto.server.refreshSession", accessJwt);
    const headers = { authorization: `Bearer ${refreshJwt}` };
    const other = await answerOf(fetch(`${serverOf(sandbox)}/xrpc/com.atproto.server.getSession`, { headers }));
    expect([wrong, other].map(({ status, body }) => [status, body.error])).toEqual([
      [400, "InvalidToken"],
      [400, "InvalidToken"],
    ]);
  });

  test("a used refresh token returns the same pair for two hours, then fails", async () => {
    const { refreshJwt } = await signedIn(sandbox, "bob");
    const first = await call("com.atproto.server.refreshSession", refreshJwt);
    expect((await call("com.atproto.server.refreshSession", refreshJwt)).body.refreshJwt).toBe(first.body.refreshJwt);
    await sandbox.advance(7201);
    const late = await call("com.atproto.server.refreshSession", refreshJwt);
    expect(late).toMatchObject({ status: 400, body: { error: "ExpiredToken", message: "Token has been revoked" } });
  });

  test("a refresh token expires after 90 days", async () => {
    const { refreshJwt } = await signedIn(sandbox, "bob");
    await sandbox.advance(90 * DAY);
    const late = await call("com.atproto.server.refreshSession", refreshJwt);
    expect(late).toMatchObject({ status: 400, body: { error: "ExpiredToken", message: "Token has expired" } });
  });

  test("limits sign-ins to 30 in five minutes", async () => {
    const statuses = new Set<number>();
    const identifier = "carol.bsky.test";
    for (let time = 0; time < 31; time++) {
      const body = { identifier, password: "sand-box7-pass-word" };
      statuses.add((await post(`${serverOf(sandbox)}/xrpc/com.atproto.server.createSession`, body)).status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });
});
