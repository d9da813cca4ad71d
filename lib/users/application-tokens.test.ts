import { beforeAll, describe, expect, test } from "vitest";
import * as applicationsPage from "@/app/(dashboard)/settings/applications/revoke/route";
import * as authenticatorPage from "@/app/(dashboard)/settings/authenticator/route";
import * as settingsPage from "@/app/(dashboard)/settings/do/[action]/route";
import * as passkeysPage from "@/app/(dashboard)/settings/passkeys/route";
import * as passwordPage from "@/app/(dashboard)/settings/password/route";
import * as sessionsPage from "@/app/(dashboard)/settings/sessions/route";
import * as againPage from "@/app/sign-in/again/route";
import { env } from "../env";
import { newClient, type TestClient, tokensFor } from "../oauth/testing";
import { as, newOwner, nobody, readResponse, sessionCookie } from "../testing";
import { addAuthenticator, beginAuthenticator, factorsOf, listSessions, type Session } from ".";
import { codeAt } from "./testing/authenticator-app";
import { newSession } from "./testing/sessions";

/** An application acts for a person, but only the person manages how to sign in. */

let owner: string;
let session: Session;
let client: TestClient;
let bearer: { authorization: string };

beforeAll(async () => {
  owner = await newOwner();
  session = await newSession(owner);
  const { secret, ticket } = await beginAuthenticator(session.user);
  await addAuthenticator(session, ticket, await codeAt(secret, Date.now()));
  await sessionCookie(owner); // another browser
  client = await newClient();
  const { access_token } = await tokensFor(client, { scope: "service-api/api" }, owner);
  bearer = { authorization: `Bearer ${access_token}` };
});

/** What an application must not change. */
const state = async () => ({
  sessions: (await listSessions(owner)).map(({ id }) => id),
  factors: await factorsOf(owner),
});

describe("an application with the scope api", () => {
  test.each<[string, () => string]>([
    ["GET", () => "/v1/me/sessions"],
    ["DELETE", () => "/v1/me/sessions"],
    ["DELETE", () => `/v1/me/sessions/${session.id}`],
    ["GET", () => "/v1/me/applications"],
    ["DELETE", () => `/v1/me/applications/${client.clientId}`],
  ])("gets 403 for %s %s, and nothing changes", async (method, path) => {
    const before = await state();
    const answer = await readResponse(nobody.request(path(), { method, headers: bearer }));
    expect(answer).toEqual([403, { error: "Access denied" }]);
    expect((await as(owner, ["api"]).request(path(), { method })).status).toBe(403);
    expect(await state()).toEqual(before);
    expect((await nobody.get("/v1/posts", bearer)).status).toBe(200);
  });

  type Page = (request: Request) => Promise<Response>;
  const action = (name: string): Page => {
    return (request) => settingsPage.POST(request, { params: Promise.resolve({ action: name }) });
  };
  test.each<[string, Page, { [field: string]: string }]>([
    ["/settings/password", passwordPage.POST, { current: "x", password: "another password" }],
    ["/settings/sessions", sessionsPage.POST, {}],
    ["/settings/applications/revoke", applicationsPage.POST, {}],
    ["/settings/authenticator", authenticatorPage.POST, {}],
    ["/settings/passkeys", passkeysPage.POST, {}],
    ["/settings/do/remove-authenticator", action("remove-authenticator"), {}],
    ["/settings/do/remove-passkey", action("remove-passkey"), {}],
    ["/settings/do/renew-codes", action("renew-codes"), {}],
    ["/settings/do/export-data", action("export-data"), {}],
    ["/settings/do/delete-account", action("delete-account"), { email: "any@example.com" }],
    ["/sign-in/again", againPage.POST, { password: "x" }],
  ])("is not signed in at %s, and nothing changes", async (path, post, fields) => {
    const before = await state();
    const headers = { ...bearer, origin: new URL(env.appUrl).origin };
    const body = new URLSearchParams(fields);
    const answer = await post(new Request(`${env.appUrl}${path}`, { method: "POST", headers, body }));
    const to = new URL(answer.headers.get("location") ?? "/", env.appUrl).pathname;
    expect(["404 /", "303 /sign-in"]).toContain(`${answer.status} ${to}`);
    expect(await state()).toEqual(before);
  });
});

test("a personal token with the scope account lists and ends sessions", async () => {
  const person = await newOwner();
  const { id } = await newSession(person);
  const [, listed] = await readResponse(as(person, ["account"]).get("/v1/me/sessions"));
  expect(listed).toMatchObject({ items: [{ id, isCurrent: false }] });
  expect((await as(person, ["account"]).delete(`/v1/me/sessions/${id}`)).status).toBe(204);
  expect(await listSessions(person)).toEqual([]);
});
