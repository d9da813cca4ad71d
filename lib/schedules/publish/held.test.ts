import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts, db, schedules } from "../../db";
import type { Worker } from "../../jobs";
import { as, attemptsOf, callsOn, connectAccount, dueIn, newOwner, read, schedule } from "../../testing";
import { claimPublication } from "./claim";
import { publish } from "./publish";
import { storeIntent } from "./steps";

const newWorker = (): Worker => ({ id: randomUUID(), assertAlive() {} });

/** A due publication of an account that has been held since it was scheduled. Only this test works on it. */
async function dueOnHeld() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "X_TWITTER");
  const client = as(owner);
  const on = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] };
  const made = await schedule(client, [on], new Date(Date.now() + 3_600_000));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const hold = (heldSince: ReturnType<typeof sql> | null) =>
    db.update(accounts).set({ heldSince }).where(eq(accounts.id, id));
  const publicationId = made.publications[0]?.id ?? 0;
  const claim = async () => {
    const claimed = await claimPublication(publicationId, newWorker());
    if (!claimed) throw new Error("not claimed");
    return claimed;
  };
  return { client, made, person, publicationId, hold, claim };
}

test("a due publication waits while its account is held, counts no failed attempt, and goes out once the account is confirmed", async () => {
  const { client, made, person, publicationId, hold, claim } = await dueOnHeld();
  await hold(sql`now()`);
  await publish(await claim());
  expect(await callsOn("x", person, "publish")).toEqual([]);
  expect(await attemptsOf(publicationId)).toBe(0);
  expect(await dueIn(publicationId)).toBeGreaterThan(0);
  expect((await read(client, made.id)).publications[0]?.posts[0]).toMatchObject({ status: "PENDING" });
  await hold(null);
  await publish(await claim());
  expect(await callsOn("x", person, "publish")).toHaveLength(1);
  expect((await read(client, made.id)).publications[0]).toMatchObject({ status: "PUBLISHED" });
});

test("if an account is held between the claim and the final call, the call is not announced", async () => {
  const { hold, claim } = await dueOnHeld();
  const claimed = await claim();
  await hold(sql`now()`);
  const [post] = claimed.posts;
  await expect(storeIntent(claimed, post?.id ?? 0, "publish")).rejects.toMatchObject({
    outcome: "WAITING",
    message: "This account is waiting to be confirmed",
  });
});
