import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, partnerMembers, partners, rehearsals, users } from "../db";
import { as, connect, newOwner, newPartner } from "../testing";
import { dashboardReturn } from "./addresses";
import { writeCalls } from "./calls";
import { consoleUser, consoleUsers } from "./console";
import { partnerFor, partnersOf } from "./members";
import { openAttempt } from "./open";
import { armRehearsal, rehearsedBy, startRehearsal } from "./rehearse";
import { usageOf } from "./usage";
import { getConnectUser, listConnectUsers } from "./users";

async function partnerRow(clientId: string) {
  const [row] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  if (!row) throw new Error("the partner was not stored");
  return { id: row.id, clientId, name: row.name, createdAt: row.createdAt };
}

const person = async (id: string, more: Partial<{ role: "staff"; suspended: boolean }> = {}) => {
  const state = { suspended: false, deleting: false, emailConfirmed: true, sessionEpoch: 0 };
  const base = { id, email: "", name: "", role: "user", ...state } as const;
  return { ...base, ...more };
};

describe("who may see a partner's console", () => {
  test("its members and staff; nobody else, and nobody who is suspended", async () => {
    const [{ clientId }, { clientId: foreign }] = [await newPartner(), await newPartner()];
    const partner = await partnerRow(clientId);
    const [member, other] = [await newOwner(), await newOwner()];
    await db.insert(partnerMembers).values({ partnerId: partner.id, userId: member });
    const sees = async (who: Awaited<ReturnType<typeof person>>, id = clientId) =>
      (await partnerFor(who, id))?.clientId;
    expect(await sees(await person(member))).toBe(clientId);
    expect(await sees(await person(member), foreign)).toBeUndefined();
    expect(await sees(await person(member, { suspended: true }))).toBeUndefined();
    expect(await sees(await person(other))).toBeUndefined();
    expect(await sees(await person(other, { role: "staff" }))).toBe(clientId);
    expect(await sees(await person(other, { role: "staff" }), "nobody")).toBeUndefined();
    expect((await partnersOf(await person(member))).map((one) => one.clientId)).toEqual([clientId]);
    expect(await partnersOf(await person(other))).toEqual([]);
  });
});

describe("usage", () => {
  test("counts the rows of each month, and every call", async () => {
    const partner = await newPartner();
    const { id } = await partnerRow(partner.clientId);
    const created = await partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" });
    const { uuid } = (await created.json()) as { uuid: string };
    const { id: accountId } = await connect(uuid, "X_TWITTER");
    await as(uuid).post("/v1/posts", {
      scheduledTime: "2040-01-01T12:00:00Z",
      publications: [
        {
          socialMediaAccountId: accountId,
          platformSettings: { type: "TWITTER" },
          posts: [{ content: "One" }, { content: "Two" }],
        },
      ],
    });
    await partner.get("/v1/connect/users");
    await writeCalls();
    const [now, ...earlier] = await usageOf(id);
    expect(now).toEqual({
      month: new Date().toISOString().slice(0, 7),
      users: 1,
      accounts: 1,
      posts: 2,
      calls: 2,
    });
    expect(earlier.map(({ users: count, calls }) => [count, calls])).toEqual(Array(5).fill([0, 0]));
    await db.update(users).set({ createdAt: sql`now() - interval '2 months'` }).where(eq(users.id, uuid));
    expect((await usageOf(id)).reduce((sum, month) => sum + month.users, 0)).toBe(1);
    expect((await usageOf(id))[0]?.users).toBe(0);
  });
});

describe("end-users", () => {
  test("are listed with their accounts, a page at a time, and found by the partner's own id", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const { id } = await partnerRow(partner.clientId);
    const { id: otherId } = await partnerRow(other.clientId);
    for (const externalUserId of ["one", "two", "three"]) {
      await partner.post("/v1/connect/users", { externalUserId, name: "Ada" });
    }
    const first = await consoleUsers(id, { limit: 2 });
    const rest = await consoleUsers(id, { limit: 2, after: first.next });
    expect([...first.items, ...rest.items].map(({ externalUserId }) => externalUserId)).toEqual([
      "three",
      "two",
      "one",
    ]);
    expect(rest.next).toBeUndefined();
    const [found] = (await consoleUsers(id, { limit: 2, search: "two" })).items;
    await connect(found?.id ?? "", "X_TWITTER");
    expect(await consoleUser(id, found?.id ?? "")).toMatchObject({ externalUserId: "two", accounts: 1, unwell: 0 });
    expect(await consoleUser(otherId, found?.id ?? "")).toBeUndefined();
    expect(await consoleUser(id, "me")).toBeUndefined();
  });
});

describe("a rehearsal", () => {
  const wish = { way: "network-error", platform: "TIKTOK", redirectUri: "com.acme.app:/done" };
  test("is refused with every problem, and stores nothing", async () => {
    const partner = await partnerRow((await newPartner()).clientId);
    const wrong = { way: "toString", platform: "TELEGRAM", redirectUri: "javascript:alert(1)" };
    await expect(startRehearsal(partner, wrong)).rejects.toThrow(
      "way is none; platform cannot be rehearsed on here; redirectUri must not use the scheme javascript",
    );
    expect(await rehearsedBy(partner.id)).toBeUndefined();
  });

  test("is of somebody whom the partner's own calls never meet", async () => {
    const caller = await newPartner();
    const partner = await partnerRow(caller.clientId);
    await startRehearsal(partner, { ...wish, way: "goes-well" });
    const actors = await db.select().from(users).where(eq(users.partnerId, partner.id));
    expect(actors.map(({ rehearses }) => rehearses).sort()).toEqual(["person", "somebody else"]);
    expect((await listConnectUsers(partner.id, { limit: 10 })).items).toEqual([]);
    expect((await consoleUsers(partner.id, { limit: 10 })).items).toEqual([]);
    for (const { id, externalUserId } of actors) {
      await expect(getConnectUser(partner.id, { uuid: id })).rejects.toThrow("not found");
      await expect(getConnectUser(partner.id, { externalUserId: externalUserId ?? "" })).rejects.toThrow("not found");
      expect((await caller.get("/v1/accounts", { "x-connect-user-id": id })).status).toBe(404);
    }
  });

  test("meets nobody but its own person: what somebody else connects goes as always", async () => {
    const partner = await partnerRow((await newPartner()).clientId);
    await startRehearsal(partner, wish);
    const owner = await newOwner();
    const attempt = await openAttempt({ jti: randomUUID(), owner, platform: "TIKTOK", redirectUri: dashboardReturn() });
    const state = new URL(attempt.url).searchParams.get("state") ?? "";
    expect(state).not.toBe("");
    for (const one of [state, "a state of nobody's", ""]) await armRehearsal(one);
    const [row] = await db.select().from(rehearsals).where(eq(rehearsals.partnerId, partner.id));
    expect(row).toMatchObject({ failure: "network-error", isArmed: true });
    expect(await rehearsedBy(partner.id)).toEqual({
      way: "network-error",
      rehearsal: expect.objectContaining({ ends: "network" }),
      platform: "TIKTOK",
      redirectUri: wish.redirectUri,
      outcome: "under way",
    });
  });
});
