import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connectWithoutBrowser } from "../connect";
import { accounts, db, destinations, posts, publications, schedules } from "../db";
import { env } from "../env";
import { signedRequest } from "../networks/meta/testing/signed-request";
import type { Platform } from "../platforms";
import { as, connectAccount, newOwner, readResponse } from "../testing";
import { api } from ".";

const META = ["THREADS", "INSTAGRAM", "FACEBOOK"] as const;
const pathOf = (platform: Platform) => `/callbacks/${platform.toLowerCase()}`;
const secretOf = (platform: Platform) => `sandbox-${platform.toLowerCase()}-secret`;

function post(path: string, signed: string): Response | Promise<Response> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return api.request(path, { method: "POST", headers, body: new URLSearchParams({ signed_request: signed }) });
}

async function row(id: number) {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, id));
  if (!account) throw new Error(`account ${id} is gone`);
  return account;
}

/** A connected account, and the ID of its person in Meta's callbacks. */
async function connected(platform: Platform) {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, platform);
  const { networkAccountId, callbackAccountId } = await row(id);
  return { owner, id, person, networkAccountId, meta: callbackAccountId ?? networkAccountId };
}

const second = () => Math.floor(Date.now() / 1000);
const REFUSED = [400, { error: "signed_request was not signed by Meta for this application" }];

describe.each(META)("%s: permission revoked", (platform) => {
  const path = pathOf(platform);

  test("the account must be reconnected, and its tokens are deleted", async () => {
    const { owner, id, meta } = await connected(platform);
    expect(await readResponse(post(path, signedRequest(secretOf(platform), meta)))).toEqual([200, {}]);
    expect(await row(id)).toMatchObject({
      state: "RECONNECT_REQUIRED",
      stateReason: expect.stringContaining("removed Carillon's permission"),
      tokensSealed: null,
      previousTokensSealed: null,
      disconnectedAt: null,
    });
    expect(await readResponse(as(owner).get("/v1/accounts"))).toMatchObject([
      200,
      [{ id, state: "RECONNECT_REQUIRED" }],
    ]);
  });

  test("the person may be named by either ID, because Meta does not document which", async () => {
    const { id, networkAccountId } = await connected(platform);
    expect(await readResponse(post(path, signedRequest(secretOf(platform), networkAccountId)))).toEqual([200, {}]);
    expect(await row(id)).toMatchObject({ state: "RECONNECT_REQUIRED", tokensSealed: null });
  });

  test("a repeated callback changes nothing after the person has reconnected", async () => {
    const { owner, id, person, meta } = await connected(platform);
    const signed = signedRequest(secretOf(platform), meta, { issued_at: second() - 5 });
    await db.update(accounts).set({ stateSince: sql`now() - interval '1 minute'` }).where(eq(accounts.id, id));
    await post(path, signed);
    expect(await row(id)).toMatchObject({ state: "RECONNECT_REQUIRED" });
    expect(await connectWithoutBrowser(owner, platform, person)).toBe(id);
    expect(await readResponse(post(path, signed))).toEqual([200, {}]);
    expect(await row(id)).toMatchObject({ state: "ACTIVE", tokensSealed: expect.any(Buffer) });
  });

  test("a forged callback, or one signed for another Meta application, is rejected and changes nothing", async () => {
    const { id, meta } = await connected(platform);
    const others = META.filter((other) => other !== platform).map((other) => signedRequest(secretOf(other), meta));
    for (const signed of [signedRequest("guessed", meta), "a.b", "", ...others]) {
      expect(await readResponse(post(path, signed))).toEqual(REFUSED);
      expect(await readResponse(post(`${path}/deletion`, signed))).toEqual(REFUSED);
    }
    expect(await row(id)).toMatchObject({ state: "ACTIVE", tokensSealed: expect.any(Buffer) });
  });

  test("answers 200 for an unknown person", async () => {
    expect(await readResponse(post(path, signedRequest(secretOf(platform), "99999999999999999")))).toEqual([200, {}]);
  });
});

describe.each(META)("%s: data deletion requested", (platform) => {
  const path = `${pathOf(platform)}/deletion`;

  test("deletes everything from the network and answers with a status page", async () => {
    const { owner, id, meta, person, networkAccountId } = await connected(platform);
    await published(owner, id, networkAccountId);
    await db.insert(destinations).values({ accountId: id, chatId: "1", title: `${person}'s`, type: "PAGE" });
    const [status, body] = await readResponse(post(path, signedRequest(secretOf(platform), meta)));
    const answer = body as { url: string; confirmation_code: string };
    expect([status, Object.keys(answer)]).toEqual([200, ["url", "confirmation_code"]]);
    expect(answer.confirmation_code).toMatch(/^[A-Za-z0-9]{20,24}$/);
    expect(answer.url).toBe(`${env.appUrl}/callbacks/deletions/${answer.confirmation_code}`);
    const page = await api.request(new URL(answer.url).pathname);
    const text = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain("were deleted");
    expect(text).toContain(answer.confirmation_code);

    const left = await row(id);
    expect(left).toMatchObject({ tokensSealed: null, avatarUrl: null, username: "", callbackAccountId: null });
    expect(left.disconnectedAt).not.toBeNull();
    for (const trace of [person, networkAccountId, meta]) expect(JSON.stringify(left)).not.toContain(trace);
    expect(await db.select().from(destinations).where(eq(destinations.accountId, id))).toEqual([]);
    const own = db.select({ id: publications.id }).from(publications).where(eq(publications.accountId, id));
    const [sent] = await db.select().from(posts).where(sql`${posts.publicationId} in ${own}`);
    expect(sent).toMatchObject({ content: "ours", networkPlace: null, networkPostId: null, permalink: null });
    expect(await readResponse(as(owner).get("/v1/accounts"))).toEqual([200, []]);
  });

  test("a repeated request gets the same code, and an account connected since then is kept", async () => {
    const { owner, id, person, meta } = await connected(platform);
    const signed = signedRequest(secretOf(platform), meta, { issued_at: second() - 5 });
    await db.update(accounts).set({ stateSince: sql`now() - interval '1 minute'` }).where(eq(accounts.id, id));
    const first = await readResponse(post(path, signed));
    const again = await connectWithoutBrowser(owner, platform, person);
    expect(again).not.toBe(id);
    expect(await readResponse(post(path, signed))).toEqual(first);
    expect(await row(again)).toMatchObject({ state: "ACTIVE", tokensSealed: expect.any(Buffer), disconnectedAt: null });
  });

  test("a late request from before the account was connected keeps the account", async () => {
    const { id, meta } = await connected(platform);
    const signed = signedRequest(secretOf(platform), meta, { issued_at: second() - 60 });
    expect((await post(path, signed)).status).toBe(200);
    expect((await post(pathOf(platform), signed)).status).toBe(200);
    expect(await row(id)).toMatchObject({ state: "ACTIVE", tokensSealed: expect.any(Buffer), disconnectedAt: null });
  });

  test("also answers if there is no data", async () => {
    const [, body] = await readResponse(post(path, signedRequest(secretOf(platform), "99999999999999998")));
    const { url } = body as { url: string };
    expect(await (await api.request(new URL(url).pathname)).text()).toContain("had no data about you");
  });
});

test("also deletes the data of a disconnected account", async () => {
  const { owner, id, meta, person } = await connected("FACEBOOK");
  await as(owner).delete(`/v1/accounts/${id}`);
  await post("/callbacks/facebook/deletion", signedRequest(secretOf("FACEBOOK"), meta, { issued_at: second() + 1 }));
  expect(JSON.stringify(await row(id))).not.toContain(person);
});

test.each([
  ["/callbacks/nobody", 404],
  ["/callbacks/nobody/deletion", 404],
  ["/callbacks/x", 404],
  ["/callbacks/tiktok/deletion", 404],
])("%s is not a callback path", async (path, status) => {
  expect((await post(path, "a.b")).status).toBe(status);
});

test.each(["unknown0unknown0unknown0", "..%2f..", "<script>"])("404 page for the unknown code %s", async (code) => {
  const page = await api.request(`/callbacks/deletions/${encodeURIComponent(code)}`);
  expect([page.status, await page.text()]).toEqual([404, expect.not.stringContaining(code)]);
});

test("413 for a body above 64 KB", async () => {
  expect((await post("/callbacks/facebook", "a".repeat(70_000))).status).toBe(413);
});

/** A published post of this account. */
async function published(owner: string, accountId: number, networkPlace: string): Promise<void> {
  const [schedule] = await db.insert(schedules).values({ ownerId: owner, status: "COMPLETED" }).returning();
  const [publication] = await db
    .insert(publications)
    .values({ scheduleId: schedule?.id ?? 0, accountId, position: 0, settings: { type: "X" }, status: "PUBLISHED" })
    .returning();
  const sent = {
    publicationId: publication?.id ?? 0,
    position: 0,
    content: "ours",
    attachmentPaths: [],
    status: "PUBLISHED" as const,
  };
  const live = { networkPlace, networkPostId: "1_2", permalink: "https://example.com/1_2" };
  await db.insert(posts).values({ ...sent, ...live });
}
