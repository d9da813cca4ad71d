import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connectWithoutBrowser } from "../../connect";
import { auditLog, db } from "../../db";
import { getPartner, savePartnerSettings } from "../../partners";
import { connectAccount, newPartner, newPerson, readResponse } from "../../testing";
import { eventsOf } from "../../testing/events";

const ACTIVE = { state: "ACTIVE" };
const HELD = { state: "HELD" };

/** A partner that holds new accounts or not, and a client for one of its users. */
async function endUser(hold = true) {
  const partner = await newPartner();
  const { id: partnerId } = await getPartner(partner.clientId);
  await savePartnerSettings(partnerId, { hold }, "operator");
  return { partner, partnerId, ...(await another(partner)) };
}

async function another(partner: Awaited<ReturnType<typeof newPartner>>) {
  const externalUserId = randomUUID();
  const [, made] = await readResponse(partner.post("/v1/connect/users", { externalUserId, name: "Ada" }));
  const { uuid } = made as { uuid: string };
  const me = { "x-connect-user-id": uuid };
  return {
    uuid,
    accounts: () => readResponse(partner.get("/v1/accounts", me)),
    get: (path: string) => readResponse(partner.get(path, me)),
    confirm: (id: number) => readResponse(partner.post(`/v1/accounts/${id}/confirm`, {}, me)),
    disconnect: (id: number) => readResponse(partner.delete(`/v1/accounts/${id}`, me)),
    post: (body: object, path = "/v1/posts") => readResponse(partner.post(path, body, me)),
  };
}

function later(id: number, isDraft = false) {
  const on = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "Hello" }] };
  return { scheduledTime: "2040-01-01T12:00:00Z", isDraft, publications: [on] };
}

describe("an account of a partner that holds new accounts", () => {
  test("is held until confirmed, and the event names the connected person", async () => {
    const user = await endUser();
    const { id, person } = await connectAccount(user.uuid, "X_TWITTER");
    expect(await user.accounts()).toMatchObject([200, [{ id, ...HELD, accountUsername: person }]]);
    const [event] = await eventsOf(user.uuid);
    expect(event).toMatchObject({ type: "account.connected", data: { id, ...HELD, accountUsername: person } });
    expect(await user.confirm(id)).toMatchObject([200, { id, ...ACTIVE }]);
    expect(await user.accounts()).toMatchObject([200, [{ id, ...ACTIVE }]]);
    const [line, ...others] = await db.select().from(auditLog).where(eq(auditLog.action, "account.confirmed"));
    expect([line, ...others].filter((one) => one?.subject === String(id))).toMatchObject([
      { partnerId: user.partnerId, details: { platform: "X_TWITTER" } },
    ]);
  });

  test("accepts only drafts, in both forms of the body, until it is confirmed", async () => {
    const user = await endUser();
    const { id } = await connectAccount(user.uuid, "X_TWITTER");
    const refusal = { error: `publications[0].socialMediaAccountId is waiting to be confirmed: ${id}` };
    expect(await user.post(later(id))).toEqual([400, refusal]);
    const flat = { platform: "X_TWITTER", accountId: id, content: "Hello", scheduledTime: "2040-01-01T12:00:00Z" };
    expect((await user.post(flat))[0]).toBe(400);
    expect(await user.post(later(id), "/v1/posts/validate")).toMatchObject([
      200,
      { valid: false, problems: [{ rule: "account.held" }] },
    ]);
    expect((await user.post(later(id, true)))[0]).toBe(201);
    await user.confirm(id);
    expect((await user.post(later(id)))[0]).toBe(201);
  });

  test("409 for its chats, without a call to the network", async () => {
    const user = await endUser();
    const { id } = await connectAccount(user.uuid, "FACEBOOK");
    const held = [409, { error: `Account ${id} must be confirmed first` }];
    expect(await user.get(`/v1/accounts/${id}/chats?platform=FACEBOOK`)).toEqual(held);
    expect(await user.get(`/v1/accounts/${id}/options`)).toEqual(held);
    expect(await user.get(`/v1/accounts/${id}/options/playlistId`)).toEqual(held);
    await user.confirm(id);
    expect(await user.get(`/v1/accounts/${id}/chats?platform=FACEBOOK`)).toMatchObject([200, [{ type: "PAGE" }, {}]]);
  });

  test("can be disconnected, and is held again after it is reconnected", async () => {
    const user = await endUser();
    const person = newPerson();
    const id = await connectWithoutBrowser(user.uuid, "X_TWITTER", person);
    await user.confirm(id);
    expect((await user.disconnect(id))[0]).toBe(204);
    expect((await user.confirm(id))[0]).toBe(404);
    expect(await connectWithoutBrowser(user.uuid, "X_TWITTER", person)).toBe(id);
    expect(await user.accounts()).toMatchObject([200, [{ id, ...HELD }]]);
  });

  test("stays confirmed when it is reconnected; an unconfirmed one stays held", async () => {
    const user = await endUser();
    const person = newPerson();
    const id = await connectWithoutBrowser(user.uuid, "X_TWITTER", person);
    await connectWithoutBrowser(user.uuid, "X_TWITTER", person);
    expect(await user.accounts()).toMatchObject([200, [{ id, ...HELD }]]);
    await user.confirm(id);
    await connectWithoutBrowser(user.uuid, "X_TWITTER", person);
    expect(await user.accounts()).toMatchObject([200, [{ id, ...ACTIVE }]]);
  });

  test("404 when confirmed for another user, as for a missing account", async () => {
    const user = await endUser();
    const sibling = await another(user.partner);
    const { id } = await connectAccount(user.uuid, "X_TWITTER");
    expect(await sibling.confirm(id)).toEqual([404, { error: `Account not found: ${id}` }]);
    expect(await sibling.confirm(id + 900_000_000)).toEqual([404, { error: `Account not found: ${id + 900_000_000}` }]);
    expect(await user.accounts()).toMatchObject([200, [HELD]]);
  });
});

test("is active at once if the partner does not hold accounts, and confirming it changes nothing", async () => {
  const user = await endUser(false);
  const { id } = await connectAccount(user.uuid, "X_TWITTER");
  const [, before] = await user.accounts();
  expect(before).toMatchObject([{ id, ...ACTIVE }]);
  expect(await user.confirm(id)).toEqual([200, (before as [object])[0]]);
});
