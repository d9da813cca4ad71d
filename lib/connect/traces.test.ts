import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connectAttempts, connectTraces, db, partners } from "../db";
import { submitConsent } from "../networks/testing";
import { createPartner, suspendPartner } from "../oauth";
import { newPerson } from "../testing";
import { completeAttempt } from "./complete";
import { openAttempt } from "./open";
import { findTrace, listTraces, traceOfLink } from "./traces";
import { provisionConnectUser } from "./users";

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
  const { items } = await listTraces(partnerId, { limit: 10 });
  expect(items).toHaveLength(1);
  return items[0];
};

describe("a trace tells", () => {
  test("of a connect: each step, how long it took, which account it was", async () => {
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
      account: { id: accountId, username: person },
    });
    expect(trace?.steps.map(({ step, says }) => [step, says])).toEqual(
      ["opened", "returned", "exchange", "permissions", "profile", "store"].map((step) => [step, undefined]),
    );
    expect(trace?.endedAt).toBeDefined();
  });

  test("of a failure: the step, our sentence and what the network said", async () => {
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
      says: expect.stringMatching(/\w/),
      network: { status: 400, code: expect.any(String), message: expect.any(String) },
    });
  });

  test("of a person who said no, one who came back in another browser, and one who never did", async () => {
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
    const { items } = await listTraces(id, { limit: 10 });
    const told = items.map(({ connectUser, outcome, steps }) => [connectUser.name, outcome, steps.at(-1)?.step]);
    expect(told).toEqual([
      ["elsewhere", "under way", "wrong browser"],
      ["denied", "denied", "returned"],
      ["gone", "abandoned", "opened"],
    ]);
    await elsewhere.finish();
    expect((await listTraces(id, { limit: 10, outcome: "connected" })).items).toHaveLength(1);
    expect((await listTraces(id, { limit: 10, outcome: "abandoned" })).items).toHaveLength(1);
    expect(gone.attempt.id).toMatch(/-/);
  });

  test("of a link that came too late, or to a partner that is suspended: it never began", async () => {
    const { id, clientId, user } = await newPartner();
    const { id: owner } = await user("ada");
    const wish = { jti: randomUUID(), owner, platform: X, redirectUri: RETURN } as const;
    await expect(openAttempt({ ...wish, isPast: true })).rejects.toMatchObject({ failure: "expired" });
    await suspendPartner(clientId);
    await expect(openAttempt(wish)).rejects.toMatchObject({ failure: "suspended" });
    const { items } = await listTraces(id, { limit: 10 });
    expect(items.map(({ outcome, steps }) => [outcome, steps.length])).toEqual([
      ["suspended", 1],
      ["expired", 1],
    ]);
    expect(await db.select().from(connectAttempts).where(eq(connectAttempts.ownerId, owner))).toEqual([]);
  });
});

test("C22: nothing secret is kept in it: no code, state, verifier, browser secret, token, nor the end of redirectUri", async () => {
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

test("an end is final, and what is repeated for ever does not grow for ever", async () => {
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

describe("traces are listed", () => {
  test("newest first, by pages, one user's alone where that is asked for; another partner's never", async () => {
    const [mine, other] = [await newPartner(), await newPartner()];
    const [ada, bob] = [await mine.user("ada"), await mine.user("bob")];
    for (const { id } of [ada, bob, ada]) await begin(id);
    await begin((await other.user("eve")).id);
    const first = await listTraces(mine.id, { limit: 2 });
    const second = await listTraces(mine.id, { limit: 2, after: first.next });
    const names = [...first.items, ...second.items].map(({ connectUser }) => connectUser.name);
    expect([names, second.next]).toEqual([["ada", "bob", "ada"], undefined]);
    const bobs = await listTraces(mine.id, { limit: 2, connectUserId: bob.id });
    expect(bobs.items.map(({ connectUser }) => connectUser.uuid)).toEqual([bob.id]);
  });

  test("and found by their code, as people read it out; not by another partner", async () => {
    const [mine, other] = [await newPartner(), await newPartner()];
    await begin((await mine.user("ada")).id);
    const { code = "" } = (await only(mine.id)) ?? {};
    for (const typed of [
      code,
      code.toLowerCase(),
      code.replace("-", " "),
      code.replace(/0/g, "o").replace(/1/g, "l"),
    ]) {
      expect((await findTrace(mine.id, typed))?.code).toBe(code);
    }
    expect(await findTrace(other.id, code)).toBeUndefined();
    expect(await findTrace(mine.id, "no such code")).toBeUndefined();
  });

  test("and by the link: what became of it, for whoever it was made for", async () => {
    const { user } = await newPartner();
    const [ada, bob] = [await user("ada"), await user("bob")];
    const jti = randomUUID();
    expect(await traceOfLink(ada.id, jti)).toBeUndefined();
    const { finish } = await begin(ada.id, { jti });
    expect((await traceOfLink(ada.id, jti))?.outcome).toBe("under way");
    await finish();
    expect((await traceOfLink(ada.id, jti))?.outcome).toBe("connected");
    expect(await traceOfLink(bob.id, jti)).toBeUndefined();
  });
});
