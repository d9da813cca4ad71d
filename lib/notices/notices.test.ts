import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { requireReconnect } from "../accounts";
import { connectWithoutBrowser } from "../connect";
import { db, events, mails, surroundedByTransaction, users } from "../db";
import { withdraw } from "../jobs";
import { jobKeyOf } from "../mail/queue";
import { connect, newOwner, newPartner, newPerson } from "../testing";
import { type EventType, emit, type WrittenEvent } from "../webhooks";
import { tellOfDisabledEndpoint } from "./endpoint";
import { mailReader } from "./reader";

async function newReader(): Promise<string> {
  const id = await newOwner();
  await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, id));
  return id;
}

/** Everything told of an owner, handed to the reader as the log would; the jobs of its mails are taken back. */
async function takeAll(ownerId: string): Promise<{ kind: string; facts: unknown }[]> {
  return surroundedByTransaction(async (tx) => {
    const told = await tx.select().from(events).where(eq(events.ownerId, ownerId)).orderBy(events.xid, events.id);
    const written = told.map((event) => ({ ...event, externalUserId: null }) as WrittenEvent);
    await mailReader.take(tx, written);
    const rows = await tx.select().from(mails).where(eq(mails.ownerId, ownerId)).orderBy(mails.key);
    for (const { id } of rows) await withdraw(tx, jobKeyOf(id));
    return rows.map(({ kind, facts }) => ({ kind, facts }));
  });
}

const publication = (account: number, status: string, post: object) => ({
  id: 1,
  socialMediaAccountId: account,
  platformSettings: { type: "TWITTER" },
  status,
  posts: [{ id: 1, content: "Ding dong", attachmentPaths: [], status, ...post }],
});

async function tell(ownerId: string, type: EventType, publications: object[], overallStatus = "COMPLETED") {
  await emit(db, [{ ownerId, type, data: { id: 12, overallStatus, publications } }]);
}

describe("a post that is out everywhere", () => {
  test("is told of once, with where it is", async () => {
    const owner = await newReader();
    const { id, person } = await connect(owner, "X_TWITTER");
    const permalink = "https://x.example/1";
    await tell(owner, "post.in_progress", []);
    await tell(owner, "post.completed", [publication(id, "PUBLISHED", { permalink })]);
    const shares = [{ name: `@${person} on X`, says: "See the post", href: permalink }];
    const mail = { kind: "postPublished", facts: { scheduleId: 12, text: "Ding dong", shares } };
    expect(await takeAll(owner)).toEqual([mail]);
    expect(await takeAll(owner)).toEqual([mail]); // however often the log is read
  });
});

describe("a post that is not out everywhere", () => {
  test.each([
    ["post.partially_completed", "PUBLISHED", 1],
    ["post.failed", "UNKNOWN", 0],
  ] as const)("%s: is told of with each reason", async (type, first, published) => {
    const owner = await newReader();
    const [one, two] = [await connect(owner, "X_TWITTER"), await connect(owner, "TIKTOK")];
    const says = "TikTok refused the video: it is too long.";
    await tell(owner, type, [publication(one.id, first, {}), publication(two.id, "FAILED", { error: says })]);
    const [mail, ...others] = await takeAll(owner);
    expect([mail?.kind, others]).toEqual(["postFailed", []]);
    const failed = { name: `@${two.person} on TikTok`, says };
    const doubtful = { name: `@${one.person} on X`, says: "It was not published" };
    const shares = published ? [failed] : [doubtful, failed];
    expect(mail?.facts).toEqual({ scheduleId: 12, text: "Ding dong", shares, published });
  });

  test("because a file could not be fetched is told of too", async () => {
    const owner = await newReader();
    const { id } = await connect(owner, "X_TWITTER");
    await tell(owner, "post.media_import_failed", [publication(id, "PENDING", {})], "MEDIA_IMPORT_FAILED");
    expect(await takeAll(owner)).toMatchObject([
      { kind: "postFailed", facts: { shares: [{ says: "One of its files could not be fetched, so it is not sent" }] } },
    ]);
  });
});

test("an account that needs its person is told of once for each time, however many find it out", async () => {
  const owner = await newReader();
  const person = newPerson();
  const id = await connectWithoutBrowser(owner, "X_TWITTER", person);
  for (const reason of ["X ended the permission", "X ended it again"]) {
    await Promise.all([1, 2, 3].map(() => requireReconnect(id, reason)));
    const mails = await takeAll(owner);
    expect(mails.at(-1)).toEqual({
      kind: "accountReconnect",
      facts: { accountId: id, name: `@${person} on X`, reason },
    });
    expect(mails).toHaveLength(reason.endsWith("again") ? 2 : 1);
    await connectWithoutBrowser(owner, "X_TWITTER", person);
  }
});

test("an endpoint that was switched off is told of to its person; a partner's is not", async () => {
  const owner = await newReader();
  const endpoint = { id: 1, url: "https://hooks.example/a", disabledAt: owner, disabledReason: "It answered 410 Gone" };
  const told = await surroundedByTransaction(async (tx) => {
    for (let time = 0; time < 2; time++) await tellOfDisabledEndpoint(tx, { ...endpoint, ownerId: owner });
    await tellOfDisabledEndpoint(tx, { ...endpoint, ownerId: null });
    const rows = await tx.select().from(mails).where(eq(mails.ownerId, owner));
    for (const { id } of rows) await withdraw(tx, jobKeyOf(id));
    return rows;
  });
  expect(told).toMatchObject([
    { kind: "webhookDisabled", facts: { url: "https://hooks.example/a", reason: "It answered 410 Gone" } },
  ]);
});

test("a partner's users are told nothing, whatever happens to their things", async () => {
  const partner = await newPartner();
  const given = { externalUserId: randomUUID(), name: "Cleo", email: `${randomUUID()}@example.com` };
  const { uuid } = (await (await partner.post("/v1/connect/users", given)).json()) as { uuid: string };
  await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, uuid));
  const { id } = await connect(uuid, "X_TWITTER");
  await requireReconnect(id, "X ended the permission");
  await tell(uuid, "post.completed", [publication(id, "PUBLISHED", {})]);
  await tell(uuid, "post.failed", [publication(id, "FAILED", { error: "No" })]);
  expect(await takeAll(uuid)).toEqual([]);
});
