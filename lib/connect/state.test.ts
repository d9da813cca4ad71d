import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { env } from "../env";
import { StateExpired } from "../errors";
import { submitConsent } from "../networks/testing";
import { macOf, toBase64Url } from "../secrets";
import { newOwner, newPerson } from "../testing";
import { dashboardReturn } from "./addresses";
import { completeAttempt } from "./complete";
import { ConnectError } from "./failure";
import { openAttempt } from "./open";
import { connectUrl, isLinkExpired, restartUrl, unsealConnectState } from "./state";

const NOW = new Date("2026-11-21T12:00:00Z");
const INPUT = {
  client: "a-partner",
  owner: randomUUID(),
  platform: "X_TWITTER",
  redirectUri: "myapp://done?x=%7E",
} as const;

function sealedOf(url: string): string {
  return new URL(url).searchParams.get("whitelabel_state") ?? "";
}
const sealed = sealedOf(connectUrl(INPUT, NOW));
const [version = "", keyId = "", payload = "", mac = ""] = sealed.split(".");
const claims = JSON.parse(Buffer.from(payload, "base64url").toString());

/** A correctly signed state with changed claims. */
function signed(changed: object, purpose: "connect state" | "media address" = "connect state", made = version): string {
  const text = toBase64Url(Buffer.from(JSON.stringify({ ...claims, ...changed })));
  const proof = macOf(purpose, `${made}.${text}`);
  return [made, proof.keyId, text, proof.mac].join(".");
}

test("a link is on APP_URL, carries its input and is valid for ten minutes", () => {
  expect(connectUrl(INPUT, NOW)).toMatch(`${env.appUrl}/oauth/connect?whitelabel_state=1.`);
  const iat = NOW.getTime() / 1000;
  expect(unsealConnectState(sealed)).toEqual({
    ...INPUT,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iat,
    exp: iat + 600,
    aud: env.appUrl,
  });
  const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
  expect([599, 600].map((seconds) => isLinkExpired(unsealConnectState(sealed), later(seconds)))).toEqual([false, true]);
  expect(unsealConnectState(sealedOf(connectUrl(INPUT, NOW))).jti).not.toBe(claims.jti);
});

describe("C5: the same error for every state that is not authentic and complete", () => {
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
    ["another state's MAC", [version, keyId, payload, sealedOf(connectUrl(INPUT, NOW)).split(".")[3]].join(".")],
    ["a key of another purpose", signed({}, "media address")],
    ["more than 4 KB", sealed + "A".repeat(4096)],
    ["another audience", signed({ aud: "https://elsewhere.example" })],
    ["an owner that is not an ID", signed({ owner: "me" })],
    ["a platform that does not exist", signed({ platform: "MYSPACE" })],
    ["a claim too many", signed({ admin: true })],
    ["a claim too few", signed({ redirectUri: undefined })],
    ["no time", signed({ exp: "never" })],
  ])("%s", (_, state) => {
    expect(() => unsealConnectState(state)).toThrow(StateExpired);
  });

  test("the signature of unchanged claims is accepted", () => {
    expect(unsealConnectState(signed({}))).toEqual(claims);
  });
});

test("a restart link keeps the account name, so that the person need not enter it again", async () => {
  const account = `${newPerson()}.bsky.test`;
  const input = {
    jti: randomUUID(),
    owner: await newOwner(),
    platform: "BLUE_SKY",
    redirectUri: dashboardReturn(),
  } as const;
  const { url, nonce } = await openAttempt({ ...input, account });
  const answer = await submitConsent(url, { account: account.replace(/\..*/, ""), decision: "deny" });
  const callback = new URL(answer.headers.get("location") ?? "").searchParams;
  const failed = await completeAttempt("BLUE_SKY", callback, [nonce ?? ""]).catch((error: unknown) => error);
  if (!(failed instanceof ConnectError) || !failed.context) throw failed;
  expect(failed.failure).toBe("denied");
  const again = await restartUrl(failed.context);
  const state = unsealConnectState(new URL(again ?? "").searchParams.get("whitelabel_state"));
  expect(state).toMatchObject({ owner: input.owner, platform: "BLUE_SKY", redirectUri: input.redirectUri, account });
});
