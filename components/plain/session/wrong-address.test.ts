import { describe, expect, test } from "vitest";
import { env } from "@/lib/env";
import { isOwnElsewhere, wrongAddress } from "./wrong-address";

const { host, origin } = new URL(env.appUrl);

/** A page's request as the server hands it over. @param asked scheme and host, `-` where nobody knows */
const requestAt = (asked: string, headers: { [name: string]: string } = {}) =>
  new Request(`${env.appUrl}/sign-in`, { headers: { "x-requested-address": asked, ...headers } });
const said = (request: Request) => wrongAddress(request, "/calendar")?.markup;

describe("at the address of the settings nothing is said", () => {
  test.each([
    ["whose scheme nobody knows", `- ${host}`],
    ["whose scheme a proxy told", `http ${host}`],
  ])("%s", (_, asked) => {
    expect(said(requestAt(asked))).toBeUndefined();
    expect(said(requestAt(asked, { origin }))).toBeUndefined();
    expect(isOwnElsewhere(requestAt(asked, { origin }))).toBe(false);
  });

  test("nor where nobody knows the address", () => {
    expect(said(new Request(`${env.appUrl}/sign-in`))).toBeUndefined();
  });
});

describe("at another one both are named, the setting, and the way on", () => {
  test.each([
    ["another host", "- carillon.lan:3000", "<strong>carillon.lan:3000</strong>"],
    ["another name of this machine", `- ${host.replace("localhost", "127.0.0.1")}`, "<strong>127.0.0.1:"],
    ["another scheme, by a proxy's word", `https ${host}`, `<strong>https://${host}</strong>`],
    ["no host at all", "- -", "another address."],
  ])("%s", (_, asked, named) => {
    const markup = said(requestAt(asked));
    expect(markup).toContain(named);
    expect(markup).toContain('Set <span class="code">BASE_URL</span>');
    expect(markup).toContain(`<a href="${env.appUrl}/calendar">`);
  });
});

describe("a form", () => {
  test("from our own page at another address is told apart from another site's", () => {
    const at = "- carillon.lan:3000";
    expect(isOwnElsewhere(requestAt(at, { origin: "http://carillon.lan:3000" }))).toBe(true);
    expect(isOwnElsewhere(requestAt(at, { origin: "https://evil.example" }))).toBe(false);
    expect(isOwnElsewhere(requestAt(at, { origin: "null" }))).toBe(false);
    expect(isOwnElsewhere(requestAt(at))).toBe(false);
  });

  test("tells the scheme that no proxy told", () => {
    expect(said(requestAt(`- ${host}`, { origin: `https://${host}` }))).toContain(`<strong>https://${host}</strong>`);
    expect(isOwnElsewhere(requestAt(`- ${host}`, { origin: `https://${host}` }))).toBe(true);
  });

  test("another site's tells nothing of ours", () => {
    expect(said(requestAt(`- ${host}`, { origin: "https://evil.example" }))).toBeUndefined();
  });
});
