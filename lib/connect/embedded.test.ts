import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { embeddedPage } from "../../components/plain/connect/frame";
import { connectSessions, db, users } from "../db";
import { endAllSecrets, getPartner } from "../partners";
import { connect, newOwner, newPartner, told } from "../testing";
import { findUser } from "../users";
import { findConnectSession, openConnectSession, readEmbedded, startEmbeddedConnect } from ".";

const ORIGIN = "https://app.acme.example";

let partner: Awaited<ReturnType<typeof newPartner>>;
let owner: string;
const identity = { "x-connect-external-user-id": "one" };
const created = (body: object) => told(partner.post("/v1/connect/sessions", body, identity));

beforeAll(async () => {
  partner = await newPartner();
  const [, user] = await told(partner.post("/v1/connect/users", { externalUserId: "one", name: "One" }));
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
    expect(await findConnectSession(id)).toBeUndefined();
  });

  test("is refused without naming the page's origin, which anyone could have written", async () => {
    const { id, clientToken } = await newSession();
    const refused = openConnectSession(id, { clientToken, origin: "https://evil.example" });
    await expect(refused).rejects.toThrow(/^The page's origin is not one of the origins of this session$/);
  });

  test("does not work in place of the frame's", async () => {
    const { id, clientToken } = await newSession();
    await openConnectSession(id, { clientToken, origin: ORIGIN });
    await expect(readEmbedded(id, clientToken, null)).rejects.toMatchObject({ status: 401 });
  });
});

describe("the frame", () => {
  test("lists the user's accounts and the networks of the session, and connects only these", async () => {
    await connect(owner, "X_TWITTER");
    const { id, token, list } = await opened({ networks: ["LINKEDIN"] });
    expect(list.networks).toEqual([{ platform: "LINKEDIN", name: "LinkedIn" }]);
    expect(list.accounts).toEqual([
      expect.objectContaining({ platform: "X_TWITTER", network: "X", needsReconnect: false, canReconnect: true }),
    ]);
    await expect(startEmbeddedConnect(id, token, "X_TWITTER")).rejects.toMatchObject({ status: 404 });
    const { url, ticket } = await startEmbeddedConnect(id, token, "LINKEDIN");
    expect(new URL(url).pathname).toBe("/oauth/connect");
    expect((await readEmbedded(id, token, ticket)).attempt).toEqual({ outcome: "not opened" });
  });

  test("offers an account that must be connected again on a network that the session leaves out", async () => {
    const { id: account } = await connect(owner, "THREADS");
    await db.execute(sql`update accounts set state = 'RECONNECT_REQUIRED' where id = ${account}`);
    const { id, token, list } = await opened({ networks: ["LINKEDIN"] });
    expect(list.accounts).toContainEqual(expect.objectContaining({ id: account, needsReconnect: true }));
    expect((await startEmbeddedConnect(id, token, "THREADS")).url).toContain("/oauth/connect?");
  });

  test("is shown only by pages of the session's origins, with the colours of the session", async () => {
    const { id } = await newSession({ origins: [ORIGIN, "http://localhost:4000"], appearance: { accent: "#7a1fa2" } });
    const session = await findConnectSession(id);
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
    await other.post("/v1/connect/users", { externalUserId: "one", name: "One" });
    const [, session] = await told(other.post("/v1/connect/sessions", { origins: [ORIGIN] }, identity));
    const { id: theirs, clientToken } = session as { id: string; clientToken: string };
    const frame = await openConnectSession(theirs, { clientToken, origin: ORIGIN });
    const staff = await findUser(await newOwner());
    if (!staff) throw new Error("the staff member is missing");
    const ended = { ...(await getPartner(other.clientId)), clientId: other.clientId, createdAt: "", roles: [] };
    await endAllSecrets(ended, staff);
    await expect(readEmbedded(theirs, frame.token, null)).rejects.toMatchObject({ status: 401 });
    await readEmbedded(id, token, null); // of another partner
  });

  test("ends for a suspended user", async () => {
    const { id, token } = await opened();
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    await expect(readEmbedded(id, token, null)).rejects.toMatchObject({ status: 403 });
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, owner));
  });
});
