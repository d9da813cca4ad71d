import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import "../testing/database";
import { scopes } from "../oauth";
import { api, routes } from "./app";
import type { Route } from "./route";

const folder = join(import.meta.dirname, "routes");
/** Files with values for declarations, not routes. */
const words = ["examples.ts"];
const files = readdirSync(folder).filter((file) => !file.endsWith(".test.ts") && !words.includes(file));
const known = new Set<unknown>([...scopes, "partner"]);

describe("A10: every path under /v1 is a route that declares its scope", () => {
  test.each(files)("lib/api/routes/%s exports only routes, each with a scope, and each is mounted", async (file) => {
    const exported = Object.entries<Partial<Route>>(await import(join(folder, file)));
    expect(exported.length).toBeGreaterThan(0);
    for (const [name, value] of exported) {
      const mounted = routes.find((route) => route.answer === value.answer);
      expect(mounted, `${file}: ${name} is not a route of lib/api/app.ts`).toBeDefined();
      expect(known, `${file}: ${name} declares no scope that exists`).toContain(mounted?.scope);
    }
  });

  test("no two routes match the same call", () => {
    const calls = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`);
    expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([]);
  });

  test("nothing else is mounted under /v1, and there is no catch-all", () => {
    const declared = routes.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`);
    const mounted = api.routes.map(({ method, path }) => `${method} ${path}`);
    const middleware = ["ALL /*", "ALL /v1/*", "ALL /v1/*"];
    const reach = mounted.filter((one) => /^\S+ (\/v1|\/?\*|\/:)/.test(one));
    expect(reach.sort()).toEqual([...middleware, ...declared, "GET /v1/openapi.json"].sort());
  });

  test("Next only forwards to the API", async () => {
    const app = join(import.meta.dirname, "../../app");
    const below = readdirSync(join(app, "v1"), { recursive: true, encoding: "utf8" });
    expect(below.filter((file) => /\.[tj]sx?$/.test(file))).toEqual([join("[[...path]]", "route.ts")]);
    const source = readFileSync(join(app, "v1/[[...path]]/route.ts"), "utf8");
    expect([...source.matchAll(/from "([^"]+)"/g)].map(([, from]) => from)).toEqual(["@/lib/api"]);
    const { dynamic, ...methods } = await import("@/app/v1/[[...path]]/route");
    expect(dynamic).toBe("force-dynamic");
    expect(new Set(Object.values(methods)).size).toBe(1);
    expect(readdirSync(app).filter((file) => /^(proxy|middleware)\./.test(file))).toEqual([]);
  });
});

test("each scope covers what the consent page says; for a new kind of call, change the sentence of its scope too", () => {
  const covered: { [scope: string]: Set<string> } = {};
  for (const { method, path, scope } of routes) {
    const [, , noun, ...rest] = path.split("/");
    const what = [noun, ...rest.filter((part) => ["export", "feedback", "review-links"].includes(part))].join(" ");
    covered[scope] ??= new Set();
    covered[scope].add(
      `${method === "get" ? "read" : "change"} ${noun === "me" ? `me ${rest[0] ?? ""}`.trim() : what}`,
    );
  }
  const { account, partner, ...ofApplications } = covered;
  expect([account?.size, partner?.size]).toEqual([expect.any(Number), expect.any(Number)]);
  // The sentences are in components/plain/words.ts.
  expect(ofApplications).toEqual({
    "accounts.read": new Set(["read accounts", "read account-groups", "read me", "read me usage"]),
    "media.write": new Set(["read media", "read media-labels", "change media"]),
    "posts.read": new Set([
      ...["read accounts", "read slots", "read posts", "read posts export", "read posts feedback"],
      ...["read posts review-links", "read feeds"],
    ]),
    "posts.write": new Set(["change posts", "change posts feedback", "change posts review-links", "change feeds"]),
    "webhooks.write": new Set(["read webhooks", "read events", "change webhooks"]),
    api: new Set([
      ...["change accounts", "change account-groups", "read me attention", "change me attention"],
      ...["read me notifications", "change me notifications"],
    ]),
  });
});
