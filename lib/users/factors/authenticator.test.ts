import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, authenticators, db, mails } from "../../db";
import { oneTimeCode, toBase32 } from "../../secrets";
import { newOwner } from "../../testing";
import { codeAt, secretOf } from "../testing/authenticator-app";
import { newSession } from "../testing/sessions";
import {
  addAuthenticator,
  beginAuthenticator,
  factorsOf,
  isAuthenticatorCode,
  removeAuthenticator,
} from "./authenticator";
import { hasFactor } from "./changes";
import { redeemRecoveryCode, renewRecoveryCodes } from "./recovery";

const NOW = Date.parse("2026-11-23T12:00:10Z");
const STEP = 30_000;

/** A person with an authenticator app that was set up at NOW. */
async function withApp() {
  const session = await newSession(await newOwner());
  const { secret, ticket } = await beginAuthenticator(session.user);
  const added = await addAuthenticator(session, ticket, await codeAt(secret, NOW), NOW);
  return { session, id: session.user.id, secret, codes: added?.recoveryCodes ?? [] };
}

test("codes are those of RFC 6238, appendix B, and RFC 4226, appendix D", async () => {
  const secret = Buffer.from("12345678901234567890");
  expect(await oneTimeCode(secret, 0)).toBe("755224");
  expect(await oneTimeCode(secret, 9)).toBe("520489");
  const at = (seconds: number) => oneTimeCode(secret, Math.floor(seconds / 30));
  expect([await at(59), await at(1_111_111_109), await at(20_000_000_000)]).toEqual(["287082", "081804", "353130"]);
  expect(toBase32(secret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

describe("setting up", () => {
  test("stores nothing before the first right code, and then the sealed secret", async () => {
    const session = await newSession(await newOwner());
    const { id } = session.user;
    const { secret, address, ticket } = await beginAuthenticator(session.user);
    expect(address).toContain(`otpauth://totp/Carillon:${encodeURIComponent(session.user.email)}?secret=${secret}`);
    expect(await addAuthenticator(session, ticket, "000000", 0)).toBeUndefined();
    expect(await hasFactor(id)).toBe(false);
    expect((await beginAuthenticator(session.user, ticket)).secret).toBe(secret);
    const added = await addAuthenticator(session, ticket, await codeAt(secret, NOW), NOW);
    expect(added?.recoveryCodes).toHaveLength(10);
    const [row] = await db.select().from(authenticators).where(eq(authenticators.ownerId, id));
    expect(row?.secretSealed.includes(secretOf(secret))).toBe(false);
    expect(await hasFactor(id)).toBe(true);
  });

  test("another person's form is refused", async () => {
    const [one, two] = [await newSession(await newOwner()), await newSession(await newOwner())];
    const { secret, ticket } = await beginAuthenticator(one.user);
    expect(await addAuthenticator(two, ticket, await codeAt(secret, NOW), NOW)).toBeUndefined();
    expect((await beginAuthenticator(two.user, ticket)).secret).not.toBe(secret);
  });

  test("adding and removing are mailed and written to the audit log", async () => {
    const { id } = await withApp();
    await removeAuthenticator(id);
    await removeAuthenticator(id);
    const sent = await db.select().from(mails).where(eq(mails.ownerId, id)).orderBy(mails.createdAt);
    expect(sent.map(({ kind }) => kind).sort()).toEqual(["factorAdded", "factorRemoved"]);
    const lines = await db.select().from(auditLog).where(eq(auditLog.subject, id)).orderBy(auditLog.id);
    expect(lines.map(({ action, details }) => [action, details])).toEqual([
      ["factor.added", { kind: "authenticator" }],
      ["factor.removed", { kind: "authenticator" }],
    ]);
    expect(await factorsOf(id)).toEqual({ authenticatorSince: undefined, passkeys: [], recoveryCodesLeft: 0 });
  });
});

describe("a code", () => {
  test("of the current step and its neighbours is accepted, others are not", async () => {
    const { id, secret } = await withApp();
    const at = async (steps: number) =>
      isAuthenticatorCode(id, await codeAt(secret, NOW + steps * STEP), NOW + 3 * STEP);
    expect([await at(1), await at(5), await at(2), await at(4)]).toEqual([false, false, true, true]);
    expect(await isAuthenticatorCode(id, "12345", NOW)).toBe(false);
    expect(await isAuthenticatorCode(await newOwner(), await codeAt(secret, NOW), NOW)).toBe(false);
  });

  test("is accepted once, also the one from the setup, and never after a later one", async () => {
    const { id, secret } = await withApp();
    expect(await isAuthenticatorCode(id, await codeAt(secret, NOW), NOW)).toBe(false);
    const later = await codeAt(secret, NOW + 2 * STEP);
    const both = await Promise.all([1, 2].map(() => isAuthenticatorCode(id, later, NOW + 2 * STEP)));
    expect(both.filter(Boolean)).toHaveLength(1);
    expect(await isAuthenticatorCode(id, await codeAt(secret, NOW + STEP), NOW + 2 * STEP)).toBe(false);
  });
});

describe("a recovery code", () => {
  test("works once, however it is typed, and only for its person", async () => {
    const { id, codes } = await withApp();
    const [first = "", second = ""] = codes;
    expect(first).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await redeemRecoveryCode(await newOwner(), first)).toBe(false);
    expect(await redeemRecoveryCode(id, first.toUpperCase().replaceAll("-", " "))).toBe(true);
    expect(await redeemRecoveryCode(id, first)).toBe(false);
    const both = await Promise.all([1, 2].map(() => redeemRecoveryCode(id, second)));
    expect(both.filter(Boolean)).toHaveLength(1);
    expect((await factorsOf(id)).recoveryCodesLeft).toBe(8);
  });

  test("ends when new ones are made", async () => {
    const { id, codes } = await withApp();
    const fresh = await renewRecoveryCodes(id);
    expect(await redeemRecoveryCode(id, codes[0] ?? "")).toBe(false);
    expect(await redeemRecoveryCode(id, fresh[0] ?? "")).toBe(true);
  });
});
