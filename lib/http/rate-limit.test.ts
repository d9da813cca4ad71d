import { describe, expect, test } from "vitest";
import { countRequest, rateLimitHeaders } from "./rate-limit";

const T = 1_700_000_000_000;

describe("requests per minute", () => {
  test("are counted down and rejected beyond the limit, and a new window begins a minute after the first request", () => {
    const ask = (seconds: number) => countRequest("count", "key", 2, T + seconds * 1000);
    expect(ask(0)).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    expect(ask(10)).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 50 });
    expect(ask(59.5)).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 1 });
    expect(ask(60)).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });

  test("are counted separately for each key and each policy", () => {
    expect(countRequest("one", "a", 1, T).allowed).toBe(true);
    expect(countRequest("one", "b", 1, T).allowed).toBe(true);
    expect(countRequest("two", "a", 1, T).allowed).toBe(true);
    expect(countRequest("one", "a", 1, T).allowed).toBe(false);
  });

  test("a flood of new keys does not fill the memory", () => {
    for (let n = 0; n < 100_001; n++) countRequest("flood", `key ${n}`, 1, T);
    expect(countRequest("flood", "key 100000", 1, T).allowed).toBe(false);
    expect(countRequest("flood", "key 0", 1, T).allowed).toBe(true); // its window was dropped
  });
});

test("sends the headers of draft-ietf-httpapi-ratelimit-headers, and Retry-After with a rejection", () => {
  const standing = { allowed: true, limit: 600, remaining: 599, resetSeconds: 42 };
  expect(rateLimitHeaders("api", standing)).toEqual({
    "ratelimit-policy": '"api";q=600;w=60',
    ratelimit: '"api";r=599;t=42',
  });
  expect(rateLimitHeaders("api", { ...standing, allowed: false, remaining: 0 })).toMatchObject({
    ratelimit: '"api";r=0;t=42',
    "retry-after": "42",
  });
});
