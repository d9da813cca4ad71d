import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cspHashOf, guardPage, livePolicy, stillPolicy, TOAST_STYLES } from "./page-policy";

/** Parses a policy into its directives by name. */
const read = (policy: string | null) =>
  Object.fromEntries((policy ?? "").split("; ").map((one) => [one.split(" ")[0], one.split(" ").slice(1)]));

/** Returns the policies that the page's handler and the browser get when the web process guards the page. */
async function guarded(answer: RequestListener, headers: { [name: string]: string } = {}) {
  let asked: string | undefined;
  const server = createServer((request, response) => {
    guardPage(request, response, false);
    asked = request.headers["content-security-policy"]?.toString();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so its address is not a path
  try {
    const got = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close", ...headers } });
    await got.text();
    return { asked, answered: got.headers.get("content-security-policy") };
  } finally {
    server.close();
  }
}

describe("a page with script", () => {
  test("runs scripts with the nonce and scripts that those load, but no inline script and no eval", () => {
    const { "script-src": script, ...rest } = read(livePolicy("abc"));
    expect(script).toEqual(["'nonce-abc'", "'strict-dynamic'"]);
    expect(rest).toMatchObject({
      "default-src": ["'none'"],
      "style-src": ["'self'", "'nonce-abc'", ...TOAST_STYLES],
      "base-uri": ["'none'"],
      "frame-ancestors": ["'none'"],
    });
    // Next takes the nonce from the first directive that begins with "script-src".
    expect(livePolicy("abc")).toMatch(/^script-src /);
  });

  test("has a new nonce for each request, the same for Next and for the browser", async () => {
    const seen = [await guarded((_, response) => response.end("page")), await guarded((_, response) => response.end())];
    for (const { asked, answered } of seen) {
      expect(answered).toBe(asked);
      expect(read(answered)["script-src"]?.[0]).toMatch(/^'nonce-[A-Za-z0-9+/]{22}=='$/);
    }
    expect(seen[0]?.asked).not.toBe(seen[1]?.asked);
  });

  test("does not let a caller choose the nonce", async () => {
    const { asked } = await guarded((_, response) => response.end(), {
      "content-security-policy": "script-src 'nonce-chosen'",
    });
    expect(asked).not.toContain("chosen");
  });

  test.each<[how: string, answer: RequestListener]>([
    ["set before the head", (_, response) => response.setHeader("Content-Security-Policy", "own").end()],
    ["written with the head", (_, response) => response.writeHead(200, { "content-security-policy": "own" }).end()],
  ])("keeps the page's own policy if it has one, %s", async (_, answer) => {
    expect((await guarded(answer)).answered).toBe("own");
  });
});

test("a page without scripts runs none, and allows only its own styles", () => {
  expect(read(stillPolicy({ styles: ["p{color:red}"] }))).toEqual({
    "default-src": ["'none'"],
    "script-src": ["'none'"],
    "style-src": [cspHashOf("p{color:red}")],
    "img-src": ["'self'"],
    "font-src": ["'self'"],
    "form-action": ["'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
  const framed = read(
    stillPolicy({ styles: [], hasStyleAttributes: true, formTargets: ["com.acme:"], isFramed: true }),
  );
  expect(framed).toMatchObject({
    "style-src-attr": ["'unsafe-inline'"],
    "form-action": ["'self'", "com.acme:"],
    "frame-ancestors": ["'self'"],
  });
});

test.each(["https://a;script-src *", "https://a;b.example", "https://a,b.example", "https://a b"])(
  "a form target cannot add to the policy: %s",
  (target) => {
    const policy = stillPolicy({ styles: [], formTargets: [target] });
    expect(read(policy)["form-action"]).toEqual(["'self'"]);
    expect(policy).not.toMatch(/,|\*/);
  },
);

test("the allowed hash is that of the style that the toast library inserts", () => {
  const script = readFileSync(join(import.meta.dirname, "../../node_modules/sonner/dist/index.mjs"), "utf8");
  const [, style = '""'] = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(script) ?? [];
  expect(TOAST_STYLES).toEqual([cspHashOf(""), cspHashOf(JSON.parse(style))]);
});
