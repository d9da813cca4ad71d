import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { env } from "../env";
import { StateExpired } from "../errors";
import { macOf, toBase64Url } from "../secrets";
import { connectUrl, isPast, unsealState } from "./state";

const NOW = new Date("2026-11-21T12:00:00Z");
const WISH = {
  client: "a-partner",
  owner: randomUUID(),
  platform: "X_TWITTER",
  redirectUri: "myapp://done?x=%7E",
} as const;

function sealedOf(url: string): string {
  return new URL(url).searchParams.get("whitelabel_state") ?? "";
}
const sealed = sealedOf(connectUrl(WISH, NOW));
const [version = "", keyId = "", payload = "", mac = ""] = sealed.split(".");
const claims = JSON.parse(Buffer.from(payload, "base64url").toString());

/** As our own, with other claims: what somebody with the key could write. */
function signed(changed: object, purpose: "connect state" | "media address" = "connect state", made = version): string {
  const text = toBase64Url(Buffer.from(JSON.stringify({ ...claims, ...changed })));
  const proof = macOf(purpose, `${made}.${text}`);
  return [made, proof.keyId, text, proof.mac].join(".");
}

test("a link stands on app_url, carries the wish and lives ten minutes", () => {
  expect(connectUrl(WISH, NOW)).toMatch(`${env.appUrl}/oauth/connect?whitelabel_state=1.`);
  const iat = NOW.getTime() / 1000;
  expect(unsealState(sealed)).toEqual({
    ...WISH,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iat,
    exp: iat + 600,
    aud: env.appUrl,
  });
  const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
  expect([599, 600].map((seconds) => isPast(unsealState(sealed), later(seconds)))).toEqual([false, true]);
  expect(unsealState(sealedOf(connectUrl(WISH, NOW))).jti).not.toBe(claims.jti);
});

describe("C5: one answer for every state that is not ours, and whole", () => {
  const flipped = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
  test.each<[what: string, state: string | null]>([
    ["none", null],
    ["an empty one", ""],
    ["three parts", [version, keyId, payload].join(".")],
    ["five parts", `${sealed}.x`],
    ["an empty part", `${version}..${payload}.${mac}`],
    ["another version", ["2", keyId, payload, mac].join(".")],
    ["another version, signed", signed({}, "connect state", "2")],
    ["an unknown key", [version, "00000000", payload, mac].join(".")],
    ["an edited payload", [version, keyId, flipped(payload), mac].join(".")],
    ["a truncated payload", [version, keyId, payload.slice(0, -4), mac].join(".")],
    ["another MAC", [version, keyId, payload, flipped(mac)].join(".")],
    ["a truncated MAC", [version, keyId, payload, mac.slice(0, -1)].join(".")],
    ["a padded MAC", `${sealed}=`],
    ["a space behind", `${sealed} `],
    ["another state's MAC", [version, keyId, payload, sealedOf(connectUrl(WISH, NOW)).split(".")[3]].join(".")],
    ["a key of another purpose", signed({}, "media address")],
    ["more than 4 KB", sealed + "A".repeat(4096)],
    ["another audience", signed({ aud: "https://elsewhere.example" })],
    ["an owner that is no id", signed({ owner: "me" })],
    ["a platform that does not exist", signed({ platform: "MYSPACE" })],
    ["a claim too many", signed({ admin: true })],
    ["a claim too few", signed({ redirectUri: undefined })],
    ["no time", signed({ exp: "never" })],
  ])("%s", (_, state) => {
    expect(() => unsealState(state)).toThrow(StateExpired);
  });

  test("the same signature over unchanged claims is one of ours", () => {
    expect(unsealState(signed({}))).toEqual(claims);
  });
});
