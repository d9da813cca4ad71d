import { once } from "node:events";
import http from "node:http";
import { pipeline } from "node:stream/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { testSandbox } from "../testing/sandbox";
import { connect, session } from "../x/testing";

const sandbox = testSandbox();
beforeEach(() => sandbox.control("POST", "reset"));

describe("invalid requests", () => {
  test.each([
    {
      when: "an unknown fault",
      path: "faults",
      body: { network: "x", operation: "publish", fault: "explode" },
      says: "fault",
    },
    {
      when: "an unknown operation",
      path: "faults",
      body: { network: "x", operation: "sing", fault: "slow" },
      says: "operation",
    },
    {
      when: "an unknown field",
      path: "faults",
      body: { network: "x", operation: "*", fault: "slow", after: 1 },
      says: "after",
    },
    {
      when: "zero times",
      path: "faults",
      body: { network: "x", operation: "*", fault: "slow", times: 0 },
      says: "times",
    },
    { when: "a clock that goes back", path: "clock", body: { advanceSeconds: -1 }, says: "advanceSeconds" },
    { when: "no body", path: "clock", body: undefined, says: "body" },
  ])("returns 400 and names the field: $when", async ({ path, body, says }) => {
    const answer = await sandbox.control("POST", path, body);
    expect(answer.status).toBe(400);
    expect((await answer.json()).error).toContain(says);
  });

  test("returns 404 as JSON for an unknown network", async () => {
    for (const answer of [
      await sandbox.control("GET", "posts?network=myspace"),
      await sandbox.control("POST", "faults", { network: "myspace", operation: "*", fault: "slow" }),
      await fetch(`${sandbox.url}/myspace/anything`),
    ]) {
      expect(answer.status).toBe(404);
      expect(await answer.json()).toHaveProperty("error");
    }
  });

  test.each([
    { when: "another Host (DNS rebinding)", headers: { host: "rebound.example:80" } },
    { when: "a web page of another origin", headers: { origin: "https://evil.example" } },
  ])("returns 403 for $when", async ({ headers }) => {
    const { port } = new URL(sandbox.url);
    const status = await new Promise((resolve) => {
      http.get({ host: "127.0.0.1", port, path: "/_control/posts", headers }, (answer) =>
        resolve(answer.resume().statusCode),
      );
    });
    expect(status).toBe(403);
  });
});

test("lists calls in order with operation, status and account, and without secrets", async () => {
  const x = await session(sandbox, "carol");
  await x.post("tweets", { text: "listed" });
  await fetch(`${sandbox.url}/telegram/bot1000000001:sandbox-telegram-bot/getMe`);
  const calls = await sandbox.calls("x");
  expect(
    calls.map(({ operation, method, path, status, account }) => ({ operation, method, path, status, account })),
  ).toEqual([
    { operation: "authorize", method: "POST", path: "/x/i/oauth2/authorize", status: 302, account: "carol" },
    { operation: "token", method: "POST", path: "/x/2/oauth2/token", status: 200, account: "carol" },
    { operation: "publish", method: "POST", path: "/x/2/tweets", status: 201, account: "carol" },
  ]);
  expect((await sandbox.calls("telegram"))[0]?.path).toBe("/telegram/bot<token>/getMe");
});

test("reset deletes posts, faults and calls, and keeps users and their tokens", async () => {
  const x = await session(sandbox, "frank");
  await x.post("tweets", { text: "forgotten" });
  await sandbox.fault({ network: "x", operation: "publish", fault: "http_500" });
  expect((await sandbox.control("POST", "reset")).status).toBe(204);
  expect([await sandbox.posts("x"), await sandbox.calls("x")]).toEqual([[], []]);
  expect((await x.post("tweets", { text: "forgotten" })).status).toBe(201);
});

test("a fault with `every: 3` applies to every third call", async () => {
  const x = await session(sandbox, "erin");
  for (const name of ["http_500", "http_502_html"])
    await sandbox.fault({ network: "x", operation: "publish", fault: name, every: 3, times: 2 });
  const statuses = [];
  for (let n = 1; n <= 9; n++) statuses.push((await x.post("tweets", { text: `call ${n}` })).status);
  expect(statuses).toEqual([201, 201, 500, 502, 201, 500, 201, 502, 201]);
});

test("keeps posts, calls, faults and duplicate checks across a restart", async () => {
  const x = await session(sandbox, "alice");
  await x.post("tweets", { text: "kept" });
  await sandbox.fault({ network: "x", operation: "publish", fault: "http_500", times: 2 });
  expect((await x.post("tweets", { text: "refused" })).status).toBe(500);
  const calls = await sandbox.calls("x");
  await sandbox.restart();
  expect((await sandbox.posts("x")).map(({ text }) => text)).toEqual(["kept"]);
  expect(await sandbox.calls("x")).toEqual(calls);
  const moved = await x.at(sandbox).post("tweets", { text: "refused again" });
  expect(moved.status).toBe(500);
  expect((await x.at(sandbox).post("tweets", { text: "kept" })).status).toBe(403);
});

describe("a sandbox that stops", () => {
  test("answers a request that takes longer than a second", async () => {
    const { access_token: token } = await connect(sandbox, "alice");
    const slowly = async function* (text: string) {
      for (const character of text) {
        yield Buffer.from(character);
        await new Promise((resolve) => setTimeout(resolve, 100)); // the client's slow network
      }
    };
    const { port } = new URL(sandbox.url);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = http.request({ port, path: "/x/2/tweets", method: "POST", headers });
    const answered = once(request, "response");
    const sending = pipeline(slowly('{"text":"written slowly"}'), request);
    const operations = async () => (await sandbox.calls("x")).map(({ operation }) => operation);
    await expect.poll(operations).toContain("publish");
    await Promise.all([sandbox.restart(), sending]);
    const [{ statusCode }] = await answered;
    expect([statusCode, (await sandbox.posts("x")).map(({ text }) => text)]).toEqual([201, ["written slowly"]]);
  });

  test("does not send an answer that a fault delays, and keeps the post", async () => {
    const x = await session(sandbox, "alice");
    await sandbox.fault({ network: "x", operation: "publish", fault: "late_response", afterSeconds: 300 });
    const answer = x.post("tweets", { text: "never answered" });
    await expect.poll(() => sandbox.posts("x")).toHaveLength(1);
    await Promise.all([sandbox.restart(), expect(answer).rejects.toThrow("fetch failed")]);
    expect((await sandbox.posts("x")).map(({ text }) => text)).toEqual(["never answered"]);
    expect((await sandbox.calls("x")).at(-1)).toMatchObject({ operation: "publish", status: 0 });
  });
});

test("the feed shows posts HTML-escaped, each with an anchor and its permalink", async () => {
  const x = await session(sandbox, "alice");
  const { id } = (await (await x.post("tweets", { text: "<b>bold</b> & more" })).json()).data;
  const page = await (await fetch(sandbox.url)).text();
  expect(page).toContain("&lt;b&gt;bold&lt;/b&gt; &amp; more");
  expect(page).toContain(`id="post-x-${id}"`);
  expect(page).toContain(`https://x.com/alice/status/${id}`);
});
