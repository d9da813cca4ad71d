import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App, Tokens } from "../network";
import { connectBy, submitConsent } from "../testing";
import { bluesky } from ".";
import { putPost, readPost } from "./api";
import { clientDocument, clientIdFor, REPO_SCOPE, SCOPES } from "./client";
import { resolveHandle } from "./identity";
import { newRecordKey } from "./key";
import { blueskySandbox, connect, failure } from "./testing/setting";

const at = blueskySandbox();
const CALLBACK = "http://127.0.0.1:3000/oauth/connect/callback/bluesky";
const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");
const request = { state: "some-state", redirectUri: CALLBACK, challenge, verifier };

/** As far as the callback, as a person would get there. */
async function decided(app: App, account = "alice", decision = "allow", redirectUri = CALLBACK) {
  const { url, keep = {} } = await connect.begin(app, { ...request, redirectUri });
  const answer = await submitConsent(url, { account, decision });
  return { url, keep, query: new URL(answer.headers.get("location") ?? "").searchParams };
}

const post = () => ({ $type: "app.bsky.feed.post", text: "From here", createdAt: new Date().toISOString() });

describe("the pushed request", () => {
  test("nothing but a reference and our name is in the browser's address", async () => {
    const { url } = await connect.begin(at.app, request);
    const { searchParams } = new URL(url);
    expect([...searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
    expect(searchParams.get("client_id")).toBe(clientIdFor(at.app, CALLBACK));
    expect(searchParams.get("request_uri")).toMatch(/^urn:ietf:params:oauth:request_uri:/);
  });

  test("the scopes are those of posting, and no others", () => {
    expect(SCOPES.join(" ")).not.toContain("transition");
    expect(SCOPES.filter((scope) => scope.startsWith("repo:"))).toEqual([REPO_SCOPE]);
  });

  test("an account that is named is signed in on its own server, and no other one is taken", async () => {
    const { url } = await connect.begin(at.app, { ...request, account: "@Bob.bsky.test " });
    const wrong = await submitConsent(url, { account: "alice", decision: "allow" });
    expect(wrong.status).toBe(400);
  });

  test("by a DID, whatever handle its document names", async () => {
    await at.sandbox.control("bluesky/account", { account: "erin", alias: "erins.own.test" });
    const did = (await resolveHandle(at.app, "erin.bsky.test")) ?? "";
    const { url } = await connect.begin(at.app, { ...request, account: did });
    const answer = await submitConsent(url, { account: "erin", decision: "allow" });
    expect(new URL(answer.headers.get("location") ?? "").searchParams.get("code")).toBeTruthy();
  });

  test("nobody of that name", async () => {
    const error = await failure(connect.begin(at.app, { ...request, account: "nobody.example.com" }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("nobody.example.com") });
  });

  test("a name that the account itself does not have", async () => {
    await at.sandbox.control("bluesky/account", { account: "dave", alias: "somebody.else.test" });
    const error = await failure(connect.begin(at.app, { ...request, account: "dave.bsky.test" }));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining("not confirmed") });
  });
});

describe("the callback", () => {
  test("gives tokens that are bound to a key, for the account's own server", async () => {
    const { keep, query } = await decided(at.app);
    expect(query.get("state")).toBe("some-state");
    const issuer = query.get("iss") ?? "";
    const callback = { code: query.get("code") ?? "", issuer, redirectUri: CALLBACK, verifier, keep };
    const tokens = await connect.exchange(at.app, callback);
    expect(tokens.scopes).toEqual(SCOPES);
    expect(tokens.extra).toMatchObject({ issuer, key: expect.stringContaining('"d"'), pds: expect.any(String) });
    expect(new URL(tokens.extra?.pds ?? "").origin).not.toBe(new URL(issuer).origin);
    expect(Date.parse(tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(3_000_000);
    // Once only.
    expect(await failure(connect.exchange(at.app, callback))).toMatchObject({ kind: "reconnect" });
  });

  test.each([
    ["of another server", "https://evil.example"],
    ["that does not say whose it is", undefined],
  ])("one %s is refused before anything is sent", async (_, issuer) => {
    const { keep, query } = await decided(at.app);
    const before = (await at.sandbox.calls()).length;
    const callback = { code: query.get("code") ?? "", issuer, redirectUri: CALLBACK, verifier, keep };
    expect(await failure(connect.exchange(at.app, callback))).toMatchObject({ kind: "rejected" });
    expect(await at.sandbox.calls()).toHaveLength(before);
  });

  test("a no comes back as access_denied", async () => {
    const { query } = await decided(at.app, "alice", "deny");
    expect(Object.fromEntries(query)).toMatchObject({ error: "access_denied", state: "some-state" });
  });

  test("another verifier, another key", async () => {
    const first = await decided(at.app);
    const callback = {
      code: first.query.get("code") ?? "",
      issuer: first.query.get("iss") ?? "",
      redirectUri: CALLBACK,
    };
    const wrong = connect.exchange(at.app, { ...callback, verifier: "x".repeat(43), keep: first.keep });
    expect(await failure(wrong)).toMatchObject({ kind: "reconnect" });
    const second = await decided(at.app);
    const { keep } = await connect.begin(at.app, request);
    const code = second.query.get("code") ?? "";
    const foreign = connect.exchange(at.app, {
      ...callback,
      code,
      verifier,
      keep: { ...second.keep, key: keep?.key ?? "" },
    });
    expect(await failure(foreign)).toMatchObject({ kind: "reconnect" });
  });
});

describe("as a service of its own", () => {
  let documents: ReturnType<typeof createServer>;
  let app: App;
  const redirectUri = "https://carillon.example/oauth/connect/callback/bluesky";
  beforeAll(async () => {
    documents = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(clientDocument(app, redirectUri)));
    });
    await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
    const { port } = documents.address() as AddressInfo; // listening on TCP, so never a pipe's name
    app = at.appAs(`http://127.0.0.1:${port}/oauth/client/bluesky`, randomBytes(32).toString("hex"));
  });
  afterAll(() => documents.close());

  test("it is known by its document and proves itself with its key, at every call", async () => {
    const { keep, query } = await decided(app, "bob", "allow", redirectUri);
    const issuer = query.get("iss") ?? "";
    const tokens = await connect.exchange(app, { code: query.get("code") ?? "", issuer, redirectUri, verifier, keep });
    expect(tokens.extra?.clientId).toBe(app.clientId);
    const fresh = await bluesky.refresh?.run(app, tokens);
    expect(fresh?.refreshToken).not.toBe(tokens.refreshToken);
  });

  test("another key is not believed", async () => {
    const thief = at.appAs(app.clientId, randomBytes(32).toString("hex"));
    const error = await failure(connect.begin(thief, { ...request, redirectUri }));
    expect(error).toMatchObject({ kind: "later", answer: { code: "invalid_client" } });
  });

  test("the private part of the key is not in the document", () => {
    const document = JSON.stringify(clientDocument(app, redirectUri));
    expect(document).not.toContain(app.clientSecret);
    expect(JSON.parse(document).jwks.keys[0]).not.toHaveProperty("d");
  });
});

describe("the account's permission", () => {
  const fresh = async (person: string): Promise<Tokens> => connectBy(at.app, connect, person);

  test("each refresh spends the token; presented again it ends everything", async () => {
    const old = await fresh("p1");
    const next = await bluesky.refresh?.run(at.app, old);
    if (!next) throw new Error("Bluesky has no refresh");
    expect(next.extra).toEqual(old.extra);
    await at.withTokens(next);
    expect(await failure(bluesky.refresh?.run(at.app, old) ?? Promise.resolve())).toMatchObject({ kind: "reconnect" });
    expect(await failure(at.withTokens(next))).toMatchObject({ kind: "reconnect", answer: { code: "invalid_token" } });
  });

  test("only a session by an app password may present its token twice", () => {
    const { isReusable } = bluesky.refresh ?? {};
    if (typeof isReusable !== "function") throw new Error("Bluesky's answer depends on the tokens");
    expect([isReusable({ accessToken: "", extra: { key: "{}" } }), isReusable({ accessToken: "", extra: {} })]).toEqual(
      [false, true],
    );
  });

  test("without a refresh token the person has to come back", async () => {
    await at.sandbox.fault({ operation: "token", fault: "no_refresh_token" });
    const tokens = await fresh("p2");
    expect(tokens.refreshToken).toBeUndefined();
    expect(await failure(bluesky.refresh?.run(at.app, tokens) ?? Promise.resolve())).toMatchObject({
      kind: "reconnect",
    });
  });

  test("an ended one is refused with 401, a withdrawn one too", async () => {
    const session = await at.connected("p3");
    await bluesky.revoke?.(at.app, session.tokens);
    const refused = await failure(putPost(session, newRecordKey(), post()));
    expect(refused).toMatchObject({ kind: "reconnect", answer: { status: 401, code: "invalid_token" } });
    const other = await at.connected("p3");
    await at.sandbox.advance(3600);
    expect(await failure(putPost(other, newRecordKey(), post()))).toMatchObject({ kind: "reconnect" });
  });

  test("a nonce that has run out is fetched anew, and remembered for the next call", async () => {
    const session = await at.connected("p4");
    await at.sandbox.advance(600);
    const key = newRecordKey();
    await putPost(session, key, post());
    await putPost(session, newRecordKey(), post());
    const writes = (await at.sandbox.calls()).filter(({ path }) => path.endsWith("putRecord")).slice(-3);
    expect(writes.map(({ status }) => status)).toEqual([401, 200, 200]);
    expect(await readPost(session, key)).toMatchObject({ value: {} });
  });

  test("a proof is for one request, one token and one time", async () => {
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

  test("a right that was not given is asked for by connecting again", async () => {
    const session = await at.connected("p7");
    const error = await failure(
      session.fetch(`${session.tokens.extra?.pds}/xrpc/com.atproto.repo.deleteRecord`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ repo: session.accountId, collection: "app.bsky.feed.post", rkey: newRecordKey() }),
      }),
    );
    expect(error).toMatchObject({ kind: "reconnect", answer: { status: 403, code: "ScopeMissingError" } });
  });
});

describe("the profile", () => {
  test("is the DID, the handle, the shown name and the picture", async () => {
    const { accountId, username } = await at.connected("alice");
    expect(accountId).toMatch(/^did:plc:[a-z2-7]{24}$/);
    expect(username).toBe("alice.bsky.test");
  });

  test("an account that was taken down", async () => {
    await at.sandbox.control("bluesky/account", { account: "carol", status: "takendown" });
    expect(await failure(at.connected("carol"))).toMatchObject({
      kind: "reconnect",
      answer: { code: "AccountTakedown" },
    });
  });
});
