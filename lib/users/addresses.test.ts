import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as confirmAgainPage from "@/app/confirm-email/again/route";
import * as confirmPage from "@/app/confirm-email/route";
import * as forgotPage from "@/app/forgot-password/route";
import * as resetPage from "@/app/reset-password/route";
import * as signInAgainPage from "@/app/sign-in/again/route";
import * as signInPage from "@/app/sign-in/route";
import * as signUpPage from "@/app/sign-up/route";
import { auditLog, db, mails, shareTransaction, users } from "../db";
import { env } from "../env";
import { Conflict } from "../errors";
import { countRequest } from "../http/rate-limit";
import { removeJob } from "../jobs";
import { listMails, listStoredMails } from "../mail";
import { mailsOf, sendQueued } from "../mail/testing/queued";
import { newTokenLink } from "../mail/tokens";
import { searchAudit } from "../staff";
import { readResponse, signedInAs } from "../testing";
import { createUser, passwordResetJob, sessionUser } from ".";
import { changePassword } from "./passwords";
import { countMail } from "./sign-in/attempts";
import { newPersonWithPassword } from "./testing/people";
import { newSession } from "./testing/sessions";
import { authenticate, getAddressOwner, getUserByEmail, registerUser } from "./users";

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

/**
 * The complete headers of an answer. Masked are the values and dates of cookies, and how long the machine took before the answer:
 * waits are 15 seconds or a multiple, and are rounded up to one.
 */
function headersOf(answer: Response): string[][] {
  const masks: { [name: string]: (value: string) => string } = {
    "set-cookie": (value) => value.replace(/^([^=]+)=[^;]*/, "$1=…").replace(/Expires=[^;]+/, "Expires=…"),
    "retry-after": (value) => String(Math.ceil(Number(value) / 15) * 15),
  };
  return [...answer.headers].map(([name, value]) => [name, masks[name]?.(value) ?? value]);
}

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
    await newPersonWithPassword(MINE, taken);
    const seen = [];
    for (const email of [taken.toUpperCase(), newEmail()]) {
      const answer = await signUp(email, THEIRS);
      const cookie = cookieIn(answer);
      const me = await sessionUser(new Headers({ cookie }));
      const client = signedInAs(me?.id ?? randomUUID(), env.appUrl);
      const [, own] = await readResponse(client.get("/v1/me"));
      const again = await confirmAgainPage.POST(formTo("/confirm-email/again", {}, newBrowser(cookie)));
      seen.push({
        status: answer.status,
        location: answer.headers.get("location"),
        headers: headersOf(answer),
        body: await answer.text(),
        own: Object.keys(own as object),
        isAddressShown: JSON.stringify(own).includes(email),
        token: await readResponse(
          client.post("/v1/webhooks", { url: "https://example.com", events: ["post.completed"] }),
        ),
        again: [again.status, headersOf(again), (await again.text()).replaceAll(email, "…")],
        mails: (await listMails(me?.id ?? "", { limit: 9 })).items,
        queued: (
          await db
            .select()
            .from(mails)
            .where(eq(mails.ownerId, me?.id ?? ""))
        ).map(({ kind }) => kind),
        signsIn: await signIn(email, THEIRS).then((signed) => [signed.status, headersOf(signed)]),
      });
    }
    expect(seen[0]).toMatchObject({
      status: 303,
      location: `${env.appUrl}/`,
      isAddressShown: true,
      signsIn: [303, expect.anything()],
    });
    const session = expect.stringMatching(/session-token=…; Path=\/; Expires=…; HttpOnly; SameSite=Lax$/);
    expect(seen[0]?.headers).toContainEqual(["set-cookie", session]);
    expect(seen[0]).toMatchObject({ queued: ["confirmAddress", "confirmAddress"], mails: [] });
    expect(seen[0]?.again[0]).toBe(200);
    expect(seen[0]?.token[0]).toBe(403);
    expect(seen[1]).toEqual(seen[0]);
  });

  test("writes to a taken address that there is an account, and to a free one the link", async () => {
    const taken = newEmail();
    await newPersonWithPassword(MINE, taken);
    const subjects: string[] = [];
    for (const email of [taken, newEmail()]) {
      let id = "";
      const queued = await mailsOf(
        () => id,
        async () => {
          id = (await registerUser({ email, password: THEIRS })).user.id;
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
    await newPersonWithPassword(MINE, taken);
    const seen = [];
    for (const email of [taken, newEmail()]) {
      const browser = newBrowser();
      const statuses: number[] = [];
      for (let time = 0; time < 5; time++) statuses.push((await signUp(email, `password ${time}`, browser)).status);
      const last = await signUp(email, THEIRS, browser);
      expect(headersOf(last)).toContainEqual(["retry-after", "15"]);
      const text = (await last.text()).replaceAll(email, "…").replace(/\d+ seconds/, "15 seconds");
      seen.push([[...statuses, last.status], headersOf(last), text]);
      expect((await signUp(email, THEIRS)).status).toBe(303); // from another network
    }
    expect(seen[0]?.[0]).toEqual([...Array(5).fill(303), 429]);
    expect(seen[1]).toEqual(seen[0]);
  });

  test("counts as a guess at the password of the address, together with signing in", async () => {
    const taken = newEmail();
    const { id } = await newPersonWithPassword(MINE, taken);
    const browser = newBrowser();
    const tries = [signUp, signIn, signUp, signIn, signUp, signUp, signIn];
    const statuses: number[] = [];
    for (const [nth, attempt] of tries.entries()) {
      statuses.push((await attempt(taken, `password ${nth}`, browser)).status);
    }
    expect(statuses).toEqual([303, 401, 303, 401, 303, 429, 429]);
    for (const nth of [1, 2, 3]) await signUp(taken, `password ${nth}`, browser);
    const lines = await db.select().from(auditLog).where(eq(auditLog.subject, id));
    expect(lines.filter(({ action }) => action === "session.refused")).toMatchObject([
      { details: { kind: "password", count: 10 } },
    ]);
  });

  test("with the right password of the owner signs in the owner and ends the count, and a stranger's own does not", async () => {
    const email = newEmail();
    const { id } = await newPersonWithPassword(MINE, email);
    const browser = newBrowser();
    for (let nth = 0; nth < 4; nth++) expect((await signIn(email, `guess ${nth}`, browser)).status).toBe(401);
    expect((await personOf(await signUp(email, MINE, browser)))?.id).toBe(id);
    for (let nth = 0; nth < 4; nth++) expect((await signIn(email, `guess ${nth}`, browser)).status).toBe(401);
    expect((await signUp(email, THEIRS, browser)).status).toBe(303);
    expect((await signUp(email, THEIRS, browser)).status).toBe(429);
  });
});

describe("the mails to an address", () => {
  /** How many mails this address has got. */
  const countMails = async (email: string, kind: "confirmAddress" | "resetPassword") => {
    const isTheirs = and(sql`lower(${users.email}) = ${email.toLowerCase()}`, eq(mails.kind, kind));
    const rows = await db
      .select({ id: mails.id })
      .from(mails)
      .innerJoin(users, eq(users.id, mails.ownerId))
      .where(isTheirs);
    return rows.length;
  };
  const again = (cookie: string, browser = newBrowser()) =>
    confirmAgainPage.POST(formTo("/confirm-email/again", {}, { ...browser, cookie }));
  const forget = (email: string, browser?: Headers) => forgotPage.POST(formTo("/forgot-password", { email }, browser));
  /** Requests without mails and accounts, which would take long. */
  const use = async (email: string, purpose: "confirm" | "reset", browser: Headers) =>
    countMail(new Headers(browser), purpose, email.toLowerCase());

  test("that one network asks for are limited, whatever account asks, and the page says so", async () => {
    const email = newEmail();
    const browser = newBrowser();
    const cookie = cookieIn(await signUp(email, THEIRS, browser));
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) statuses.push((await again(cookie, browser)).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    const last = await again(cookie, browser);
    expect([last.status, headersOf(last)]).toEqual([429, expect.arrayContaining([["retry-after", "300"]])]);
    expect(await last.text()).toContain("You can send the next one in 5 minutes.");
    const other = cookieIn(await signUp(email, MINE, browser)); // a new account from the same network
    expect((await again(other, browser)).status).toBe(429);
    expect(await countMails(email, "confirmAddress")).toBe(5);
  });

  test("that another network asked for do not keep a person from getting one, and are not shown to them", async () => {
    const taken = newEmail();
    await newPersonWithPassword(MINE, taken);
    const seen = [];
    for (const email of [taken, newEmail()]) {
      const strangers = [newBrowser(), newBrowser(), newBrowser()];
      for (const stranger of strangers) for (let time = 0; time < 6; time++) await use(email, "confirm", stranger);
      const before = await countMails(email, "confirmAddress");
      const own = await signUp(email, THEIRS);
      seen.push([own.status, headersOf(own), (await countMails(email, "confirmAddress")) - before]);
      expect(await use(email, "reset", newBrowser())).toBeUndefined(); // counted apart
    }
    expect(seen[0]).toEqual([303, expect.anything(), 1]);
    expect(seen[1]).toEqual(seen[0]);
  });

  test("do not depend on how often another account of the address asked", async () => {
    const email = newEmail();
    const browser = newBrowser();
    const first = cookieIn(await signUp(email, THEIRS, browser));
    const second = cookieIn(await signUp(email, MINE));
    for (let time = 0; time < 5; time++) await again(first, browser);
    expect((await again(first, browser)).status).toBe(429);
    for (let time = 0; time < 4; time++) expect((await again(second)).status).toBe(200);
  });

  test("are limited over all networks, also if each account is deleted", async () => {
    const email = newEmail();
    let sent = 0;
    for (let network = 0; network < 25; network++) {
      const browser = newBrowser();
      for (let time = 0; time < 2; time++) if ((await use(email, "confirm", browser)) === undefined) sent++;
    }
    expect(sent).toBe(30);
    const own = await signUp(email, THEIRS);
    expect([own.status, await countMails(email, "confirmAddress")]).toEqual([303, 0]);
    const asked = await again(cookieIn(own));
    expect([asked.status, await asked.text()]).toEqual([429, expect.stringContaining("You can send the next one in")]);
  });

  test("with a link for a new password are limited for one network, the same for an address without an account", async () => {
    const taken = newEmail();
    await newPersonWithPassword(MINE, taken);
    const seen: [status: number, headers: string[][], text: string | undefined][][] = [];
    for (const email of [taken, newEmail()]) {
      const browser = newBrowser();
      await shareTransaction(async (tx) => {
        const answers: Response[] = [];
        for (let time = 0; time < 6; time++) answers.push(await forget(email, browser));
        const texts = await Promise.all(answers.map((one) => one.text()));
        seen.push(answers.map((one, nth) => [one.status, headersOf(one), texts[nth]?.replaceAll(email, "…")]));
        expect((await forget(email)).status).toBe(200); // from another network
        await removeJob(tx, `forgot:${email}`);
      });
    }
    expect(seen[0]?.map(([status]) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(seen[0]?.[5]).toEqual([
      429,
      expect.arrayContaining([["retry-after", "300"]]),
      expect.stringContaining("in 5 minutes"),
    ]);
    expect(seen[1]).toEqual(seen[0]);
  });

  test("take turns between the accounts, so that a stranger's accounts do not take those of the owner's", async () => {
    const email = newEmail();
    for (let nth = 0; nth < 6; nth++) await registerUser({ email, password: `password number ${nth}` });
    const { user: owner } = await registerUser({ email, password: MINE });
    expect((await resetMails(email)).map(({ ownerId }) => ownerId)).not.toContain(owner.id);
    const anHourAgo = sql`now() - interval '61 minutes'`;
    await db.update(mails).set({ createdAt: anHourAgo }).where(eq(mails.kind, "resetPassword"));
    expect((await resetMails(email)).map(({ ownerId }) => ownerId)).toContain(owner.id);
  });
});

describe("signing in with an address of several people", () => {
  test("the password decides who signs in", async () => {
    const email = newEmail();
    const owner = await newPersonWithPassword(MINE, email);
    const stranger = await newStranger(email);
    expect((await personOf(await signIn(email, MINE)))?.id).toBe(owner.id);
    expect((await personOf(await signIn(email, THEIRS)))?.id).toBe(stranger);
    expect((await signIn(email, "neither of them")).status).toBe(401);
  });

  test("a person can be asked for their own password only", async () => {
    const email = newEmail();
    const owner = await newPersonWithPassword(MINE, email);
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
    await newPersonWithPassword(MINE, email);
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
    const owner = await newPersonWithPassword(MINE, email);
    const browser = newBrowser();
    for (let nth = 0; nth < 10; nth++) await signIn(email, `guess ${nth}`, browser);
    const lines = await db.select().from(auditLog).where(eq(auditLog.subject, owner.id));
    expect(lines.map(({ action }) => action)).toContain("session.refused");
  });
});

describe("many refused passwords", () => {
  /** How many entries without an account there are, by the subject and the number of attempts. */
  const unknownEntries = async () => {
    const { items } = await searchAudit({ actor: "unknown", action: "session.refused", limit: 100 });
    return items.map(({ actor, subject, details }) => ({ actor, subject, details }));
  };

  test("of an unknown address, and from one network for any addresses, are recorded without address and network", async () => {
    const before = await unknownEntries();
    const [one, two] = [newEmail(), newEmail()];
    await newPersonWithPassword(MINE, two);
    const browser = newBrowser();
    for (let nth = 0; nth < 15; nth++) for (const email of [one, two]) await signIn(email, "not it", browser);
    for (let nth = 0; nth < 5; nth++) await signIn(one, "not it", browser);
    const fresh = (await unknownEntries()).slice(0, -before.length || undefined);
    expect(fresh).toEqual([
      {
        actor: "unknown",
        subject: expect.stringMatching(/^network [\w-]{16}$/),
        details: { kind: "password", count: 30 },
      },
      {
        actor: "unknown",
        subject: expect.stringMatching(/^address [\w-]{16}$/),
        details: { kind: "password", count: 10 },
      },
    ]);
  });

  // Uses up the entries of a minute, so it comes after the test above.
  test("are recorded at most ten times a minute if they name no account", async () => {
    const countEntries = () => db.$count(auditLog, eq(auditLog.action, "session.refused"));
    const countOne = async () => (await countRequest("refused unknown", "", 10, true)).allowed;
    for (let isSameMinute = false; !isSameMinute; ) {
      while (await countOne());
      const before = await countEntries();
      const [email, browser] = [newEmail(), newBrowser()];
      for (let nth = 0; nth < 10; nth++) await signIn(email, "not it", browser);
      const after = await countEntries();
      isSameMinute = !(await countOne());
      if (isSameMinute) expect(after).toBe(before);
    }
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
    await expect(getAddressOwner(email)).rejects.toThrow(/Nobody has confirmed the address/);
    const owner = await createUser({ email, password: MINE });
    expect(await getAddressOwner(email.toUpperCase())).toEqual(owner);
    expect((await press(await tokenOf("confirmAddress", stranger, email))).status).toBe(409);
    await expect(createUser({ email: email.toUpperCase(), password: THEIRS })).rejects.toThrow(Conflict);
  });

  test("that several people have and none has confirmed belongs to no account", async () => {
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
    const owner = await newPersonWithPassword(MINE, email);
    expect(await resetMails(email)).toEqual([{ ownerId: owner.id, facts: {} }]);
    expect((await resetWith(await tokenOf("resetPassword", owner.id, email), "a new password")).status).toBe(200);
    expect(await authenticate(email, "a new password")).toMatchObject({ id: owner.id });
    expect(await authenticate(email, THEIRS)).toMatchObject({ id: stranger });
  });

  test("of an address that is not confirmed leads each account to its own link, and says which one it is", async () => {
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
