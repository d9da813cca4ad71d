import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import * as passwordPage from "@/app/(dashboard)/settings/password/route";
import * as confirmPage from "@/app/confirm-email/route";
import * as callbackPage from "@/app/oauth/connect/callback/[platform]/route";
import * as newConnect from "@/app/oauth/connect/new/route";
import * as connectPage from "@/app/oauth/connect/route";
import * as resetPage from "@/app/reset-password/route";
import * as againPage from "@/app/sign-in/again/route";
import { giveThings, type Things } from "../api/testing/things";
import { connectWithPassword } from "../connect";
import { accounts, connectAttempts, db, mails, reviewLinks, schedules, users, webhookEndpoints } from "../db";
import { env } from "../env";
import { newTokenLink } from "../mail/tokens";
import { createOwnApplication, createOwnToken, createPersonalToken, listLiveSecrets } from "../oauth";
import { apiSays, codeFor, exchange, newClient, refreshGrant, tokensFor } from "../oauth/testing";
import { createReviewLink } from "../reviews";
import { createCalendarAddress, findCalendarAddress } from "../schedules";
import { connectAccount, newOwner, newPerson, nobody, readResponse, sessionCookie } from "../testing";
import { newPartner } from "../testing/owners";
import { createEndpoint } from "../webhooks";
import { claimDeliveries } from "../webhooks/claim";
import { addAuthenticator, beginAuthenticator, factorsOf } from "./factors/authenticator";
import { codeAt } from "./testing/authenticator-app";
import { newSession } from "./testing/sessions";

const worker = { id: randomUUID(), assertAlive: () => {} };

/** Resets the password as the mail's link does, and returns the page that answers. */
async function reset(ownerId: string): Promise<string> {
  const [user] = await db.select().from(users).where(eq(users.id, ownerId));
  const link = await newTokenLink("resetPassword", { path: "/", seconds: 60 }, { ownerId, email: user?.email ?? "" });
  const token = new URL(link).searchParams.get("token") ?? "";
  const body = new URLSearchParams({ token, password: "another password" });
  const answer = await resetPage.POST(new Request(`${env.appUrl}/reset-password`, { method: "POST", body }));
  expect(answer.status).toBe(200);
  return answer.text();
}

describe("a form that is not accepted is not taken for an expired link", () => {
  const withOwnForm = [
    ["/reset-password", resetPage],
    ["/settings/password", passwordPage],
    ["/sign-in/again", againPage],
  ] as const;

  async function answerOf(path: string, { POST }: Pick<typeof resetPage, "POST">, more: { [header: string]: string }) {
    const headers = { cookie: await sessionCookie(await newOwner()), ...more };
    const answer = await POST(new Request(`${env.appUrl}${path}`, { method: "POST", headers, body: "token=a" }));
    const text = await answer.text();
    expect(text).not.toContain("has expired");
    return [answer.status, text];
  }

  // The link in the mail is proof enough to confirm an address, so that form may come from anywhere.
  test.each([...withOwnForm, ["/confirm-email", confirmPage] as const])("%s: it cannot be read", async (path, page) => {
    const answer = await answerOf(path, page, { "content-type": "text/plain" });
    expect(answer).toEqual([400, expect.stringContaining("We could not read this form.")]);
  });

  test.each(withOwnForm)("%s: it comes from another site", async (path, page) => {
    const type = "application/x-www-form-urlencoded";
    const answer = await answerOf(path, page, { "content-type": type, origin: "https://evil.example" });
    expect(answer).toEqual([403, expect.stringContaining("This form came from another site.")]);
  });
});

const unconfirm = (id: string) => db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, id));

/** Someone with the old password holds one of everything. */
async function newVictim() {
  const owner = await newOwner();
  const things = await giveThings({ uuid: owner, externalUserId: "" });
  const client = await newClient();
  const stateId = randomUUID();
  await db.insert(connectAttempts).values({
    ...{ traceCode: stateId, stateId, ownerId: owner, platform: "X_TWITTER" as const, redirectUri: "/" },
    ...{ codeHash: Buffer.from(stateId), expiresAt: "2090-01-01T00:00:00Z" },
  });
  await createCalendarAddress(owner);
  return {
    ...{ owner, things, client, stateId },
    cookie: await sessionCookie(owner),
    personal: (await createOwnToken(owner, { name: "Theirs", scopes: ["posts.read"], days: 7 })).token,
    byOperator: (await createPersonalToken(owner, ["api"])).access_token,
    consent: await tokensFor(client, {}, owner),
    code: await codeFor(client, {}, owner), // not exchanged yet
  };
}

describe("a reset locks out everyone who knew the old password", () => {
  let victim: Awaited<ReturnType<typeof newVictim>>;
  let page: string;
  beforeAll(async () => {
    victim = await newVictim();
    // The caches know every credential.
    expect(await Promise.all([apiSays(victim.personal), apiSays(victim.byOperator)])).toEqual([200, 200]);
    expect(await apiSays(victim.consent.access_token)).toBe(200);
    page = await reset(victim.owner);
  });

  test("with the next request of sessions, personal tokens and applications", async () => {
    const { cookie, personal, byOperator, consent, client, code } = victim;
    expect((await nobody.get("/v1/me", { cookie })).status).toBe(401);
    for (const token of [personal, byOperator, consent.access_token]) expect(await apiSays(token)).toBe(401);
    expect((await refreshGrant(client, consent.refresh_token)).status).toBe(400);
    expect((await exchange(client, code)).status).toBe(400);
  });

  test("and of review links and connects that have begun", async () => {
    expect(await db.$count(reviewLinks, eq(reviewLinks.scheduleId, victim.things.scheduleId))).toBe(0);
    const isOpen = sql`${connectAttempts.stateId} = ${victim.stateId} and ${connectAttempts.expiresAt} > now()`;
    expect(await db.$count(connectAttempts, isOpen)).toBe(0);
  });

  test("and of the secret address of the calendar", async () => {
    expect(await findCalendarAddress(victim.owner)).toBeUndefined();
    expect(page).toContain("The secret address of your calendar was removed.");
  });

  test("links and pages of connects do not start another one", async () => {
    const owner = await newOwner();
    const cookie = await sessionCookie(owner);
    const headers = { cookie, origin: new URL(env.appUrl).origin };
    const newLink = async () => {
      const body = new URLSearchParams({ platform: "X_TWITTER" });
      const answer = await newConnect.POST(new Request(`${env.appUrl}/`, { method: "POST", headers, body }));
      return answer.headers.get("location") ?? "";
    };
    const [unopened, link] = [await newLink(), await newLink()];
    const opened = await connectPage.GET(new Request(link));
    const back = new URL("/oauth/connect/callback/x", env.appUrl);
    back.search = `code=any&${new URLSearchParams({ state: stateIn(opened) })}`;
    const nonce = opened.headers.get("set-cookie")?.split(";")[0] ?? "";

    await reset(owner);
    const params = Promise.resolve({ platform: "x" });
    const pages = [
      await connectPage.GET(new Request(unopened)),
      await connectPage.GET(new Request(link)),
      await callbackPage.GET(new Request(back, { headers: { cookie: nonce } }), { params }),
    ];
    for (const page of pages) {
      expect([page.status, page.headers.get("location")]).toEqual([410, null]);
      expect(await page.text()).not.toContain("whitelabel_state");
    }
  });

  test("webhooks get nothing until the person confirms them", async () => {
    const { owner, things } = victim;
    const url = `https://${things.mark}.invalid/`;
    expect(page).toContain(`The webhook to ${url} gets no events until you confirm that it is yours.`);
    const cookie = { cookie: await sessionCookie(owner), origin: new URL(env.appUrl).origin };
    const path = `/v1/webhooks/${things.webhookId}`;
    const [, held] = await readResponse(nobody.get(path, cookie));
    expect(held).toMatchObject({ enabled: false, disabledReason: expect.stringContaining("Your password was reset") });
    const test = await nobody.post(`${path}/test`, {}, cookie);
    expect(test.status).toBe(409);
    expect(await claimDeliveries(worker, { well: 0, failing: 0 })).toEqual([]);
    const confirmed = await nobody.put(path, { url, events: ["post.deleted"] }, cookie);
    expect([confirmed.status, await confirmed.json()]).toEqual([200, expect.objectContaining({ enabled: true })]);
  });

  test("webhooks that were disabled before are listed too, and keep their reason", async () => {
    const owner = await newOwner();
    const url = `https://${randomUUID()}.invalid/`;
    const { id } = await createEndpoint({ ownerId: owner }, { url, events: ["post.deleted"], enabled: false });
    const disabledReason = "It answered with 410";
    await db.update(webhookEndpoints).set({ disabledReason }).where(eq(webhookEndpoints.id, id));
    expect(await reset(owner)).toContain(`The webhook to ${url} gets no events`);
    const [held] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    expect(held).toMatchObject({ disabledReason, disabledAt: expect.any(String) });
  });

  test("applications of the person go on, and are named with what to check", async () => {
    const owner = await newOwner();
    const given = { redirectUris: ["https://planner.example/callback"] };
    const { clientId } = await createOwnApplication(owner, { ...given, name: "Planner", isPublic: false });
    await createOwnApplication(owner, { ...given, name: "Tool <b>", isPublic: true });
    const page = await reset(owner);
    expect(page).toContain(
      "You registered the application Planner. Check its redirect URIs, and create a new secret if someone else may know it.",
    );
    expect(page).toContain("You registered the application Tool &lt;b&gt;. Check its redirect URIs.");
    expect(await listLiveSecrets(clientId)).toHaveLength(1);
  });

  test("the person gets a mail that lists what was done", async () => {
    const written = await db.select().from(mails).where(eq(mails.ownerId, victim.owner));
    const facts = written.find(({ kind }) => kind === "passwordChanged")?.facts;
    expect(facts).toEqual({ done: expect.arrayContaining([expect.stringContaining(victim.things.mark)]) });
  });

  test("accounts and schedules of a confirmed address stay as they are", async () => {
    expect(await stateOf(victim.things)).toEqual(["ACTIVE", "SCHEDULED", "FAILED"]);
  });
});

/** The state parameter of the network's address. */
function stateIn(opened: Response): string {
  return new URL(opened.headers.get("location") ?? "about:blank").searchParams.get("state") ?? "";
}

async function stateOf({ accountId, scheduleId, failedId }: Things) {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const statusOf = async (id: number) => (await db.select().from(schedules).where(eq(schedules.id, id)))[0]?.status;
  return [account?.state, await statusOf(scheduleId), await statusOf(failedId)];
}

describe("the first reset of an address that was never confirmed", () => {
  test("requires reconnects and turns schedules that have not started into drafts; the second one does not", async () => {
    const { owner, things } = await newVictim();
    for (const platform of ["LINKEDIN", "TELEGRAM"] as const) await connectAccount(owner, platform);
    await unconfirm(owner);
    const page = await reset(owner);
    expect(page).toContain("Scheduled posts became drafts");
    expect(await stateOf(things)).toEqual(["RECONNECT_REQUIRED", "DRAFT", "FAILED"]);
    const others = await db.select().from(accounts).where(eq(accounts.ownerId, owner));
    expect(others.map(({ state }) => state)).toEqual(others.map(() => "RECONNECT_REQUIRED"));
    expect(others.length).toBeGreaterThanOrEqual(3);
    await db.update(schedules).set({ status: "SCHEDULED" }).where(eq(schedules.id, things.scheduleId));
    await db.update(accounts).set({ state: "ACTIVE" }).where(eq(accounts.id, things.accountId));
    await reset(owner);
    expect(await stateOf(things)).toEqual(["ACTIVE", "SCHEDULED", "FAILED"]);
  });
});

describe("403 without a confirmed address", () => {
  const says = { status: 403, message: expect.stringContaining("Confirm your email address") };
  const webhook = { url: "https://example.com/", events: ["post.deleted" as const] };
  const application = { name: "Planner", redirectUris: ["https://planner.example/callback"], isPublic: false };
  const token = { name: "Report", scopes: ["posts.read"], days: 7 };

  test("for a personal token, an application and a webhook", async () => {
    const owner = await newOwner();
    await unconfirm(owner);
    await expect(createOwnToken(owner, token)).rejects.toMatchObject(says);
    await expect(createOwnApplication(owner, application)).rejects.toMatchObject(says);
    await expect(createEndpoint({ ownerId: owner }, webhook)).rejects.toMatchObject(says);
    expect((await createPersonalToken(owner, ["api"])).expires_in).toBe(3600); // the operator may
  });

  test("not for a partner's user", async () => {
    const partner = await newPartner();
    const answer = await partner.post("/v1/connect/users", { externalUserId: randomUUID(), name: "One" });
    const { uuid } = (await answer.json()) as { uuid: string };
    const created = await partner.post("/v1/webhooks", webhook, { "x-connect-user-id": uuid });
    expect(created.status).toBe(201);
  });

  test("a request that was authenticated before a reset creates nothing after it", async () => {
    const owner = await newOwner();
    await reset(owner);
    const before = 0;
    const gone = { status: 401 };
    await expect(createOwnToken(owner, token, before)).rejects.toMatchObject(gone);
    await expect(createOwnApplication(owner, application, before)).rejects.toMatchObject(gone);
    await expect(createEndpoint({ ownerId: owner, sessionEpoch: before }, webhook)).rejects.toMatchObject(gone);
    await expect(createCalendarAddress(owner, before)).rejects.toMatchObject(gone);
    expect(await findCalendarAddress(owner)).toBeUndefined();
    const { scheduleId } = await giveThings({ uuid: owner, externalUserId: "" });
    const links = await db.$count(reviewLinks, eq(reviewLinks.scheduleId, scheduleId));
    await expect(createReviewLink({ ownerId: owner, sessionEpoch: before }, scheduleId, 7)).rejects.toMatchObject(gone);
    expect(await db.$count(reviewLinks, eq(reviewLinks.scheduleId, scheduleId))).toBe(links);
  });

  test("an authenticator app and an account with an app password are not added after a reset either", async () => {
    const owner = await newOwner();
    const session = await newSession(owner);
    const { secret, ticket } = await beginAuthenticator(session.user);
    await reset(owner);
    const adding = addAuthenticator(session, ticket, await codeAt(secret, Date.now()));
    await expect(adding).rejects.toMatchObject({ status: 401 });
    expect((await factorsOf(owner)).authenticatorSince).toBeUndefined();
    const credentials = { account: `${newPerson()}.bsky.test`, password: "sand-box7-pass-word" };
    const { sessionEpoch } = session.user;
    const link = { jti: randomUUID(), redirectUri: `${env.appUrl}/accounts/connected`, sessionEpoch };
    const connecting = connectWithPassword(owner, "BLUE_SKY", credentials, link);
    await expect(connecting).rejects.toMatchObject({ status: 401 });
    expect(await db.select().from(accounts).where(eq(accounts.ownerId, owner))).toEqual([]);
  });
});
