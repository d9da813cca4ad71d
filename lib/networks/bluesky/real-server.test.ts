import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { cidOfBytes, cidOfRecord } from "../../../sandbox/bluesky/blobs";
import type { NetworkSession } from "../network";
import { failureOf } from "../testing";
import { makeSession } from "../wire/fetch";
import { bluesky } from ".";
import { createPostWithGate, newRecordKey, putPost, readPost } from "./api";
import type { BlueskySettings } from "./settings";
import { image, publishOnServer, realServer } from "./testing/real-server";
import { connect } from "./testing/sandbox";

const server = realServer("pds");
const { isInstalled } = server;

describe.skipIf(!isInstalled)("against Bluesky's reference server (npm: @atproto/pds)", () => {
  let alice: NetworkSession;
  let bob: Awaited<ReturnType<typeof server.person>>;
  beforeAll(async () => {
    if (!isInstalled) return;
    alice = await server.signedIn(await server.person("alice"));
    bob = await server.person("bob");
  });

  test("connects an account with an app password and confirms the handle in both directions", () => {
    expect(alice).toMatchObject({ username: "alice.test", accountId: expect.stringMatching(/^did:plc:/) });
  });

  test("rejects a main password by its format and a wrong one by the server's answer", async () => {
    const main = failureOf(server.signedIn({ ...bob, password: bob.mainPassword }));
    expect(await main).toMatchObject({ kind: "rejected" });
    const wrong = await failureOf(server.signedIn({ ...bob, password: "aaaa-bbbb-cccc-dddd" }));
    expect(wrong).toMatchObject({ kind: "reconnect", answer: { status: 401, code: "AuthenticationRequired" } });
  });

  test("reads rich text back unchanged; the sandbox computes the same CID", async () => {
    const { id } = await publishOnServer(alice, "Hello 👋 @bob.test https://example.com #тег");
    const { cid, value } = await server.readBack(id);
    expect(value.facets).toMatchObject([
      { index: { byteStart: 11, byteEnd: 20 }, features: [{ did: bob.did }] },
      { index: { byteStart: 21, byteEnd: 40 }, features: [{ uri: "https://example.com" }] },
      { index: { byteStart: 41, byteEnd: 48 }, features: [{ tag: "тег" }] },
    ]);
    expect(cidOfRecord(value)).toBe(cid);
  });

  test("stores the bytes of images", async () => {
    const media = [await image(30, 20), await image(40, 20)];
    const { id } = await publishOnServer(alice, "Two images", media);
    const { cid, value } = await server.readBack(id);
    const { images } = z
      .object({ images: z.array(z.looseObject({ image: z.looseObject({ ref: z.unknown() }) })) })
      .parse(value.embed);
    expect(images).toMatchObject([
      { aspectRatio: { width: 30, height: 20 } },
      { aspectRatio: { width: 40, height: 20 } },
    ]);
    const [first] = images;
    const { $link } = z.object({ $link: z.string() }).parse(first?.image.ref);
    const blob = await fetch(
      `${server.url}/xrpc/com.atproto.sync.getBlob?${new URLSearchParams({ did: alice.accountId, cid: $link })}`,
    );
    expect(cidOfBytes(new Uint8Array(await blob.arrayBuffer()))).toBe($link);
    expect(blob.headers.get("content-type")).toBe("image/png");
    expect(cidOfRecord(value)).toBe(cid);
  });

  test("accepts a gallery", async () => {
    const media = await Promise.all(Array.from({ length: 5 }, (_, index) => image(20 + index, 20)));
    const { value } = await server.readBack((await publishOnServer(alice, "Five images", media)).id);
    expect(value.embed).toMatchObject({ $type: "app.bsky.embed.gallery" });
  });

  test("links the posts of a thread", async () => {
    const first = await publishOnServer(alice, "One");
    const second = await publishOnServer(alice, "Two", [], first);
    const third = await publishOnServer(alice, "Three", [], second);
    const [one, two, three] = await Promise.all([first, second, third].map(({ id }) => server.readBack(id)));
    const ref = (post?: { uri: string; cid: string }) => ({ uri: post?.uri, cid: post?.cid });
    expect(two?.value.reply).toEqual({ root: ref(one), parent: ref(one) });
    expect(three?.value.reply).toEqual({ root: ref(one), parent: ref(two) });
  });

  test("creates a post with languages and labels together with its gate", async () => {
    const settings: BlueskySettings = {
      languages: ["en", "de-at"],
      labels: ["GRAPHIC_MEDIA"],
      whoCanReply: ["MENTIONED", "FOLLOWING", "FOLLOWERS"],
    };
    const { id } = await publishOnServer(alice, "With a gate", [await image(30, 20)], undefined, settings);
    const { cid, value } = await server.readBack(id);
    expect(value).toMatchObject({ langs: ["en", "de-AT"], labels: { values: [{ val: "graphic-media" }] } });
    expect(cidOfRecord(value)).toBe(cid);
    const gate = await server.readBack(id.replace("app.bsky.feed.post", "app.bsky.feed.threadgate"));
    expect(gate.value).toMatchObject({
      post: id,
      allow: ["mention", "following", "follower"].map((who) => ({ $type: `app.bsky.feed.threadgate#${who}Rule` })),
    });
    expect(cidOfRecord(gate.value)).toBe(gate.cid);
  });

  test("refuses to create a post with a gate twice, and creates neither if the gate is invalid", async () => {
    const key = newRecordKey();
    const createdAt = new Date().toISOString();
    const record = { $type: "app.bsky.feed.post", text: "Once, with a gate", createdAt };
    await createPostWithGate(alice, key, record, { allow: [], createdAt });
    const { cid } = (await readPost(alice, key)) ?? {};
    const again = await failureOf(createPostWithGate(alice, key, record, { allow: [], createdAt }));
    expect(again).toMatchObject({ kind: "unknown", answer: { status: 500 } });
    expect(await readPost(alice, key)).toMatchObject({ cid });
    const other = newRecordKey();
    const unchecked = { ...alice, fetch: makeSession(server.network(), server.app(), alice).fetch };
    const wrong = createPostWithGate(unchecked, other, record, { allow: [], createdAt: "yesterday" });
    expect(await failureOf(wrong)).toMatchObject({ kind: "rejected", answer: { code: "InvalidRequest" } });
    expect(await readPost(alice, other)).toBeUndefined();
  });

  test("a repeated record changes nothing, a different one is refused, a missing one is not found", async () => {
    const key = newRecordKey();
    const record = { $type: "app.bsky.feed.post", text: "Once", createdAt: new Date().toISOString() };
    const first = await putPost(alice, key, record);
    expect(await putPost(alice, key, record)).toMatchObject({ uri: first.uri, cid: first.cid });
    expect(await failureOf(putPost(alice, key, { ...record, text: "Other" }))).toMatchObject({
      duplicate: true,
      answer: { status: 400, code: "InvalidSwap" },
    });
    expect(await readPost(alice, key)).toMatchObject({ cid: first.cid });
    expect(await readPost(alice, newRecordKey())).toBeUndefined();
  });

  test.each([
    ["300 graphemes", "👨‍👩‍👧‍👦".repeat(100) + "a".repeat(200), undefined],
    ["301 graphemes", "a".repeat(301), "its text is too long"],
    ["3,001 bytes in 300 graphemes", `${"👨‍👩‍👧‍👦".repeat(120)}a`, "record is invalid"],
  ])("%s", async (_, text, says) => {
    const record = { $type: "app.bsky.feed.post", text, createdAt: new Date().toISOString() };
    const call = putPost(
      { ...alice, fetch: makeSession(server.network(), server.app(), alice).fetch },
      newRecordKey(),
      record,
    );
    if (says === undefined) await call;
    else expect(await failureOf(call)).toMatchObject({ kind: "rejected", message: expect.stringContaining(says) });
  });

  test("explains that an image is too large for an older server", async () => {
    const large = await image(600, 600, true);
    expect(large.sizeBytes).toBeGreaterThan(1_000_000);
    expect(await failureOf(publishOnServer(alice, "Too large", [large]))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("too large"),
    });
  });

  test("refreshes a session and ends it when the app password is revoked", async () => {
    const session = await server.signedIn(bob);
    const next = await bluesky.refresh?.run(session.app, session.tokens);
    const again = await bluesky.refresh?.run(session.app, session.tokens);
    expect(next?.refreshToken).not.toBe(session.tokens.refreshToken);
    expect(again?.extra).toEqual(session.tokens.extra);
    await bob.revoke();
    const dead = failureOf(bluesky.refresh?.run(session.app, next ?? session.tokens) ?? Promise.resolve());
    expect(await dead).toMatchObject({ kind: "reconnect", message: expect.stringContaining("revoked") });
  });

  test("accepts our pushed request with proofs and nonces", async () => {
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const redirectUri = "http://127.0.0.1:3000/oauth/connect/callback/bluesky";
    const request = { state: "s", redirectUri, challenge, verifier, account: "alice.test" };
    const { url, keep } = await connect.begin(server.app(), request);
    expect(url).toMatch(/^http:\/\/localhost:\d+\/oauth\/authorize\?client_id=.*&request_uri=urn/);
    expect(keep).toMatchObject({ issuer: server.url, did: alice.accountId });
  });
});
