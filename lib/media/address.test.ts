import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { env } from "../env";
import { livePolicy } from "../http/page-policy";
import { withSettings } from "../testing/settings";
import { attemptAddress, isValidMediaAddress, mediaAddress, thumbnailAddress } from "./address";

const ID = randomUUID();
const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;

function queryOf(address: string, change: { [name: string]: string | undefined } = {}): URLSearchParams {
  const query = new URL(address).searchParams;
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return query;
}

test.each([mediaAddress, attemptAddress])("an address is on app_url, ASCII and without owner data", (addressOf) => {
  expect(addressOf(ID, NOW)).toMatch(new RegExp(`^${env.appUrl}/media/${ID}\\?[\\w=&-]+$`));
});

test("a shown address stays the same until the hour ends, and works for at least six hours from then", () => {
  const address = mediaAddress(ID, NOW);
  expect(mediaAddress(ID, NOW + HOUR - 1)).toBe(address);
  expect(mediaAddress(ID, NOW + HOUR)).not.toBe(address);
  expect(thumbnailAddress(ID, NOW + HOUR - 1)).toBe(thumbnailAddress(ID, NOW));
  const query = queryOf(address);
  expect(isValidMediaAddress(ID, query, NOW)).toBe(true);
  expect(isValidMediaAddress(ID, query, NOW + 7 * HOUR)).toBe(true);
  expect(isValidMediaAddress(ID, query, NOW + 7 * HOUR + 1)).toBe(false);
});

test("it ends earlier if it must", () => {
  const query = queryOf(mediaAddress(ID, NOW, new Date(NOW + HOUR)));
  expect(isValidMediaAddress(ID, query, NOW + HOUR)).toBe(true);
  expect(isValidMediaAddress(ID, query, NOW + HOUR + 1)).toBe(false);
});

test("the address of an attempt is different each time, and works for six hours", () => {
  const address = attemptAddress(ID, NOW);
  expect(attemptAddress(ID, NOW)).not.toBe(address);
  const query = queryOf(address);
  expect(isValidMediaAddress(ID, query, NOW + 6 * HOUR)).toBe(true);
  expect(isValidMediaAddress(ID, query, NOW + 6 * HOUR + 1)).toBe(false);
});

describe.each([mediaAddress, attemptAddress])("it is bound to its object, its end and its nonce", (addressOf) => {
  const address = addressOf(ID, NOW);
  const later = String(NOW / 1000 + 30 * 86_400);
  test.each<[what: string, change: { [name: string]: string | undefined }]>([
    ["a later end", { e: later }],
    ["an end that is not a number", { e: "1e12" }],
    ["no end", { e: undefined }],
    ["another nonce", { n: "AAAAAAAAAAAA" }],
    ["another key", { k: "00000000" }],
    ["another signature", { s: "A".repeat(43) }],
    ["no signature", { s: undefined }],
  ])("%s", (_, change) => {
    expect(isValidMediaAddress(ID, queryOf(address, change), NOW)).toBe(false);
  });

  test("another object", () => {
    expect(isValidMediaAddress(randomUUID(), queryOf(address), NOW)).toBe(false);
  });
});

describe("with MEDIA_URL", () => {
  withSettings({ mediaUrl: "http://files.localhost:3000" });

  test("an address is on that host, and pages may show files from there", () => {
    const address = mediaAddress(ID, NOW);
    expect(address).toMatch(/^http:\/\/files\.localhost:3000\/media\//);
    expect(isValidMediaAddress(ID, queryOf(address), NOW)).toBe(true);
    for (const directive of ["img-src", "media-src"]) {
      expect(livePolicy("n")).toMatch(new RegExp(`${directive} [^;]*http://files\\.localhost:3000`));
    }
    expect(livePolicy("n")).not.toMatch(/(script|connect|frame)-src [^;]*files\.localhost/);
  });
});
