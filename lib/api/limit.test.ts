import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as embedded from "@/app/embed/[...path]/route";
import { openConnectSession } from "../connect";
import { connectSessions, db, sessions } from "../db";
import { env } from "../env";
import { CLIENT_ADDRESS } from "../http/page-request";
import { createPersonalToken } from "../oauth";
import {
  as,
  type Client,
  client,
  newOwner,
  newPartner,
  nobody,
  readResponse,
  sessionCookie,
  signedInAs,
} from "../testing";
import { withSettings } from "../testing/settings";
import { api } from "./app";

withSettings({ rateLimits: { ...env.rateLimits, api: 3 } });

const ask = async (client: Client, times: number) => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await client.get("/v1/me")).status);
  return statuses;
};

describe("429", () => {
  test("counts a person across tokens and sessions, with a message, Retry-After and the limit", async () => {
    const owner = await newOwner();
    const client = as(owner);
    const first = await client.get("/v1/me");
    expect(first.status).toBe(200);
    expect(first.headers.get("ratelimit-policy")).toBe('"api";q=3;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"api";r=2;t=60$/);
    expect(await ask(client, 3)).toEqual([200, 200, 429]);
    const refused = await client.post("/v1/posts", {});
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(refused.headers.get("ratelimit")).toMatch(/^"api";r=0;t=\d+$/);
    expect(refused.headers.get("x-request-id")).toBeTruthy();
    expect(await readResponse(refused)).toEqual([
      429,
      { message: expect.stringMatching(/^Too many requests: at most 3 a minute\. Try again in \d+ s$/) },
    ]);
    expect(await ask(as(owner), 1)).toEqual([429]);
    expect(await ask(signedInAs(owner), 1)).toEqual([429]);
    expect(await ask(as(await newOwner()), 1)).toEqual([200]);
  });

  test("counts a partner's calls for each of its users separately, across tokens", async () => {
    const partner = await newPartner();
    const user = async () => {
      const { uuid } = await (
        await partner.post("/v1/connect/users", { externalUserId: randomUUID(), name: "U" })
      ).json();
      return String(uuid);
    };
    const [one, two] = [await user(), await user()];
    const call = async (uuid: string) => {
      const headers = { "x-connect-user-id": uuid, "x-api-key": partner.clientId };
      return (await partner.get("/v1/accounts", headers)).status;
    };
    expect([await call(one), await call(one), await call(one), await call(one)]).toEqual([200, 200, 200, 429]);
    expect(await call(two)).toBe(200);
    expect((await partner.get("/v1/connect/users")).status).toBe(200); // the third of its own calls
    expect((await partner.get("/v1/connect/users")).status).toBe(429);
  });

  test("counts a partner's user once, by whichever header it is named, and only where a call is for a user", async () => {
    const partner = await newPartner();
    const externalUserId = `Zoë ${randomUUID()}`;
    const made = await readResponse(partner.post("/v1/connect/users", { externalUserId, name: "U" }));
    const { uuid } = made[1] as { uuid: string };
    const byUuid = { "x-connect-user-id": uuid };
    const byName = { "x-connect-external-user-id": Buffer.from(externalUserId).toString("latin1") };
    const rest = async (path: string, headers: { [name: string]: string }) =>
      (await partner.get(path, headers)).headers.get("ratelimit")?.match(/r=(\d+)/)?.[1];
    expect([
      await rest("/v1/accounts", byUuid),
      await rest("/v1/accounts", byName),
      await rest("/v1/accounts", { ...byUuid, ...byName }),
    ]).toEqual(["2", "1", "0"]);
    // The first call of its own created the user.
    expect([await rest("/v1/connect/users", byUuid), await rest("/v1/openapi.json", byName)]).toEqual(["1", "0"]);
  });

  const naming = [
    ["GET", "/v1/connect/users", "x-connect-user-id", 200],
    ["GET", "/v1/openapi.json", "x-connect-user-id", 200],
    ["GET", "/v1/accounts", "x-connect-user-id", 404],
    ["GET", "/v1/accounts", "x-connect-external-user-id", 404],
    ["POST", "/v1/connect/sessions", "x-connect-external-user-id", 404],
    ["POST", "/mcp", "x-connect-user-id", 200],
  ] as const;
  test.each(naming)("counts %s %s for the partner if %s names nobody", async (method, path, header, status) => {
    const partner = await newPartner();
    const [, { access_token }] = (await readResponse(
      nobody.post("/oauth/token", {
        grant_type: "client_credentials",
        client_id: partner.clientId,
        client_secret: partner.clientSecret,
      }),
    )) as [number, { access_token: string }];
    const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const body = JSON.stringify(path === "/mcp" ? message : { origins: ["https://app.acme.example"] });
    const call = async () => {
      const naming = { ...headers, accept: "application/json, text/event-stream", [header]: randomUUID() };
      return (await api.request(path, { method, headers: naming, ...(method === "POST" && { body }) })).status;
    };
    expect([await call(), await call(), await call(), await call()]).toEqual([status, status, status, 429]);
    expect((await partner.get("/v1/connect/users")).status).toBe(429);
  });

  test("counts the lists of webhooks in a partner's page together with their user, and their tokens after the end as wrong ones", async () => {
    const partner = await newPartner();
    const identity = { "x-connect-external-user-id": randomUUID() };
    const externalUserId = identity["x-connect-external-user-id"];
    await partner.post("/v1/connect/users", { externalUserId, name: "U" });
    const frame = async () => {
      const body = { origins: ["https://app.acme.example"], shows: "webhooks" };
      const { id, clientToken } = await (await partner.post("/v1/connect/sessions", body, identity)).json();
      const origin = "https://app.acme.example";
      const { token } = await openConnectSession(id, { clientToken, origin, shows: "webhooks" });
      return { id, ...client(async () => ({ authorization: `Bearer ${token}` })) };
    };
    const [one, two] = [await frame(), await frame()]; // two calls for the user
    expect((await one.get("/v1/webhooks")).status).toBe(200);
    expect((await two.get("/v1/webhooks")).status).toBe(429);
    expect((await partner.get("/v1/webhooks", identity)).status).toBe(429);
    await db.update(connectSessions).set({ expiresAt: sql`now()` }).where(eq(connectSessions.id, one.id));
    expect((await one.get("/v1/webhooks")).status).toBe(401);
  });

  test("counts the lists of accounts in a partner's page together with their user, and what no session allows for its address", async () => {
    const partner = await newPartner();
    const named = async (externalUserId: string) => {
      await partner.post("/v1/connect/users", { externalUserId, name: "U" });
      return { "x-connect-external-user-id": externalUserId };
    };
    const [identity, another] = [await named(randomUUID()), await named(randomUUID())];
    const origin = "https://app.acme.example";
    const frame = async (identity: { [header: string]: string }) => {
      const { id, clientToken } = await (
        await partner.post("/v1/connect/sessions", { origins: [origin] }, identity)
      ).json();
      return { id: String(id), ...(await openConnectSession(id, { clientToken, origin })) };
    };
    const look = async (path: string[], token = "", address = "203.0.113.70") => {
      const headers = { authorization: `Bearer ${token}`, [CLIENT_ADDRESS]: address };
      const request = new Request(`${env.appUrl}/embed/${path.join("/")}`, { headers });
      return embedded.GET(request, { params: Promise.resolve({ path }) });
    };
    const statusOf = async (...of: Parameters<typeof look>) => (await look(...of)).status;
    const [one, two] = [await frame(identity), await frame(identity)]; // two calls for the user
    const read = ({ id, token }: typeof one) => statusOf(["connect", id, "accounts"], token);
    expect([await read(one), await read(two)]).toEqual([200, 429]);
    expect((await partner.get("/v1/accounts", identity)).status).toBe(429);

    const other = await frame(another);
    const page = ["connect", other.id];
    const wrong = () => statusOf(["connect", other.id, "accounts"], "wrong");
    expect([await wrong(), await statusOf(page), await wrong(), await wrong(), await statusOf(page)]).toEqual([
      ...[401, 200, 401, 429, 429],
    ]);
    expect(await statusOf(page, "", "203.0.113.71")).toBe(200);

    // The frame shows the message, and no other page can show the frame. Without a session there is no frame.
    const refused = await look(page);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(refused.headers.get("content-security-policy")).toMatch(/; frame-ancestors https:\/\/app\.acme\.example$/);
    const text = await refused.text();
    const message = `Too many requests: at most 3 a minute. Try again in ${refused.headers.get("retry-after")} s`;
    expect(text).toContain(`<p class="notice wrong" role="status">${message}</p>`);
    expect(text).toContain(`&quot;afterSeconds&quot;:${refused.headers.get("retry-after")},`);
    expect(await (await look(["connect", randomUUID()])).json()).toEqual({
      message: expect.stringMatching(/^Too many/),
    });
  });

  test("counts a session user across cookies", async () => {
    const owner = await newOwner();
    expect(await ask(signedInAs(owner), 2)).toEqual([200, 200]);
    expect(await ask(signedInAs(owner), 2)).toEqual([200, 429]);
  });

  test("does not count the cookie of an ended session, which somebody else may have, against the person", async () => {
    const owner = await newOwner();
    const cookie = await sessionCookie(owner);
    await db.update(sessions).set({ revokedAt: sql`now()` }).where(eq(sessions.userId, owner));
    const surroundings = { incoming: { socket: { remoteAddress: "203.0.113.60" } } };
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++)
      statuses.push((await api.request("/v1/me", { headers: { cookie } }, surroundings)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await ask(signedInAs(owner), 3)).toEqual([200, 200, 200]);
  });

  test("counts an address without a credential; an invalid token counts separately", async () => {
    const from = async (remoteAddress: string) =>
      (await api.request("/v1/me", {}, { incoming: { socket: { remoteAddress } } })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push(await from("203.0.113.9"));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await from("203.0.113.10")).toBe(401);
    const invalid = randomUUID();
    const forged = await nobody.get("/v1/me", { authorization: `Bearer ${invalid}` });
    expect([forged.status, forged.headers.get("ratelimit")]).toEqual([401, '"api";r=2;t=60']);
    const spelled = await nobody.get("/v1/me", { authorization: `bEaReR ${invalid}` });
    expect(spelled.headers.get("ratelimit")).toMatch(/^"api";r=1;/);
  });

  test("counts invalid tokens together for their address, without affecting valid ones", async () => {
    const surroundings = { incoming: { socket: { remoteAddress: "203.0.113.20" } } };
    const from = (token: string) =>
      api.request("/v1/me", { headers: { authorization: `Bearer ${token}` } }, surroundings);
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await from(`forged${n}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    const refused = await from("one more");
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(refused.headers.get("ratelimit")).toMatch(/^"api";r=0;t=\d+$/);
    expect(refused.headers.get("www-authenticate")).toBeNull();
    expect(await readResponse(refused)).toEqual([
      429,
      { message: expect.stringMatching(/^Too many requests: at most 3 /) },
    ]);
    const { access_token } = await createPersonalToken(await newOwner(), ["api"]);
    expect((await from(access_token)).status).toBe(200);
  });
});
