import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connectAttempts, connectTraces, db, partners } from "../db";
import { submitConsent } from "../networks/testing";
import { createPartner, suspendPartner } from "../oauth";
import { provisionConnectUser } from "../partners/connect-users";
import { newPerson } from "../testing";
import { completeAttempt } from "./complete";
import { openAttempt } from "./open";
import { findConnectTrace, findTraceOfLink, listConnectTraces } from "./traces";

const X = "X_TWITTER";
const RETURN = "https://acme.example/done?session=secret-of-acme";

async function newPartner() {
  const { clientId } = await createPartner("Acme");
  const [partner] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  const id = partner?.id ?? "";
  const user = (externalUserId: string) => provisionConnectUser(id, { externalUserId, name: externalUserId });
  return { id, clientId, user };
}

async function begin(owner: string, { jti = randomUUID(), decision = "allow", person = newPerson() } = {}) {
  const attempt = await openAttempt({ jti, owner, platform: X, redirectUri: RETURN });
  const answer = await submitConsent(attempt.url, { account: person, decision });
  const callback = new URL(answer.headers.get("location") ?? "").searchParams;
  const finish = (nonces = [attempt.nonce ?? ""]) => completeAttempt(X, callback, nonces);
  return { attempt, callback, finish, person };
}

const only = async (partnerId: string) => {
  const { items } = await listConnectTraces(partnerId, { limit: 10 });
  expect(items).toHaveLength(1);
  return items[0];
};

describe("a trace", () => {
  test("of a successful connect has each step, its duration and the account", async () => {
    const { id, user } = await newPartner();
    const { id: owner } = await user("ada");
    const { finish, person } = await begin(owner);
    const { accountId } = await finish();
    const trace = await only(id);
    expect(trace).toMatchObject({
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/),
      platform: X,
      connectUser: { uuid: owner, externalUserId: "ada", name: "ada" },
      returnsTo: "https://acme.example",
      outcome: "connected",
      account: { id: accountId, username: person, displayName: expect.any(String) },
    });
    expect(trace?.steps.map(({ step, reason: says }) => [step, says])).toEqual(
      ["opened", "returned", "exchange", "permissions", "profile", "store"].map((step) => [step, undefined]),
    );
    expect(trace?.endedAt).toBeDefined();
  });

  test("of a failure has the step, our message and the network's answer", async () => {
    const { id, user } = await newPartner();
    const { callback, finish } = await begin((await user("ada")).id);
    callback.set("code", "made-up-by-somebody");
    await expect(finish()).rejects.toMatchObject({ failure: "network" });
    const trace = await only(id);
    expect(trace?.outcome).toBe("network");
    expect(trace?.steps.at(-1)).toEqual({
      step: "exchange",
      at: expect.any(String),
      ms: expect.any(Number),
      reason: expect.stringMatching(/\w/),
      network: { status: 400, code: expect.any(String), message: expect.any(String) },
    });
  });

  test("distinguishes declined, another browser and abandoned", async () => {
    const { id, user } = await newPartner();
    const denied = await begin((await user("denied")).id, { decision: "deny" });
    await expect(denied.finish()).rejects.toMatchObject({ failure: "denied" });
    const elsewhere = await begin((await user("elsewhere")).id);
    await expect(elsewhere.finish([])).rejects.toMatchObject({ failure: "wrong browser" });
    const gone = await begin((await user("gone")).id);
    const past = { startedAt: sql`now() - interval '16 minutes'` };
    await db
      .update(connectTraces)
      .set(past)
      .where(eq(connectTraces.ownerId, (await user("gone")).id));
    const { items } = await listConnectTraces(id, { limit: 10 });
    const told = items.map(({ connectUser, outcome, steps }) => [connectUser.name, outcome, steps.at(-1)?.step]);
    expect(told).toEqual([
      ["elsewhere", "under way", "wrong browser"],
      ["denied", "denied", "returned"],
      ["gone", "abandoned", "opened"],
    ]);
    await elsewhere.finish();
    expect((await listConnectTraces(id, { limit: 10, outcome: "connected" })).items).toHaveLength(1);
    expect((await listConnectTraces(id, { limit: 10, outcome: "abandoned" })).items).toHaveLength(1);
    expect(gone.attempt.id).toMatch(/-/);
  });

  test("of an expired link or a suspended partner has one step", async () => {
    const { id, clientId, user } = await newPartner();
    const { id: owner } = await user("ada");
    const input = { jti: randomUUID(), owner, platform: X, redirectUri: RETURN } as const;
    await expect(openAttempt({ ...input, isExpired: true })).rejects.toMatchObject({ failure: "expired" });
    await suspendPartner(clientId);
    await expect(openAttempt(input)).rejects.toMatchObject({ failure: "suspended" });
    const { items } = await listConnectTraces(id, { limit: 10 });
    expect(items.map(({ outcome, steps }) => [outcome, steps.length])).toEqual([
      ["suspended", 1],
      ["expired", 1],
    ]);
    expect(await db.select().from(connectAttempts).where(eq(connectAttempts.ownerId, owner))).toEqual([]);
  });
});

test("C22: a trace contains no code, state, verifier, nonce, token or path of redirectUri", async () => {
  const { id, user } = await newPartner();
  const { attempt, callback, finish } = await begin((await user("ada")).id);
  const code = callback.get("code") ?? "";
  callback.set("code", `${code}x`);
  await expect(finish()).rejects.toMatchObject({ failure: "network" });
  const kept = JSON.stringify(await db.select().from(connectTraces).where(eq(connectTraces.partnerId, id)));
  for (const secret of [code, callback.get("state"), attempt.nonce, "secret-of-acme", "sandbox-x-secret"]) {
    expect(secret).toMatch(/.{6}/);
    expect(kept).not.toContain(secret);
  }
});

test("an ended trace does not change, and the number of steps is limited", async () => {
  const { id, user } = await newPartner();
  const { finish } = await begin((await user("ada")).id);
  for (let time = 0; time < 25; time++) await expect(finish([])).rejects.toMatchObject({ failure: "wrong browser" });
  expect((await only(id))?.steps).toHaveLength(20);
  await finish();
  const after = await only(id);
  expect([after?.outcome, after?.steps.at(-1)?.step]).toEqual(["connected", "store"]);
  await expect(finish([])).rejects.toMatchObject({ failure: "wrong browser" });
  expect(await only(id)).toEqual(after);
});

describe("traces", () => {
  test("are listed newest first in pages, for all users or one, never another partner's", async () => {
    const [mine, other] = [await newPartner(), await newPartner()];
    const [ada, bob] = [await mine.user("ada"), await mine.user("bob")];
    for (const { id } of [ada, bob, ada]) await begin(id);
    await begin((await other.user("eve")).id);
    const first = await listConnectTraces(mine.id, { limit: 2 });
    const second = await listConnectTraces(mine.id, { limit: 2, after: first.next });
    const names = [...first.items, ...second.items].map(({ connectUser }) => connectUser.name);
    expect([names, second.next]).toEqual([["ada", "bob", "ada"], undefined]);
    const bobs = await listConnectTraces(mine.id, { limit: 2, connectUserId: bob.id });
    expect(bobs.items.map(({ connectUser }) => connectUser.uuid)).toEqual([bob.id]);
  });

  test("are found by their code in any spelling, but not by another partner", async () => {
    const [mine, other] = [await newPartner(), await newPartner()];
    await begin((await mine.user("ada")).id);
    const { code = "" } = (await only(mine.id)) ?? {};
    for (const typed of [
      code,
      code.toLowerCase(),
      code.replace("-", " "),
      code.replace(/0/g, "o").replace(/1/g, "l"),
    ]) {
      expect((await findConnectTrace(mine.id, typed))?.code).toBe(code);
    }
    expect(await findConnectTrace(other.id, code)).toBeUndefined();
    expect(await findConnectTrace(mine.id, "no such code")).toBeUndefined();
  });

  test("are found by their link, only for the link's owner", async () => {
    const { user } = await newPartner();
    const [ada, bob] = [await user("ada"), await user("bob")];
    const jti = randomUUID();
    expect(await findTraceOfLink(ada.id, jti)).toBeUndefined();
    const { finish } = await begin(ada.id, { jti });
    expect((await findTraceOfLink(ada.id, jti))?.outcome).toBe("under way");
    await finish();
    expect((await findTraceOfLink(ada.id, jti))?.outcome).toBe("connected");
    expect(await findTraceOfLink(bob.id, jti)).toBeUndefined();
  });
});
