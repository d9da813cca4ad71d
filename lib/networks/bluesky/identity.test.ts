import { expect, test } from "vitest";
import { newRecordKey, recordKeys } from "./api";
import { isHandle, normalizeHandle, serverOrigin } from "./identity";

test.each([
  ["alice", "alice.bsky.social"],
  ["@alice", "alice.bsky.social"],
  ["@Alice.Example.com", "alice.example.com"],
  [" alice.test\u202c\u200b", "alice.test"],
  ["did:plc:abc", "did:plc:abc"],
])("normalizes %j to %s", (typed, handle) => {
  expect(normalizeHandle(typed)).toBe(handle);
});

test.each(["a.b", "a-b.example.com", "8.cn", "xn--ls8h.test", "laptop.local"])("%s is a handle", (text) => {
  expect(isHandle(text)).toBe(true);
});

test.each([
  "a",
  "a.",
  ".a",
  "a..b",
  "-a.b",
  "a-.b",
  "a_b.c",
  "a.b.8",
  "1.2.3.4",
  `${"a".repeat(64)}.b`,
  "a b.c",
  "a/b.c",
  "",
])("%j is not a handle", (text) => {
  expect(isHandle(text)).toBe(false);
});

test.each([
  ["https://pds.example.com", "https://pds.example.com"],
  ["https://pds.example.com/", "https://pds.example.com"],
  ["https://pds.example.com/path", undefined],
  ["https://pds.example.com/?a=b", undefined],
  ["ftp://pds.example.com", undefined],
  ["http://pds.example.com", undefined],
  ["http://localhost:2583", "http://localhost:2583"],
  ["pds", undefined],
])("the origin of %s is %s", (address, origin) => {
  expect(serverOrigin(address)).toBe(origin);
});

test("record keys are TIDs that sort by time", () => {
  expect(newRecordKey()).toMatch(/^[2-7a-j][2-7a-z]{12}$/);
  const [before, after] = [recordKeys(), recordKeys()];
  expect(before(1_800_000_000_000) < after(1_800_000_000_001)).toBe(true);
  // Like the keys of Bluesky's own records from November 2023.
  expect(recordKeys()(1_700_000_000_000).startsWith("3k")).toBe(true);
});

test("record keys are unique and increasing even if the clock is set back", () => {
  const at = 1_800_000_000_000;
  const next = recordKeys();
  const keys = [at, at - 3_600_000, at + 5, at + 11].flatMap((now) => Array.from({ length: 10_000 }, () => next(now)));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual([...keys].sort());
});
