import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, db, type PublicationStatus, partnerMembers, partners, publications, schedules, users } from "../db";
import { as, connectAccount, newOwner, newPartner, schedule } from "../testing";
import { findConsoleUser, listConsoleUsers } from "./connect-users";
import { findVisiblePartner, listVisiblePartners } from "./partners";
import { countAccountsToReconnect, flushPartnerCalls, listPartnerDays, listPartnerUsage } from "./usage";

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

describe("who may open a partner's console", () => {
  test("its members and staff, but no one who is suspended", async () => {
    const [{ clientId }, { clientId: foreign }] = [await newPartner(), await newPartner()];
    const partner = await partnerRow(clientId);
    const [member, other] = [await newOwner(), await newOwner()];
    await db.insert(partnerMembers).values({ partnerId: partner.id, userId: member });
    const sees = async (who: Awaited<ReturnType<typeof person>>, id = clientId) =>
      (await findVisiblePartner(who, id))?.clientId;
    expect(await sees(await person(member))).toBe(clientId);
    expect(await sees(await person(member), foreign)).toBeUndefined();
    expect(await sees(await person(member, { suspended: true }))).toBeUndefined();
    expect(await sees(await person(other))).toBeUndefined();
    expect(await sees(await person(other, { role: "staff" }))).toBe(clientId);
    expect(await sees(await person(other, { role: "staff" }), "unknown")).toBeUndefined();
    expect((await listVisiblePartners(await person(member))).map((one) => one.clientId)).toEqual([clientId]);
    expect(await listVisiblePartners(await person(other))).toEqual([]);
  });
});

describe("usage", () => {
  test("counts existing rows and API calls per month", async () => {
    const partner = await newPartner();
    const { id } = await partnerRow(partner.clientId);
    const created = await partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" });
    const { uuid } = (await created.json()) as { uuid: string };
    const { id: accountId } = await connectAccount(uuid, "X_TWITTER");
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
    await flushPartnerCalls();
    const [now, ...earlier] = await listPartnerUsage(id);
    expect(now).toEqual({
      month: new Date().toISOString().slice(0, 7),
      users: 1,
      accounts: 1,
      posts: 2,
      calls: 2,
    });
    expect(earlier.map(({ users: count, calls }) => [count, calls])).toEqual(Array(5).fill([0, 0]));
    await db.update(users).set({ createdAt: sql`now() - interval '2 months'` }).where(eq(users.id, uuid));
    expect((await listPartnerUsage(id)).reduce((sum, month) => sum + month.users, 0)).toBe(1);
    expect((await listPartnerUsage(id))[0]?.users).toBe(0);
  });

  test("counts the outcomes of posts on each of the last 30 days, and the accounts that need reconnecting", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const { id } = await partnerRow(partner.clientId);
    const { id: otherId } = await partnerRow(other.clientId);
    const created = await partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" });
    const { uuid } = (await created.json()) as { uuid: string };
    const account = await connectAccount(uuid, "X_TWITTER");
    const day = async (daysAgo: number, status: PublicationStatus) => {
      const on = { socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" } };
      const texts = { ...on, posts: [{ content: `Day ${daysAgo}, ${status}` }, { content: "Two" }] };
      const { id: scheduleId } = await schedule(as(uuid), [texts], new Date("2040-01-01T12:00:00Z"));
      const time = sql`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => ${daysAgo})`;
      await db.update(publications).set({ status, dueAt: null }).where(eq(publications.scheduleId, scheduleId));
      await db.update(schedules).set({ scheduledTime: time }).where(eq(schedules.id, scheduleId));
    };
    for (const [daysAgo, status] of [
      [0, "PUBLISHED"],
      [1, "PUBLISHED"],
      [1, "FAILED"],
      [1, "UNKNOWN"],
      [29, "PUBLISHED"],
      [30, "PUBLISHED"],
    ] as const)
      await day(daysAgo, status);
    const days = await listPartnerDays(id);
    const none = { published: 0, failed: 0, unknown: 0 };
    expect(days.map(({ day: _, ...counts }) => counts)).toEqual([
      { ...none, published: 1 },
      ...Array(27).fill(none),
      { published: 1, failed: 1, unknown: 1 },
      { ...none, published: 1 },
    ]);
    expect(days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10));
    expect((await listPartnerDays(otherId)).map(({ day: _, ...counts }) => counts)).toEqual(Array(30).fill(none));

    expect(await countAccountsToReconnect(id)).toBe(0);
    await db.update(accounts).set({ state: "RECONNECT_REQUIRED" }).where(eq(accounts.id, account.id));
    expect([await countAccountsToReconnect(id), await countAccountsToReconnect(otherId)]).toEqual([1, 0]);
  });
});

describe("end users", () => {
  test("are listed with their accounts in pages and found by externalUserId", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const { id } = await partnerRow(partner.clientId);
    const { id: otherId } = await partnerRow(other.clientId);
    for (const externalUserId of ["one", "two", "three"]) {
      await partner.post("/v1/connect/users", { externalUserId, name: "Ada" });
    }
    const first = await listConsoleUsers(id, { limit: 2 });
    const rest = await listConsoleUsers(id, { limit: 2, after: first.next });
    expect([...first.items, ...rest.items].map(({ externalUserId }) => externalUserId)).toEqual([
      "three",
      "two",
      "one",
    ]);
    expect(rest.next).toBeUndefined();
    const [found] = (await listConsoleUsers(id, { limit: 2, search: "two" })).items;
    await connectAccount(found?.id ?? "", "X_TWITTER");
    expect(await findConsoleUser(id, found?.id ?? "")).toMatchObject({
      externalUserId: "two",
      accounts: 1,
      accountsToReconnect: 0,
    });
    expect(await findConsoleUser(otherId, found?.id ?? "")).toBeUndefined();
    expect(await findConsoleUser(id, "me")).toBeUndefined();
  });
});
