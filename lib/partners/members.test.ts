import { and, eq, inArray, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { POST } from "@/app/(dashboard)/console/[client]/do/[action]/route";
import * as newPartnerForm from "@/app/console/new/route";
import {
  applicationSecrets,
  auditLog,
  db,
  partners,
  sessions,
  users,
  webhookDeliveries,
  webhookEndpoints,
} from "../db";
import { env } from "../env";
import { listLiveSecrets } from "../oauth";
import { newOwner, newPartner, nobody } from "../testing";
import { interruptedBody, sessionCookie } from "../testing/owners";
import { createEndpoint, sendTestDelivery, updateEndpoint } from "../webhooks";
import { getBrandingSettings } from "./branding";
import { addPartnerMember, listMembers } from "./members";
import { getPartner } from "./partners";
import type { ConsoleAction, ConsoleRole, MemberRole } from "./roles";

const emailOf = async (id: string) => {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id));
  return row?.email ?? "";
};

async function newMember(clientId: string, role?: ConsoleRole): Promise<string> {
  const id = await newOwner();
  if (role === "staff") await db.update(users).set({ role }).where(eq(users.id, id));
  else if (role) await addPartnerMember(clientId, await emailOf(id), role);
  return id;
}

/** Sends a form of the console as this person. */
async function act(cookie: string, clientId: string, action: string, fields: { [name: string]: string } = {}) {
  const headers = { cookie, origin: new URL(env.appUrl).origin };
  const url = `${env.appUrl}/console/${clientId}/do/${action}`;
  const request = new Request(url, { method: "POST", headers, body: new URLSearchParams(fields) });
  return POST(request, { params: Promise.resolve({ client: clientId, action }) });
}
const as = async (id: string, ...rest: [string, string, { [name: string]: string }?]) =>
  act(await sessionCookie(id), ...rest);
const rolesIn = async (clientId: string) =>
  Object.fromEntries((await listMembers((await getPartner(clientId)).id)).map(({ userId, role }) => [userId, role]));
const tokenFor = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
  nobody.post("/oauth/token", { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret });

describe("who may do what in a partner's console", () => {
  const everyone: ConsoleRole[] = ["owner", "developer", "viewer", "staff"];
  const actions: [action: ConsoleAction, may: ConsoleRole[]][] = [
    ["rotate", ["owner"]],
    ["retire", ["staff"]],
    ["end-old", ["owner", "staff"]],
    ["end-all", ["staff"]],
    ["suspend", ["owner", "staff"]],
    ["resume", ["staff"]],
    ["settings", ["owner", "developer", "staff"]],
    ["branding", ["owner", "developer", "staff"]],
    ["rehearse", ["owner", "developer", "staff"]],
    ["set-role", ["owner"]],
    ["remove-member", ["owner"]],
    ["leave", ["owner", "developer", "viewer"]],
  ];

  test.each(actions)("%s: only %j; everyone else gets 403, and a stranger 404", async (action, may) => {
    const { clientId } = await newPartner();
    await newMember(clientId, "owner");
    for (const role of everyone) {
      const { status } = await as(await newMember(clientId, role), clientId, action);
      expect([role, status === 403], String(status)).toEqual([role, !may.includes(role)]);
    }
    expect((await as(await newMember(clientId), clientId, action)).status).toBe(404);
  });
});

describe("members", () => {
  test("an owner changes roles and removes members, who then lose access; the audit log has it", async () => {
    const { clientId } = await newPartner();
    const [ada, bob] = [await newMember(clientId, "owner"), await newMember(clientId, "viewer")];
    expect((await as(bob, clientId, "settings")).status).toBe(403);
    await as(ada, clientId, "set-role", { member: bob, role: "developer" });
    expect((await as(bob, clientId, "settings")).status).toBe(303);
    await as(ada, clientId, "remove-member", { member: bob });
    expect((await as(bob, clientId, "settings")).status).toBe(404);
    expect(await rolesIn(clientId)).toEqual({ [ada]: "owner" });
    const rows = await db.select().from(auditLog).where(eq(auditLog.subject, bob)).orderBy(auditLog.id);
    expect(rows.map(({ action, actorId, details }) => [action, actorId, details])).toEqual([
      ["member.added", null, { role: "viewer" }],
      ["member.role-changed", ada, { from: "viewer", to: "developer" }],
      ["member.removed", ada, { role: "developer" }],
    ]);
  });

  test("the last owner cannot leave, be removed or get another role, not even two of them at once", async () => {
    const { clientId } = await newPartner();
    const [ada, bob] = [await newMember(clientId, "owner"), await newMember(clientId, "owner")];
    await Promise.all([as(ada, clientId, "remove-member", { member: bob }), as(bob, clientId, "leave")]);
    await Promise.all([as(ada, clientId, "leave"), as(ada, clientId, "set-role", { member: ada, role: "viewer" })]);
    expect(await rolesIn(clientId)).toEqual({ [ada]: "owner" });
    const refused = await as(ada, clientId, "remove-member", { member: ada });
    expect(decodeURIComponent(refused.headers.get("location") ?? "")).toContain("last+owner");
    await expect(addPartnerMember(clientId, await emailOf(ada), "viewer")).rejects.toThrow("last owner");
  });

  test("a role or a member that does not exist changes nothing", async () => {
    const { clientId } = await newPartner();
    const [ada, stranger] = [await newMember(clientId, "owner"), await newOwner()];
    const before = await rolesIn(clientId);
    await as(ada, clientId, "set-role", { member: ada, role: "king" });
    await as(ada, clientId, "set-role", { member: stranger, role: "owner" });
    await as(ada, clientId, "remove-member", { member: "x" });
    expect(await rolesIn(clientId)).toEqual(before);
  });

  test.each<[given: MemberRole | undefined, role: MemberRole]>([
    [undefined, "owner"],
    ["viewer", "viewer"],
  ])(
    "adding a member with --role %s makes them %s; adding again without a role changes nothing",
    async (given, role) => {
      const { clientId } = await newPartner();
      await newMember(clientId, "owner");
      const email = await emailOf(await newOwner());
      expect(await addPartnerMember(clientId, email, given)).toEqual({ partner: clientId, user: email, role });
      expect(await addPartnerMember(clientId, email)).toEqual({ partner: clientId, user: email, role });
    },
  );
});

describe("secrets", () => {
  const mailsTo = async (owner: string) =>
    (await db.execute<{ kind: string }>(sql`select kind from mails where owner_id = ${owner} order by created_at`))
      .rows;

  /** Creates a secret as this person. Returns the status of a token request with the secret that the page shows. */
  const newSecretOf = async (person: string, clientId: string) => {
    const page = await (await as(person, clientId, "rotate")).text();
    const clientSecret = [...page.matchAll(/<span class="code">([\w-]+)</g)].at(-1)?.[1] ?? "";
    return (await tokenFor({ clientId, clientSecret })).status;
  };

  test("staff ends every secret and token without seeing a secret; the owners get an email and create a new one", async () => {
    const partner = await newPartner();
    const { clientId } = partner;
    const [owner, viewer] = [await newMember(clientId, "owner"), await newMember(clientId, "viewer")];
    expect((await partner.get("/v1/connect/users")).status).toBe(200);
    const answer = await as(await newMember(clientId, "staff"), clientId, "end-all");
    expect([answer.status, await answer.text()]).toEqual([303, ""]);
    expect([(await tokenFor(partner)).status, (await partner.get("/v1/connect/users")).status]).toEqual([401, 401]);
    expect(await newSecretOf(owner, clientId)).toBe(200);
    expect(await mailsTo(owner)).toEqual([{ kind: "secretsEnded" }, { kind: "secretRotated" }]);
    expect(await mailsTo(viewer)).toEqual([]);
    const details = and(eq(auditLog.subject, clientId), eq(auditLog.action, "credential.rotated"));
    expect((await db.select().from(auditLog).where(details).orderBy(auditLog.id))[0]?.details).toEqual({
      allSecretsEnded: true,
    });
  });

  test("webhooks of the partner and its users get no events after all secrets were revoked, until each is enabled again", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const { clientId } = partner;
    const { id } = await getPartner(clientId);
    const { uuid } = (await (
      await partner.post("/v1/connect/users", { externalUserId: "one", name: "Bob" })
    ).json()) as {
      uuid: string;
    };
    const input = { url: "https://hooks.example.com/", events: ["post.completed" as const] };
    const own = await createEndpoint({ partnerId: id }, input);
    const ofUser = await createEndpoint({ ownerId: uuid }, input);
    const foreign = await createEndpoint({ partnerId: (await getPartner(other.clientId)).id }, input);
    const waiting = await sendTestDelivery({ partnerId: id }, own.id);

    await as(await newMember(clientId, "staff"), clientId, "end-all");
    const rows = await db
      .select()
      .from(webhookEndpoints)
      .where(inArray(webhookEndpoints.id, [own.id, ofUser.id, foreign.id]));
    const reasons = Object.fromEntries(rows.map((row) => [row.id, row.disabledAt && row.disabledReason]));
    const reason = expect.stringContaining("All client secrets were revoked");
    expect(reasons).toEqual({ [own.id]: reason, [ofUser.id]: reason, [foreign.id]: null });
    const [delivery] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, waiting.id));
    expect(delivery?.state).toBe("FAILED");
    // Calls that were under way.
    for (const subscriber of [{ partnerId: id }, { ownerId: uuid }])
      await expect(createEndpoint(subscriber, input)).rejects.toThrow("Unauthorized");
    await expect(updateEndpoint({ partnerId: id }, own.id, input)).rejects.toThrow("Unauthorized");

    await db.update(partners).set({ secretsRevokedAt: sql`now() - interval '2 seconds'` }).where(eq(partners.id, id));
    expect(await updateEndpoint({ partnerId: id }, own.id, input)).toMatchObject({
      disabledAt: null,
      disabledReason: null,
    });
  });

  test("staff rotates a secret without seeing it: it works for 24 hours, and only an owner creates and sees the next", async () => {
    const partner = await newPartner();
    const { clientId } = partner;
    const [owner, viewer, staff] = [
      await newMember(clientId, "owner"),
      await newMember(clientId, "viewer"),
      await newMember(clientId, "staff"),
    ];
    const hoursLeft = async () =>
      (await listLiveSecrets(clientId)).map(
        ({ until }) => until && Math.round((Date.parse(until) - Date.now()) / 3.6e6),
      );
    const answers = [await as(staff, clientId, "retire"), await as(staff, clientId, "retire")];
    for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([303, ""]);
    expect(await hoursLeft()).toEqual([24]);
    expect((await tokenFor(partner)).status).toBe(200);

    await db
      .update(applicationSecrets)
      .set({ revokedAt: sql`now() + interval '5 hours'` })
      .where(eq(applicationSecrets.clientId, clientId));
    expect(await newSecretOf(owner, clientId)).toBe(200);
    expect(await hoursLeft()).toEqual([undefined, 5]);
    expect((await tokenFor(partner)).status).toBe(200);

    await as(staff, clientId, "retire");
    expect(await hoursLeft()).toEqual([24]);
    expect((await tokenFor(partner)).status).toBe(401);
    expect(await mailsTo(owner)).toEqual([
      { kind: "secretRetired" },
      { kind: "secretRotated" },
      { kind: "secretRetired" },
    ]);
    expect(await mailsTo(viewer)).toEqual([]);
    const rotations = and(eq(auditLog.subject, clientId), eq(auditLog.action, "credential.rotated"));
    const lines = await db.select().from(auditLog).where(rotations).orderBy(auditLog.id);
    expect(lines.map(({ actorId, details }) => [actorId, details])).toEqual([
      [staff, { nextSecretBy: "owner" }],
      [owner, {}],
      [staff, { nextSecretBy: "owner" }],
    ]);
  });

  test("staff cannot rotate the secret of a partner without owners, who alone could create the next one", async () => {
    const { clientId } = await newPartner();
    await newMember(clientId, "developer");
    const staff = await newMember(clientId, "staff");
    const lines = () => db.$count(auditLog, eq(auditLog.subject, clientId));
    const before = await lines();
    expect((await as(staff, clientId, "retire")).status).toBe(303);
    expect((await listLiveSecrets(clientId)).map(({ until }) => until)).toEqual([undefined]);
    expect(await lines()).toBe(before);
    await newMember(clientId, "owner");
    await as(staff, clientId, "retire");
    expect((await listLiveSecrets(clientId)).map(({ until }) => until)).toEqual([expect.any(String)]);
  });

  test("a new secret is shown only after a recent sign-in", async () => {
    const partner = await newPartner();
    const owner = await newMember(partner.clientId, "owner");
    const cookie = await sessionCookie(owner);
    await db
      .update(sessions)
      .set({ authenticatedAt: sql`now() - interval '1 hour'` })
      .where(eq(sessions.userId, owner));
    const answer = await act(cookie, partner.clientId, "rotate");
    const to = new URL(answer.headers.get("location") ?? "");
    expect([answer.status, to.pathname]).toEqual([303, "/sign-in/again"]);
    expect(await mailsTo(owner)).toEqual([]);
  });

  test("a new partner's secret is shown only after a recent sign-in, too", async () => {
    const staff = await newOwner();
    await db.update(users).set({ role: "staff" }).where(eq(users.id, staff));
    const headers = { cookie: await sessionCookie(staff), origin: new URL(env.appUrl).origin };
    const name = `Partner of ${staff}`;
    const create = () => {
      const body = new URLSearchParams({ name });
      return newPartnerForm.POST(new Request(`${env.appUrl}/console/new`, { method: "POST", headers, body }));
    };
    const stale = { authenticatedAt: sql`now() - interval '11 minutes'` };
    await db.update(sessions).set(stale).where(eq(sessions.userId, staff));
    const answer = await create();
    const to = new URL(answer.headers.get("location") ?? "");
    expect([answer.status, to.pathname]).toEqual([303, "/sign-in/again"]);
    expect(await db.$count(partners, eq(partners.name, name))).toBe(0);
    await db.update(sessions).set({ authenticatedAt: sql`now()` }).where(eq(sessions.userId, staff));
    expect((await create()).status).toBe(200);
    expect(await db.$count(partners, eq(partners.name, name))).toBe(1);
  });
});

describe("a form of a member who is locked out while it arrives changes nothing", () => {
  test.each(["set-role", "branding"])("%s", async (action) => {
    const { clientId } = await newPartner();
    const [ada, bob] = [await newMember(clientId, "owner"), await newMember(clientId, "viewer")];
    const fields = { member: bob, role: "owner", displayName: "Not Acme" };
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    const sent = new Response(action === "branding" ? data : new URLSearchParams(fields));
    const headers = {
      cookie: await sessionCookie(ada),
      origin: new URL(env.appUrl).origin,
      "content-type": sent.headers.get("content-type") ?? "",
    };
    const lockOut = () => db.update(users).set({ sessionEpoch: 1 }).where(eq(users.id, ada));
    const body = interruptedBody(Buffer.from(await sent.arrayBuffer()), lockOut);
    const init = { method: "POST", headers, body, duplex: "half" };
    const answer = await POST(new Request(`${env.appUrl}/`, init), {
      params: Promise.resolve({ client: clientId, action }),
    });
    expect([answer.status, await rolesIn(clientId)]).toEqual([404, { [ada]: "owner", [bob]: "viewer" }]);
    const { displayName } = await getBrandingSettings((await getPartner(clientId)).id);
    expect(displayName ?? "").toBe("");
  });
});
