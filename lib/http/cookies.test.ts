import { expect, test } from "vitest";
import { cookieOf, cookiesWithPrefix } from "./cookies";

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
