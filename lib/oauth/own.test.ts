import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, db } from "../db";
import { credentialsLockText } from "../db/locks";
import { newOwner, nobody } from "../testing";
import { whileTurnTaken } from "../testing/held";
import {
  createOwnApplication,
  createOwnToken,
  deleteOwnApplication,
  endOldApplicationSecret,
  getOwnApplication,
  listOwnApplications,
  listPersonalTokens,
  revokePersonalToken,
  rotateApplicationSecret,
  updateOwnApplication,
} from ".";
import { createGrant } from "./grants";
import { issueAccessToken } from "./tokens";

const TOKEN = expect.stringMatching(/^[\w-]{20,}$/);
const app = { name: "Planner", redirectUris: ["https://planner.example/cb"], isPublic: false };

const auditedOn = async (subject: string) => {
  const rows = await db.select().from(auditLog).where(eq(auditLog.subject, subject));
  return rows.map(({ action, actorId }) => [action, actorId]);
};
const asks = async (token: string, path = "/v1/posts") =>
  (await nobody.get(path, { authorization: `Bearer ${token}` })).status;

describe("a person's own applications", () => {
  test("can be created, listed, changed, given new secrets and deleted, with audit log entries", async () => {
    const ownerId = await newOwner();
    const { clientId, clientSecret } = await createOwnApplication(ownerId, app);
    expect([clientId, clientSecret]).toEqual([TOKEN, TOKEN]);
    expect(await listOwnApplications(ownerId)).toMatchObject([{ clientId, ...app }]);

    const change = { name: " Planner 2 ", redirectUris: ["https://planner.example/new", "com.planner:/cb"] };
    await updateOwnApplication(ownerId, clientId, change);
    expect(await getOwnApplication(ownerId, clientId)).toMatchObject({ ...change, name: "Planner 2" });

    const known = async (client_secret = "") =>
      (
        await nobody.post("/oauth/token", {
          grant_type: "refresh_token",
          refresh_token: "x",
          client_id: clientId,
          client_secret,
        })
      ).status !== 401;
    const fresh = await rotateApplicationSecret(ownerId, clientId);
    expect([await known(clientSecret), await known(fresh.clientSecret)]).toEqual([true, true]);
    await endOldApplicationSecret(ownerId, clientId);
    expect([await known(clientSecret), await known(fresh.clientSecret)]).toEqual([false, true]);

    await deleteOwnApplication(ownerId, clientId);
    expect([await listOwnApplications(ownerId), await known(fresh.clientSecret)]).toEqual([[], false]);
    const did = ["created", "changed", "rotated", "rotated", "deleted"].map((what) => [`credential.${what}`, ownerId]);
    expect(await auditedOn(clientId)).toEqual(did);
  });

  test("revoke every token that was issued for them when they are deleted", async () => {
    const [ownerId, person] = [await newOwner(), await newOwner()];
    const { clientId } = await createOwnApplication(ownerId, app);
    const grant = { kind: "authorization_code", clientId, userId: person, scopes: ["api"] } as const;
    const grantId = await createGrant({ ...grant, scopes: [...grant.scopes] });
    const { access_token } = await issueAccessToken({ grantId, subject: person, clientId, scopes: ["api"] });
    expect(await asks(access_token)).toBe(200);
    await deleteOwnApplication(ownerId, clientId);
    expect(await asks(access_token)).toBe(401);
  });

  test("have no secret if they are public, and cannot get one", async () => {
    const ownerId = await newOwner();
    const { clientId, clientSecret } = await createOwnApplication(ownerId, { ...app, isPublic: true });
    expect(clientSecret).toBeUndefined();
    await expect(rotateApplicationSecret(ownerId, clientId)).rejects.toThrow("Application not found");
  });

  test("are not found for anyone else", async () => {
    const [ownerId, other] = [await newOwner(), await newOwner()];
    const { clientId } = await createOwnApplication(ownerId, app);
    const attempts = [
      () => getOwnApplication(other, clientId),
      () => updateOwnApplication(other, clientId, app),
      () => rotateApplicationSecret(other, clientId),
      () => endOldApplicationSecret(other, clientId),
      () => deleteOwnApplication(other, clientId),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(`Application not found: ${clientId}`);
    expect(await getOwnApplication(ownerId, clientId)).toMatchObject(app);
  });

  test("are rejected with all problems at once", async () => {
    const input = { name: " ", redirectUris: ["nowhere", "http://planner.example/cb"], isPublic: false };
    await expect(createOwnApplication(await newOwner(), input)).rejects.toThrow(
      /^Name is required.*; redirect-uri must be an absolute.*; redirect-uri must be https/,
    );
  });

  test("are limited to twenty", async () => {
    const ownerId = await newOwner();
    for (let made = 0; made < 19; made++) await createOwnApplication(ownerId, app);
    const create = () => createOwnApplication(ownerId, app).then(() => "created", String);
    const last = await whileTurnTaken(credentialsLockText(ownerId), [create, create, create]);
    const refusal = expect.stringContaining("You already have 20 applications, the maximum");
    expect(last.sort()).toEqual([refusal, refusal, "created"]);
    expect(await listOwnApplications(ownerId)).toHaveLength(20);
  });
});

describe("a person's own tokens", () => {
  test("are limited to fifty, also if several are created at once", async () => {
    const ownerId = await newOwner();
    const create = () =>
      createOwnToken(ownerId, { name: "Report", scopes: ["posts.read"], days: 30 }).then(() => "created", String);
    for (let made = 0; made < 49; made++) await create();
    const last = await whileTurnTaken(credentialsLockText(ownerId), [create, create, create]);
    const refusal = expect.stringContaining("You already have 50 tokens, the maximum");
    expect(last.sort()).toEqual([refusal, refusal, "created"]);
    expect(await listPersonalTokens(ownerId)).toHaveLength(50);
  });

  test("have the chosen scopes, are listed without the token, and end when they are revoked", async () => {
    const ownerId = await newOwner();
    const { token } = await createOwnToken(ownerId, { name: " Report ", scopes: ["posts.read"], days: 30 });
    expect([await asks(token), await asks(token, "/v1/media")]).toEqual([200, 403]);
    const listed = await listPersonalTokens(ownerId);
    const known = listed.map(({ lastUsedAt: _, ...token }) => token); // written every two seconds
    expect(known).toEqual([
      {
        ...{ id: expect.any(String), name: "Report", scopes: ["posts.read"] },
        ...{ createdAt: expect.any(String), expiresAt: expect.any(String) },
      },
    ]);
    const [{ id = "", createdAt = "", expiresAt = "" } = {}] = listed;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
    const other = await newOwner();
    await expect(revokePersonalToken(other, id)).rejects.toThrow("Token not found");
    expect(await asks(token)).toBe(200);
    await revokePersonalToken(ownerId, id);
    expect([await asks(token), await listPersonalTokens(ownerId)]).toEqual([401, []]);
    await expect(revokePersonalToken(ownerId, id)).rejects.toThrow("Token not found");
    expect(await auditedOn(id)).toEqual([
      ["token.created", ownerId],
      ["token.revoked", ownerId],
    ]);
  });

  test("are rejected with all problems at once", async () => {
    const input = { name: "", scopes: ["posts.read", "everything"], days: 400 };
    await expect(createOwnToken(await newOwner(), input)).rejects.toThrow(
      /^Name is required.*; One of the permissions.*; The lifetime of a token must be/,
    );
  });
});
