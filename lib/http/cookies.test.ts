import { expect, test } from "vitest";
import { cookieNamesWithPrefix, cookieOf, cookiesWithPrefix } from "./cookies";

const headers = new Headers({ cookie: "a=1; cf_one=x=y; cf_two= z ;b; =lost; __Host-cf_three=q; a=2" });

test("a cookie by its whole name, the first of several, with everything behind the first equals sign", () => {
  expect(cookieOf(headers, "a")).toBe("1");
  expect(cookieOf(headers, "cf_one")).toBe("x=y");
  expect(cookieOf(headers, "b")).toBe("");
  expect(cookieOf(headers, "A")).toBeUndefined();
  expect(cookieOf(headers, "cf")).toBeUndefined();
});

test("the cookies of all attempts, by their names' beginning", () => {
  expect(cookiesWithPrefix(headers, "cf_")).toEqual(["x=y", "z"]);
  expect(cookiesWithPrefix(headers, "__Host-cf_")).toEqual(["q"]);
});

test("a request without cookies", () => {
  expect(cookieOf(new Headers(), "a")).toBeUndefined();
  expect(cookiesWithPrefix(new Headers({ cookie: "" }), "cf_")).toEqual([]);
});

test.each<[what: string, cookie: string | undefined, prefix: string, names: string[]]>([
  ["in the order in which they came", "cf_b=1; cf_a=2; cf_c=3", "cf_", ["cf_b", "cf_a", "cf_c"]],
  ["without the others between them", "cf_a=1; x=2; acf_b=3; cf_c=4; cf=5", "cf_", ["cf_a", "cf_c"]],
  ["in capitals as in small letters, apart", "CF_a=1; cf_b=2", "cf_", ["cf_b"]],
  ["with their prefix only", "cf_a=1; __Host-cf_b=2", "__Host-cf_", ["__Host-cf_b"]],
  ["one that is set twice, twice", "cf_a=1; cf_a=2", "cf_", ["cf_a", "cf_a"]],
  ["with and without a value, whatever the spaces", "cf_a;cf_b= ;  cf_c =1=2", "cf_", ["cf_a", "cf_b", "cf_c"]],
  ["none of others", "a=cf_1; b=2", "cf_", []],
  ["none without a header", undefined, "cf_", []],
  ["none of an empty header", "", "cf_", []],
])("the names of all attempts' cookies: %s", (_, cookie, prefix, names) => {
  expect(cookieNamesWithPrefix(new Headers(cookie === undefined ? {} : { cookie }), prefix)).toEqual(names);
});
