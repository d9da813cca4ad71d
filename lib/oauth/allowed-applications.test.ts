import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, db, feeds, grants, users } from "../db";
import { as, newOwner, nobody, readResponse } from "../testing";
import { createOwnApplication } from ".";
import { flushGrantUses } from "./grants";
import { apiSays, codeFor, exchange, newClient, REDIRECT, refreshGrant, type TestClient, tokensFor } from "./testing";

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
const itemsOf = async (owner: string) =>
  ((await readResponse(as(owner).get("/v1/me/applications")))[1] as { items: { id: string; lastUsedTime: string }[] })
    .items;
const grantOf = async ({ clientId }: TestClient) => {
  const [row] = await db.select().from(grants).where(eq(grants.clientId, clientId));
  if (!row) throw new Error("there is no grant");
  return row;
};

describe("GET /v1/me/applications", () => {
  test("lists each application once, with who registered it, all scopes and the first and last use", async () => {
    const [owner, developer] = [await newOwner(), await newOwner("Ada")];
    await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, developer));
    const [registrar] = await db.select().from(users).where(eq(users.id, developer));
    const input = { name: "A planner", redirectUris: [REDIRECT], isPublic: false };
    const made = await createOwnApplication(developer, input);
    const planner = { clientId: made.clientId, clientSecret: made.clientSecret ?? "", redirectUri: REDIRECT };
    const unused = await newClient();
    await tokensFor(planner, { scope: "service-api/posts.write" }, owner);
    await tokensFor(planner, { scope: "service-api/media.write service-api/posts.write" }, owner);
    await codeFor(unused, {}, owner);
    expect(await itemsOf(await newOwner())).toEqual([]);
    expect(await itemsOf(owner)).toEqual([
      {
        id: planner.clientId,
        name: "A planner",
        registeredBy: { type: "USER", name: "Ada", email: registrar?.email },
        scopes: ["service-api/media.write", "service-api/posts.write"],
        allowedTime: TIME,
        firstUsedTime: TIME,
        lastUsedTime: TIME,
      },
      {
        id: unused.clientId,
        name: "Test app",
        registeredBy: { type: "OPERATOR" },
        scopes: ["service-api/posts.read", "service-api/posts.write"],
        allowedTime: TIME,
      },
    ]);
  });

  test("records the last use of a token at most once a minute, after the answer", async () => {
    const [owner, client] = [await newOwner(), await newClient()];
    const { access_token } = await tokensFor(client, {}, owner);
    expect((await grantOf(client)).lastUsedAt).toBeNull();
    expect(await apiSays(access_token)).toBe(200);
    await flushGrantUses();
    const first = (await grantOf(client)).lastUsedAt;
    expect(first).not.toBeNull();
    expect(await apiSays(access_token)).toBe(200);
    await flushGrantUses();
    expect((await grantOf(client)).lastUsedAt).toBe(first);
  });
});

describe("DELETE /v1/me/applications/{id}", () => {
  test("204: access tokens, refresh tokens and codes of every consent end at once, but no one else's", async () => {
    const [owner, other, client] = [await newOwner(), await newOwner(), await newClient()];
    const [one, two] = [await tokensFor(client, {}, owner), await tokensFor(client, {}, owner)];
    const [code, theirs] = [await codeFor(client, {}, owner), await tokensFor(client, {}, other)];
    for (const { access_token } of [one, two, theirs]) expect(await apiSays(access_token)).toBe(200);

    expect(await readResponse(as(owner).delete(`/v1/me/applications/${client.clientId}`))).toEqual([204, ""]);

    for (const { access_token } of [one, two]) expect(await apiSays(access_token)).toBe(401);
    expect(await readResponse(refreshGrant(client, two.refresh_token))).toMatchObject([
      400,
      { error: "invalid_grant" },
    ]);
    expect(await readResponse(exchange(client, code))).toMatchObject([400, { error: "invalid_grant" }]);
    expect(await apiSays(theirs.access_token)).toBe(200);
    expect([await itemsOf(owner), (await itemsOf(other)).map(({ id }) => id)]).toEqual([[], [client.clientId]]);
    const answer = await readResponse(as(owner).delete(`/v1/me/applications/${client.clientId}`));
    expect(answer).toEqual([404, { error: `Application not found: ${client.clientId}` }]);
  });

  test("204: webhooks that the application created, changed or gave a new secret stop, and the owner's own do not", async () => {
    const [owner, client] = [await newOwner(), await newClient()];
    await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, owner));
    const { access_token } = await tokensFor(client, { scope: "service-api/webhooks.write" }, owner);
    const application = { authorization: `Bearer ${access_token}` };
    const input = (name: string) => ({ url: `https://93.184.216.34/${name}`, events: ["post.completed"] });
    const idOf = async (answer: Promise<Response>) => ((await readResponse(answer))[1] as { id: number }).id;
    const own = await idOf(as(owner).post("/v1/webhooks", input("own")));
    const changed = await idOf(as(owner).post("/v1/webhooks", input("changed")));
    const rotated = await idOf(as(owner).post("/v1/webhooks", input("rotated")));
    const theirs = await idOf(nobody.post("/v1/webhooks", input("theirs"), application));
    expect((await nobody.put(`/v1/webhooks/${changed}`, input("elsewhere"), application)).status).toBe(200);
    expect((await nobody.post(`/v1/webhooks/${rotated}/rotate-secret`, {}, application)).status).toBe(200);

    await as(owner).delete(`/v1/me/applications/${client.clientId}`);

    const stateOf = async (id: number) => (await readResponse(as(owner).get(`/v1/webhooks/${id}`)))[1];
    for (const id of [theirs, changed, rotated]) {
      expect(await stateOf(id)).toMatchObject({
        enabled: false,
        disabledReason:
          "You revoked the application that created or last changed this webhook. Check its URL, and give it a new secret, because the application may know this one. Then enable it again, or delete it",
      });
    }
    expect(await stateOf(own)).toMatchObject({ enabled: true });
  });

  test("204: feeds that the application added stop and say why, and no others", async () => {
    const [owner, client, other] = [await newOwner(), await newClient(), await newClient()];
    await tokensFor(client, {}, owner);
    const url = "https://bells.example/feed.xml";
    const template = { isDraft: true, publications: [] };
    const values = [client.clientId, other.clientId, null].map((clientId) => ({
      ...{ ownerId: owner, clientId, url, template, epoch: 0 },
      dueAt: "2090-01-01T00:00:00Z",
    }));
    const added = await db.insert(feeds).values(values).returning({ id: feeds.id });

    await as(owner).delete(`/v1/me/applications/${client.clientId}`);

    const rows = await db.select().from(feeds).where(eq(feeds.ownerId, owner)).orderBy(feeds.id);
    expect(rows.map(({ id, dueAt, error }) => ({ id, isDue: dueAt !== null, error }))).toEqual(
      added.map(({ id }, place) => ({
        ...{ id, isDue: place > 0 },
        error: place > 0 ? null : expect.stringMatching(/^You revoked the application that added this feed/),
      })),
    );
  });

  test("consent and its end are in the audit log", async () => {
    const [owner, client] = [await newOwner(), await newClient()];
    await tokensFor(client, { scope: "service-api/posts.read" }, owner);
    await as(owner).delete(`/v1/me/applications/${client.clientId}`);
    const ofOwner = and(eq(auditLog.subject, client.clientId), eq(auditLog.actorId, owner));
    const rows = await db.select().from(auditLog).where(ofOwner).orderBy(auditLog.id);
    expect(rows.map(({ action, details }) => [action, details])).toEqual([
      ["consent.given", { userId: owner, scopes: "posts.read" }],
      ["consent.revoked", { userId: owner }],
    ]);
  });

  test("401 without a credential", async () => {
    expect((await nobody.delete("/v1/me/applications/x")).status).toBe(401);
  });
});
