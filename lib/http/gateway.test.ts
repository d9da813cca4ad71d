import { readdirSync, readFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rateLimited } from "../../app/rate-limited";
import { env } from "../env";
import { withSettings } from "../testing/settings";
import { isRefused } from "./gateway";

withSettings({ rateLimits: { ...env.rateLimits, auth: 3 } });

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (!(await isRefused(request, response, rateLimited))) response.end("let in");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const post = (path: string, headers = {}) => fetch(url + path, { method: "POST", body: "x".repeat(100_000), headers });

/** The status of a POST whose path is sent unchanged; `fetch` would normalise it. */
const rawPost = (path: string) =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", path }, (answer) => resolve(answer.resume().statusCode));
    asked.on("error", reject).end();
  });

describe("C25: each purpose has one limit per minute and client address", () => {
  test("returns 429 with a message and Retry-After beyond the limit, however the path is spelled or X-Forwarded-For is forged", async () => {
    for (const path of ["/sign-in", "/sign-up", "/authorize"]) {
      const answer = await post(path);
      expect([answer.status, answer.headers.get("ratelimit-policy")]).toEqual([200, '"sign-in";q=3;w=60']);
    }
    for (const path of ["/sign-in", "/sign%2Din", "//sign-in/", "/sign-up", "/api/auth/callback/credentials"]) {
      const answer = await post(path, { "x-forwarded-for": "1.2.3.4" });
      expect([path, answer.status]).toEqual([path, 429]);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("ratelimit")).toMatch(/^"sign-in";r=0;t=\d+$/);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await answer.json()).toEqual({ message: expect.stringMatching(/^Too many requests: at most 3 a minute/) });
    }
    for (const path of ["/v1/../sign-in", "/v1/%2e%2E/sign-in", "/./sign-in", `${url}/sign-in`]) {
      expect([path, await rawPost(path)]).toEqual([path, 429]);
    }
  });

  test("a purpose that is used up does not affect the others", async () => {
    for (const path of ["/oauth/connect", "/unsubscribe", "/reviews", "/calendars/secret.ics"]) {
      const statuses: number[] = [];
      for (let n = 0; n < 4; n++) statuses.push((await post(path)).status);
      expect([path, statuses]).toEqual([path, [200, 200, 200, 429]]);
    }
    expect((await post("/oauth/connect/callback/x?state=1")).status).toBe(429);
    expect((await post("/accounts/password")).status).toBe(429);
  });

  test("does not limit other paths and methods", async () => {
    for (const path of ["/", "/sign-in", "/v1/posts", "/media/1", "/%E0%A4%A"]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    }
  });

  test("every POST handler in app/ either is declared as limited or needs a session or an API token", () => {
    const tokenEndpoint = [{ path: "/oauth/token" }, { path: "/oauth/revoke" }]; // limited per client: lib/api/token-limit.test.ts
    const needsCredentials = [
      "/callbacks/[...path]",
      "/console/[client]/do/[action]",
      "/developers/do/[action]",
      "/mcp",
      "/settings/applications/revoke",
      "/settings/do/[action]",
      "/settings/sessions",
      "/staff/share",
      "/console/new",
      "/sign-out",
      "/v1/[[...path]]",
    ];
    const handlers = readdirSync("app", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("/route.ts"))
      .filter((file) => /\bPOST\b/.test(readFileSync(`app/${file}`, "utf8")));
    const paths = handlers.map((file) => `/${file.slice(0, -"/route.ts".length).replace("(dashboard)/", "")}`);
    const isDeclared = (path: string) =>
      [...rateLimited, ...tokenEndpoint].some((one) =>
        one.path.endsWith("/*") ? `${path}/`.startsWith(one.path.slice(0, -1)) : one.path === path,
      );
    const open = paths.filter((path) => !isDeclared(path) && path !== "/api/auth/[...nextauth]");
    expect(open.sort()).toEqual(needsCredentials.sort());
  });
});
