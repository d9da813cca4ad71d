import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { POST } from "@/app/embed/[...path]/route";
import { embeddedPage } from "../../components/plain/connect/frame";
import { connectSessions, db, users } from "../db";
import { env } from "../env";
import { endAllSecrets, getPartner } from "../partners";
import { client, connectAccount, newOwner, newPartner, readResponse } from "../testing";
import { findUser } from "../users";
import { createConnectSession, findConnectSession, openConnectSession, readEmbedded, startEmbeddedConnect } from ".";

const ORIGIN = "https://app.acme.example";

let partner: Awaited<ReturnType<typeof newPartner>>;
let owner: string;
const identity = { "x-connect-external-user-id": "one" };
const created = (body: object) => readResponse(partner.post("/v1/connect/sessions", body, identity));

beforeAll(async () => {
  partner = await newPartner();
  const [, user] = await readResponse(partner.post("/v1/connect/users", { externalUserId: "one", name: "One" }));
  owner = (user as { uuid: string }).uuid;
});

async function newSession(terms: object = {}): Promise<{ id: string; clientToken: string }> {
  const [status, session] = await created({ origins: [ORIGIN], ...terms });
  expect(status).toBe(201);
  return session as { id: string; clientToken: string };
}

const opened = async (terms: object = {}) => {
  const { id, clientToken } = await newSession(terms);
  return { id, ...(await openConnectSession(id, { clientToken, origin: ORIGIN })) };
};

const openedWebhooks = async () => {
  const { id, clientToken } = await newSession({ shows: "webhooks" });
  return { id, ...(await openConnectSession(id, { clientToken, origin: ORIGIN, shows: "webhooks" })) };
};

const end = (id: string) => db.update(connectSessions).set({ expiresAt: sql`now()` }).where(eq(connectSessions.id, id));

describe("POST /v1/connect/sessions", () => {
  test("answers with a token for the page and the time ten minutes from now, in the form of all times", async () => {
    const [status, answer] = await created({ origins: [ORIGIN] });
    expect(status).toBe(201);
    const session = answer as { id: string; clientToken: string };
    const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
    expect(session).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientToken: expect.stringMatching(new RegExp(`^${session.id}\\.[\\w-]{43}$`)),
      expiresTime: expect.stringMatching(TIME),
    });
    const [row] = await db
      .select({
        seconds: sql<number>`extract(epoch from expires_at - created_at)::int`,
        hash: connectSessions.tokenHash,
      })
      .from(connectSessions)
      .where(eq(connectSessions.id, session.id));
    expect(row?.seconds).toBe(600);
    expect(row?.hash.toString("latin1")).not.toContain(session.clientToken);
  });

  test.each([
    [{ origins: [] }, /^origins /],
    [{ origins: ["http://app.acme.example"] }, "origins[0] must be https (http only on a loopback host)"],
    [
      { origins: ["https://app.acme.example/x"] },
      "origins[0] must be an origin without a path: https://app.acme.example",
    ],
    [{ origins: ["https://*.acme.example"] }, "origins[0] must name one host"],
    [{ origins: ["*"] }, "origins[0] must be the origin of a page, such as https://app.example.com"],
    [{ origins: ["https://a.example;script-src"] }, "origins[0] must name one host"],
    [{ origins: ["https://a.example,b.example"] }, "origins[0] must name one host"],
    [{ origins: [ORIGIN], networks: ["BLUE_SKY"] }, /^networks\[0\] /],
    [{ origins: [ORIGIN], appearance: { accent: "#ffff00" } }, /^appearance\.accent is not readable on a light page/],
    [{ origins: [ORIGIN], appearance: { accent: "red" } }, "appearance.accent must be a colour such as #0b655c"],
    [{ origins: [ORIGIN], appearance: { cornerRadius: 99 } }, /^appearance\.cornerRadius /],
    [{ origins: [ORIGIN], appearance: { css: "x" } }, /^appearance/],
    [{ origins: [ORIGIN], shows: "posts" }, /^shows /],
    [
      { origins: [ORIGIN], shows: "webhooks", networks: ["X_TWITTER"] },
      "networks is only for a session that shows accounts",
    ],
  ])("refuses %j", async (body, error) => {
    expect(await created(body)).toEqual([
      400,
      expect.objectContaining({ error: error instanceof RegExp ? expect.stringMatching(error) : error }),
    ]);
  });
});

describe("the token of the page", () => {
  test("is exchanged once, only for the session it belongs to, and only by an allowed page", async () => {
    const { id, clientToken } = await newSession();
    const other = await newSession();
    for (const wrong of [other.id, "x", ""])
      await expect(openConnectSession(wrong, { clientToken, origin: ORIGIN })).rejects.toMatchObject({ status: 401 });
    await expect(openConnectSession(id, { clientToken, origin: "https://evil.example" })).rejects.toMatchObject({
      status: 403,
    });
    const results = await Promise.allSettled([1, 2].map(() => openConnectSession(id, { clientToken, origin: ORIGIN })));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(openConnectSession(id, { clientToken, origin: ORIGIN })).rejects.toMatchObject({ status: 409 });
  });

  test("is refused after ten minutes, and so is the token of the frame", async () => {
    const { id, clientToken } = await newSession();
    await end(id);
    await expect(openConnectSession(id, { clientToken, origin: ORIGIN })).rejects.toMatchObject({ status: 401 });
    const session = await opened();
    await readEmbedded(session.id, session.token, null);
    await end(session.id);
    await expect(readEmbedded(session.id, session.token, null)).rejects.toMatchObject({ status: 401 });
    await expect(startEmbeddedConnect(session.id, session.token, "X_TWITTER")).rejects.toMatchObject({ status: 401 });
  });

  test.each(["x", "\0", "00000000-0000-0000-0000-00000000000g"])("is refused for the session %j", async (id) => {
    const { clientToken } = await newSession();
    const calls = [
      () => openConnectSession(id, { clientToken, origin: ORIGIN }),
      () => readEmbedded(id, clientToken, null),
      () => startEmbeddedConnect(id, clientToken, "LINKEDIN"),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 401 });
    for (const shows of ["accounts", "webhooks"] as const) expect(await findConnectSession(id, shows)).toBeUndefined();
  });

  test("is refused without naming the page's origin, which anyone could have written", async () => {
    const { id, clientToken } = await newSession();
    const refused = openConnectSession(id, { clientToken, origin: "https://evil.example" });
    await expect(refused).rejects.toThrow(/^The page's origin is not one of the origins of this session$/);
  });

  test.each([
    ["connect", "open", "accounts"],
    ["connect", "links", "accounts"],
    ["webhooks", "open", "webhooks"],
  ])("is refused at /embed/%s/…/%s for every caller but the frame, and stays unused", async (area, what, shows) => {
    const { id, clientToken } = await newSession({ shows });
    const call = async (action: string, origin?: string) => {
      const request = new Request(`${env.appUrl}/embed/${area}/${id}/${action}`, {
        method: "POST",
        headers: origin ? { origin } : {},
        body: JSON.stringify({ clientToken, origin: ORIGIN, platform: "X_TWITTER" }),
      });
      return readResponse(await POST(request, { params: Promise.resolve({ path: [area, id, action] }) }));
    };
    for (const origin of [ORIGIN, `${env.appUrl}.evil.example`, "null", undefined])
      expect([origin, await call(what, origin)]).toEqual([origin, [400, { error: "Only the frame can call this" }]]);
    expect(await call("open", new URL(env.appUrl).origin)).toEqual([
      200,
      expect.objectContaining({ token: expect.any(String) }),
    ]);
  });

  test("does not work in place of the frame's", async () => {
    const { id, clientToken } = await newSession();
    await openConnectSession(id, { clientToken, origin: ORIGIN });
    await expect(readEmbedded(id, clientToken, null)).rejects.toMatchObject({ status: 401 });
  });
});

describe("the frame", () => {
  test("lists the user's accounts and the networks of the session, and connects only these", async () => {
    await connectAccount(owner, "X_TWITTER");
    const { id, token, list } = await opened({ networks: ["LINKEDIN"] });
    expect(list?.networks).toEqual([{ platform: "LINKEDIN", name: "LinkedIn" }]);
    expect(list?.accounts).toEqual([
      expect.objectContaining({ platform: "X_TWITTER", network: "X", needsReconnect: false, canReconnect: true }),
    ]);
    await expect(startEmbeddedConnect(id, token, "X_TWITTER")).rejects.toMatchObject({ status: 404 });
    const { url, ticket } = await startEmbeddedConnect(id, token, "LINKEDIN");
    expect(new URL(url).pathname).toBe("/oauth/connect");
    expect((await readEmbedded(id, token, ticket)).attempt).toEqual({ outcome: "not opened" });
  });

  test("offers an account that must be connected again on a network that the session leaves out", async () => {
    const { id: account } = await connectAccount(owner, "THREADS");
    await db.execute(sql`update accounts set state = 'RECONNECT_REQUIRED' where id = ${account}`);
    const { id, token, list } = await opened({ networks: ["LINKEDIN"] });
    expect(list?.accounts).toContainEqual(expect.objectContaining({ id: account, needsReconnect: true }));
    expect((await startEmbeddedConnect(id, token, "THREADS")).url).toContain("/oauth/connect?");
  });

  test("is shown only by pages of the session's origins, with the colours of the session", async () => {
    const { id } = await newSession({ origins: [ORIGIN, "http://localhost:4000"], appearance: { accent: "#7a1fa2" } });
    const session = await findConnectSession(id, "accounts");
    if (!session) throw new Error("the session is missing");
    const page = embeddedPage(session, "en");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/; frame-ancestors https:\/\/app\.acme\.example http:\/\/localhost:4000$/);
    expect(policy).toContain("default-src 'none'");
    expect(page.headers.get("x-frame-options")).toBeNull();
    expect(await page.text()).toContain("--accent:#7a1fa2");
  });

  test("ends when staff ends every secret and token of its partner", async () => {
    const { id, token } = await opened();
    const other = await newPartner();
    const [, one] = await readResponse(other.post("/v1/connect/users", { externalUserId: "one", name: "One" }));
    const [, session] = await readResponse(other.post("/v1/connect/sessions", { origins: [ORIGIN] }, identity));
    const { id: theirs, clientToken } = session as { id: string; clientToken: string };
    const frame = await openConnectSession(theirs, { clientToken, origin: ORIGIN });
    const staff = await findUser(await newOwner());
    if (!staff) throw new Error("the staff member is missing");
    const ended = { ...(await getPartner(other.clientId)), clientId: other.clientId, createdAt: "", roles: [] };
    await endAllSecrets(ended, staff);
    await expect(readEmbedded(theirs, frame.token, null)).rejects.toMatchObject({ status: 401 });
    await readEmbedded(id, token, null); // of another partner

    // A call that was under way stores its session only now.
    const late = await createConnectSession((one as { uuid: string }).uuid, { origins: [ORIGIN] });
    const opening = openConnectSession(late.id, { clientToken: late.clientToken, origin: ORIGIN });
    await expect(opening).rejects.toMatchObject({ status: 401 });
  });

  test("ends for a suspended user", async () => {
    const { id, token } = await opened();
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    await expect(readEmbedded(id, token, null)).rejects.toMatchObject({ status: 403 });
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, owner));
  });
});

describe("the list of webhooks", () => {
  const HOOK = { url: "https://hooks.acme.example/carillon", events: ["post.completed"] };
  const withToken = (token: string) => client(async () => ({ authorization: `Bearer ${token}` }));

  test("calls every route of webhooks for its user, and no other route", async () => {
    const { token, list } = await openedWebhooks();
    expect(list).toBeUndefined();
    const frame = withToken(token);
    const [status, created] = await readResponse(frame.post("/v1/webhooks", HOOK));
    expect([status, created]).toEqual([
      201,
      expect.objectContaining({ ...HOOK, secret: expect.stringMatching(/^whsec_/) }),
    ]);
    const { id } = created as { id: number };
    const path = `/v1/webhooks/${id}`;
    expect(await readResponse(frame.get("/v1/webhooks"))).toEqual([
      200,
      { items: [expect.objectContaining({ id })], nextCursor: null },
    ]);
    expect((await frame.put(path, { ...HOOK, enabled: false })).status).toBe(200);
    expect((await frame.put(path, HOOK)).status).toBe(200);
    expect((await frame.post(`${path}/rotate-secret`, {})).status).toBe(200);
    const [, sent] = await readResponse(frame.post(`${path}/test`, {}));
    expect((await frame.get(`${path}/deliveries`)).status).toBe(200);
    expect((await frame.post(`${path}/deliveries/${(sent as { id: string }).id}/redeliver`, {})).status).toBe(200);
    // The partner sees the same webhook, and the user's other things are out of reach.
    expect(await readResponse(partner.get(path, identity))).toEqual([200, expect.objectContaining({ id })]);
    for (const other of ["/v1/events", "/v1/accounts", "/v1/posts", "/v1/me", "/v1/connect/users"])
      expect([other, (await frame.get(other)).status]).toEqual([other, 401]);
    expect((await frame.delete(path)).status).toBe(204);
  });

  test("reaches only the webhooks of its own user, and takes no other user's name", async () => {
    await partner.post("/v1/connect/users", { externalUserId: "two", name: "Two" });
    const theirs = { "x-connect-external-user-id": "two" };
    const [, hook] = await readResponse(partner.post("/v1/webhooks", HOOK, theirs));
    const [, ofPartner] = await readResponse(partner.post("/v1/webhooks", HOOK));
    const { token } = await openedWebhooks();
    const frame = withToken(token);
    expect(await readResponse(frame.get("/v1/webhooks"))).toEqual([200, { items: [], nextCursor: null }]);
    for (const { id } of [hook, ofPartner] as { id: number }[])
      expect((await frame.get(`/v1/webhooks/${id}`)).status).toBe(404);
    expect((await frame.get("/v1/webhooks", theirs)).status).toBe(403);
    expect((await frame.get("/v1/webhooks", identity)).status).toBe(403);
  });

  test("ends with its session and with its user's or partner's permission, and each refusal says why", async () => {
    const { id, token } = await openedWebhooks();
    const frame = withToken(token);
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    expect((await frame.get("/v1/webhooks")).status).toBe(403);
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, owner));
    expect((await frame.get("/v1/webhooks")).status).toBe(200);
    for (const wrong of ["frame.", `frame.${id}`, `frame.${id}.x`, "frame.x.y", `frame.${id}.${token.slice(-43)}.x`])
      expect([wrong, (await withToken(wrong).get("/v1/webhooks")).status]).toEqual([wrong, 401]);
    await end(id);
    const ended = "This session has ended or its token is wrong. Create a new one with POST /v1/connect/sessions";
    expect(await readResponse(frame.get("/v1/webhooks"))).toEqual([401, expect.objectContaining({ error: ended })]);
  });

  test("and the list of accounts need a session and a token of their own", async () => {
    const accounts = await newSession();
    const webhooks = await newSession({ shows: "webhooks" });
    const options = { origin: ORIGIN };
    await expect(
      openConnectSession(accounts.id, { ...options, clientToken: accounts.clientToken, shows: "webhooks" }),
    ).rejects.toMatchObject({ status: 401 });
    await expect(
      openConnectSession(webhooks.id, { ...options, clientToken: webhooks.clientToken, shows: "accounts" }),
    ).rejects.toMatchObject({ status: 401 });
    expect(await findConnectSession(accounts.id, "webhooks")).toBeUndefined();
    expect(await findConnectSession(webhooks.id, "accounts")).toBeUndefined();
    const { id, token } = await opened();
    expect((await withToken(`frame.${id}.${token}`).get("/v1/webhooks")).status).toBe(401);
    const hooks = await openedWebhooks();
    for (const one of [hooks.token, hooks.token.slice(-43)])
      await expect(readEmbedded(hooks.id, one, null)).rejects.toMatchObject({ status: 401 });
  });
});
