import http from "node:http";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { beginVideo, session as linkedinSession, sendParts } from "../linkedin/testing";
import { session as pinterestSession, storeForm } from "../pinterest/testing";
import { jpeg } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { codeFor, connect, redeem, session, tokenCall, uploadChunked, uploadImage, type XSession } from "../x/testing";

const sandbox = testSandbox();
let x: XSession;
beforeAll(async () => {
  x = await session(sandbox);
});
beforeEach(() => sandbox.control("POST", "reset"));

const texts = async () => (await sandbox.posts("x")).map(({ text }) => text);
const onPublish = (fault: string, more: Record<string, unknown> = {}) =>
  sandbox.fault({ network: "x", operation: "publish", fault, ...more });

describe("faults after the handler", () => {
  test("drop_response closes the connection without a byte, after the post was created", async () => {
    await onPublish("drop_response");
    await expect(x.post("tweets", { text: "dropped" })).rejects.toThrow("fetch failed");
    expect(await texts()).toEqual(["dropped"]);
    expect((await sandbox.calls("x")).at(-1)).toMatchObject({ operation: "publish", status: 0, account: "alice" });
    expect((await x.post("tweets", { text: "dropped" })).status).toBe(403);
  });

  test("late_response creates the post at once and responds after the delay", async () => {
    await onPublish("late_response", { afterSeconds: 300 });
    const answer = x.post("tweets", { text: "late" });
    await expect.poll(texts).toEqual(["late"]);
    await sandbox.advance(301);
    expect((await answer).status).toBe(201);
  });

  test("cut_body sends the headers and half of the body", async () => {
    await onPublish("cut_body");
    const answer = await x.post("tweets", { text: "half" });
    expect(answer.status).toBe(201);
    await expect(answer.text()).rejects.toThrow("terminated");
    expect(await texts()).toEqual(["half"]);
  });
});

test("gzip compresses the body even for a client that does not accept it", async () => {
  await sandbox.fault({ network: "x", operation: "profile", fault: "gzip" });
  const { headers, body } = await new Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }>((resolve) => {
    http.get(`${sandbox.url}/x/2/users/me`, { headers: { "accept-encoding": "identity" } }, async (answer) => {
      resolve({ headers: answer.headers, body: Buffer.concat(await answer.toArray()) });
    });
  });
  expect(headers["content-encoding"]).toBe("gzip");
  expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ status: 401 });
});

test("unknown_fields adds fields to every object of the answer", async () => {
  await sandbox.fault({ network: "x", operation: "publish", fault: "unknown_fields" });
  const answer = await (await x.post("tweets", { text: "more fields" })).json();
  expect(answer).toMatchObject({ new_flag: true, data: { id: expect.any(String), new_object: { value: null } } });
});

describe("faults that replace the handler", () => {
  test("refuse closes the connection before the handler runs", async () => {
    await onPublish("refuse");
    await expect(x.post("tweets", { text: "refused" })).rejects.toThrow("fetch failed");
    expect(await texts()).toEqual([]);
  });

  test.each([
    { fault: "http_500", status: 500, type: "application/json" },
    { fault: "http_502_html", status: 502, type: "text/html; charset=UTF-8" },
    { fault: "duplicate", status: 403, type: "application/json" },
  ])("$fault responds with $status and creates no post", async ({ fault, status, type }) => {
    await onPublish(fault);
    const answer = await x.post("tweets", { text: "not posted" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, type]);
    expect(await texts()).toEqual([]);
  });

  test("rate_limit states the reset time in the network's own headers", async () => {
    await onPublish("rate_limit", { afterSeconds: 120 });
    const answer = await x.post("tweets", { text: "limited" });
    expect([answer.status, answer.headers.get("x-rate-limit-remaining")]).toEqual([429, "0"]);
    const seconds = Number(answer.headers.get("x-rate-limit-reset")) - Date.now() / 1000;
    expect(Math.abs(seconds - 120)).toBeLessThan(5);
  });

  test("redirect_elsewhere points to another origin and records clients that follow", async () => {
    await onPublish("redirect_elsewhere");
    await x.post("tweets", { text: "away" });
    expect((await sandbox.calls("x")).map(({ operation, status }) => [operation, status])).toEqual([
      ["publish", 307],
      ["elsewhere", 200],
    ]);
    expect(await texts()).toEqual([]);
  });
});

describe("tokens", () => {
  test("revoke_token revokes both tokens of the caller", async () => {
    const mine = await session(sandbox, "bob");
    await onPublish("revoke_token");
    expect((await mine.post("tweets", { text: "revoked" })).status).toBe(401);
    expect((await mine.get("users/me")).status).toBe(401);
  });

  test("invalid_grant responds with X's invalid_request, for codes and refresh tokens", async () => {
    const { refresh_token } = await connect(sandbox);
    for (const operation of ["token", "refresh"])
      await sandbox.fault({ network: "x", operation, fault: "invalid_grant" });
    expect((await redeem(sandbox, await codeFor(sandbox))).status).toBe(400);
    const refreshing = () => tokenCall(sandbox, { grant_type: "refresh_token", refresh_token });
    expect(await (await refreshing()).json()).toMatchObject({ error: "invalid_request" });
    expect((await refreshing()).status).toBe(200);
  });

  test("no_refresh_token omits the refresh token", async () => {
    await sandbox.fault({ network: "x", operation: "token", fault: "no_refresh_token" });
    expect(Object.keys(await connect(sandbox)).sort()).toEqual(["access_token", "expires_in", "scope", "token_type"]);
  });
});

test("processing_fails makes a video end as failed and an image unusable", async () => {
  await sandbox.fault({ network: "x", operation: "status", fault: "processing_fails" });
  const { id } = (await (await uploadChunked(x, mp4(), "tweet_video", "video/mp4")).json()).data;
  await x.get(`media/upload?media_id=${id}`);
  const { processing_info } = (await (await x.get(`media/upload?media_id=${id}`)).json()).data;
  expect(processing_info.state).toBe("failed");
  await sandbox.fault({ network: "x", operation: "upload", fault: "processing_fails" });
  const image = await uploadImage(x, await jpeg());
  expect((await x.post("tweets", { text: "image", media: { media_ids: [image] } })).status).toBe(400);
});

test("slow delays the handler", async () => {
  await onPublish("slow", { afterSeconds: 300 });
  const answer = x.post("tweets", { text: "slow" });
  await expect.poll(async () => (await sandbox.calls("x")).length).toBe(1);
  expect(await texts()).toEqual([]);
  await sandbox.advance(301);
  expect((await answer).status).toBe(201);
});

test("a fault applies `times` times to its operation, `*` matches every operation, DELETE clears all", async () => {
  await onPublish("http_500", { times: 2 });
  expect((await x.get("users/me")).status).toBe(200);
  const statuses = [];
  for (const text of ["one", "two", "three"]) statuses.push((await x.post("tweets", { text })).status);
  expect(statuses).toEqual([500, 500, 201]);
  await sandbox.fault({ network: "x", operation: "*", fault: "http_500", times: 9 });
  expect((await x.get("users/me")).status).toBe(500);
  await sandbox.control("DELETE", "faults");
  expect((await x.get("users/me")).status).toBe(200);
});

describe("a fault with an account", () => {
  test("applies only to calls with a token of that user", async () => {
    const bob = await session(sandbox, "bob");
    await onPublish("http_500", { account: "bob" });
    expect((await x.post("tweets", { text: "from alice" })).status).toBe(201);
    expect((await bob.post("tweets", { text: "from bob" })).status).toBe(500);
    expect((await bob.post("tweets", { text: "from bob" })).status).toBe(201);

    const { refresh_token } = await connect(sandbox, "bob");
    await sandbox.fault({ network: "x", operation: "refresh", fault: "http_500", account: "bob" });
    expect((await tokenCall(sandbox, { grant_type: "refresh_token", refresh_token })).status).toBe(500);
  });

  test("applies to that user's uploads, which carry no token", async () => {
    const member = await linkedinSession(sandbox, "bob");
    await sandbox.fault({ network: "linkedin", operation: "upload", fault: "http_500", account: "alice" });
    await sandbox.fault({ network: "linkedin", operation: "upload", fault: "http_500", account: "bob" });
    const upload = await beginVideo(member, 100);
    expect(await sendParts(upload, new Uint8Array(100))).toEqual([""]);
    expect(await sendParts(upload, new Uint8Array(100))).toEqual([expect.stringMatching(/./)]);

    const pinner = await pinterestSession(sandbox, "bob");
    await sandbox.fault({ network: "pinterest", operation: "upload", fault: "http_500", account: "bob" });
    const { upload_url, upload_parameters } = await (await pinner.post("media", { media_type: "video" })).json();
    const body = () => storeForm(upload_parameters, mp4());
    expect((await fetch(upload_url, { method: "POST", body: body() })).status).toBe(500);
    expect((await fetch(upload_url, { method: "POST", body: body() })).status).toBe(204);
    expect(await (await sandbox.control("GET", "faults")).json()).toMatchObject([
      { network: "linkedin", account: "alice" },
    ]);
  });
});
