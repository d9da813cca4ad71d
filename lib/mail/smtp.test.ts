import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db, mailTokens, users } from "../db";
import { newOwner, newPartner } from "../testing";
import { ownPort } from "../testing/own-port";
import { withSettings } from "../testing/settings";
import { findToken } from ".";
import { noticeKinds } from "./kinds";
import { setMailPreferences } from "./preferences";
import { queueMail } from "./queue";
import { mailsOf, sendQueued } from "./testing/queued";
import { type MailServer, startMailServer } from "./testing/smtp";

const port = await ownPort();
withSettings({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: "Carillon <post@carillon.example>" });

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer(port);
});
beforeEach(() => server.setMood(undefined));
afterAll(() => server.stop());

/** A person with a confirmed address. */
async function newReader(): Promise<{ id: string; email: string }> {
  const id = await newOwner();
  const [row] = await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, id)).returning();
  return { id, email: row?.email ?? "" };
}

const shares = [{ name: "@ada on X", says: "View the post", href: "https://x.example/ada/1" }];

function published(ownerId: string, text = "The bells are ready", about = randomUUID()) {
  return mailsOf(ownerId, () =>
    queueMail(db, { kind: "postPublished", ownerId, about, facts: { scheduleId: 7, text, shares } }),
  );
}

function reset(ownerId: string) {
  return mailsOf(ownerId, () => queueMail(db, { kind: "resetPassword", ownerId, about: randomUUID(), facts: {} }));
}

test("a notice arrives once as text and HTML, however often its job runs", async () => {
  const { id, email } = await newReader();
  const [mail] = await published(id, "Fish & <chips> – “für alle” 🔔");
  expect(await sendQueued(mail ?? { id: "" }, mail ?? { id: "" })).toEqual([
    { state: "SENT", failure: null, attempts: 0 },
  ]);
  const [received, ...others] = server.for(email);
  expect(others).toEqual([]);
  expect(received?.subject).toBe("Published: “Fish & <chips> – “für alle” 🔔”");
  expect(received?.text).toContain("- @ada on X: View the post\n  https://x.example/ada/1");
  expect(received?.text).toMatch(/\/posts\/7\n/);
  expect(received?.html).toContain("Fish &amp; &lt;chips&gt; – “für alle” 🔔");
  expect(received?.html).toContain('href="https://x.example/ada/1"');
  expect(received?.html).toMatch(/color-scheme[\s\S]*prefers-color-scheme:dark/);
  expect(received?.headers).toMatch(new RegExp(`^Message-ID: <${mail?.id}@localhost>$`, "m"));
  expect(received?.headers).toMatch(/^From: Carillon <post@carillon.example>$/m);
  expect(received?.headers).toMatch(/^Auto-Submitted: auto-generated$/m);
});

test("every notice has one-click unsubscribe (RFC 8058); a requested mail has not", async () => {
  const { id, email } = await newReader();
  await sendQueued(...(await published(id)), ...(await reset(id)));
  const [notice, asked] = server.for(email);
  const address = /^List-Unsubscribe: <(\S+\/unsubscribe\?s=\S+)>$/m.exec(notice?.headers ?? "")?.[1] ?? "none";
  expect(notice?.headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  expect(notice?.text).toContain(address);
  expect(notice?.html).toContain(address);
  expect(`${asked?.headers}${asked?.text}${asked?.html}`).not.toMatch(/unsubscribe/i);
});

test("only the hash of the token in a mail's link is stored", async () => {
  const { id, email } = await newReader();
  await sendQueued(...(await reset(id)));
  const token = /token=([\w-]{43})\n/.exec(server.for(email)[0]?.text ?? "")?.[1] ?? "";
  const [row] = await db.select().from(mailTokens).where(eq(mailTokens.ownerId, id));
  expect(Buffer.from(JSON.stringify(row)).includes(token)).toBe(false);
  expect(await findToken(db, "resetPassword", token)).toEqual({ ownerId: id, email });
  expect(await findToken(db, "confirmAddress", token)).toBeUndefined();
});

test.each([
  ["a line break", "Hello\r\nBcc: eve@example.com\r\n\r\nHi"],
  ["a Unicode line break", "Hello\u2028Bcc: eve@example.com\u0085X: y"],
  ["a reversed text direction", "Hello \u202emoc.elpmaxe@eve"],
])("user text never becomes a header: %s", async (_, text) => {
  const { id, email } = await newReader();
  await sendQueued(...(await published(id, text)));
  const [received] = server.for(email);
  expect(received?.to).toEqual([email]);
  expect(received?.headers).not.toMatch(/^(Bcc|X):/im);
  expect(received?.subject).toMatch(/^Published: “Hello [\x20-\x7e]*”$/);
});

test("one mail is stored per subject, however many calls there are", async () => {
  const { id, email } = await newReader();
  const about = randomUUID();
  const found = await Promise.all(Array.from({ length: 8 }, () => published(id, "Once", about)));
  expect(new Set(found.flat().map((mail) => mail.id)).size).toBe(1);
  await sendQueued(...found.flat());
  expect(await published(id, "Once", about)).toEqual([]);
  expect(server.for(email)).toHaveLength(1);
});

describe("no mail is sent to", () => {
  const set = async (values: Partial<typeof users.$inferInsert>) => {
    const { id } = await newReader();
    await db.update(users).set(values).where(eq(users.id, id));
    return id;
  };
  test.each([
    ["a person with an unconfirmed address, except requested mails", () => set({ emailConfirmedAt: null }), 1],
    ["a person who switched the kind off, except requested mails", () => set({ mutedMails: ["postPublished"] }), 1],
    ["a suspended person", () => set({ suspendedAt: "now()" }), 0],
    ["a person who is being deleted", () => set({ deletingAt: "now()" }), 0],
    ["a person without an address", () => set({ email: null }), 0],
    ["a partner's user", newEndUser, 0],
  ])("%s", async (_, who, asked) => {
    const id = await who();
    expect(await published(id)).toEqual([]);
    expect(await reset(id)).toHaveLength(asked);
  });
});

/** A partner's user with a confirmed address, which should never happen. */
async function newEndUser(): Promise<string> {
  const partner = await newPartner();
  const given = { externalUserId: randomUUID(), name: "Cleo", email: `${randomUUID()}@example.com` };
  const { uuid } = (await (await partner.post("/v1/connect/users", given)).json()) as { uuid: string };
  await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, uuid));
  return uuid;
}

test("switching a kind off drops waiting mails of this kind only", async () => {
  const { id, email } = await newReader();
  const queued = await published(id);
  const rest = Object.fromEntries(noticeKinds.map((kind) => [kind, true]));
  await setMailPreferences(id, {
    postFailed: true,
    accountReconnect: true,
    webhookDisabled: true,
    ...rest,
    postPublished: false,
  });
  expect(await sendQueued(...queued)).toMatchObject([{ state: "DROPPED" }]);
  const reason = { kind: "accountReconnect", ownerId: id, about: randomUUID() } as const;
  const facts = { accountId: 1, name: "@ada on X", reason: "The permission was taken back." };
  await sendQueued(...(await mailsOf(id, () => queueMail(db, { ...reason, facts }))));
  expect(server.for(email).map(({ subject }) => subject)).toEqual(["@ada on X needs reconnecting"]);
});

describe("a mail server", () => {
  test("with a temporary error is tried again", async () => {
    const { id, email } = await newReader();
    const queued = await published(id);
    server.setMood({ code: 451, says: "greylisted" });
    const [after] = await sendQueued(...queued);
    expect(after).toMatchObject({ attempts: 1, failure: expect.stringContaining("greylisted") });
    expect(server.for(email)).toEqual([]);
  });

  test("that does not know the address is not tried again", async () => {
    const queued = await published((await newReader()).id);
    server.setMood({ code: 550, says: "no such mailbox" });
    expect(await sendQueued(...queued)).toMatchObject([
      { state: "FAILED", failure: expect.stringContaining("no such mailbox") },
    ]);
  });

  test("that is unreachable is tried again", async () => {
    await server.stop();
    const [after] = await sendQueued(...(await published((await newReader()).id)));
    server = await startMailServer(port);
    expect(after).toMatchObject({ attempts: 1, failure: expect.stringContaining("ECONNREFUSED") });
  });
});
