import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as resetPage from "@/app/reset-password/route";
import * as codePage from "@/app/sign-in/code/route";
import * as passkeyPage from "@/app/sign-in/passkey/route";
import * as signInPage from "@/app/sign-in/route";
import { factorWords } from "@/components/plain/session/factor-words";
import { sessionWords } from "@/components/plain/session/words";
import { callNextAuth, startSession } from "@/components/session/next-auth";
import { auditLog, db, passkeys, sessions } from "../../db";
import { env } from "../../env";
import { newTokenLink } from "../../mail/tokens";
import "../../testing";
import { sessionOf } from "..";
import { addPasskey, beginPasskey } from "../factors/add-passkey";
import { addAuthenticator, beginAuthenticator } from "../factors/authenticator";
import { removeAllFactors, resetFactors } from "../factors/changes";
import { changePassword } from "../passwords";
import { findSession, listSessions } from "../sessions";
import { codeAt } from "../testing/authenticator-app";
import { newPersonWithPassword } from "../testing/people";
import { newSession } from "../testing/sessions";
import { softwarePasskey } from "../testing/software-passkey";
import { countAttempt } from "./attempts";
import { accountOf } from "./cookies";
import { signInWithPassword } from "./steps";
import { newTicket } from "./tickets";

const PASSWORD = "a long password";
const STEP = 30_000;

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `192.0.2.${addresses}`;
};

/** A browser that keeps cookies, in its own network. */
function openBrowser(address = newAddress()) {
  const jar = new Map<string, string>();
  async function send(handle: Handler, path: string, fields?: Fields, more: Fields = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "x-client-address": address, ...more };
    const body = fields && new URLSearchParams(fields);
    const answer = await handle(new Request(`${env.appUrl}${path}`, { method: body ? "POST" : "GET", headers, body }));
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return { status: answer.status, headers: answer.headers, html: await answer.text(), to: placeOf(answer) };
  }
  return {
    jar,
    password: (email: string, password = PASSWORD) => send(signInPage.POST, "/sign-in", { email, password }),
    code: (code: string) => send(codePage.POST, "/sign-in/code", { code }),
    get: send,
    /** Whose session this browser has. */
    async whose() {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      return (await sessionOf(new Headers({ cookie })))?.user.id;
    },
    async passkey(passkey: ReturnType<typeof softwarePasskey>, step = "") {
      const page = await send(passkeyPage.GET, `/sign-in/passkey?step=${step}`);
      const ticket = /name="ticket" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
      const options = (/data-options="([^"]+)"/.exec(page.html)?.[1] ?? "").replaceAll("&quot;", '"');
      if (!ticket) return page;
      return send(passkeyPage.POST, "/sign-in/passkey", { ticket, step, credential: passkey.get(options) });
    },
  };
}
type Fields = { [name: string]: string };
type Handler = (request: Request) => Promise<Response>;

function placeOf(answer: Response): string | undefined {
  const location = answer.headers.get("location");
  return location === null ? undefined : new URL(location).pathname;
}

const newPerson = () => newPersonWithPassword(PASSWORD);

/** A person with an authenticator app. `next` returns codes that were not used before. */
async function personWithApp() {
  const person = await newPerson();
  const session = await newSession(person.id);
  const { secret, ticket } = await beginAuthenticator(session.user);
  const added = await addAuthenticator(session, ticket, await codeAt(secret, Date.now() - STEP), Date.now() - STEP);
  return { ...person, session, codes: added?.recoveryCodes ?? [], next: () => codeAt(secret, Date.now()) };
}

async function personWithPasskey() {
  const person = await newPerson();
  const session = await newSession(person.id);
  const passkey = softwarePasskey(person.id);
  const setup = await beginPasskey(session.user);
  const made = { ticket: setup.ticket, name: "Laptop", credential: passkey.create(setup.options) };
  const added = await addPasskey(session, made);
  return { ...person, passkey, codes: added?.recoveryCodes ?? [] };
}

/** Calls next-auth's own callback, as a program without our pages would. */
async function throughNextAuth(fields: Fields) {
  const fresh = await callNextAuth({ action: ["csrf"], cookies: {} });
  const cookies = Object.fromEntries(
    fresh.cookies.map((cookie) => {
      const [name = "", value = ""] = cookie.split(";", 1)[0]?.split("=") ?? [];
      return [name, decodeURIComponent(value)];
    }),
  );
  const { csrfToken } = fresh.body as { csrfToken: string };
  const body = { ...fields, csrfToken, json: "true" };
  const answer = await callNextAuth({ action: ["callback", "credentials"], cookies, body });
  const hasSession = answer.cookies.some((cookie) => cookie.includes("session-token"));
  return { hasSession, body: JSON.stringify(answer.body) };
}

test("the sign-in page has no script, and leads to that of the passkey with a link", async () => {
  const page = await openBrowser().get(signInPage.GET, "/sign-in");
  expect(page.html).not.toMatch(/<script|javascript:|\son[a-z]+=/i);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'none'");
  expect(page.html).toContain('href="/sign-in/passkey"');
});

describe("with an authenticator app", () => {
  test("the password leads to a second page, and the code signs in", async () => {
    const { email, id, next } = await personWithApp();
    const browser = openBrowser();
    expect(await browser.password(email)).toMatchObject({ status: 303, to: "/sign-in/code" });
    expect(await browser.whose()).toBeUndefined();
    const page = await browser.get(codePage.GET, "/sign-in/code");
    expect(page.html).not.toContain("<script");
    expect(page.headers.get("content-security-policy")).toContain("script-src 'none'");
    expect(await browser.code("000000")).toMatchObject({ status: 401 });
    const code = await next();
    expect(await browser.code(code)).toMatchObject({ status: 303, to: "/" });
    expect(await browser.whose()).toBe(id);
  });

  test("a recovery code signs in once", async () => {
    const { email, id, codes } = await personWithApp();
    const [code = ""] = codes;
    for (const [status, whose] of [
      [303, id],
      [401, undefined],
    ] as const) {
      const browser = openBrowser();
      await browser.password(email);
      expect(await browser.code(code)).toMatchObject({ status });
      expect(await browser.whose()).toBe(whose);
    }
    const lines = await db.select().from(auditLog).where(eq(auditLog.subject, id));
    expect(lines.map(({ action }) => action)).toContain("factor.code_used");
  });

  test("the half-signed-in state belongs to one browser and ends with the password", async () => {
    const { email, id, next } = await personWithApp();
    const [browser, other] = [openBrowser(), openBrowser()];
    await browser.password(email);
    expect(await other.get(codePage.GET, "/sign-in/code")).toMatchObject({ status: 303, to: "/sign-in" });
    expect(await other.code(await next())).toMatchObject({ status: 401 });
    await db.execute(sql`update users set session_epoch = session_epoch + 1 where id = ${id}`);
    expect(await browser.code(await next())).toMatchObject({ status: 401 });
    expect(await browser.whose()).toBeUndefined();
  });

  test("next-auth's own callback asks for the second step too", async () => {
    const { email, id, session } = await personWithApp();
    const refused = await throughNextAuth({ email, password: PASSWORD });
    expect(refused).toMatchObject({ hasSession: false, body: expect.stringContaining("error=secondStep") });
    const stolen = await newTicket("secondStep", { userId: id, epoch: session.user.sessionEpoch, account: email });
    expect(await throughNextAuth({ ticket: stolen })).toMatchObject({ hasSession: false });
  });

  test("next-auth's own callback refuses text that cannot be an address, like a wrong password", async () => {
    const wrong = await throughNextAuth({ email: `${randomUUID()}@example.com`, password: "wrong" });
    expect(await throughNextAuth({ email: "a\0b@example.com", password: PASSWORD })).toEqual(wrong);
  });

  test("a ticket starts one session", async () => {
    const { id } = await newPerson();
    const ticket = await newTicket("session", { userId: id, epoch: 0 });
    expect(await throughNextAuth({ ticket })).toMatchObject({ hasSession: true });
    expect(await throughNextAuth({ ticket })).toMatchObject({ hasSession: false });
    expect(await throughNextAuth({ ticket: `${ticket}A` })).toMatchObject({ hasSession: false });
  });

  test("wrong codes are slowed down for the account, but not in a browser that it knows", async () => {
    const { email, id, codes, next } = await personWithApp();
    const known = openBrowser();
    await known.password(email);
    expect(await known.code(codes[0] ?? "")).toMatchObject({ status: 303 });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      const attacker = openBrowser();
      await attacker.password(email);
      const answer = await attacker.code(String(100_000 + attempt));
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    await known.password(email);
    expect(await known.code(await next())).toMatchObject({ status: 303 });
    expect(await known.whose()).toBe(id);
  });
});

describe("with a passkey", () => {
  test("the passkey signs in by itself, and its page loads one script file", async () => {
    const { id, passkey } = await personWithPasskey();
    const browser = openBrowser();
    const page = await browser.get(passkeyPage.GET, "/sign-in/passkey");
    expect(page.headers.get("content-security-policy")).toContain(`script-src ${env.appUrl}/passkey.js;`);
    expect(await browser.passkey(passkey)).toMatchObject({ status: 303, to: "/" });
    expect(await browser.whose()).toBe(id);
  });

  test("the password alone is not enough; the passkey or a recovery code follows", async () => {
    const { email, id, passkey, codes } = await personWithPasskey();
    const one = openBrowser();
    expect(await one.password(email)).toMatchObject({ to: "/sign-in/code" });
    expect(await one.passkey(passkey, "second")).toMatchObject({ status: 303 });
    expect(await one.whose()).toBe(id);
    const two = openBrowser();
    await two.password(email);
    expect(await two.code(codes[0] ?? "")).toMatchObject({ status: 303 });
    expect(await two.whose()).toBe(id);
  });

  test("a reset of a confirmed address leaves it as the second step only, until it was used so", async () => {
    const { email, id, passkey } = await personWithPasskey();
    await resetFactors(db, id, true);
    const browser = openBrowser();
    const answer = await browser.passkey(passkey);
    expect([answer.status, await browser.whose()]).toEqual([401, undefined]);
    expect(answer.html).toContain("Sign in with your new password once");
    await browser.password(email);
    expect(await browser.passkey(passkey, "second")).toMatchObject({ status: 303 });
    expect(await openBrowser().passkey(passkey)).toMatchObject({ status: 303 });
  });

  test("a reset of an address that was never confirmed removes every factor", async () => {
    const { email, id, passkey } = await personWithPasskey();
    await resetFactors(db, id, false);
    expect(await db.select().from(passkeys).where(eq(passkeys.ownerId, id))).toEqual([]);
    expect(await openBrowser().passkey(passkey)).toMatchObject({ status: 401 });
    expect(await openBrowser().password(email)).toMatchObject({ status: 303, to: "/" });
    expect(await removeAllFactors(id)).toBe(0);
  });
});

describe("adding a factor", () => {
  test("ends the other sessions, which began with a password alone", async () => {
    const { id } = await newPerson();
    const [other, session] = [await newSession(id), await newSession(id)];
    const { secret, ticket } = await beginAuthenticator(session.user);
    expect(await addAuthenticator(session, ticket, await codeAt(secret, Date.now()))).toBeDefined();
    expect(await findSession(other.id, id)).toBeUndefined();
    expect(await findSession(session.id, id)).toBeDefined();
  });

  test("ends a sign-in with the password alone that was under way", async () => {
    const { id, email } = await newPerson();
    const result = await signInWithPassword(new Headers(), email, PASSWORD);
    const ticket = result.kind === "done" ? result.ticket : "";
    const session = await newSession(id);
    const { secret, ticket: setup } = await beginAuthenticator(session.user);
    expect(await addAuthenticator(session, setup, await codeAt(secret, Date.now()))).toBeDefined();
    await startSession(new Request(env.appUrl), ticket);
    expect((await listSessions(id)).map((one) => one.id)).toEqual([session.id]);
  });
});

test("changing the password does not replace the second step where a fresh sign-in is required", async () => {
  const { id, session } = await personWithApp();
  const stale = { authenticatedAt: sql`now() - interval '11 minutes'` };
  await db.update(sessions).set(stale).where(eq(sessions.id, session.id));
  await changePassword(session, { current: PASSWORD, password: "another password" }, new Headers());
  expect(await findSession(session.id, id)).toMatchObject({ isFresh: false });
});

describe("wrong passwords", () => {
  test("slow down one network at one account, whether it exists or not, and nothing else", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    for (const email of [person.email, `${randomUUID()}@example.com`]) {
      const attacker = openBrowser();
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 6; attempt++) statuses.push((await attacker.password(email, "wrong")).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      const refused = await attacker.password(email); // not even checked
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(refused.html).toContain("You can try again in");
      expect(await attacker.password(other.email)).toMatchObject({ status: 303 });
    }
    const elsewhere = openBrowser();
    expect(await elsewhere.password(person.email)).toMatchObject({ status: 303 });
  });

  test("at once get no more guesses than one after the other", async () => {
    const { email } = await newPerson();
    const attacker = openBrowser();
    const answers = await Promise.all(Array.from({ length: 12 }, () => attacker.password(email, "wrong")));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test("from many networks slow down strangers, but not a browser that the account knows", async () => {
    const { email, id } = await newPerson();
    const known = openBrowser();
    await known.password(email);
    known.jar.delete("next-auth.session-token");
    for (let attempt = 0; attempt < 50; attempt++) await countAttempt([{ kind: "strangers", id: accountOf(email) }]);
    expect(await openBrowser().password(email)).toMatchObject({ status: 429 });
    expect(await known.password(email)).toMatchObject({ status: 303 });
    expect(await known.whose()).toBe(id);
  });

  test("and codes from strangers do not keep out whoever reset the password by mail", async () => {
    const { email, id, codes } = await personWithApp();
    for (let attempt = 0; attempt < 50; attempt++) await countAttempt([{ kind: "strangers", id: accountOf(email) }]);
    for (let attempt = 0; attempt < 5; attempt++) await countAttempt([{ kind: "codes", id }]);
    const link = await newTokenLink("resetPassword", { path: "/", seconds: 60 }, { ownerId: id, email });
    const token = new URL(link).searchParams.get("token") ?? "";
    const person = openBrowser();
    const password = "another password";
    expect(await person.get(resetPage.POST, "/reset-password", { token, password })).toMatchObject({ status: 200 });
    expect(await person.password(email, password)).toMatchObject({ status: 303, to: "/sign-in/code" });
    expect(await person.code(codes[0] ?? "")).toMatchObject({ status: 303 });
    expect(await person.whose()).toBe(id);
    expect(await openBrowser().password(email, password)).toMatchObject({ status: 429 });
  });
});

test("showing a password signs nobody in and counts as no attempt, and another site's form shows nothing", async () => {
  const { email } = await newPerson();
  const person = openBrowser();
  for (let time = 0; time < 12; time++) {
    const page = await person.get(signInPage.POST, "/sign-in", { email, password: "not it", show: "yes" });
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('type="text" value="not it"') });
    expect(page.headers.get("cache-control")).toBe("no-store");
  }
  expect(await person.whose()).toBeUndefined();
  const fields = { email, password: PASSWORD, show: "yes" };
  const headers = { origin: "https://elsewhere.example" };
  const body = new URLSearchParams(fields);
  const foreign = await signInPage.POST(new Request(`${env.appUrl}/sign-in`, { method: "POST", headers, body }));
  expect([foreign.status, await foreign.text()]).toEqual([403, expect.not.stringContaining(PASSWORD)]);
  expect(await person.password(email)).toMatchObject({ status: 303 });
});

test.each<[page: string, handle: Handler, fields: Fields]>([
  ["/sign-in/code", codePage.POST, {}],
  ["/sign-in/passkey", passkeyPage.POST, {}],
  ["/sign-in/passkey as the second step", passkeyPage.POST, { step: "second" }],
])("%s: a form that cannot be read (400) is told apart from one of another site (403)", async (_, handle, fields) => {
  const { email, codes } = await personWithPasskey();
  const browser = openBrowser();
  await browser.password(email);
  const form = { ...fields, code: codes[0] ?? "" };
  const unread = await browser.get(handle, "/sign-in/code", { ...form, code: "\0" });
  expect([unread.status, unread.html]).toEqual([400, expect.stringContaining(factorWords.unread)]);
  const foreign = await browser.get(handle, "/sign-in/code", form, { origin: "https://elsewhere.example" });
  expect([foreign.status, foreign.html]).toEqual([403, expect.stringContaining(sessionWords.fromElsewhere)]);
  expect(await browser.whose()).toBeUndefined();
  expect(await browser.code(codes[0] ?? "")).toMatchObject({ status: 303 });
});

test.each(["CredentialsSignin", "toString", "__proto__"])(
  "the sign-in page has one text for unknown errors: %s",
  async (error) => {
    const page = await signInPage.GET(new Request(`${env.appUrl}/sign-in?error=${error}`));
    const html = await page.text();
    expect(html).toContain(sessionWords.wrong.replace("'", "&#39;"));
    expect(html).not.toMatch(/native code|object Object/);
  },
);
