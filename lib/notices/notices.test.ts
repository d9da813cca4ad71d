import { randomUUID } from "node:crypto";
import { eq, like, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { requireReconnect } from "../accounts";
import { connectWithoutBrowser } from "../connect";
import { db, events, mails, partners, shareTransaction, users } from "../db";
import { removeJob } from "../jobs";
import { getMailPreferences, setMailPreferences } from "../mail";
import { mailJobKey } from "../mail/queue";
import { addPartnerMember } from "../partners";
import { connectAccount, newOwner, newPartner, newPerson } from "../testing";
import { type EventType, emit, type WrittenEvent } from "../webhooks";
import { accountNameOf } from "./facts";
import { mailReader, queueDisabledEndpointMail } from "./readers";

async function newReader(): Promise<string> {
  const id = await newOwner();
  await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, id));
  return id;
}

/** A partner's user with a confirmed address, which should never happen. */
async function newEndUser(): Promise<{ uuid: string }> {
  const partner = await newPartner();
  const given = { externalUserId: randomUUID(), name: "Cleo", email: `${randomUUID()}@example.com` };
  const { uuid } = (await (await partner.post("/v1/connect/users", given)).json()) as { uuid: string };
  await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, uuid));
  return { uuid };
}

test.each([
  ["X_TWITTER", "ada", "Ada", "@ada on X"],
  ["YOUTUBE", "@ada", "Ada", "@ada on YouTube"],
  ["LINKEDIN", "Ada Lovelace", "Ada Lovelace", "Ada Lovelace on LinkedIn"],
  ["FACEBOOK", "", "Ada Lovelace", "Ada Lovelace on Facebook"],
] as const)("mails name an account on %s by its handle, or by its name", (platform, username, displayName, name) => {
  expect(accountNameOf({ platform, username, displayName })).toBe(name);
});

async function emailOf(id: string): Promise<string> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id));
  return row?.email ?? "";
}

/** Passes all events of an owner to the reader, and withdraws the jobs of the queued mails. */
async function takeAll(ownerId: string): Promise<{ kind: string; facts: unknown }[]> {
  return shareTransaction(async (tx) => {
    const told = await tx.select().from(events).where(eq(events.ownerId, ownerId)).orderBy(events.xid, events.id);
    const written = told.map((event) => ({ ...event, externalUserId: null }) as WrittenEvent);
    await mailReader.handle(tx, written);
    const rows = await tx.select().from(mails).where(eq(mails.ownerId, ownerId));
    // A key ends with the event's position, and 100000 must come after 99999.
    rows.sort((a, b) => a.key.localeCompare(b.key, "en", { numeric: true }));
    for (const { id } of rows) await removeJob(tx, mailJobKey(id));
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

describe("a post that was published everywhere", () => {
  test("is mailed once, with its links", async () => {
    const owner = await newReader();
    const { id, person } = await connectAccount(owner, "X_TWITTER");
    const permalink = "https://x.example/1";
    await tell(owner, "post.in_progress", []);
    await tell(owner, "post.completed", [publication(id, "PUBLISHED", { permalink })]);
    const shares = [{ name: `@${person} on X`, says: "View the post", href: permalink }];
    const mail = { kind: "postPublished", facts: { scheduleId: 12, text: "Ding dong", shares } };
    expect(await takeAll(owner)).toEqual([mail]);
    expect(await takeAll(owner)).toEqual([mail]); // reading the log again adds nothing
  });
});

describe("a post that was not published everywhere", () => {
  test.each([
    ["post.partially_completed", "PUBLISHED", 1],
    ["post.failed", "UNKNOWN", 0],
  ] as const)("%s: is mailed with each reason", async (type, first, published) => {
    const owner = await newReader();
    const [one, two] = [await connectAccount(owner, "X_TWITTER"), await connectAccount(owner, "TIKTOK")];
    const says = "TikTok refused the video: it is too long.";
    await tell(owner, type, [publication(one.id, first, {}), publication(two.id, "FAILED", { error: says })]);
    const [mail, ...others] = await takeAll(owner);
    expect([mail?.kind, others]).toEqual(["postFailed", []]);
    const failed = { name: `@${two.person} on TikTok`, says };
    const doubtful = { name: `@${one.person} on X`, says: "The network did not confirm it" };
    const shares = published ? [failed] : [doubtful, failed];
    expect(mail?.facts).toEqual({ scheduleId: 12, text: "Ding dong", shares, published });
  });

  test("is not said to be unpublished if no network has confirmed or refused it", async () => {
    const owner = await newReader();
    const { id } = await connectAccount(owner, "X_TWITTER");
    await tell(owner, "post.failed", [publication(id, "UNKNOWN", {})]);
    const [mail] = await takeAll(owner);
    expect(mail?.facts).toMatchObject({ isUnknown: true, shares: [{ says: "The network did not confirm it" }] });
  });

  test("is mailed if one of its files could not be imported", async () => {
    const owner = await newReader();
    const { id } = await connectAccount(owner, "X_TWITTER");
    await tell(owner, "post.media_import_failed", [publication(id, "PENDING", {})], "MEDIA_IMPORT_FAILED");
    expect(await takeAll(owner)).toMatchObject([
      {
        kind: "postFailed",
        facts: { shares: [{ says: "One of its files could not be imported, so it was not published" }] },
      },
    ]);
  });
});

test("an account that needs its owner is mailed once per incident, with concurrent failures too", async () => {
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

describe("a disabled endpoint", () => {
  const disabled = { url: "https://hooks.example/a", disabledReason: "It answered 410 Gone" };

  /** The queued mails for a disabled endpoint, however often it is called. */
  async function toldOf(endpoint: { id: number; ownerId: string | null; partnerId: string | null }) {
    return shareTransaction(async (tx) => {
      const about = { ...disabled, ...endpoint, disabledAt: randomUUID() };
      for (let time = 0; time < 2; time++) await queueDisabledEndpointMail(tx, about);
      const rows = await tx
        .select()
        .from(mails)
        .where(like(mails.key, `%${about.disabledAt}%`))
        .orderBy(mails.createdAt);
      for (const { id } of rows) await removeJob(tx, mailJobKey(id));
      return rows.map(({ ownerId, kind, facts }) => ({ ownerId, kind, facts }));
    });
  }

  test("is mailed to its owner", async () => {
    const owner = await newReader();
    const facts = { url: disabled.url, reason: disabled.disabledReason };
    expect(await toldOf({ id: 1, ownerId: owner, partnerId: null })).toEqual([
      { ownerId: owner, kind: "webhookDisabled", facts },
    ]);
  });

  test("is mailed to the members of its partner who want it, and to no one else", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const [ada, bob, muted, foreign] = await Promise.all(["a", "b", "c", "d"].map(newReader));
    if (!ada || !bob || !muted || !foreign) throw new Error("the people were not created");
    for (const id of [ada, bob, muted]) await addPartnerMember(partner.clientId, await emailOf(id));
    await addPartnerMember(other.clientId, await emailOf(foreign));
    await setMailPreferences(muted, { ...(await getMailPreferences(muted)), webhookDisabled: false });
    await partner.post("/v1/connect/users", { externalUserId: "cleo", name: "Cleo", email: "cleo@example.com" });
    const [row] = await db.select().from(partners).where(eq(partners.clientId, partner.clientId));
    const told = await toldOf({ id: 7, ownerId: null, partnerId: row?.id ?? "" });
    expect(told.map(({ ownerId }) => ownerId).sort()).toEqual([ada, bob].sort());
    const { kind, facts } = told[0] ?? {};
    expect([kind, facts]).toEqual([
      "webhookDisabled",
      {
        url: disabled.url,
        reason: disabled.disabledReason,
        partner: { name: "Test partner", clientId: partner.clientId, webhookId: 7 },
      },
    ]);
  });

  test("is not mailed to a partner's user", async () => {
    const { uuid } = await newEndUser();
    expect(await toldOf({ id: 1, ownerId: uuid, partnerId: null })).toEqual([]);
  });
});

test("a partner's users get no mail", async () => {
  const { uuid } = await newEndUser();
  const { id } = await connectAccount(uuid, "X_TWITTER");
  await requireReconnect(id, "X ended the permission");
  await tell(uuid, "post.completed", [publication(id, "PUBLISHED", {})]);
  await tell(uuid, "post.failed", [publication(id, "FAILED", { error: "No" })]);
  expect(await takeAll(uuid)).toEqual([]);
});
