import { describe, expect, test, vi } from "vitest";
import { log } from "../log";
import { as, newOwner, nobody, readResponse, signedInAs } from "../testing";
import { api, isApiPath, routes } from "./app";

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
    ["GET", "/oauth/token/"],
  ])("%s %s", async (method, path) => {
    const answer = await nobody.request(path, { method });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await readResponse(answer)).toEqual([404, { error: `Route not found: ${method} ${path}` }]);
  });
});

describe("405 with Allow for a path that exists, without authentication", () => {
  test.each([
    ["PATCH", "/v1/posts/1", "GET, HEAD, PUT, DELETE"],
    ["POST", "/v1/posts/1", "GET, HEAD, PUT, DELETE"],
    ["PUT", "/v1/accounts/1", "DELETE"],
    ["GET", "/v1/accounts/1", "DELETE"],
    ["POST", "/v1/me", "GET, HEAD, DELETE"],
    ["DELETE", "/v1/posts", "GET, HEAD, POST"],
    ["OPTIONS", "/v1/posts", "GET, HEAD, POST"],
    ["GET", "/v1/posts/1/retry", "POST"],
    ["POST", "/v1/media/1.jpg", "GET, HEAD, PATCH, DELETE"],
    ["GET", "/v1/media/upload", "POST"],
    ["DELETE", "/v1/media/upload", "POST"],
    ["POST", "/v1/openapi.json", "GET, HEAD"],
    ["DELETE", "/media/1", "GET, HEAD"],
    ["GET", "/oauth/token", "POST"],
    ["GET", "/oauth/token?grant_type=client_credentials", "POST"],
    ["PUT", "/oauth/token", "POST"],
    ["OPTIONS", "/oauth/token", "POST"],
    ["GET", "/oauth/revoke", "POST"],
    ["POST", "/.well-known/jwks.json", "GET, HEAD"],
  ])("%s %s", async (method, path, allow) => {
    const answer = await nobody.request(path, { method });
    expect(answer.headers.get("allow")).toBe(allow);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const asked = path.split("?")[0];
    expect(await readResponse(answer)).toEqual([
      405,
      { error: `Method not allowed: ${method} ${asked}. Allowed: ${allow}` },
    ]);
  });

  test.each(routes.filter(({ method }) => method === "get"))("HEAD $path answers as GET does", async (route) => {
    const caller = as(await newOwner());
    const path = route.path.replace(/\{\w+\}/g, "1");
    const [head, get] = [await caller.request(path, { method: "HEAD" }), await caller.get(path)];
    expect([head.status, await head.text()]).toEqual([get.status, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect((await nobody.request(path, { method: "HEAD" })).status).toBe(401);
  });

  test("no HEAD where there is no GET", async () => {
    expect((await nobody.request("/v1/media/upload", { method: "HEAD" })).status).toBe(405);
  });
});

test("every answer, including errors, has a request ID and must not be cached or sniffed", async () => {
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

test("no CORS: neither preflights nor answers allow another origin", async () => {
  const caller = signedInAs(await newOwner(), "https://evil.example");
  const preflight = { "access-control-request-method": "GET", "access-control-request-headers": "authorization" };
  const answers = [
    await caller.request("/v1/accounts", { method: "OPTIONS", headers: preflight }),
    await caller.get("/v1/accounts"),
    await caller.post("/v1/posts", {}),
    await caller.request("/oauth/token", { method: "OPTIONS", headers: preflight }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([405, 200, 403, 405]);
  for (const { headers } of answers)
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("isApiPath names the paths that the API answers without Next", () => {
  const mine = [
    ...["/v1", "/v1/posts", "/media/1", "/oauth/token", "/oauth/revoke", "/callbacks/tiktok", "/mcp"],
    "/.well-known/jwks.json",
    ...["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"],
    "/.well-known/oauth-protected-resource/mcp",
  ];
  const theirs = [
    "/",
    "/v11",
    "/v1x/posts",
    "/mediafile",
    "/oauth/connect",
    "/oauth/token/x",
    "/mcp/x",
    "/authorize",
    "/.well-known/x",
  ];
  expect([...mine, ...theirs].filter(isApiPath)).toEqual(mine);
});

test("500 is one generic sentence, and the log has the details with the request ID", async () => {
  // A request whose body cannot be read, because it was already used.
  const request = new Request("http://localhost/v1/posts", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  const { access_token } = await (await import("../oauth")).createPersonalToken(await newOwner(), ["api"]);
  request.headers.set("authorization", `Bearer ${access_token}`);
  await request.text();
  const logged = vi.spyOn(log, "error");
  const answer = await api.request(request);
  expect(await readResponse(answer)).toEqual([500, { error: "Something went wrong on our side" }]);
  const requestId = answer.headers.get("x-request-id");
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ requestId }), "a request failed");
});
