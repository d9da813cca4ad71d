import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import * as developerForms from "@/app/(dashboard)/developers/do/[action]/route";
import * as authenticatorPage from "@/app/(dashboard)/settings/authenticator/route";
import * as settingsForms from "@/app/(dashboard)/settings/do/[action]/route";
import * as passkeyPage from "@/app/(dashboard)/settings/passkeys/route";
import { applications, calendarAddresses, db, grants, sessions, webhookEndpoints } from "../../db";
import { env } from "../../env";
import { createCalendarAddress } from "../../schedules";
import { as, newOwner, nobody, readResponse, sessionCookie } from "../../testing";
import { openApiDocument } from "..";
import { routes } from "../app";

/** Someone at an unlocked computer has a session, but does not know the password. */

let owner: string;
let webhookId: number;
let headers: { cookie: string; origin: string };

beforeAll(async () => {
  owner = await newOwner();
  const webhook = { url: "https://hooks.example.com/", events: ["post.completed"] };
  const [, created] = await readResponse(as(owner).post("/v1/webhooks", webhook));
  webhookId = (created as { id: number }).id;
  await createCalendarAddress(owner);
  headers = { cookie: await sessionCookie(owner), origin: new URL(env.appUrl).origin };
  const stale = { authenticatedAt: sql`now() - interval '11 minutes'` };
  await db.update(sessions).set(stale).where(eq(sessions.userId, owner));
});

const state = async () => [
  await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.ownerId, owner)),
  await db.$count(applications, eq(applications.ownerId, owner)),
  await db.$count(grants, eq(grants.userId, owner)),
  await db.select().from(calendarAddresses).where(eq(calendarAddresses.ownerId, owner)),
];

const MESSAGE = "This action requires a sign-in within the last 10 minutes. Confirm your password and try again";
const CALLS: [method: string, path: string, address: () => string][] = [
  ["get", "/v1/me/export", () => "/v1/me/export"],
  ["delete", "/v1/me", () => "/v1/me"],
  ["post", "/v1/webhooks", () => "/v1/webhooks"],
  ["post", "/v1/webhooks/{id}/rotate-secret", () => `/v1/webhooks/${webhookId}/rotate-secret`],
];

test.each(CALLS)("%s %s is 403 for a session that is not fresh, as documented", async (method, path, address) => {
  const before = await state();
  const answer = await nobody.request(address(), { method: method.toUpperCase(), headers });
  const challenge = 'Bearer error="insufficient_user_authentication", max_age="600"';
  expect(answer.headers.get("www-authenticate")).toBe(challenge);
  expect(await readResponse(answer)).toEqual([403, { error: MESSAGE }]);
  expect(await state()).toEqual(before);
  const documented = openApiDocument().paths[path]?.[method as "get"]?.responses;
  expect(JSON.stringify(documented?.["403"])).toContain(MESSAGE);
});

test("these are all routes that need a fresh session", () => {
  const declared = routes.filter((one) => one.needsFreshSession).map(({ method, path }) => `${method} ${path}`);
  expect(declared.sort()).toEqual(CALLS.map(([method, path]) => `${method} ${path}`).sort());
});

test("a route that shows a secret needs one, except for links that show one post to reviewers", () => {
  const shown = routes.filter((one) => one.isSecret && !one.needsFreshSession);
  expect(shown.map(({ method, path }) => `${method} ${path}`)).toEqual(["post /v1/posts/{id}/review-links"]);
});

type Form = (request: Request, context: { params: Promise<{ action: string }> }) => Promise<Response>;
const application = { name: "Mine", redirectUris: "https://app.example.com/callback" };

test.each<[string, Form, { [field: string]: string }]>([
  ["developers/do/create-token", developerForms.POST, { name: "Mine", scope: "posts.read", days: "7" }],
  ["developers/do/create-application", developerForms.POST, application],
  ["developers/do/rotate", developerForms.POST, { client: "any" }],
  ["settings/authenticator", authenticatorPage.POST, { code: "000000" }],
  ["settings/passkeys", passkeyPage.POST, { name: "Laptop" }],
  ["settings/do/remove-authenticator", settingsForms.POST, {}],
  ["settings/do/remove-passkey", settingsForms.POST, {}],
  ["settings/do/rename-passkey", settingsForms.POST, { passkey: "any", name: "Laptop" }],
  ["settings/do/renew-codes", settingsForms.POST, {}],
  ["settings/do/new-calendar-address", settingsForms.POST, {}],
  ["settings/do/remove-calendar-address", settingsForms.POST, {}],
  ["settings/do/export-data", settingsForms.POST, {}],
  ["settings/do/delete-account", settingsForms.POST, { email: "any@example.com" }],
])("/%s asks a session that is not fresh for the password, and changes nothing", async (path, post, fields) => {
  const before = await state();
  const body = new URLSearchParams(fields);
  const request = new Request(`${env.appUrl}/${path}`, { method: "POST", headers, body });
  const answer = await post(request, { params: Promise.resolve({ action: path.split("/").at(-1) ?? "" }) });
  const to = new URL(answer.headers.get("location") ?? "/", env.appUrl);
  expect([answer.status, to.pathname]).toEqual([303, "/sign-in/again"]);
  expect(to.searchParams.get("callbackUrl")).toMatch(/^\/(developers|settings)/);
  expect(await state()).toEqual(before);
});
