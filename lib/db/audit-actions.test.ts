import { randomUUID } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import * as passwordPage from "@/app/(dashboard)/settings/password/route";
import * as resetPage from "@/app/reset-password/route";
import * as againPage from "@/app/sign-in/again/route";
import * as codePage from "@/app/sign-in/code/route";
import * as signInPage from "@/app/sign-in/route";
import * as signUpPage from "@/app/sign-up/route";
import { readInput } from "@/cli/command";
import { commands } from "@/cli/commands";
import { env } from "../env";
import { newTokenLink } from "../mail/tokens";
import { createPartner, revokeAllowedApplication } from "../oauth";
import { decide, newClient, queryOf, type TestClient } from "../oauth/testing";
import { getPartner, removeMember, setMemberRole } from "../partners";
import { stopFeedsOfApplication } from "../schedules";
import { as, newOwner, readResponse, sessionCookie } from "../testing";
import {
  addAuthenticator,
  addPasskey,
  beginAuthenticator,
  beginPasskey,
  createUser,
  listPasskeys,
  listSessions,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  type Session,
} from "../users";
import { accountOf, secondStepCookie } from "../users/sign-in/cookies";
import { codeAt } from "../users/testing/authenticator-app";
import { newSession } from "../users/testing/sessions";
import { softwarePasskey } from "../users/testing/software-passkey";
import { holdWebhooksOfApplication } from "../webhooks";
import { type AuditAction, auditLog, db } from ".";

/** The audit log has one entry for each action that could give an intruder access, whatever way it was taken. */

const PASSWORD = "a long password";

/** The person who acts in most of the rows, in order: what one row creates, a later one removes. */
let person: { id: string; email: string };
let session: Session;
let client: TestClient;
let webhookId: number;
let partner: { id: string; clientId: string };
let member: Session;

beforeAll(async () => {
  const { id, email } = await createUser({
    email: `${randomUUID()}@example.com`,
    password: PASSWORD,
  });
  person = { id, email };
  session = await newSession(id);
  client = await newClient();
  const { clientId } = await createPartner("Acme");
  partner = { clientId, id: (await getPartner(clientId)).id };
  const owner = await newSession(await newOwner());
  await operator("partners add-member", "--partner", clientId, "--user", owner.user.email);
  member = await newSession(await newOwner());
});

async function operator(name: string, ...args: string[]): Promise<unknown> {
  const command = commands[name];
  if (!command) throw new Error(`there is no command ${name}`);
  const work = await command.prepare(readInput(command, args));
  return work();
}

type Page = { POST(request: Request): Promise<Response> };

function submit(page: Page, path: string, fields: { [name: string]: string }, cookie = ""): Promise<Response> {
  const headers = { cookie, origin: new URL(env.appUrl).origin, "x-client-address": "192.0.2.1" };
  return page.POST(new Request(`${env.appUrl}${path}`, { method: "POST", headers, body: new URLSearchParams(fields) }));
}

/** Twelve wrong attempts at one new account from one network. Most come too early to be checked. */
async function burst(attempt: (who: { session: Session; cookie: string }) => Promise<Response>): Promise<Expected> {
  const id = await newOwner();
  const who = { session: await newSession(id), cookie: await sessionCookie(id) };
  for (let count = 0; count < 12; count++) expect((await attempt(who)).status).toBeGreaterThanOrEqual(400);
  return { actor: id, subject: id };
}

const wrong = { password: "wrong password" };

async function halfSignedIn({ user }: Session): Promise<string> {
  const facts = { userId: user.id, epoch: user.sessionEpoch, account: accountOf(user.email) };
  return (await secondStepCookie(facts)).split(";", 1)[0] ?? "";
}

async function addApp(to: Session): Promise<void> {
  const { secret, ticket } = await beginAuthenticator(to.user);
  await addAuthenticator(to, ticket, await codeAt(secret, Date.now()));
}

async function addKey(to: Session): Promise<void> {
  const { options, ticket } = await beginPasskey(to.user);
  await addPasskey(to, { ticket, name: "Laptop", credential: softwarePasskey(to.user.id).create(options) });
}

type Expected = { actor: string | null; subject: string };
type Row = { what: string; action: AuditAction; details?: object; act: () => Promise<Expected> };

const mine = (subject = person.id): Expected => ({ actor: person.id, subject });
const byOperator = (subject: string): Expected => ({ actor: null, subject });

const WEBHOOK = { url: "https://hooks.example.com/", events: ["post.completed"] };
const onWebhook = () => mine(`webhook ${webhookId}`);

const rows: Row[] = [
  {
    what: "a sign-in",
    action: "session.started",
    async act() {
      const before = await listSessions(person.id);
      await submit(signInPage, "/sign-in", { email: person.email, password: PASSWORD });
      const started = (await listSessions(person.id)).find(({ id }) => before.every((one) => one.id !== id));
      return mine(started?.id ?? "no session started");
    },
  },
  {
    what: "a burst of wrong passwords at sign-ins",
    action: "session.refused",
    details: { kind: "password", count: 10 },
    act: () => burst((who) => submit(signInPage, "/sign-in", { email: who.session.user.email, ...wrong })),
  },
  {
    what: "a burst of sign-ups with a person's address",
    action: "session.refused",
    details: { kind: "password", count: 10 },
    async act() {
      const id = await newOwner();
      const { email } = (await newSession(id)).user;
      for (let count = 0; count < 12; count++) {
        const { status } = await submit(signUpPage, "/sign-up", { email, password: `password ${count}` });
        expect(status).toBe(count < 5 ? 303 : 429);
      }
      return { actor: id, subject: id };
    },
  },
  {
    what: "a burst of wrong passwords at fresh sign-ins",
    action: "session.refused",
    details: { kind: "password", count: 10 },
    act: () => burst(({ cookie }) => submit(againPage, "/sign-in/again", wrong, cookie)),
  },
  {
    what: "a burst of wrong current passwords at password changes",
    action: "session.refused",
    details: { kind: "password", count: 10 },
    act: () =>
      burst(({ cookie }) =>
        submit(passwordPage, "/settings/password", { current: "wrong password", password: PASSWORD }, cookie),
      ),
  },
  {
    what: "a burst of wrong codes after a right password",
    action: "session.refused",
    details: { kind: "code", count: 10 },
    act: () =>
      burst(async (who) => submit(codePage, "/sign-in/code", { code: "000000" }, await halfSignedIn(who.session))),
  },
  {
    what: "a consent",
    action: "consent.given",
    details: { scopes: "posts.read posts.write" },
    async act() {
      await decide(queryOf(client), person.id);
      return mine(client.clientId);
    },
  },
  {
    what: "a revoked consent",
    action: "consent.revoked",
    async act() {
      const lockouts = { webhooks: holdWebhooksOfApplication, feeds: stopFeedsOfApplication };
      await revokeAllowedApplication(person.id, client.clientId, lockouts);
      return mine(client.clientId);
    },
  },
  {
    what: "an export",
    action: "user.exported",
    async act() {
      await as(person.id).get("/v1/me/export");
      return mine();
    },
  },
  {
    what: "a new webhook",
    action: "webhook.created",
    async act() {
      const [, created] = await readResponse(as(person.id).post("/v1/webhooks", WEBHOOK));
      webhookId = (created as { id: number }).id;
      return onWebhook();
    },
  },
  {
    what: "a changed webhook",
    action: "webhook.changed",
    async act() {
      await as(person.id).put(`/v1/webhooks/${webhookId}`, { ...WEBHOOK, enabled: false });
      return onWebhook();
    },
  },
  {
    what: "a webhook's new secret",
    action: "webhook.rotated",
    async act() {
      await as(person.id).post(`/v1/webhooks/${webhookId}/rotate-secret`, "");
      return onWebhook();
    },
  },
  {
    what: "a deleted webhook",
    action: "webhook.deleted",
    async act() {
      await as(person.id).delete(`/v1/webhooks/${webhookId}`);
      return onWebhook();
    },
  },
  {
    what: "a new member of a console",
    action: "member.added",
    details: { role: "viewer" },
    async act() {
      const { email } = member.user;
      await operator("partners add-member", "--partner", partner.clientId, "--user", email, "--role", "viewer");
      return byOperator(member.user.id);
    },
  },
  {
    what: "a member's new role",
    action: "member.role-changed",
    details: { from: "viewer", to: "developer" },
    async act() {
      await setMemberRole(partner.id, member.user.id, "developer", person);
      return mine(member.user.id);
    },
  },
  {
    what: "a removed member",
    action: "member.removed",
    details: { role: "developer" },
    async act() {
      await removeMember(partner.id, member.user.id, person);
      return mine(member.user.id);
    },
  },
  {
    what: "a new person in the role of staff",
    action: "user.created",
    details: { role: "staff" },
    async act() {
      const args = ["--email", `${randomUUID()}@example.com`, "--password", PASSWORD, "--role", "staff"];
      return byOperator(((await operator("users create", ...args)) as { id: string }).id);
    },
  },
  {
    what: "a new signing key",
    action: "signing-key.created",
    act: async () => byOperator(((await operator("keys rotate")) as { kid: string }).kid),
  },
  {
    what: "a new authenticator app",
    action: "factor.added",
    details: { kind: "authenticator" },
    async act() {
      await addApp(session);
      return mine();
    },
  },
  {
    what: "new recovery codes",
    action: "factor.codes_renewed",
    async act() {
      await renewRecoveryCodes(person.id);
      return mine();
    },
  },
  {
    what: "a removed authenticator app",
    action: "factor.removed",
    details: { kind: "authenticator" },
    async act() {
      await removeAuthenticator(person.id);
      return mine();
    },
  },
  {
    what: "a new passkey",
    action: "factor.added",
    details: { kind: "passkey" },
    async act() {
      await addKey(member);
      return { actor: member.user.id, subject: member.user.id };
    },
  },
  {
    what: "a removed passkey",
    action: "factor.removed",
    details: { kind: "passkey" },
    async act() {
      const [passkey] = await listPasskeys(member.user.id);
      await removePasskey(member.user.id, passkey?.id ?? "");
      return { actor: member.user.id, subject: member.user.id };
    },
  },
  {
    what: "factors that the operator removed",
    action: "factor.removed",
    details: { kind: "authenticator" },
    async act() {
      const { user } = await withApp();
      await operator("users remove-factors", "--email", user.email);
      return byOperator(user.id);
    },
  },
  {
    what: "a changed password",
    action: "password.changed",
    async act() {
      const fields = { current: PASSWORD, password: PASSWORD };
      await submit(passwordPage, "/settings/password", fields, await sessionCookie(person.id));
      return mine();
    },
  },
  {
    what: "a password reset",
    action: "password.reset",
    async act() {
      const to = { ownerId: person.id, email: person.email };
      const link = await newTokenLink("resetPassword", { path: "/", seconds: 60 }, to);
      const token = new URL(link).searchParams.get("token") ?? "";
      await submit(resetPage, "/reset-password", { token, password: PASSWORD });
      return mine();
    },
  },
];

async function withApp(): Promise<Session> {
  const created = await newSession(await newOwner());
  await addApp(created);
  return created;
}

test.each(rows)("$what adds one entry", async ({ action, details = {}, act }) => {
  const { actor, subject } = await act();
  const lines = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, action), eq(auditLog.subject, subject)))
    .orderBy(asc(auditLog.id));
  expect(lines.map((line) => [line.actorId, line.details])).toEqual([[actor, expect.objectContaining(details)]]);
});

test("keys reseal adds an entry with the number of values", async () => {
  const count = () => db.$count(auditLog, eq(auditLog.action, "keys.resealed"));
  const before = await count();
  await operator("keys reseal");
  expect(await count()).toBe(before + 1);
});
