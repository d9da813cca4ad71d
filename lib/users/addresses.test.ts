import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as confirmAgainPage from "@/app/confirm-email/again/route";
import * as confirmPage from "@/app/confirm-email/route";
import * as resetPage from "@/app/reset-password/route";
import * as signInAgainPage from "@/app/sign-in/again/route";
import * as signInPage from "@/app/sign-in/route";
import * as signUpPage from "@/app/sign-up/route";
import { auditLog, db, mails, shareTransaction, users } from "../db";
import { env } from "../env";
import { Conflict } from "../errors";
import { listMails, listStoredMails } from "../mail";
import { mailsOf, sendQueued } from "../mail/testing/queued";
import { newTokenLink } from "../mail/tokens";
import { signedInAs, told } from "../testing";
import { createUser, passwordResetJob, sessionUser } from ".";
import { changePassword } from "./passwords";
import { newSession } from "./testing/sessions";
import { authenticate, getUserByEmail, registerUser } from "./users";

// An address belongs to whoever confirms it, and only the owner of the mailbox learns who that is (ADR 43).

const MINE = "the owner's password";
const THEIRS = "a stranger's password";
const newEmail = () => `${randomUUID()}@example.com`;
const worker = { id: randomUUID(), assertAlive: () => {} };

let networks = 0;
/** Headers of a browser in a network of its own. */
const newBrowser = (cookie = "") => ({ "x-client-address": `198.51.100.${networks++}`, cookie });

type Headers = ReturnType<typeof newBrowser>;
type Fields = { [name: string]: string };

function formTo(path: string, fields: Fields, headers: Headers = newBrowser()): Request {
  return new Request(`${env.appUrl}${path}`, { method: "POST", headers, body: new URLSearchParams(fields) });
}

const cookieIn = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

const signUp = (email: string, password: string, headers?: Headers) =>
  signUpPage.POST(formTo("/sign-up", { email, password, callbackUrl: "/" }, headers));

const signIn = (email: string, password: string, headers?: Headers) =>
  signInPage.POST(formTo("/sign-in", { email, password }, headers));

const personOf = (answer: Response) => sessionUser(new Headers({ cookie: cookieIn(answer) }));

/** Signs up on the page. @returns the ID of the new person */
async function newStranger(email: string, password = THEIRS): Promise<string> {
  const person = await personOf(await signUp(email, password));
  return person?.id ?? "";
}

/** A link as a mail contains it, which confirms an address or resets a password. */
async function tokenOf(kind: "confirmAddress" | "resetPassword", ownerId: string, email: string): Promise<string> {
  const link = await newTokenLink(kind, { path: "/", seconds: 60 }, { ownerId, email });
  return new URL(link).searchParams.get("token") ?? "";
}

const press = (token: string, cookie = "") => confirmPage.POST(formTo("/confirm-email", { token }, newBrowser(cookie)));
const resetWith = (token: string, password: string) => resetPage.POST(formTo("/reset-password", { token, password }));

async function isConfirmed(id: string): Promise<boolean> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row?.emailConfirmedAt !== null;
}

/** Whom the job writes to when a password is forgotten, and what the mails say. */
async function resetMails(email: string) {
  return shareTransaction(async (tx) => {
    await passwordResetJob.run({ email }, worker);
    const rows = await tx
      .select({ ownerId: mails.ownerId, facts: mails.facts })
      .from(mails)
      .innerJoin(users, eq(users.id, mails.ownerId))
      .where(sql`lower(${users.email}) = ${email.toLowerCase()} and ${mails.kind} = 'resetPassword'`);
    await tx.execute(sql`select graphile_worker.remove_job(key) from graphile_worker.jobs where key like 'mail.send:%'
      and substr(key, 11)::uuid in (select id from mails where kind = 'resetPassword')`);
    return rows;
  });
}

describe("signing up", () => {
  test("with a taken and with a free address looks the same from the outside, also afterwards", async () => {
    const taken = newEmail();
    await createUser({ email: taken, password: MINE });
    const seen = [];
    for (const email of [taken.toUpperCase(), newEmail()]) {
      const answer = await signUp(email, THEIRS);
      const cookie = cookieIn(answer);
      const me = await sessionUser(new Headers({ cookie }));
      const client = signedInAs(me?.id ?? randomUUID(), env.appUrl);
      const [, own] = await told(client.get("/v1/me"));
      const again = await confirmAgainPage.POST(formTo("/confirm-email/again", {}, newBrowser(cookie)));
      seen.push({
        status: answer.status,
        location: answer.headers.get("location"),
        cookies: answer.headers.getSetCookie().map((one) => one.replace(/=[^;]*|Expires=[^;]*/g, "")),
        body: await answer.text(),
        own: Object.keys(own as object),
        isAddressShown: JSON.stringify(own).includes(email),
        token: await told(client.post("/v1/webhooks", { url: "https://example.com", events: ["post.completed"] })),
        again: [again.status, (await again.text()).replaceAll(email, "…")],
        mails: (await listMails(me?.id ?? "", { limit: 9 })).items,
        queued: (
          await db
            .select()
            .from(mails)
            .where(eq(mails.ownerId, me?.id ?? ""))
        ).map(({ kind }) => kind),
        signsIn: (await signIn(email, THEIRS)).status,
      });
    }
    expect(seen[0]).toMatchObject({ status: 303, location: `${env.appUrl}/`, isAddressShown: true, signsIn: 303 });
    expect(seen[0]).toMatchObject({ queued: ["confirmAddress", "confirmAddress"], mails: [] });
    expect(seen[0]?.again[0]).toBe(200);
    expect(seen[0]?.token[0]).toBe(403);
    expect(seen[1]).toEqual(seen[0]);
  });

  test("writes to a taken address that there is an account, and to a free one the link", async () => {
    const taken = newEmail();
    await createUser({ email: taken, password: MINE });
    const subjects: string[] = [];
    for (const email of [taken, newEmail()]) {
      let id = "";
      const queued = await mailsOf(
        () => id,
        async () => {
          id = (await registerUser({ email, password: THEIRS })).id;
        },
      );
      expect(await sendQueued(...queued)).toMatchObject([{ state: "KEPT" }]);
      subjects.push(...(await listStoredMails(id)).map(({ subject }) => subject));
    }
    expect(subjects).toEqual(["You already have an account", "Confirm your email address"]);
  });

  test("twice with one password is one account, also at the same time, and never another person's", async () => {
    const email = newEmail();
    const ids = await Promise.all([1, 2, 3].map(() => newStranger(email)));
    expect(new Set(ids).size).toBe(1);
    expect(await newStranger(email, MINE)).not.toBe(ids[0]);
  });

  test("at the same time gives all accounts of an address one salt, so that one derivation checks them all", async () => {
    const email = newEmail();
    await Promise.all([1, 2, 3, 4].map((nth) => registerUser({ email, password: `password number ${nth}` })));
    const rows = await db.select().from(users).where(eq(users.email, email));
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ passwordHash }) => passwordHash?.split("$")[2])).size).toBe(1);
    expect(new Set(rows.map(({ passwordHash }) => passwordHash)).size).toBe(4);
    for (const nth of [1, 2, 3, 4])
      expect(await authenticate(email, `password number ${nth}`)).toMatchObject({ email });
  });

  test("is slowed down per address and network, the same for a taken and a free address", async () => {
    const taken = newEmail();
    await createUser({ email: taken, password: MINE });
    const seen = [];
    for (const email of [taken, newEmail()]) {
      const browser = newBrowser();
      const statuses: number[] = [];
      for (let time = 0; time < 11; time++) statuses.push((await signUp(email, `password ${time}`, browser)).status);
      const last = await signUp(email, THEIRS, browser);
      expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
      seen.push([statuses, (await last.text()).replaceAll(email, "…")]);
      expect((await signUp(email, THEIRS)).status).toBe(303); // from another network
    }
    expect(seen[0]?.[0]).toEqual([...Array(10).fill(303), 429]);
    expect(seen[1]).toEqual(seen[0]);
  });

  test("writes to an address at most ten times an hour, however many accounts ask for it", async () => {
    const email = newEmail();
    const states: unknown[] = [];
    for (let nth = 0; nth < 11; nth++) {
      let id = "";
      const queued = await mailsOf(
        () => id,
        async () => {
          id = (await registerUser({ email, password: `password number ${nth}` })).id;
        },
      );
      states.push(...(await sendQueued(...queued)).map(({ state }) => state));
    }
    expect(states).toEqual([...Array(10).fill("KEPT"), "DROPPED"]);
  });
});

describe("signing in with an address of several people", () => {
  test("the password decides who signs in", async () => {
    const email = newEmail();
    const owner = await createUser({ email, password: MINE });
    const stranger = await newStranger(email);
    expect((await personOf(await signIn(email, MINE)))?.id).toBe(owner.id);
    expect((await personOf(await signIn(email, THEIRS)))?.id).toBe(stranger);
    expect((await signIn(email, "neither of them")).status).toBe(401);
  });

  test("a person can be asked for their own password only", async () => {
    const email = newEmail();
    const owner = await createUser({ email, password: MINE });
    const stranger = await newStranger(email);
    const session = await newSession(owner.id);
    const change = changePassword(session, { current: THEIRS, password: "a password that lasts" }, new Headers());
    await expect(change).rejects.toThrow("current password is wrong");
    expect((await personOf(await signIn(email, THEIRS)))?.id).toBe(stranger);
    const cookie = cookieIn(await signIn(email, MINE));
    const ask = (password: string) =>
      signInAgainPage.POST(formTo("/sign-in/again", { password, callbackUrl: "/" }, newBrowser(cookie)));
    expect((await ask(THEIRS)).status).toBe(401);
    expect((await ask(MINE)).status).toBe(303);
  });

  test("a stranger's own sign-ins give no new guesses at the owner's password, and make no browser known", async () => {
    const email = newEmail();
    await createUser({ email, password: MINE });
    await newStranger(email);
    const browser = newBrowser();
    const guesses = async (count: number) => {
      const statuses: number[] = [];
      for (let nth = 0; nth < count; nth++) statuses.push((await signIn(email, `guess ${nth}`, browser)).status);
      return statuses;
    };
    expect(await guesses(4)).toEqual([401, 401, 401, 401]);
    const own = await signIn(email, THEIRS, browser);
    expect(own.status).toBe(303);
    expect(own.headers.getSetCookie().join()).not.toContain("known_");
    expect(await guesses(2)).toEqual([401, 429]);
  });

  test("refused passwords are recorded for the person to whom the address belongs", async () => {
    const email = newEmail();
    await newStranger(email);
    const owner = await createUser({ email, password: MINE });
    const browser = newBrowser();
    for (let nth = 0; nth < 10; nth++) await signIn(email, `guess ${nth}`, browser);
    const lines = await db.select().from(auditLog).where(eq(auditLog.subject, owner.id));
    expect(lines.map(({ action }) => action)).toContain("session.refused");
  });
});

describe("an address", () => {
  test("belongs to whoever presses their link first, and the other link says what to do and loses nothing", async () => {
    const email = newEmail();
    const [first, second] = [await newStranger(email), await newStranger(email, MINE)];
    const [one, two] = [await tokenOf("confirmAddress", first, email), await tokenOf("confirmAddress", second, email)];
    expect((await press(two)).status).toBe(200);
    for (let time = 0; time < 2; time++) {
      const answer = await press(one);
      expect([answer.status, await answer.text()]).toEqual([
        409,
        expect.stringContaining("This address is confirmed by another account"),
      ]);
    }
    expect([await isConfirmed(first), await isConfirmed(second)]).toEqual([false, true]);
    expect(await authenticate(email, THEIRS)).toMatchObject({ id: first, emailConfirmed: false });

    await db.delete(users).where(eq(users.id, second));
    expect((await press(one)).status).toBe(200); // the link was not used up
    expect(await isConfirmed(first)).toBe(true);
  });

  test("is not given to a stranger's account by a person who is signed in to their own", async () => {
    const email = newEmail();
    const stranger = await newStranger(email);
    const cookie = cookieIn(await signUp(email, MINE));
    const own = (await sessionUser(new Headers({ cookie })))?.id ?? "";
    const answer = await press(await tokenOf("confirmAddress", stranger, email), cookie);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("for another account")]);
    expect(await isConfirmed(stranger)).toBe(false);
    expect((await press(await tokenOf("confirmAddress", own, email), cookie)).status).toBe(200);
  });

  test("is confirmed by one of two people who press at the same time", async () => {
    const email = newEmail();
    const ids = [await newStranger(email), await newStranger(email, MINE)];
    const tokens = await Promise.all(ids.map((id) => tokenOf("confirmAddress", id, email)));
    const statuses = (await Promise.all(tokens.map((token) => press(token)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect((await Promise.all(ids.map(isConfirmed))).filter(Boolean)).toHaveLength(1);
  });

  test("that the command line gives to a person is confirmed, and another person cannot get it", async () => {
    const email = newEmail();
    const stranger = await newStranger(email);
    expect(await getUserByEmail(email)).toMatchObject({ id: stranger });
    const owner = await createUser({ email, password: MINE });
    expect(await getUserByEmail(email.toUpperCase())).toEqual(owner);
    expect((await press(await tokenOf("confirmAddress", stranger, email))).status).toBe(409);
    await expect(createUser({ email: email.toUpperCase(), password: THEIRS })).rejects.toThrow(Conflict);
  });

  test("that several people have and none has confirmed names nobody", async () => {
    const email = newEmail();
    await newStranger(email);
    await newStranger(email, MINE);
    await expect(getUserByEmail(email)).rejects.toThrow(/Several accounts have the address/);
  });

  test("that is not confirmed gets no mail about what its account does", async () => {
    const email = newEmail();
    const stranger = await newStranger(email);
    const session = await newSession(stranger);
    await changePassword(session, { current: THEIRS, password: "another password" }, new Headers(newBrowser()));
    const written = await db.select().from(mails).where(eq(mails.ownerId, stranger));
    expect(written.map(({ kind }) => kind)).toEqual(["confirmAddress"]);
  });
});

describe("a forgotten password", () => {
  test("is reset for the person to whom the address belongs, whoever signed up first", async () => {
    const email = newEmail();
    const stranger = await newStranger(email);
    const owner = await createUser({ email, password: MINE });
    expect(await resetMails(email)).toEqual([{ ownerId: owner.id, facts: {} }]);
    expect((await resetWith(await tokenOf("resetPassword", owner.id, email), "a new password")).status).toBe(200);
    expect(await authenticate(email, "a new password")).toMatchObject({ id: owner.id });
    expect(await authenticate(email, THEIRS)).toMatchObject({ id: stranger });
  });

  test("of an address that nobody confirmed leads each account to its own link, and says which one it is", async () => {
    const email = newEmail();
    const ids = [await newStranger(email), await newStranger(email, MINE)];
    const written = await resetMails(email);
    expect(written.map(({ ownerId }) => ownerId).sort()).toEqual([...ids].sort());
    for (const { facts } of written) expect(facts).toEqual({ accountCreatedTime: expect.any(String) });
    for (let time = 0; time < 3; time++) await resetMails(email);
    expect(await resetMails(email)).toHaveLength(5); // in an hour, for all of them together

    const [first = "", second = ""] = ids;
    const late = await tokenOf("resetPassword", first, email);
    expect((await resetWith(await tokenOf("resetPassword", second, email), "a new password")).status).toBe(200);
    expect(await isConfirmed(second)).toBe(true);
    const answer = await resetWith(late, "one more password");
    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining("confirmed by another account"),
    ]);
    expect(await authenticate(email, THEIRS)).toMatchObject({ id: first, emailConfirmed: false });
  });
});
