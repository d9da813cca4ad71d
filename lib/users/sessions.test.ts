import { and, eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as passwordPage from "@/app/(dashboard)/settings/password/route";
import * as sessionsPage from "@/app/(dashboard)/settings/sessions/route";
import * as againPage from "@/app/sign-in/again/route";
import * as signInPage from "@/app/sign-in/route";
import { callNextAuth, endSession } from "@/components/session/next-auth";
import { databasePool, db, mails, sessions, users } from "../db";
import { env } from "../env";
import { nobody, readResponse } from "../testing";
import { assertFreshSession, findSession } from "./sessions";
import { newPersonWithPassword } from "./testing/people";

const PASSWORD = "a long password";
const ORIGIN = new URL(env.appUrl).origin;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const newPerson = () => newPersonWithPassword(PASSWORD);

type Browser = Awaited<ReturnType<typeof signIn>>;

/** Signs in with the form, and returns a browser with the session's cookie. */
async function signIn(email: string, headers: { [name: string]: string } = {}) {
  const body = new URLSearchParams({ email, password: PASSWORD });
  const answer = await signInPage.POST(new Request(`${env.appUrl}/sign-in`, { method: "POST", headers, body }));
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
  const session = cookies.find((cookie) => cookie.startsWith("next-auth.session-token=")) ?? "";
  const sent = { cookie: session, origin: ORIGIN };
  return {
    value: session.slice(session.indexOf("=") + 1),
    async status() {
      return (await nobody.get("/v1/me", sent)).status;
    },
    async list() {
      const [, body] = await readResponse(nobody.get("/v1/me/sessions", sent));
      return (body as { items: { id: string; isCurrent: boolean }[] }).items;
    },
    end: (id: string) => nobody.delete(`/v1/me/sessions/${id}`, sent),
    export: () => nobody.get("/v1/me/export", sent),
    remove: () => nobody.delete("/v1/me", sent),
    endOthers: () => nobody.delete("/v1/me/sessions", sent),
    post: (page: { POST(request: Request): Promise<Response> }, path: string, fields: { [name: string]: string }) =>
      page.POST(
        new Request(`${env.appUrl}${path}`, { method: "POST", headers: sent, body: new URLSearchParams(fields) }),
      ),
  };
}

async function idOf(browser: Browser): Promise<string> {
  return (await browser.list()).find(({ isCurrent }) => isCurrent)?.id ?? "";
}

describe("signing out", () => {
  test("ends the session on the server, so a copied cookie is worthless", async () => {
    const { email } = await newPerson();
    const [one, two] = [await signIn(email), await signIn(email)];
    await endSession({ "next-auth.session-token": one.value });
    expect([await one.status(), await two.status()]).toEqual([401, 200]);
    const renewed = await callNextAuth({ action: ["session"], cookies: { "next-auth.session-token": one.value } });
    expect(renewed).toMatchObject({
      body: {},
      cookies: expect.arrayContaining([expect.stringContaining("session-token=;")]),
    });
    await endSession({ "next-auth.session-token": one.value }); // signing out twice is not an error
  });
});

test("a person who is being deleted gets the sign-in page, and is not sent back from it", async () => {
  const { id, email } = await newPerson();
  const { value } = await signIn(email);
  const ask = () =>
    signInPage.GET(new Request(`${env.appUrl}/sign-in`, { headers: { cookie: `next-auth.session-token=${value}` } }));
  expect((await ask()).status).toBe(303);
  await db.update(users).set({ deletingAt: sql`now()` }).where(eq(users.id, id));
  expect((await ask()).status).toBe(200);
});

describe("the list of sessions", () => {
  test("shows browser, address, start, last use and which one calls", async () => {
    const { email } = await newPerson();
    const phone = await signIn(email, { "user-agent": FIREFOX, "x-client-address": "203.0.113.7" });
    const here = await signIn(email);
    expect(await here.list()).toEqual([
      { id: expect.any(String), createdTime: expect.any(String), lastUsedTime: expect.any(String), isCurrent: true },
      expect.objectContaining({ userAgent: FIREFOX, address: "203.0.113.7", isCurrent: false }),
    ]);
    expect((await phone.list()).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  });

  test("records the last use at most once a minute", async () => {
    const { email } = await newPerson();
    const browser = await signIn(email);
    const id = await idOf(browser);
    const lastUse = async () => (await db.select().from(sessions).where(eq(sessions.id, id)))[0]?.lastUsedAt;
    const first = await lastUse();
    await browser.status();
    expect(await lastUse()).toBe(first);
    await db.update(sessions).set({ lastUsedAt: sql`now() - interval '2 minutes'` }).where(eq(sessions.id, id));
    await browser.status();
    expect(String(await lastUse()) >= String(first)).toBe(true);
  });

  test("is read with one statement per request", async () => {
    const browser = await signIn((await newPerson()).email);
    const id = await idOf(browser);
    const query = vi.spyOn(databasePool(), "query");
    onTestFinished(() => query.mockRestore());
    expect(await browser.status()).toBe(200);
    const asked = query.mock.calls.map((given) => JSON.stringify(given));
    expect(asked.filter((statement) => /select/.test(statement) && statement.includes(id))).toHaveLength(1);
  });

  test("is only the person's own", async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const [hers, his] = [await signIn(ada.email), await signIn(bob.email)];
    const foreign = await idOf(hers);
    expect(await readResponse(his.end(foreign))).toEqual([404, { error: `Session not found: ${foreign}` }]);
    expect(await readResponse(his.end("x"))).toEqual([404, { error: "Session not found: x" }]);
    expect([await hers.status(), (await his.list()).length]).toEqual([200, 1]);
  });
});

describe("ending sessions", () => {
  test("ends one, or all others, by the API and by the forms of the settings", async () => {
    const { email } = await newPerson();
    const [here, ...others] = await Promise.all(Array.from({ length: 5 }, () => signIn(email)));
    if (!here) throw new Error("nobody signed in");
    const [a, b, c, d] = others as [Browser, Browser, Browser, Browser]; // as many as were started
    const statuses = () => Promise.all([here, a, b, c, d].map((browser) => browser.status()));
    expect((await here.end(await idOf(a))).status).toBe(204);
    await here.post(sessionsPage, "/settings/sessions", { session: await idOf(b) });
    expect(await statuses()).toEqual([200, 401, 401, 200, 200]);
    expect((await here.endOthers()).status).toBe(204);
    expect(await statuses()).toEqual([200, 401, 401, 401, 401]);
    const another = await signIn(email);
    await here.post(sessionsPage, "/settings/sessions", {});
    expect([await here.status(), await another.status()]).toEqual([200, 401]);
  });

  test("happens by itself 30 days after the sign-in", async () => {
    const { id, email } = await newPerson();
    const old = await signIn(email);
    await db.update(sessions).set({ createdAt: sql`now() - interval '30 days'` }).where(eq(sessions.userId, id));
    const fresh = await signIn(email);
    expect([await old.status(), (await fresh.list()).length]).toEqual([401, 1]);
    expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(1);
  });

  test("a sign-in that raced with a new password does not survive it", async () => {
    const { id, email } = await newPerson();
    const early = await signIn(email); // checked the old password before the new epoch
    await db.update(users).set({ sessionEpoch: 1 }).where(eq(users.id, id));
    expect(await early.status()).toBe(401);
  });
});

describe("changing the password", () => {
  const change = (browser: Browser, current: string, password: string) =>
    browser.post(passwordPage, "/settings/password", { current, password });

  test("needs the current one, ends every other session, and sends a mail about it", async () => {
    const { id, email } = await newPerson();
    const countMails = () => db.$count(mails, and(eq(mails.ownerId, id), eq(mails.kind, "passwordChanged")));
    const [here, elsewhere] = [await signIn(email), await signIn(email)];
    const wrong = await change(here, "wrong", "another password");
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("Current password is wrong")]);
    expect((await change(here, PASSWORD, "short")).status).toBe(400);
    expect([await elsewhere.status(), await countMails()]).toEqual([200, 0]);
    expect((await change(here, PASSWORD, "another password")).status).toBe(200);
    expect(await countMails()).toBe(1);
    expect([await here.status(), await elsewhere.status()]).toEqual([200, 401]);
    expect((await signIn(email)).value).toBe("");
  });

  test("without a session leads to the sign-in page", async () => {
    const answer = await passwordPage.POST(new Request(`${env.appUrl}/settings/password`, { method: "POST" }));
    expect([answer.status, answer.headers.get("location")]).toEqual([303, expect.stringContaining("/sign-in")]);
  });
});

describe("fresh authentication", () => {
  test("lasts ten minutes from the sign-in, and starts again with the password", async () => {
    const { id, email } = await newPerson();
    const browser = await signIn(email);
    const sid = await idOf(browser);
    const check = async () => assertFreshSession(await findSession(sid, id));
    await check();
    await db.update(sessions).set({ authenticatedAt: sql`now() - interval '11 minutes'` }).where(eq(sessions.id, sid));
    await expect(check()).rejects.toThrow("10 minutes");
    const refused = [403, { error: expect.stringContaining("10 minutes") }];
    expect([await readResponse(browser.export()), await readResponse(browser.remove())]).toEqual([refused, refused]);
    expect((await browser.export()).headers.get("www-authenticate")).toContain("insufficient_user_authentication");
    const again = (password: string) =>
      browser.post(againPage, "/sign-in/again", { password, callbackUrl: "/settings?a=b" });
    expect((await again("wrong")).status).toBe(401);
    expect((await browser.export()).status).toBe(403);
    const answer = await again(PASSWORD);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${env.appUrl}/settings?a=b`]);
    await check();
    expect((await browser.export()).status).toBe(200);
  });

  test("is never given to a token", () => {
    expect(() => assertFreshSession(undefined)).toThrow("10 minutes");
  });
});
