import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as confirmPage from "@/app/confirm-email/route";
import * as forgotPage from "@/app/forgot-password/route";
import * as resetPage from "@/app/reset-password/route";
import * as signInPage from "@/app/sign-in/route";
import { db, mails, mailTokens, shareTransaction, users } from "../db";
import { env } from "../env";
import { removeJob } from "../jobs";
import { getStoredMail, listStoredMails } from "../mail";
import { mailsOf, sendQueued } from "../mail/testing/queued";
import "../testing";
import { createUser, passwordResetJob, requestConfirmation, sessionUser } from ".";
import { addAuthenticator, beginAuthenticator } from "./factors/authenticator";
import { codeAt } from "./testing/authenticator-app";
import { newSession } from "./testing/sessions";
import { authenticate, registerUser } from "./users";

const PASSWORD = "a long password";
const worker = { id: randomUUID(), assertAlive: () => {} };
const form = (path: string, fields: { [name: string]: string }) =>
  new Request(`${env.appUrl}${path}`, { method: "POST", body: new URLSearchParams(fields) });

async function newPerson() {
  const email = `${randomUUID()}@example.com`;
  let id = "";
  const create = async () => {
    id = (await registerUser({ email, password: PASSWORD })).user.id;
  };
  const queued = await mailsOf(() => id, create);
  return { id, email, queued };
}

/** Requests a reset link on the page and runs the job. */
async function forget(email: string, ownerId: string): Promise<void> {
  await shareTransaction(async (tx) => {
    const answer = await forgotPage.POST(form("/forgot-password", { email }));
    expect(answer.status).toBe(200);
    await removeJob(tx, `forgot:${email.toLowerCase()}`);
  });
  await sendQueued(...(await mailsOf(ownerId, () => passwordResetJob.run({ email }, worker))));
}

/** The token in the newest stored mail of a person. */
async function tokenFor(ownerId: string): Promise<string> {
  const [newest] = await listStoredMails(ownerId);
  if (!newest) throw new Error("there is no mail");
  const { text } = await getStoredMail(ownerId, newest.id);
  return /token=([\w-]{43})\n/.exec(text)?.[1] ?? "no token";
}

const setPassword = async (token: string, password: string) =>
  (await resetPage.POST(form("/reset-password", { token, password }))).status;

const signIn = async (email: string, password: string) =>
  (await signInPage.POST(form("/sign-in", { email, password }))).headers.getSetCookie();

const sessionOf = (cookies: string[]) => {
  const pairs = cookies.map((cookie) => cookie.split(";", 1)[0]);
  return sessionUser(new Headers({ cookie: pairs.join("; ") }));
};

describe("a new person", () => {
  test("is asked to confirm the address, and confirms it once with the button", async () => {
    const { id, email, queued } = await newPerson();
    expect(queued).toMatchObject([{ kind: "confirmAddress" }]);
    expect((await authenticate(email, PASSWORD))?.emailConfirmed).toBe(false);
    await sendQueued(...queued);
    const token = await tokenFor(id);
    const page = confirmPage.GET(new Request(`${env.appUrl}/confirm-email?token=${token}`));
    expect(await page.text()).toContain("Confirm this address");
    expect((await authenticate(email, PASSWORD))?.emailConfirmed).toBe(false); // opening the link does not confirm it
    const first = await confirmPage.POST(form("/confirm-email", { token }));
    expect([first.status, await first.text()]).toEqual([200, expect.stringContaining(email)]);
    expect((await authenticate(email, PASSWORD))?.emailConfirmed).toBe(true);
    expect((await confirmPage.POST(form("/confirm-email", { token }))).status).toBe(410);
  });

  test("is not asked when the operator vouches for the address", async () => {
    const user = await createUser({ email: `${randomUUID()}@example.com`, password: PASSWORD });
    expect(user.emailConfirmed).toBe(true);
    expect(await db.select().from(mails).where(eq(mails.ownerId, user.id))).toEqual([]);
  });

  test("can request five mails in a row, and none once confirmed", async () => {
    const person = await newPerson();
    const ask = (address: string) => requestConfirmation(new Headers({ "x-client-address": address }), person);
    const asked: unknown[] = [];
    const written = await mailsOf(person.id, async () => {
      for (let time = 0; time < 6; time++) asked.push(await ask("192.0.2.1"));
    });
    expect(asked).toEqual([...Array(5).fill(undefined), expect.any(Number)]);
    expect(written).toHaveLength(6); // including the first one
    await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, person.id));
    expect(await mailsOf(person.id, async () => expect(await ask("192.0.2.2")).toBeUndefined())).toEqual(written);
  });
});

describe("a forgotten password", () => {
  test("is replaced with the link: the old password fails and every earlier session ends", async () => {
    const { id, email } = await newPerson();
    const before = await signIn(email, PASSWORD);
    expect((await sessionOf(before))?.id).toBe(id);
    await forget(email.toUpperCase(), id);
    const token = await tokenFor(id);
    expect((await resetPage.GET(new Request(`${env.appUrl}/reset-password?token=${token}`))).status).toBe(200);
    expect(await setPassword(token, "another password")).toBe(200);

    expect(await sessionOf(before)).toBeUndefined();
    expect(await signIn(email, PASSWORD)).toEqual([]);
    const after = await signIn(email, "another password");
    expect(await sessionOf(after)).toMatchObject({ id, emailConfirmed: true });
  });

  test.each([
    ["was never confirmed, every factor is gone", false, "/"],
    ["is confirmed, the second step stays", true, "/sign-in/code"],
  ])("if the address %s", async (_, isConfirmed, leadsTo) => {
    const email = `${randomUUID()}@example.com`;
    const given = { email, password: PASSWORD };
    const { id } = isConfirmed ? await createUser(given) : (await registerUser(given)).user;
    const session = await newSession(id);
    const { secret, ticket } = await beginAuthenticator(session.user);
    await addAuthenticator(session, ticket, await codeAt(secret, Date.now()));
    await forget(email, id);
    expect(await setPassword(await tokenFor(id), "another password")).toBe(200);
    const answer = await signInPage.POST(form("/sign-in", { email, password: "another password" }));
    expect(new URL(answer.headers.get("location") ?? "").pathname).toBe(leadsTo);
  });

  test("the link works once, even for concurrent calls", async () => {
    const { id, email } = await newPerson();
    await forget(email, id);
    const token = await tokenFor(id);
    const presses = Array.from({ length: 4 }, (_, press) => setPassword(token, `password ${press}`));
    expect((await Promise.all(presses)).sort()).toEqual([200, 410, 410, 410]);
    expect(await setPassword(token, "one more time")).toBe(410);
  });

  test("the link still works after an invalid password, and expires after an hour", async () => {
    const { id, email } = await newPerson();
    await forget(email, id);
    const token = await tokenFor(id);
    expect(await setPassword(token, "short")).toBe(400);
    const [row] = await db
      .select({ seconds: sql<number>`extract(epoch from ${mailTokens.expiresAt} - now())::float8` })
      .from(mailTokens)
      .where(eq(mailTokens.kind, "resetPassword"))
      .innerJoin(users, eq(users.id, mailTokens.ownerId));
    expect(row?.seconds).toBeLessThanOrEqual(3600);
    await db.update(mailTokens).set({ expiresAt: sql`now() - interval '1 second'` }).where(eq(mailTokens.ownerId, id));
    expect(await setPassword(token, "another password")).toBe(410);
    expect(await authenticate(email, PASSWORD)).toMatchObject({ id });
  });

  test("a confirmation link cannot reset it", async () => {
    const { id, queued } = await newPerson();
    await sendQueued(...queued);
    expect(await setPassword(await tokenFor(id), "another password")).toBe(410);
  });

  test("at most five links an hour are sent", async () => {
    const { id, email } = await newPerson();
    const ask = () => passwordResetJob.run({ email }, worker);
    const written = await mailsOf(id, async () => {
      for (let time = 0; time < 7; time++) await ask();
    });
    expect(written.filter(({ kind }) => kind === "resetPassword")).toHaveLength(5);
  });
});

test("the answer does not reveal whether an account exists, and nothing is looked up for it", async () => {
  const { email } = await newPerson();
  const asking = async (address: string) => {
    const statements: string[] = [];
    const answer = await shareTransaction(async (tx) => {
      const said = await forgotPage.POST(form("/forgot-password", { email: address }));
      const { rows } = await tx.execute<{ identifier: string }>(
        sql`select task_identifier as identifier from graphile_worker.jobs where key = ${`forgot:${address}`}`,
      );
      statements.push(...rows.map(({ identifier }) => identifier));
      await removeJob(tx, `forgot:${address}`);
      return said;
    });
    return { status: answer.status, jobs: statements, text: (await answer.text()).replaceAll(address, "…") };
  };
  const known = await asking(email);
  expect(known).toMatchObject({ status: 200, jobs: ["user.forgot-password"] });
  expect(await asking(`${randomUUID()}@example.com`)).toEqual(known);
});

test("a form from another site changes nothing", async () => {
  const { id, email } = await newPerson();
  await forget(email, id);
  const token = await tokenFor(id);
  const foreign = form("/reset-password", { token, password: "another password" });
  foreign.headers.set("origin", "https://evil.example");
  expect((await resetPage.POST(foreign)).status).toBe(403);
  expect(await authenticate(email, PASSWORD)).toMatchObject({ id });
});
