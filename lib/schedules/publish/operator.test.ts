import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { listOperatorProblems, reportOperatorProblem } from "../../accounts";
import { accounts, db, mails, publications, publishAttempts, users } from "../../db";
import { mailsOf } from "../../mail/testing/queued";
import { PlatformError } from "../../networks";
import { callsOn, fault, newOwner, postsOn } from "../../testing";
import { claimedPost, reclaimPost } from "../testing/due";
import { publish } from "./publish";

const NOT_ENROLLED = "X does not let this service's app use its API, because the app is not enrolled in a project";

const openReasons = async () => (await listOperatorProblems()).map(({ reason }) => reason);

test("an app of X outside of a project: the post stays pending with the reason, the account stays connected, and the post goes out once", async () => {
  const { claim } = await claimedPost();
  const { publicationId: id, account } = claim;
  const person = account.username;
  await fault({
    network: "x",
    operation: "publish",
    account: person,
    fault: "operator",
    reason: "client-not-enrolled",
  });
  await publish(claim);

  const [pending] = await db.select().from(publications).where(eq(publications.id, id));
  expect(pending).toMatchObject({ status: "IN_PROGRESS", dueAt: expect.any(String) });
  const [attempt] = await db.select().from(publishAttempts).where(eq(publishAttempts.publicationId, id));
  expect(attempt).toMatchObject({
    outcome: "RETRYING",
    message: expect.stringMatching(new RegExp(`^${NOT_ENROLLED}\\. What the operator .* Attach the app to a project`)),
    answer: { status: 403, code: "client-forbidden" },
  });
  const [kept] = await db.select().from(accounts).where(eq(accounts.id, account.id));
  expect(kept).toMatchObject({ state: "ACTIVE", stateReason: null, disconnectedAt: null });
  expect(await openReasons()).toContain(NOT_ENROLLED);

  await publish((await reclaimPost(id)).claim);
  expect((await postsOn("x", person)).map(({ text }) => text)).toEqual(["one"]);
  // The refused call is not listed, because it was answered before its token was read.
  expect((await callsOn("x", person, "publish")).map(({ status }) => status)).toEqual([201]);
  const [published] = await db.select().from(publications).where(eq(publications.id, id));
  expect(published?.status).toBe("PUBLISHED");
  expect(await openReasons()).not.toContain(NOT_ENROLLED);
});

test.each([
  ["453", "plan"],
  ["suspended", "suspended this service's app"],
  ["credits", "credits"],
])("X refuses the app (%s): the account stays connected", async (reason, says) => {
  const { claim } = await claimedPost();
  await fault({ network: "x", operation: "publish", account: claim.account.username, fault: "operator", reason });
  await publish(claim);
  const [attempt] = await db
    .select()
    .from(publishAttempts)
    .where(eq(publishAttempts.publicationId, claim.publicationId));
  expect(attempt).toMatchObject({ outcome: "RETRYING", message: expect.stringContaining(says) });
  const [kept] = await db.select().from(accounts).where(eq(accounts.id, claim.account.id));
  expect(kept).toMatchObject({ state: "ACTIVE", disconnectedAt: null });
});

test("the staff get one mail for each network and reason, however many calls fail at once; other users get none", async () => {
  const [staff, user] = [await newOwner(), await newOwner()];
  for (const [id, role] of [
    [staff, "staff"],
    [user, "user"],
  ] as const) {
    const known = { role, email: `${id}@example.com`, emailConfirmedAt: new Date().toISOString() };
    await db.update(users).set(known).where(eq(users.id, id));
  }
  const refuse = (reason: string) =>
    reportOperatorProblem("X_TWITTER", new PlatformError("operator", reason, { fix: "Act" }));
  const [one, other] = [`Reason ${randomUUID()}`, `Reason ${randomUUID()}`];
  await Promise.all(Array.from({ length: 5 }, () => refuse(one)));
  await refuse(other);
  await reportOperatorProblem("X_TWITTER", new PlatformError("later", `Reason ${randomUUID()}`));

  const queued = await db
    .select({ facts: mails.facts })
    .from(mails)
    .where(and(eq(mails.ownerId, staff), eq(mails.kind, "operatorProblem")));
  expect(queued.map(({ facts }) => facts)).toEqual(
    [one, other].map((reason) => ({ network: "X", reason, fix: "Act" })),
  );
  expect(await mailsOf(user, async () => {})).toEqual([]);
  await mailsOf(staff, async () => {});
  await db.update(users).set({ role: "user" }).where(eq(users.id, staff));
});
