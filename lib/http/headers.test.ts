import { describe, expect, test } from "vitest";
import {
  cookieNamesWithPrefix,
  cookieOf,
  cookiesWithPrefix,
  entityTagOf,
  matchesIfMatch,
  prefersJson,
  retryAfterSeconds,
} from "./headers";

const NOW = Date.UTC(2026, 10, 21, 20, 0, 0);
const told = (value: string) => retryAfterSeconds(new Headers({ "retry-after": value }), NOW);

test.each([
  ["0", 0],
  ["120", 120],
  [" 7 ", 7],
  ["Sat, 21 Nov 2026 20:01:30 GMT", 90],
  ["Saturday, 21-Nov-26 20:01:30 GMT", 90],
  ["Sat Nov 21 20:01:30 2026", 90],
  ["Sun Nov  1 20:01:30 2026", 0],
  ["Sat, 21 Nov 2026 19:00:00 GMT", 0],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
])("%s is %d seconds", (value, seconds) => {
  expect(told(value)).toBe(seconds);
});

test.each(["99999999999999999999", "86401", "Fri, 21 Nov 2031 20:00:00 GMT", "Friday, 21-Nov-31 20:00:00 GMT"])(
  "%s is more than a day, so it counts as an hour",
  (value) => {
    expect(told(value)).toBe(3_600);
  },
);

test.each(["-5", "1.5", "soon", "1e3", "2026-11-21T20:01:30Z", "Sat, 21 Foo 2026 20:01:30 GMT", "21 Nov 2026"])(
  "%s is ignored",
  (value) => {
    expect(told(value)).toBeUndefined();
  },
);

test("without the header, there is no wait", () => {
  expect(retryAfterSeconds(new Headers(), NOW)).toBeUndefined();
});

const headers = new Headers({ cookie: "a=1; cf_one=x=y; cf_two= z ;b; =lost; __Host-cf_three=q; a=2" });

test("finds a cookie by its whole name: the first of several, with everything after the first equals sign", () => {
  expect(cookieOf(headers, "a")).toBe("1");
  expect(cookieOf(headers, "cf_one")).toBe("x=y");
  expect(cookieOf(headers, "b")).toBe("");
  expect(cookieOf(headers, "A")).toBeUndefined();
  expect(cookieOf(headers, "cf")).toBeUndefined();
});

test("finds all cookies whose names begin with a prefix", () => {
  expect(cookiesWithPrefix(headers, "cf_")).toEqual(["x=y", "z"]);
  expect(cookiesWithPrefix(headers, "__Host-cf_")).toEqual(["q"]);
});

test("finds nothing in a request without cookies", () => {
  expect(cookieOf(new Headers(), "a")).toBeUndefined();
  expect(cookiesWithPrefix(new Headers({ cookie: "" }), "cf_")).toEqual([]);
});

test.each<[what: string, cookie: string | undefined, prefix: string, names: string[]]>([
  ["in their order", "cf_b=1; cf_a=2; cf_c=3", "cf_", ["cf_b", "cf_a", "cf_c"]],
  ["without other cookies between them", "cf_a=1; x=2; acf_b=3; cf_c=4; cf=5", "cf_", ["cf_a", "cf_c"]],
  ["distinguishing capitals", "CF_a=1; cf_b=2", "cf_", ["cf_b"]],
  ["only with the exact prefix", "cf_a=1; __Host-cf_b=2", "__Host-cf_", ["__Host-cf_b"]],
  ["a repeated name twice", "cf_a=1; cf_a=2", "cf_", ["cf_a", "cf_a"]],
  ["with and without a value, ignoring spaces", "cf_a;cf_b= ;  cf_c =1=2", "cf_", ["cf_a", "cf_b", "cf_c"]],
  ["none for other cookies", "a=cf_1; b=2", "cf_", []],
  ["none without a header", undefined, "cf_", []],
  ["none for an empty header", "", "cf_", []],
])("finds the names of all cookies that begin with a prefix: %s", (_, cookie, prefix, names) => {
  expect(cookieNamesWithPrefix(new Headers(cookie === undefined ? {} : { cookie }), prefix)).toEqual(names);
});

describe("an entity tag", () => {
  const body = { id: 1, settings: { type: "T", title: "a" }, posts: [{ content: "a" }, { content: "b" }] };

  test("is a quoted text, equal for equal bodies", () => {
    expect(entityTagOf(body)).toMatch(/^"[\w-]{22}"$/);
    expect(entityTagOf(structuredClone(body))).toBe(entityTagOf(body));
  });

  test.each([
    ["a value", { ...body, id: 2 }],
    ["an additional field", { ...body, status: "a" }],
    ["a missing field", { id: 1, settings: body.settings }],
    ["the order of a list", { ...body, posts: body.posts.toReversed() }],
    ["a nested value", { ...body, settings: { ...body.settings, title: "b" } }],
  ])("differs for another body: %s", (_, other) => {
    expect(entityTagOf(other)).not.toBe(entityTagOf(body));
  });
});

test.each([
  ['"a"', true],
  ["*", true],
  [' "b" , "a"', true],
  ['"b","a,c"', false],
  ['"b"', false],
  ['W/"a"', false],
  ['W/"a", "a"', true],
  ["a", false],
  ["", false],
])('If-Match: %s names "a": %s', (ifMatch, named) => {
  expect(matchesIfMatch(ifMatch, '"a"')).toBe(named);
});

test.each([
  ["application/json", true],
  ["application/json, text/plain, */*", true],
  ["text/html;q=0.5, Application/JSON; charset=utf-8", true],
  ["text/html, application/json", false],
  ["application/json;q=0.1, text/html;q=0.2", false],
  ["application/json;q=0", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
  ["*/*", false],
  [null, false],
])("prefersJson of %s is %s", (accept, expected) => {
  expect(prefersJson(accept)).toBe(expected);
});
