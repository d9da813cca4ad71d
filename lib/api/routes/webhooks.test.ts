import { randomUUID } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { beforeEach, describe, expect, test } from "vitest";
import { applications, db, users, webhookDeliveries, webhookEarlierSecrets, webhookEndpoints } from "../../db";
import { webhooksLockText } from "../../db/locks";
import { listenForIntruders } from "../../http/testing/canary";
import type { Asked } from "../../http/testing/file-server";
import { hostileUrls } from "../../http/testing/hostile-urls";
import { newClient, tokensFor } from "../../oauth/testing";
import {
  as,
  delivered,
  deliveriesOf,
  newOwner,
  newPartner,
  newWebhookReceiver,
  nobody,
  readResponse,
  withDeliveries,
  withReceivers,
} from "../../testing";
import { whileTurnTaken } from "../../testing/held";
import { type Endpoint, emit } from "../../webhooks";
import { type ClaimedDelivery, claimDeliveries } from "../../webhooks/claim";
import { releaseDeliveries } from "../../webhooks/deliver";
import { createWebhookSecret, sealSecret } from "../../webhooks/secret";
import { sendDelivery } from "../../webhooks/send";

const disabled: Endpoint[] = [];
withDeliveries({ onDisabled: async (_, endpoint) => void disabled.push(endpoint) });
const receiver = withReceivers(9);
beforeEach(() => {
  disabled.length = 0;
});

const EVENT = "post.scheduled";

async function owned() {
  const id = await newOwner();
  return { id, client: as(id), tell: (data: object = {}) => emit(db, [{ ownerId: id, type: EVENT, data }]) };
}

const headersOf = ({ headers }: Asked) => headers as { [name: string]: string };
const verify = (secret: string, asked: Asked) => new Webhook(secret).verify(asked.body, headersOf(asked));
const idsOf = (all: Asked[]) => new Set(all.map(({ headers }) => headers["webhook-id"]));

/** Makes waiting deliveries due now. Finished ones are not sent again. */
const hurry = (webhookId: number) =>
  db
    .update(webhookDeliveries)
    .set({ dueAt: sql`now()` })
    .where(and(eq(webhookDeliveries.endpointId, webhookId), eq(webhookDeliveries.state, "PENDING")));

const change = (webhookId: number, set: Partial<{ [C in keyof Endpoint]: unknown }>) =>
  db
    .update(webhookEndpoints)
    .set(set as object)
    .where(eq(webhookEndpoints.id, webhookId));

describe("a delivery", () => {
  test("is verified by public libraries over the exact bytes, and equals the event of the log", async () => {
    const { client, tell } = await owned();
    const hook = receiver();
    const { secret } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await tell({ id: 1, content: "Grüße 🔔" });
    const [asked] = await hook.received(1);
    if (!asked) throw new Error("nothing came");
    const [, log] = await readResponse(client.get("/v1/events"));
    const [{ id: _, ...event }] = (log as { items: [{ id: string }] }).items;
    expect(verify(secret, asked)).toEqual(event);
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = headersOf(asked);
    const asSvix = { "svix-id": id, "svix-timestamp": at, "svix-signature": signature } as { [name: string]: string };
    expect(new Svix(secret).verify(asked.body, asSvix)).toEqual(event);
    expect(asked).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
    expect(() => verify(secret, { ...asked, body: asked.body.replace("Grüße", "Grusse") })).toThrow("signature");
  });

  test("is sent once to each subscribed endpoint, and to no one else's", async () => {
    const { client, tell } = await owned();
    const stranger = await owned();
    const [one, two, other, foreign] = [receiver(), receiver(), receiver(), receiver()];
    await newWebhookReceiver(client, one.url, [EVENT, EVENT]);
    await newWebhookReceiver(client, two.url, ["post.failed", EVENT]);
    await newWebhookReceiver(client, other.url, ["post.failed"]);
    await newWebhookReceiver(stranger.client, foreign.url, [EVENT]);
    await tell();
    const both = [...(await one.received(1)), ...(await two.received(1))];
    expect(idsOf(both).size).toBe(2);
    await stranger.tell(); // an earlier delivery would have arrived before this one
    await foreign.received(1);
    expect([one, two, other, foreign].map(({ had }) => had().length)).toEqual([1, 1, 0, 1]);
  });

  test("is retried with the same ID and body until accepted, and never follows a redirect", async () => {
    const { client, tell } = await owned();
    const elsewhere = receiver();
    const hook = receiver((_, response, visit) => {
      if (visit === 0) response.writeHead(500).end("broken");
      else if (visit === 1) response.writeHead(302, { location: elsewhere.url }).end();
      else response.writeHead(200).end("thanks");
    });
    const { id, secret } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await tell({ id: 1 });
    await hook.received(1);
    await expect.poll(() => hurry(id).then(() => hook.had().length), { timeout: 45_000 }).toBeGreaterThan(2);
    const seen = await delivered(client, id, { state: "DELIVERED" });
    expect(seen.attempts).toMatchObject([
      { status: 500, answer: "broken", error: "The endpoint answered 500" },
      { status: 302, error: "The endpoint answered 302; redirects are not followed" },
      { status: 200, answer: "thanks" },
    ]);
    expect([elsewhere.had().length, idsOf(hook.had())]).toEqual([0, new Set([seen.id])]);
    for (const asked of hook.had()) expect([verify(secret, asked), asked.body]).toEqual([expect.anything(), seen.body]);
  });

  test("waits as long as Retry-After says", async () => {
    const { client, tell } = await owned();
    const hook = receiver((_, response) => response.writeHead(429, { "retry-after": "3000" }).end());
    const { id } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await tell();
    const { nextAttemptTime } = await delivered(client, id, {
      attempts: [{ status: 429 }],
      nextAttemptTime: expect.any(String),
    });
    const { rows } = await db.execute<{ wait: number }>(
      sql`select extract(epoch from ${nextAttemptTime}::timestamptz - clock_timestamp())::float8 as wait`,
    );
    expect(rows[0]?.wait).toBeGreaterThan(2_900);
  });

  test("fails visibly after the tenth attempt", async () => {
    const { client, tell } = await owned();
    const hook = receiver((_, response) => response.writeHead(503).end());
    const { id } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await tell();
    for (let attempt = 1; attempt < 10; attempt++) {
      // The second attempt follows within 100 ms, so there may be more by now.
      await expect
        .poll(() => deliveriesOf(client, id).then(([one]) => one?.attempts.length))
        .toBeGreaterThanOrEqual(attempt);
      await hurry(id);
    }
    const { attempts, nextAttemptTime } = await delivered(client, id, { state: "FAILED" });
    expect([attempts.length, nextAttemptTime]).toEqual([10, undefined]);
  });

  test("of a dead worker is sent by another one, with the same ID", async () => {
    const { client, tell } = await owned();
    const hook = receiver((_, response, visit) => {
      if (visit > 0) response.writeHead(204).end();
    });
    const { id } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await tell();
    await hook.received(1);
    const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.endpointId, id));
    await releaseDeliveries(db, row?.claimWorker ?? randomUUID());
    const [first, second] = await hook.received(2);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    await delivered(client, id, { state: "DELIVERED" });
  });

  test("stores only the beginning of a response, without possible secrets", async () => {
    const { client, tell } = await owned();
    let secret = "";
    const hook = receiver(({ headers }, response) =>
      response
        .writeHead(400, { "retry-after": "3000" }) // keeps it at one attempt, however late the test looks
        .end(`${headers["webhook-signature"]} ${secret} Bearer abcdefgh12345 ${"x".repeat(9_000)}`),
    );
    const made = await newWebhookReceiver(client, hook.url, [EVENT]);
    secret = made.secret;
    await tell();
    const { attempts } = await delivered(client, made.id, { attempts: [{ status: 400 }] });
    const [{ answer = "", headers } = { headers: {} }] = attempts;
    expect(answer).toMatch(/^… … … x+$/);
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(4_096);
    expect(headers["webhook-signature"]).toBe("v1,…");
  });

  test("is not sent for a suspended owner, and is sent after resuming", async () => {
    const { id: owner, client, tell } = await owned();
    const hook = receiver();
    await newWebhookReceiver(client, hook.url, [EVENT]);
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    await tell();
    const witness = await owned();
    const seen = receiver();
    await newWebhookReceiver(witness.client, seen.url, [EVENT]);
    await witness.tell();
    await seen.received(1);
    expect(hook.had()).toEqual([]);
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, owner));
    await hook.received(1);
  });
});

describe("an endpoint of an application", () => {
  async function added(owner: string, url: string) {
    const application = await newClient();
    const tokens = await tokensFor(application, { scope: "service-api/webhooks.write" }, owner);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const [status, body] = await readResponse(nobody.post("/v1/webhooks", { url, events: [EVENT] }, headers));
    expect([status, body]).toEqual([201, expect.any(Object)]);
    return { ...application, token: tokens.refresh_token, id: (body as { id: number }).id };
  }

  test("is disabled once the application has ended its own permission, and the owner's own one is not", async () => {
    const { id: owner, client, tell } = await owned();
    const [hook, own] = [receiver(), receiver()];
    const { id, token, clientId, clientSecret } = await added(owner, hook.url);
    await newWebhookReceiver(client, own.url, [EVENT]);
    await tell();
    await hook.received(1);
    await nobody.post("/oauth/revoke", { token, client_id: clientId, client_secret: clientSecret });
    await tell();
    await own.received(2);
    expect((await readResponse(client.get(`/v1/webhooks/${id}`)))[1]).toMatchObject({
      enabled: false,
      disabledReason: expect.stringMatching(/^The application that created or last changed this webhook may not act/),
    });
    expect(await deliveriesOf(client, id)).toHaveLength(1);
  });

  test("waits while the operator has suspended the application", async () => {
    const { id: owner, client, tell } = await owned();
    const [hook, own] = [receiver(), receiver()];
    const { clientId } = await added(owner, hook.url);
    await newWebhookReceiver(client, own.url, [EVENT]);
    const suspend = (suspendedAt: SQL | null) =>
      db.update(applications).set({ suspendedAt }).where(eq(applications.clientId, clientId));
    await suspend(sql`now()`);
    await tell();
    await own.received(1);
    expect(hook.had()).toEqual([]);
    await suspend(null);
    await hook.received(1);
  });
});

describe("an endpoint", () => {
  test("that hangs delays no one else, and gets one call at a time once it has failed", async () => {
    const { client, tell } = await owned();
    const hanging = receiver(() => {});
    const good = receiver();
    const { id } = await newWebhookReceiver(client, hanging.url, [EVENT]);
    await newWebhookReceiver(client, good.url, [EVENT]);
    await change(id, { failingSince: sql`now()`, allowance: 1 });
    for (let n = 0; n < 30; n++) await tell({ n });
    await good.received(30);
    expect(hanging.had().length).toBe(1);
  });

  test("that answers 410 is disabled at once with its pending deliveries, and its owner is notified", async () => {
    const { client, tell } = await owned();
    let answer = () => {};
    const allWait = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const hook = receiver((_, response) => allWait.then(() => response.writeHead(410).end()));
    const { id } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await change(id, { allowance: 1 });
    for (let n = 0; n < 3; n++) await tell({ n });
    await hook.received(1);
    // Written in log order, and none for an endpoint that is disabled by then.
    await expect.poll(() => deliveriesOf(client, id)).toHaveLength(3);
    answer();
    await expect
      .poll(() => readResponse(client.get(`/v1/webhooks/${id}`)), { timeout: 45_000 })
      .toMatchObject([200, { enabled: false, disabledReason: expect.stringContaining("410 Gone") }]);
    await expect
      .poll(async () => (await deliveriesOf(client, id)).map(({ state }) => state), { timeout: 45_000 })
      .toEqual(["FAILED", "FAILED", "FAILED"]);
    expect(hook.had().length).toBe(1);
    expect(disabled).toMatchObject([{ id, url: hook.url }]);
    expect(await readResponse(client.post(`/v1/webhooks/${id}/test`, {}))).toEqual([
      409,
      { error: `Webhook ${id} is disabled; enable it first` },
    ]);
  });

  test("is disabled only after five days of failures, and a PUT enables it again", async () => {
    const { client, tell } = await owned();
    const hook = receiver((_, response, visit) => response.writeHead(visit === 0 ? 500 : 204).end());
    const { id } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await change(id, { failingSince: sql`now() - interval '5 days' / 60 + interval '1 minute'` });
    await tell();
    await hook.received(1);
    const [still] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    expect(still?.disabledAt).toBeNull();
    const failing = receiver((_, response) => response.writeHead(500).end());
    const other = await newWebhookReceiver(client, failing.url, [EVENT]);
    await change(other.id, { failingSince: sql`now() - interval '5 days' / 60` });
    await tell();
    await expect
      .poll(() => readResponse(client.get(`/v1/webhooks/${other.id}`)), { timeout: 45_000 })
      .toMatchObject([200, { enabled: false, disabledReason: expect.stringContaining("five days") }]);
    expect(disabled).toMatchObject([{ id: other.id }]);
    const body = { url: failing.url, events: [EVENT] };
    const [, again] = await readResponse(client.put(`/v1/webhooks/${other.id}`, body));
    expect(again).toMatchObject({ enabled: true });
    expect(again).not.toHaveProperty("disabledReason");
  });

  test("gets signatures of the old and the new secret for 24 hours", async () => {
    const { client, tell } = await owned();
    const hook = receiver();
    const { id, secret: old } = await newWebhookReceiver(client, hook.url, [EVENT]);
    const [status, rotated] = await readResponse(client.post(`/v1/webhooks/${id}/rotate-secret`, {}));
    const { secret } = rotated as { secret: string };
    expect([status, secret === old]).toEqual([200, false]);
    await tell();
    const [both] = await hook.received(1);
    if (!both) throw new Error("nothing came");
    expect([verify(old, both), verify(secret, both)]).toEqual([expect.anything(), expect.anything()]);
    const mine = eq(webhookEarlierSecrets.endpointId, id);
    const [earlier] = await db
      .select({ hours: sql<number>`extract(epoch from expires_at - now())::float8 / 3600` })
      .from(webhookEarlierSecrets)
      .where(mine);
    expect(earlier?.hours).toBeCloseTo(24, 1);
    await db.update(webhookEarlierSecrets).set({ expiresAt: sql`now()` }).where(mine);
    await tell();
    const [, later] = await hook.received(2);
    if (!later) throw new Error("nothing came");
    expect(() => verify(old, later)).toThrow("signature");
    expect(verify(secret, later)).toEqual(expect.anything());
  });

  test("gets signatures of every secret of the last 24 hours, however often it was rotated, up to ten", async () => {
    const { client, tell } = await owned();
    const hook = receiver();
    const { id, secret: first } = await newWebhookReceiver(client, hook.url, [EVENT]);
    const rotate = () => readResponse(client.post(`/v1/webhooks/${id}/rotate-secret`, {}));
    const [[, second], [, third]] = [await rotate(), await rotate()];
    await tell();
    const [request] = await hook.received(1);
    if (!request) throw new Error("nothing came");
    for (const { secret } of [{ secret: first }, second as { secret: string }, third as { secret: string }])
      expect(verify(secret, request)).toEqual(expect.anything());
    for (let n = 3; n <= 10; n += 1) expect((await rotate())[0]).toBe(200);
    expect(await rotate()).toEqual([
      409,
      {
        error: `Webhook ${id} has 10 earlier secrets that still sign, and the limit is 10. Rotate it again when the oldest one has expired, 24 hours after its rotation`,
      },
    ]);
  });

  test("whose URL was changed is not disabled by a late 410 of its old URL, and the delivery goes to the new one", async () => {
    const { client, tell } = await owned();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const old = receiver((_, response) => held.then(() => response.writeHead(410).end()));
    const { id } = await newWebhookReceiver(client, old.url, [EVENT]);
    await tell();
    await old.received(1);
    const moved = receiver();
    expect((await client.put(`/v1/webhooks/${id}`, { url: moved.url, events: [EVENT] })).status).toBe(200);
    answer();
    const delivery = await delivered(client, id, { state: "DELIVERED" });
    expect(delivery.attempts.map(({ status }) => status)).toEqual([410, 204]);
    expect(await readResponse(client.get(`/v1/webhooks/${id}`))).toMatchObject([
      200,
      { enabled: true, url: moved.url },
    ]);
    const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    expect([row?.failingSince, disabled]).toEqual([null, []]);
  });

  test("gets no events from before its creation or after its deletion", async () => {
    const { client, tell } = await owned();
    await tell({ n: 1 });
    const hook = receiver();
    const { id } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await tell({ n: 2 });
    expect((await hook.received(1)).map(({ body }) => JSON.parse(body).data)).toEqual([{ n: 2 }]);
    expect((await client.delete(`/v1/webhooks/${id}`)).status).toBe(204);
    const kept = receiver();
    await newWebhookReceiver(client, kept.url, [EVENT]);
    await tell({ n: 3 });
    await kept.received(1);
    expect(hook.had().length).toBe(1);
  });

  test("409 for a 51st one", async () => {
    const { id, client } = await owned();
    const hook = receiver();
    const create = () => readResponse(client.post("/v1/webhooks", { url: hook.url, events: [EVENT] }));
    const first = await Promise.all(Array.from({ length: 48 }, create));
    expect(first.filter(([status]) => status !== 201)).toEqual([]);
    const last = await whileTurnTaken(webhooksLockText(id), [create, create, create, create]);
    expect(last.map(([status]) => status).sort()).toEqual([201, 201, 409, 409]);
  });

  test("has no description if that is white space", async () => {
    const { client } = await owned();
    const body = { url: receiver().url, events: [EVENT], description: " \n" };
    const [status, made] = await readResponse(client.post("/v1/webhooks", body));
    expect([status, Object.keys(made as object)]).toEqual([201, expect.not.arrayContaining(["description"])]);
  });

  test("shows its secret only when it is created or rotated", async () => {
    const { client } = await owned();
    const { id, secret } = await newWebhookReceiver(client, receiver().url, [EVENT]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [, one] = await readResponse(client.get(`/v1/webhooks/${id}`));
    const [, list] = await readResponse(client.get("/v1/webhooks"));
    expect(JSON.stringify([one, list])).not.toMatch(/whsec|secret/i);
    const { rows } = await db.execute<{ row: string }>(
      sql`select w::text as row from webhook_endpoints w where id = ${id}`,
    );
    expect(rows[0]?.row).not.toContain(Buffer.from(secret).toString("hex"));
  });
});

test("a repeated creation or rotation returns the same secret, which is stored only sealed", async () => {
  const { id: owner, client } = await owned();
  const body = { url: receiver().url, events: [EVENT] };
  const twice = async (path: string, sent: object) => {
    const key = { "idempotency-key": randomUUID() };
    const [first, second] = [await client.post(path, sent, key), await client.post(path, sent, key)];
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    const answers = [await readResponse(first), await readResponse(second)];
    expect(answers[1]).toEqual(answers[0]);
    return (answers[0]?.[1] ?? {}) as { id: number; secret: string };
  };
  const made = await twice("/v1/webhooks", body);
  const rotated = await twice(`/v1/webhooks/${made.id}/rotate-secret`, {});
  expect(rotated.secret).not.toBe(made.secret);
  const { rows } = await db.execute<{ row: string }>(
    sql`select k::text as row from idempotency_keys k where owner_id = ${owner}`,
  );
  expect(rows).toHaveLength(2);
  for (const { secret } of [made, rotated]) expect(rows.map(({ row }) => row).join()).not.toContain(secret.slice(6));
});

describe("on request", () => {
  test("a test is sent once to any endpoint, and is not an event", async () => {
    const { client } = await owned();
    const hook = receiver((_, response) => response.writeHead(500).end("no"));
    const { id, secret } = await newWebhookReceiver(client, hook.url, [EVENT]);
    const [status, body] = await readResponse(client.post(`/v1/webhooks/${id}/test`, {}));
    expect([status, body]).toMatchObject([200, { type: "webhook.test", state: "PENDING", attempts: [] }]);
    const [asked] = await hook.received(1);
    expect(asked && verify(secret, asked)).toMatchObject({ type: "webhook.test", data: { webhookId: id } });
    await delivered(client, id, { state: "FAILED", attempts: [{ status: 500, answer: "no" }] });
    expect(await readResponse(client.get("/v1/events"))).toMatchObject([200, { items: [] }]);
    const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    expect(row?.failingSince).toBeNull();
  });

  test("a redelivery keeps the ID and the body", async () => {
    const { client, tell } = await owned();
    const hook = receiver();
    const { id } = await newWebhookReceiver(client, hook.url, [EVENT]);
    await tell();
    const first = await delivered(client, id, { state: "DELIVERED" });
    const [status, again] = await readResponse(client.post(`/v1/webhooks/${id}/deliveries/${first.id}/redeliver`, {}));
    expect([status, again]).toMatchObject([200, { id: first.id, state: "PENDING" }]);
    const had = await hook.received(2);
    expect([idsOf(had), new Set(had.map(({ body }) => body))]).toEqual([new Set([first.id]), new Set([first.body])]);
    await delivered(client, id, { state: "DELIVERED", attempts: [{}, {}] });
  });
});

describe("a partner", () => {
  test("gets the events of all its users with its own identifiers, and no one else's", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const provision = async (of: typeof partner, externalUserId: string) =>
      (await readResponse(of.post("/v1/connect/users", { externalUserId, name: "A" })))[1] as { uuid: string };
    const [ada, bob] = [await provision(partner, "ada"), await provision(partner, "bob")];
    const foreign = await provision(other, "ada");
    const hook = receiver();
    const { id } = await newWebhookReceiver(partner, hook.url, [EVENT]);
    const telling = [ada, bob, foreign].map(({ uuid }, n) => ({ ownerId: uuid, type: EVENT, data: { n } }) as const);
    await emit(db, telling);
    const data = (await hook.received(2)).map(({ body }) => JSON.parse(body).data);
    expect(data.sort((a, b) => a.n - b.n)).toEqual([
      { n: 0, externalUserId: "ada" },
      { n: 1, externalUserId: "bob" },
    ]);
    const [, log] = await readResponse(partner.get("/v1/events"));
    expect((log as { items: object[] }).items).toMatchObject([{ data: { n: 0 } }, { data: { n: 1 } }]);
    expect(await readResponse(other.get(`/v1/webhooks/${id}`))).toEqual([404, { error: `Webhook not found: ${id}` }]);
    const forAda = { "x-connect-external-user-id": "ada" };
    expect(await readResponse(partner.get(`/v1/webhooks/${id}`, forAda))).toEqual([
      404,
      { error: `Webhook not found: ${id}` },
    ]);
    expect(await readResponse(partner.get("/v1/events", forAda))).toMatchObject([200, { items: [{ data: { n: 0 } }] }]);
  });

  test("does not see what it registered for one of its users, unless it names that user", async () => {
    const partner = await newPartner();
    await partner.post("/v1/connect/users", { externalUserId: "ada", name: "Ada" });
    const body = { url: receiver().url, events: [EVENT] };
    const [, made] = await readResponse(partner.post("/v1/webhooks", body, { "x-connect-external-user-id": "ada" }));
    const { id } = made as { id: number };
    expect(await readResponse(partner.get("/v1/webhooks"))).toEqual([200, { items: [], nextCursor: null }]);
    expect((await readResponse(partner.delete(`/v1/webhooks/${id}`)))[0]).toBe(404);
  });
});

describe("400", () => {
  test.each([
    { when: "no events", body: { url: "https://example.invalid/", events: [] }, says: /^events/ },
    {
      when: "an unknown event",
      body: { url: "https://example.invalid/", events: ["post.seen"] },
      says: /^events/,
    },
    {
      when: "an unknown field",
      body: { url: "https://example.invalid/", events: [EVENT], to: 1 },
      says: /to is not a field/,
    },
    {
      when: "http, to a name that does not exist",
      body: { url: "http://example.invalid/", events: [EVENT] },
      says: /^url must begin with https/,
    },
    { when: "http", body: { url: "http://93.184.216.34/", events: [EVENT] }, says: /^url must begin with https/ },
    { when: "no URL", body: { events: [EVENT] }, says: /^url cannot be null/ },
    {
      when: "everything at once",
      body: { url: "ftp://example.invalid/", events: [] },
      says: /^url is not an http or https URL; events must have at least 1 entry$/,
    },
  ])("$when", async ({ body, says }) => {
    const { client } = await owned();
    expect(await readResponse(client.post("/v1/webhooks", body))).toEqual([
      400,
      { error: expect.stringMatching(says) },
    ]);
  });

  test("a rejected PUT changes nothing", async () => {
    const { client } = await owned();
    const { id } = await newWebhookReceiver(client, receiver().url, [EVENT]);
    const before = await readResponse(client.get(`/v1/webhooks/${id}`));
    const body = { url: "http://127.0.0.1:1/", events: [EVENT] };
    expect((await readResponse(client.put(`/v1/webhooks/${id}`, body)))[0]).toBe(400);
    expect(await readResponse(client.get(`/v1/webhooks/${id}`))).toEqual(before);
  });
});

/** A claimed delivery of an endpoint whose name resolves elsewhere by now. */
const SENDING: ClaimedDelivery = {
  ...{ id: randomUUID(), fence: 1, endpointId: 1, isFailing: false, isTest: false, failures: 0, url: "" },
  ...{
    secretSealed: sealSecret(1, createWebhookSecret()),
    earlierSecrets: [],
    at: "",
    seconds: 0,
    traceparent: null,
    body: "{}",
  },
};

test("T16: no hostile URL is called, neither when it is saved nor when it later leads to a private address", async () => {
  const canary = await listenForIntruders();
  const { client } = await owned();
  const hostile = [...hostileUrls(canary.port), { url: `http://localhost:${canary.port}/` }].map(({ url }) => url);
  expect(hostile.length).toBeGreaterThanOrEqual(150);
  for (const url of hostile) {
    const [status] = await readResponse(client.post("/v1/webhooks", { url, events: [EVENT] }));
    expect([url, status]).toEqual([url, 400]);
  }
  for (const url of hostile) {
    const { status, error } = await sendDelivery({ ...SENDING, url });
    expect([url, status, error]).toEqual([url, null, expect.any(String)]);
  }
  expect(canary.hits).toBe(0);
  await canary.close();
}, 60_000);

test("two concurrent claims never get the same delivery", async () => {
  const { client, tell } = await owned();
  const { id } = await newWebhookReceiver(client, receiver().url, [EVENT]);
  await tell();
  await delivered(client, id, { state: "DELIVERED" });
  await change(id, { allowance: 16 });
  await db
    .update(webhookDeliveries)
    .set({ state: "PENDING", dueAt: sql`now()` })
    .where(eq(webhookDeliveries.endpointId, id));
  const pickers = Array.from({ length: 4 }, () => ({ id: randomUUID(), assertAlive() {} }));
  const taken = await Promise.all(pickers.map((worker) => claimDeliveries(worker, { well: 50, failing: 50 })));
  expect(taken.flat().filter(({ endpointId }) => endpointId === id).length).toBeLessThanOrEqual(1);
  for (const worker of pickers) await releaseDeliveries(db, worker.id);
});
