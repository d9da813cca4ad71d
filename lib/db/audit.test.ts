import { asc, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createPartner, rotatePartnerSecret, suspendPartner } from "../oauth";
import { as, connectAccount, newOwner, newPartner, nobody } from "../testing";
import { auditLog, db } from ".";

const entriesOn = async (subject: string | number) => {
  const rows = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, String(subject)))
    .orderBy(asc(auditLog.id));
  return rows.map(({ action, actorId, details }) => [action, actorId, details]);
};

describe("the audit log", () => {
  test("has an entry for every action on a credential, with its actor", async () => {
    const actor = { id: await newOwner() };
    const { clientId } = await createPartner("Acme");
    await rotatePartnerSecret(clientId, actor);
    await suspendPartner(clientId, true, actor);
    await suspendPartner(clientId, false);
    expect(await entriesOn(clientId)).toEqual([
      ["credential.created", null, {}],
      ["credential.rotated", actor.id, {}],
      ["credential.suspended", actor.id, {}],
      ["credential.resumed", null, {}],
    ]);
  });

  test("has entries for connects, disconnects and deletions, under the partner of the partner's users", async () => {
    const partner = await newPartner();
    const created = await partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" });
    const { uuid } = (await created.json()) as { uuid: string };
    const { id } = await connectAccount(uuid, "X_TWITTER");
    expect((await partner.delete(`/v1/accounts/${id}`, { "x-connect-user-id": uuid })).status).toBe(204);
    expect((await partner.delete(`/v1/connect/users/${uuid}`)).status).toBe(202);
    expect(await entriesOn(id)).toEqual([
      ["account.connected", uuid, { platform: "X_TWITTER" }],
      ["account.disconnected", uuid, { platform: "X_TWITTER" }],
    ]);
    expect(await entriesOn(uuid)).toEqual([["user.deleted", uuid, {}]]);
    const [row] = await db.select().from(auditLog).where(eq(auditLog.subject, uuid));
    expect(row?.partnerId).toEqual(expect.any(String));
  });

  test("has no entry for an action that failed", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const { id } = await connectAccount(owner, "X_TWITTER");
    expect((await as(other).delete(`/v1/accounts/${id}`)).status).toBe(404);
    expect((await entriesOn(id)).map(([action]) => action)).toEqual(["account.connected"]);
  });

  test.each([
    ["change", sql`update audit_log set action = 'credential.resumed'`],
    ["remove", sql`delete from audit_log`],
    ["empty", sql`truncate audit_log`],
  ])("no one can %s its entries", async (_, statement) => {
    const { clientId } = await createPartner("Acme");
    const before = await entriesOn(clientId);
    const refusal = await db.execute(statement).then(
      () => undefined,
      (error: Error) => error.cause,
    );
    expect(refusal).toMatchObject({ message: "the audit log is append-only" });
    expect(await entriesOn(clientId)).toEqual(before);
  });
});

test("a new secret is valid at once, the old one for another day, and the one before that no longer", async () => {
  const { clientId, clientSecret: first } = await createPartner("Acme");
  const ask = async (client_secret: string) =>
    (await nobody.post("/oauth/token", { grant_type: "client_credentials", client_id: clientId, client_secret }))
      .status;
  const { clientSecret: second } = await rotatePartnerSecret(clientId, "operator");
  expect([await ask(first), await ask(second)]).toEqual([200, 200]);
  const { clientSecret: third } = await rotatePartnerSecret(clientId, "operator");
  expect([await ask(first), await ask(second), await ask(third)]).toEqual([401, 200, 200]);
  await db.execute(sql`
    update application_secrets set revoked_at = revoked_at - interval '24 hours' where client_id = ${clientId}`);
  expect([await ask(second), await ask(third)]).toEqual([401, 200]);
});
