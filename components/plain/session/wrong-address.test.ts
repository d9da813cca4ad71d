import { describe, expect, test } from "vitest";
import { env } from "@/lib/env";
import { isOwnElsewhere, wrongAddress } from "./wrong-address";

const { host, origin } = new URL(env.appUrl);

/** A page's request as the server passes it on. @param asked scheme and host, `-` if unknown */
const requestAt = (asked: string, headers: { [name: string]: string } = {}) =>
  new Request(`${env.appUrl}/sign-in`, { headers: { "x-requested-address": asked, ...headers } });
const said = (request: Request) => wrongAddress(request, "/calendar")?.markup;

describe("no warning at the configured address", () => {
  test.each([
    ["with an unknown scheme", `- ${host}`],
    ["with the scheme from a proxy", `http ${host}`],
  ])("%s", (_, asked) => {
    expect(said(requestAt(asked))).toBeUndefined();
    expect(said(requestAt(asked, { origin }))).toBeUndefined();
    expect(isOwnElsewhere(requestAt(asked, { origin }))).toBe(false);
  });

  test("nor if the page's address is unknown", () => {
    expect(said(new Request(`${env.appUrl}/sign-in`))).toBeUndefined();
  });
});

describe("at another address, the warning names it, the setting and a link to the right one", () => {
  test.each([
    ["another host, which is not repeated", "- carillon.lan:3000", "at another address"],
    ["another name of this machine", `- ${host.replace("localhost", "127.0.0.1")}`, "<strong>127.0.0.1:"],
    ["another scheme, from a proxy", `https ${host}`, `<strong>https://${host}</strong>`],
    ["no host at all", "- -", "another address."],
  ])("%s", (_, asked, named) => {
    const markup = said(requestAt(asked));
    expect(markup).toContain(named);
    expect(markup).toContain('Set <span class="code">BASE_URL</span>');
    expect(markup).toContain(`<a href="${env.appUrl}/calendar">`);
  });
});

describe("a form", () => {
  test("from our own page at another address is distinguished from one of another site", () => {
    const at = "- carillon.lan:3000";
    expect(isOwnElsewhere(requestAt(at, { origin: "http://carillon.lan:3000" }))).toBe(true);
    expect(isOwnElsewhere(requestAt(at, { origin: "https://evil.example" }))).toBe(false);
    expect(isOwnElsewhere(requestAt(at, { origin: "null" }))).toBe(false);
    expect(isOwnElsewhere(requestAt(at))).toBe(false);
  });

  test("shows the scheme of its Origin if no proxy named one", () => {
    expect(said(requestAt(`- ${host}`, { origin: `https://${host}` }))).toContain(`<strong>https://${host}</strong>`);
    expect(isOwnElsewhere(requestAt(`- ${host}`, { origin: `https://${host}` }))).toBe(true);
  });

  test("of another site gets no warning", () => {
    expect(said(requestAt(`- ${host}`, { origin: "https://evil.example" }))).toBeUndefined();
  });
});
