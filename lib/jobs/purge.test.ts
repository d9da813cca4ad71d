import { randomBytes, randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, connectAttempts, connectTraces, db, grants, idempotencyKeys, rateLimits, requestLog } from "../db";
import { createGrant } from "../oauth/grants";
import { grantOfRefreshToken, rotateRefreshToken, startRefreshing } from "../oauth/refresh-tokens";
import { newClient } from "../oauth/testing";
import { newOwner } from "../testing";
import { purgeExpired } from "./purge";

async function grantOf(owner: string) {
  const { clientId } = await newClient();
  const kind = "authorization_code";
  const id = await createGrant({ kind, clientId, userId: owner, scopes: ["api"], expiresInSeconds: 60 });
  return { clientId, id, token: (await startRefreshing(id)).refreshToken };
}

const endedFor = (id: string, age: string) =>
  db
    .update(grants)
    .set({ expiresAt: sql`now() - ${age}::interval` })
    .where(eq(grants.id, id));

describe("expired rows are deleted, and only those", () => {
  test("idempotency keys after 24 hours", async () => {
    const ownerId = await newOwner();
    const row = { ownerId, route: "POST /v1/posts", bodyHash: Buffer.alloc(32), answer: {} };
    const aged = (age: string) => ({ ...row, key: age, createdAt: sql`now() - ${age}::interval` });
    await db.insert(idempotencyKeys).values([aged("23 hours 59 minutes"), aged("24 hours 1 minute")]);
    expect((await purgeExpired())["idempotency keys"]).toBeGreaterThan(0);
    const left = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.ownerId, ownerId));
    expect(left.map(({ key }) => key)).toEqual(["23 hours 59 minutes"]);
  });

  test("connect attempts a day after their end", async () => {
    const ownerId = await newOwner();
    const aged = (age: string) => ({
      ...{ traceCode: randomUUID(), stateId: randomUUID(), ownerId, platform: "X_TWITTER" as const },
      ...{ redirectUri: age, codeHash: randomBytes(32), expiresAt: sql`now() - ${age}::interval` },
    });
    await db.insert(connectAttempts).values([aged("23 hours"), aged("25 hours")]);
    await purgeExpired();
    const left = await db.select().from(connectAttempts).where(eq(connectAttempts.ownerId, ownerId));
    expect(left.map(({ redirectUri }) => redirectUri)).toEqual(["23 hours"]);
  });

  test("the traces of connect attempts after 30 days", async () => {
    const ownerId = await newOwner();
    const aged = (age: string) => ({
      ...{ code: randomUUID(), stateId: randomUUID(), ownerId, platform: "X_TWITTER" as const },
      ...{ returnOrigin: age, startedAt: sql`now() - ${age}::interval` },
    });
    await db.insert(connectTraces).values([aged("29 days"), aged("31 days")]);
    await purgeExpired();
    const left = await db.select().from(connectTraces).where(eq(connectTraces.ownerId, ownerId));
    expect(left.map(({ returnOrigin }) => returnOrigin)).toEqual(["29 days"]);
  });

  test("rate limits whose minute is over", async () => {
    const aged = (seconds: number) => ({
      ...{ key: randomBytes(16), used: 1 },
      endsAt: sql`now() + make_interval(secs => ${seconds})`,
    });
    const rows = [aged(30), aged(-1)];
    await db.insert(rateLimits).values(rows);
    await purgeExpired();
    const keys = rows.map(({ key }) => key);
    const left = await db.select().from(rateLimits).where(inArray(rateLimits.key, keys));
    expect(left.map(({ key }) => key)).toEqual([keys[0]]);
  });

  test("the request log after 7 days", async () => {
    const ownerId = await newOwner();
    const aged = (path: string, age: string) => ({
      ...{ ownerId, path, requestId: randomUUID(), grantId: randomUUID(), method: "GET", status: 200, ms: 1 },
      at: sql`now() - ${age}::interval`,
    });
    await db.insert(requestLog).values([aged("/kept", "167 hours"), aged("/gone", "169 hours")]);
    await purgeExpired();
    const left = await db.select().from(requestLog).where(eq(requestLog.ownerId, ownerId));
    expect(left.map(({ path }) => path)).toEqual(["/kept"]);
  });

  describe("lines of the audit log", () => {
    async function agedLines() {
      const subject = randomUUID();
      // At the beginning of the log, where old lines are.
      await db.execute(sql`
        insert into audit_log (id, at, action, subject) overriding system value
        select -(random() * 1e12)::bigint, now() - make_interval(days => age), 'user.created', ${subject}
        from unnest(array[364, 366, 401]) age`);
      return () => db.$count(auditLog, eq(auditLog.subject, subject));
    }

    test("after the limit that the operator set, and never without one", async () => {
      const count = await agedLines();
      await purgeExpired();
      expect(await count()).toBe(3);
      expect((await purgeExpired(undefined, 400))["audit log"]).toBe(1);
      expect(await count()).toBe(2);
    });

    test("never in their first year: the database refuses it", async () => {
      const count = await agedLines();
      expect((await purgeExpired(undefined, 360))["audit log"]).toBe(0);
      expect(await count()).toBe(3);
    });
  });

  test("a grant with its refresh tokens a day after its end", async () => {
    const owner = await newOwner();
    const [ended, justEnded] = [await grantOf(owner), await grantOf(owner)];
    await endedFor(ended.id, "25 hours");
    await endedFor(justEnded.id, "23 hours");
    await purgeExpired();
    expect(await grantOfRefreshToken(ended.token)).toBeUndefined();
    expect(await grantOfRefreshToken(justEnded.token)).toMatchObject({ grantId: justEnded.id });
  });

  test("A5: a used refresh token is kept as long as its grant, so that a second use is detected", async () => {
    const { clientId, token, id } = await grantOf(await newOwner());
    const next = await rotateRefreshToken(clientId, token);
    await purgeExpired();
    await expect(rotateRefreshToken(clientId, token)).rejects.toThrow("was used already");
    await expect(rotateRefreshToken(clientId, next.refreshToken)).rejects.toThrow("was used already");
    const [grant] = await db.select().from(grants).where(eq(grants.id, id));
    expect(grant?.revokedAt).not.toBeNull();
  });
});
