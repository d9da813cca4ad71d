import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App, Tokens } from "../network";
import { connectBy, failureOf, submitConsent } from "../testing";
import { makeSession } from "../wire/fetch";
import { bluesky } from ".";
import { newRecordKey, putPost, readPost } from "./api";
import { resolveHandle } from "./identity";
import { clientDocuments, clientIdFor, GATE_SCOPE, REPO_SCOPE, SCOPES } from "./oauth-client";
import { blueskySandbox, connect } from "./testing/sandbox";

const at = blueskySandbox();
const CALLBACK = "http://127.0.0.1:3000/oauth/connect/callback/bluesky";
const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");
const request = { state: "some-state", redirectUri: CALLBACK, challenge, verifier };

/** Runs the sign-in up to the callback, as a user would. */
async function decided(app: App, account = "alice", decision = "allow", redirectUri = CALLBACK) {
  const { url, keep = {} } = await connect.begin(app, { ...request, redirectUri });
  const answer = await submitConsent(url, { account, decision });
  return { url, keep, query: new URL(answer.headers.get("location") ?? "").searchParams };
}

const post = () => ({ $type: "app.bsky.feed.post", text: "From here", createdAt: new Date().toISOString() });

describe("pushed authorization request", () => {
  test("puts only a reference and our client ID into the browser's address", async () => {
    const { url } = await connect.begin(at.app, request);
    const { searchParams } = new URL(url);
    expect([...searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
    expect(searchParams.get("client_id")).toBe(clientIdFor(at.app, CALLBACK, SCOPES));
    expect(searchParams.get("request_uri")).toMatch(/^urn:ietf:params:oauth:request_uri:/);
  });

  test("requests only the scopes needed for posting", () => {
    expect(SCOPES.join(" ")).not.toContain("transition");
    expect(SCOPES.filter((scope) => scope.startsWith("repo:"))).toEqual([REPO_SCOPE, GATE_SCOPE]);
  });

  test("signs in a named account on its own server, and rejects any other account", async () => {
    const { url } = await connect.begin(at.app, { ...request, account: "@Bob.bsky.test " });
    const wrong = await submitConsent(url, { account: "alice", decision: "allow" });
    expect(wrong.status).toBe(400);
  });

  test("accepts a DID as account, whatever handle its document names", async () => {
    await at.sandbox.control("bluesky/account", { account: "erin", alias: "erins.own.test" });
    const did = (await resolveHandle(at.app, "erin.bsky.test")) ?? "";
    const { url } = await connect.begin(at.app, { ...request, account: did });
    const answer = await submitConsent(url, { account: "erin", decision: "allow" });
    expect(new URL(answer.headers.get("location") ?? "").searchParams.get("code")).toBeTruthy();
  });

  test("rejects an unknown handle", async () => {
    const error = await failureOf(connect.begin(at.app, { ...request, account: "nobody.example.com" }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("nobody.example.com") });
  });

  test("rejects a handle that the account does not confirm", async () => {
    await at.sandbox.control("bluesky/account", { account: "dave", alias: "somebody.else.test" });
    const error = await failureOf(connect.begin(at.app, { ...request, account: "dave.bsky.test" }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("does not confirm") });
  });
});

describe("a server that does not know granular scopes", () => {
  test("grants the broad one, which is enough to connect and to post", async () => {
    await at.sandbox.fault({ operation: "authorize", fault: "no_granular_scopes", times: 9 });
    const { keep, query } = await decided(at.app, "olive");
    await at.sandbox.clearFaults();
    const callback = { code: query.get("code") ?? "", issuer: query.get("iss") ?? "", redirectUri: CALLBACK };
    const tokens = await connect.exchange(at.app, { ...callback, verifier, keep });
    expect(tokens.scopes).toEqual(expect.arrayContaining(["transition:generic", ...connect.requiredScopes]));
    const did = tokens.extra?.did ?? "";
    const session = makeSession(bluesky, at.app, { accountId: did, username: "olive.bsky.test", tokens });
    const record = { ...post(), text: "From an older server" };
    await putPost(session, newRecordKey(), record);
    expect((await at.sandbox.posts()).map(({ text }) => text)).toContain(record.text);
  });
});

describe("OAuth callback", () => {
  test("returns tokens bound to a key for the account's own server", async () => {
    const { keep, query } = await decided(at.app);
    expect(query.get("state")).toBe("some-state");
    const issuer = query.get("iss") ?? "";
    const callback = { code: query.get("code") ?? "", issuer, redirectUri: CALLBACK, verifier, keep };
    const tokens = await connect.exchange(at.app, callback);
    expect(tokens.scopes).toEqual(SCOPES);
    expect(tokens.extra).toMatchObject({ issuer, key: expect.stringContaining('"d"'), pds: expect.any(String) });
    expect(new URL(tokens.extra?.pds ?? "").origin).not.toBe(new URL(issuer).origin);
    expect(Date.parse(tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(3_000_000);
    // A code works only once.
    expect(await failureOf(connect.exchange(at.app, callback))).toMatchObject({ kind: "reconnect" });
  });

  test.each([
    ["from another server", "https://evil.example"],
    ["without an issuer", undefined],
  ])("rejects a callback %s before sending anything", async (_, issuer) => {
    const { keep, query } = await decided(at.app);
    const before = (await at.sandbox.calls()).length;
    const callback = { code: query.get("code") ?? "", issuer, redirectUri: CALLBACK, verifier, keep };
    expect(await failureOf(connect.exchange(at.app, callback))).toMatchObject({ kind: "rejected" });
    expect(await at.sandbox.calls()).toHaveLength(before);
  });

  test("reports a declined consent as access_denied", async () => {
    const { query } = await decided(at.app, "alice", "deny");
    expect(Object.fromEntries(query)).toMatchObject({ error: "access_denied", state: "some-state" });
  });

  test("rejects another verifier or another key", async () => {
    const first = await decided(at.app);
    const callback = {
      code: first.query.get("code") ?? "",
      issuer: first.query.get("iss") ?? "",
      redirectUri: CALLBACK,
    };
    const wrong = connect.exchange(at.app, { ...callback, verifier: "x".repeat(43), keep: first.keep });
    expect(await failureOf(wrong)).toMatchObject({ kind: "reconnect" });
    const second = await decided(at.app);
    const { keep } = await connect.begin(at.app, request);
    const code = second.query.get("code") ?? "";
    const foreign = connect.exchange(at.app, {
      ...callback,
      code,
      verifier,
      keep: { ...second.keep, key: keep?.key ?? "" },
    });
    expect(await failureOf(foreign)).toMatchObject({ kind: "reconnect" });
  });
});

describe("hosted client", () => {
  let documents: ReturnType<typeof createServer>;
  let app: App;
  const redirectUri = "https://carillon.example/oauth/connect/callback/bluesky";
  beforeAll(async () => {
    documents = createServer(({ url }, response) => {
      response.setHeader("content-type", "application/json");
      const document = clientDocuments(app, redirectUri).find(({ client_id }) => new URL(client_id).pathname === url);
      response.end(JSON.stringify(document));
    });
    await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
    const { port } = documents.address() as AddressInfo; // a TCP server, so this is never a pipe name
    app = at.appAs(`http://127.0.0.1:${port}/oauth/client/bluesky`, randomBytes(32).toString("hex"));
  });
  afterAll(() => documents.close());

  test("identifies by its metadata document and signs every call with its key", async () => {
    const { keep, query } = await decided(app, "bob", "allow", redirectUri);
    const issuer = query.get("iss") ?? "";
    const tokens = await connect.exchange(app, { code: query.get("code") ?? "", issuer, redirectUri, verifier, keep });
    expect(tokens.extra?.clientId).toBe(app.clientId);
    const fresh = await bluesky.refresh?.run(app, tokens);
    expect(fresh?.refreshToken).not.toBe(tokens.refreshToken);
  });

  test("identifies by its second document at a server that does not know granular scopes", async () => {
    await at.sandbox.fault({ operation: "authorize", fault: "no_granular_scopes", times: 9 });
    const { keep, query } = await decided(app, "oscar", "allow", redirectUri);
    await at.sandbox.clearFaults();
    const callback = { code: query.get("code") ?? "", issuer: query.get("iss") ?? "", redirectUri };
    const tokens = await connect.exchange(app, { ...callback, verifier, keep });
    expect(tokens.extra?.clientId).toBe(`${app.clientId}-broad`);
    const fresh = await bluesky.refresh?.run(app, tokens);
    expect(fresh?.scopes).toEqual(expect.arrayContaining(["transition:generic", ...connect.requiredScopes]));
  });

  test("is rejected with another key", async () => {
    const thief = at.appAs(app.clientId, randomBytes(32).toString("hex"));
    const error = await failureOf(connect.begin(thief, { ...request, redirectUri }));
    expect(error).toMatchObject({ kind: "operator", answer: { code: "invalid_client" } });
  });

  test("does not publish the private part of its key", () => {
    const texts = clientDocuments(app, redirectUri).map((document) => JSON.stringify(document));
    expect(texts).toHaveLength(2);
    for (const text of texts) {
      expect(text).not.toContain(app.clientSecret);
      expect(JSON.parse(text).jwks.keys[0]).not.toHaveProperty("d");
    }
  });
});

describe("OAuth tokens", () => {
  const fresh = async (person: string): Promise<Tokens> => connectBy(at.app, connect, person);

  test("invalidates a refresh token when used; reusing it ends the session", async () => {
    const old = await fresh("p1");
    const next = await bluesky.refresh?.run(at.app, old);
    if (!next) throw new Error("Bluesky has no refresh");
    expect(next.extra).toEqual(old.extra);
    await at.withTokens(next);
    expect(await failureOf(bluesky.refresh?.run(at.app, old) ?? Promise.resolve())).toMatchObject({
      kind: "reconnect",
    });
    expect(await failureOf(at.withTokens(next))).toMatchObject({
      kind: "reconnect",
      answer: { code: "invalid_token" },
    });
  });

  test("only app password sessions can reuse a refresh token", () => {
    const { isReusable } = bluesky.refresh ?? {};
    if (typeof isReusable !== "function") throw new Error("Bluesky's answer depends on the tokens");
    expect([isReusable({ accessToken: "", extra: { key: "{}" } }), isReusable({ accessToken: "", extra: {} })]).toEqual(
      [false, true],
    );
  });

  test("requires connecting again if there is no refresh token", async () => {
    await at.sandbox.fault({ operation: "token", fault: "no_refresh_token" });
    const tokens = await fresh("p2");
    expect(tokens.refreshToken).toBeUndefined();
    expect(await failureOf(bluesky.refresh?.run(at.app, tokens) ?? Promise.resolve())).toMatchObject({
      kind: "reconnect",
    });
  });

  test("rejects an expired or revoked token with 401", async () => {
    const session = await at.connected("p3");
    await bluesky.revoke?.(at.app, session.tokens);
    const refused = await failureOf(putPost(session, newRecordKey(), post()));
    expect(refused).toMatchObject({ kind: "reconnect", answer: { status: 401, code: "invalid_token" } });
    const other = await at.connected("p3");
    await at.sandbox.advance(3600);
    expect(await failureOf(putPost(other, newRecordKey(), post()))).toMatchObject({ kind: "reconnect" });
  });

  test("fetches a new nonce after the old one expired, and keeps it for the next call", async () => {
    const session = await at.connected("p4");
    await at.sandbox.advance(600);
    const key = newRecordKey();
    await putPost(session, key, post());
    await putPost(session, newRecordKey(), post());
    const writes = (await at.sandbox.calls()).filter(({ path }) => path.endsWith("putRecord")).slice(-3);
    expect(writes.map(({ status }) => status)).toEqual([401, 200, 200]);
    expect(await readPost(session, key)).toMatchObject({ value: {} });
  });

  test("binds a proof to one request, one token and one time", async () => {
    const session = await at.connected("p5");
    const url = `${session.tokens.extra?.pds}/xrpc/com.atproto.server.getSession`;
    const headers = new Headers();
    await bluesky.authorize?.(headers, { method: "GET", url }, session.tokens);
    const again = async () => (await fetch(url, { headers })).status;
    expect([await again(), await again()]).toEqual([200, 401]);
    const elsewhere = new Headers();
    await bluesky.authorize?.(elsewhere, { method: "POST", url }, session.tokens);
    expect((await fetch(url, { headers: elsewhere })).status).toBe(401);
    const otherToken = new Headers();
    await bluesky.authorize?.(otherToken, { method: "GET", url }, session.tokens);
    const stolen = await at.connected("p6");
    otherToken.set("authorization", `DPoP ${stolen.tokens.accessToken}`);
    expect((await fetch(url, { headers: otherToken })).status).toBe(401);
  });

  test("requires connecting again if a scope is missing", async () => {
    const session = await at.connected("p7");
    const error = await failureOf(
      session.fetch(`${session.tokens.extra?.pds}/xrpc/com.atproto.repo.deleteRecord`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ repo: session.accountId, collection: "app.bsky.feed.post", rkey: newRecordKey() }),
      }),
    );
    expect(error).toMatchObject({ kind: "reconnect", answer: { status: 403, code: "ScopeMissingError" } });
  });
});

describe("profile", () => {
  test("returns the DID, handle, display name and picture", async () => {
    const { accountId, username } = await at.connected("alice");
    expect(accountId).toMatch(/^did:plc:[a-z2-7]{24}$/);
    expect(username).toBe("alice.bsky.test");
  });

  test("reports an account that was taken down", async () => {
    await at.sandbox.control("bluesky/account", { account: "carol", status: "takendown" });
    expect(await failureOf(at.connected("carol"))).toMatchObject({
      kind: "reconnect",
      answer: { code: "AccountTakedown" },
    });
  });
});
