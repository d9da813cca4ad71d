import { randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as page from "@/app/unsubscribe/route";
import { db, mails, shareTransaction, users } from "../db";
import { env } from "../env";
import { NotFound } from "../errors";
import { newOwner } from "../testing";
import { getMailPreferences, unsubscribeUrl } from "./preferences";
import { queueMail } from "./queue";
import { eraseMail, getStoredMail, listStoredMails, removeOldMail, storedMailFile } from "./stored";
import { mailsOf, sendQueued } from "./testing/queued";

async function newReader(): Promise<string> {
  const id = await newOwner();
  await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, id));
  return id;
}

async function kept(ownerId: string): Promise<string> {
  const facts = { scheduleId: 1, text: "Glockenspiel für alle = 100 % “schön”", shares: [] };
  const [mail] = await mailsOf(ownerId, () =>
    queueMail(db, { kind: "postPublished", ownerId, about: randomUUID(), facts }),
  );
  expect(await sendQueued(mail ?? { id: "" })).toMatchObject([{ state: "KEPT" }]);
  return mail?.id ?? "";
}

const isThere = (id: string) =>
  stat(storedMailFile(id)).then(
    () => true,
    () => false,
  );

test("without an SMTP server, a mail is stored as a file that only its recipient can read", async () => {
  const [reader, other] = [await newReader(), await newReader()];
  const id = await kept(reader);
  const [listed] = await listStoredMails(reader);
  expect(listed).toMatchObject({ id, subject: "Published: “Glockenspiel für alle = 100 % “schön””" });
  const read = await getStoredMail(reader, id);
  expect(read.text).toContain("“Glockenspiel für alle = 100 % “schön”” was published");
  expect(read.html).toMatch(/^<!doctype html>[\s\S]*<\/html>\n*$/);
  expect(await readFile(storedMailFile(id), "utf8")).toMatch(/^From: carillon@localhost\r$/m);
  expect((await stat(storedMailFile(id))).mode & 0o777).toBe(0o600);

  expect(await listStoredMails(other)).toEqual([]);
  for (const [who, what] of [
    [other, id],
    [reader, randomUUID()],
    [reader, "../secrets/key"],
  ] as const)
    await expect(getStoredMail(who, what)).rejects.toThrow(new NotFound("Mail", what));
});

test("mails that are sent at once are stored each with its own subject", async () => {
  const reader = await newReader();
  const about = Array.from({ length: 12 }, (_, n) => ({ about: randomUUID(), text: `Number ${n}` }));
  const queued = await mailsOf(reader, async () => {
    for (const { about: key, text } of about) {
      const facts = { scheduleId: 1, text, shares: [] };
      await queueMail(db, { kind: "postPublished", ownerId: reader, about: key, facts });
    }
  });
  await Promise.all(queued.map((mail) => sendQueued(mail)));
  const stored = await listStoredMails(reader);
  expect(stored.map(({ subject }) => subject).sort()).toEqual(about.map(({ text }) => `Published: “${text}”`).sort());
  for (const { id, subject } of stored) {
    expect((await getStoredMail(reader, id)).text).toContain(`“${/“(.*)”/.exec(subject)?.[1]}” was published`);
  }
});

test("mails with links that confirm or reset are shown only if everything is on this machine", async () => {
  const reader = await newReader();
  const notice = await kept(reader);
  for (const kind of ["resetPassword", "confirmAddress"] as const) {
    const mail = { kind, ownerId: reader, about: randomUUID(), facts: {} };
    const written = await mailsOf(reader, () => queueMail(db, mail));
    await sendQueued(...written.filter(({ kind: queued }) => queued === kind));
  }
  const ids = async (showsLinks: boolean) => (await listStoredMails(reader, showsLinks)).map(({ id }) => id);
  const links = (await ids(true)).filter((id) => id !== notice);
  expect(links).toHaveLength(2);
  expect(await ids(false)).toEqual([notice]);
  for (const id of links) await expect(getStoredMail(reader, id, false)).rejects.toThrow(NotFound);
});

test("the mails of a deleted user are deleted with their files", async () => {
  const reader = await newReader();
  const id = await kept(reader);
  await eraseMail(reader);
  expect([await isThere(id), await listStoredMails(reader)]).toEqual([false, []]);
});

test("mails older than 90 days are deleted with their files; newer and waiting ones are kept", async () => {
  const reader = await newReader();
  const [old, young] = [await kept(reader), await kept(reader)];
  const facts = { scheduleId: 1, text: "", shares: [] };
  const about = randomUUID();
  const [waiting] = await mailsOf(reader, () =>
    queueMail(db, { kind: "postPublished", ownerId: reader, about, facts }),
  );
  for (const id of [old, waiting?.id ?? ""])
    await db.update(mails).set({ createdAt: sql`now() - interval '91 days'` }).where(eq(mails.id, id));
  await removeOldMail();
  expect([await isThere(old), await isThere(young)]).toEqual([false, true]);
  const left = await db.select({ id: mails.id }).from(mails).where(eq(mails.ownerId, reader));
  expect(left.map(({ id }) => id).sort()).toEqual([young, waiting?.id].sort());
});

/** Posts like a mail program: a cross-site request without a cookie (RFC 8058, section 3.1). */
function press(url: string, body: string | FormData = "List-Unsubscribe=One-Click"): Promise<Response> {
  const type = typeof body === "string" ? { "content-type": "application/x-www-form-urlencoded" } : undefined;
  return page.POST(new Request(url, { method: "POST", body, headers: { origin: "https://mail.example", ...type } }));
}

test("one click unsubscribes from one kind of notice; only opening the page changes nothing; the page can undo it", async () => {
  const userId = await newReader();
  const all = await getMailPreferences(userId);
  expect(Object.values(all)).toEqual([true, true, true, true]);
  const url = unsubscribeUrl({ userId, kind: "postFailed" });
  // In one transaction, so that everything the page does is done before the preferences are read.
  const [opened, after] = await shareTransaction(async () => {
    const answer = await page.GET(new Request(url));
    return [answer, await getMailPreferences(userId)] as const;
  });
  expect([opened.status, after]).toEqual([200, all]);
  expect(await opened.text()).not.toMatch(/<script/);

  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  for (const body of [undefined, multipart]) {
    const pressed = await press(url, body);
    expect([pressed.status, pressed.headers.get("set-cookie")]).toEqual([200, null]); // no redirect and no sign-in
    expect(await getMailPreferences(userId)).toEqual({ ...all, postFailed: false });
  }
  await press(url, "wish=again");
  expect(await getMailPreferences(userId)).toEqual(all);
});

test("a forged unsubscribe link shows an error and changes nothing", async () => {
  const [userId, other] = [await newReader(), await newReader()];
  const [, , keyId = "", mac = ""] = (
    new URL(unsubscribeUrl({ userId, kind: "postFailed" })).searchParams.get("s") ?? ""
  ).split(".");
  for (const s of [
    "",
    "a",
    `${other}.postFailed.${keyId}.${mac}`,
    `${userId}.postPublished.${keyId}.${mac}`,
    `${userId}.resetPassword.${keyId}.${mac}`,
  ])
    expect((await press(`${env.appUrl}/unsubscribe?${new URLSearchParams({ s })}`)).status, s).toBe(404);
  for (const id of [userId, other])
    expect(Object.values(await getMailPreferences(id))).toEqual([true, true, true, true]);
});
