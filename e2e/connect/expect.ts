import { expect } from "playwright/test";
import type { Visit } from "./walk";

/** A trace code that a person can read out (Crockford's base 32). */
export const CODE = /<span class="code">([0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5})<\/span>/;

/** C10: checks the headers that every answer of the bridge must have. */
export function expectGuarded({ headers }: Pick<Visit, "headers">): void {
  expect(headers.get("cache-control")).toContain("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  const policy = headers.get("content-security-policy") ?? "";
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "img-src 'self'"]) {
    expect(policy).toContain(rule);
  }
  expect(headers.get("cross-origin-opener-policy")).toBeNull();
}

/** Checks that a page explains why nothing was connected and does not redirect. */
export function expectFailure(page: Visit, status: number, title: string | RegExp): void {
  expect([page.status, page.headers.get("location")]).toEqual([status, null]);
  expect(page.html).toMatch(typeof title === "string" ? new RegExp(`<h1>${title}</h1>`) : title);
  expect(page.html).not.toMatch(/<script|javascript:|\son[a-z]+=/i);
  expectGuarded(page);
}

/** Checks that the browser is redirected to exactly this address with 302 or 303. */
export function expectSentTo(page: Visit, address: string): void {
  expect(page.headers.get("location")).toBe(address);
  expect([302, 303]).toContain(page.status);
  expectGuarded(page);
}
