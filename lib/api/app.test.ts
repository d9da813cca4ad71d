import { describe, expect, test } from "vitest";
import { as, newOwner, nobody, told } from "../testing";
import { api, isApiPath } from "./app";

describe("404 for a route that does not exist, as JSON", () => {
  test.each([
    ["GET", "/v1"],
    ["GET", "/v1/"],
    ["GET", "/v1/nothing"],
    ["GET", "/v1/posts/"],
    ["GET", "/v1/posts/1/2"],
    ["GET", "/V1/posts"],
    ["OPTIONS", "/v1/nothing"],
    ["PUT", "/v1/posts/1/"],
    ["POST", "/v1/posts/"],
    ["GET", "/v1//posts"],
    ["GET", "/v2/posts"],
    ["GET", "/oauth/token"],
  ])("%s %s", async (method, path) => {
    const answer = await nobody.request(path, { method });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await told(answer)).toEqual([404, { error: `Route not found: ${method} ${path}` }]);
  });
});

describe("405 with Allow for a path that exists, whoever asks", () => {
  test.each([
    ["PATCH", "/v1/posts/1", "GET, HEAD, PUT, DELETE"],
    ["POST", "/v1/posts/1", "GET, HEAD, PUT, DELETE"],
    ["PUT", "/v1/accounts/1", "DELETE"],
    ["GET", "/v1/accounts/1", "DELETE"],
    ["POST", "/v1/me", "GET, HEAD, DELETE"],
    ["DELETE", "/v1/posts", "GET, HEAD, POST"],
    ["OPTIONS", "/v1/posts", "GET, HEAD, POST"],
    ["GET", "/v1/posts/1/retry", "POST"],
    ["POST", "/v1/openapi.json", "GET, HEAD"],
    ["DELETE", "/media/1", "GET, HEAD"],
  ])("%s %s", async (method, path, allow) => {
    const answer = await nobody.request(path, { method });
    expect(answer.headers.get("allow")).toBe(allow);
    expect(await told(answer)).toEqual([405, { error: `Method not allowed: ${method} ${path}. Allowed: ${allow}` }]);
  });

  test("HEAD answers as GET does, without a body", async () => {
    const caller = as(await newOwner());
    const answer = await caller.request("/v1/accounts", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect((await nobody.request("/v1/accounts", { method: "HEAD" })).status).toBe(401);
    expect((await nobody.request("/v1/media/upload", { method: "HEAD" })).status).toBe(405);
  });
});

test("every answer, refusals too, has a request id, is not cached and not sniffed", async () => {
  const caller = as(await newOwner());
  for (const answer of [
    await caller.get("/v1/accounts"),
    await nobody.get("/v1/accounts"),
    await nobody.get("/v1/x"),
  ]) {
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("which paths the API answers before Next sees them", () => {
  const mine = [
    ...["/v1", "/v1/posts", "/media/1", "/oauth/token", "/oauth/revoke", "/.well-known/jwks.json"],
    ...["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"],
  ];
  const theirs = [
    "/",
    "/v11",
    "/v1x/posts",
    "/mediafile",
    "/oauth/connect",
    "/oauth/token/x",
    "/authorize",
    "/.well-known/x",
  ];
  expect([...mine, ...theirs].filter(isApiPath)).toEqual(mine);
});

test("500 is one generic sentence, without what went wrong", async () => {
  // A request that no route can read: its body is already used.
  const request = new Request("http://localhost/v1/posts", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  const { access_token } = await (await import("../oauth")).createPersonalToken(await newOwner(), ["api"]);
  request.headers.set("authorization", `Bearer ${access_token}`);
  await request.text();
  expect(await told(api.request(request))).toEqual([500, { error: "Something went wrong on our side" }]);
});
