import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db, media, schedules, users } from "../db";
import { env } from "../env";
import { createPersonalToken, listPersonalTokens, revokePersonalToken, type Scope, scopes } from "../oauth";
import {
  as,
  type Client,
  connectAccount,
  formOf,
  jpeg,
  newOwner,
  newPartner,
  nobody,
  readResponse,
  sessionCookie,
  signedInAs,
} from "../testing";
import { setSuspended } from "../users";
import { api, routes } from "./app";

const DENIED = [403, { error: "Access denied" }];
const UNAUTHORIZED = [401, { error: "Unauthorized" }];
const BODY = { publications: [] };

describe("the dashboard's session cookie", () => {
  test("reads without an Origin", async () => {
    const owner = await newOwner("Ada");
    const email = expect.stringMatching(/@example\.com$/);
    expect(await readResponse(signedInAs(owner).get("/v1/me"))).toEqual([
      200,
      { id: owner, email, name: "Ada", role: "user" },
    ]);
  });

  test.each<[origin: string | undefined, may: boolean]>([
    [new URL(env.appUrl).origin, true],
    [undefined, false],
    ["null", false],
    ["", false],
    ["https://evil.example", false],
    [`${new URL(env.appUrl).origin}.evil.example`, false],
    [`${new URL(env.appUrl).origin}/`, false],
  ])("changes something with Origin %s: %s", async (origin, may) => {
    const caller = signedInAs(await newOwner(), origin);
    const gone = [404, { error: "Posting schedule not found: 1" }];
    expect((await caller.post("/v1/posts", BODY)).status).toBe(may ? 400 : 403);
    expect(await readResponse(caller.delete("/v1/posts/1"))).toEqual(may ? gone : DENIED);
  });

  test("401 if forged, missing, or of a deleted person; 403 for a suspended person", async () => {
    const owner = await newOwner();
    const cookie = (value: string) => nobody.get("/v1/me", { cookie: `next-auth.session-token=${value}` });
    expect(await readResponse(cookie("x"))).toEqual(UNAUTHORIZED);
    expect(await readResponse(cookie((await createPersonalToken(owner, ["api"])).access_token))).toEqual(UNAUTHORIZED);
    expect(await readResponse(signedInAs("3f2b1c52-0000-4000-8000-000000000000").get("/v1/me"))).toEqual(UNAUTHORIZED);
    expect(await readResponse(nobody.get("/v1/me"))).toEqual(UNAUTHORIZED);
    await setSuspended(owner, true);
    expect(await readResponse(signedInAs(owner).get("/v1/me"))).toEqual(DENIED);
  });

  test("is ignored if there is a token", async () => {
    const [one, two] = [await newOwner(), await newOwner()];
    const { access_token } = await createPersonalToken(two, ["api"]);
    const both = signedInAs(one);
    const [, me] = await readResponse(both.get("/v1/me", { authorization: `Bearer ${access_token}` }));
    expect(me).toMatchObject({ id: two });
    expect((await both.get("/v1/me", { authorization: "Bearer x" })).status).toBe(401);
  });

  test("is not accepted for a partner's call", async () => {
    const caller = signedInAs(await newOwner(), new URL(env.appUrl).origin);
    expect(await readResponse(caller.post("/v1/connect/users", { externalUserId: "x", name: "X" }))).toEqual(
      UNAUTHORIZED,
    );
  });
});

describe("A10: the scope of each route", () => {
  const pathOf = (path: string) => path.replace("{id}", "1");
  /** A person's token for each scope. No call of these tests succeeds in changing anything for that person. */
  const callers = new Map<Scope, Client>();
  beforeAll(async () => {
    for (const scope of scopes) callers.set(scope, as(await newOwner(), [scope]));
  });

  test.each(routes)("$method $path needs $scope", async ({ method, path, scope: needed, orProposer }) => {
    for (const [scope, caller] of callers) {
      const init = { method: method.toUpperCase(), headers: { "content-type": "application/json" } };
      const body = method === "post" ? { body: "{}" } : {};
      const { status } = await caller.request(pathOf(path), { ...init, ...body });
      expect(status, scope).not.toBe(401);
      const proposes = scope === "posts.propose" && orProposer === true;
      const may = needed !== "partner" && (scope === needed || proposes || (scope === "api" && needed !== "account"));
      expect(status === 403, `${scope}: ${status}`).toBe(!may);
    }
  });

  test("matches the table in DECISIONS", () => {
    expect(Object.fromEntries(routes.map(({ method, path, scope }) => [`${method} ${path}`, scope]))).toMatchObject({
      "get /v1/accounts": "accounts.read",
      "get /v1/accounts/{id}/chats": "accounts.read",
      "get /v1/accounts/{id}/options": "accounts.read",
      "get /v1/accounts/{id}/options/{setting}": "accounts.read",
      "delete /v1/accounts/{id}": "api",
      "post /v1/media/upload": "media.write",
      "post /v1/media/upload/import": "media.write",
      "get /v1/media/upload/import/{id}": "media.write",
      "get /v1/posts": "posts.read",
      "get /v1/posts/{id}": "posts.read",
      "post /v1/posts": "posts.write",
      "delete /v1/posts/{id}": "posts.write",
      "get /v1/me/export": "account",
      "delete /v1/me": "account",
      "get /v1/me/sessions": "account",
      "delete /v1/me/sessions": "account",
      "get /v1/me/applications": "account",
      "post /v1/connect/users": "partner",
      "post /v1/connect/authorize-url": "partner",
      "post /v1/connect/sessions": "partner",
    });
  });

  test("a suspended person's token is 403 on the next request, and valid again after resuming", async () => {
    const owner = await newOwner();
    const caller = as(owner);
    expect((await caller.get("/v1/accounts")).status).toBe(200);
    await setSuspended(owner, true);
    expect(await readResponse(caller.get("/v1/accounts"))).toEqual(DENIED);
    await setSuspended(owner, false);
    expect((await caller.get("/v1/accounts")).status).toBe(200);
  });

  test("A11: a partner's token never reaches user data without naming the user", async () => {
    const partner = await newPartner();
    for (const { method, path, scope } of routes.filter((one) => one.scope !== "partner" && !one.orPartner)) {
      const answer = await partner.request(pathOf(path), { method: method.toUpperCase() });
      expect([answer.status, scope], path).toEqual([400, scope]);
    }
  });
});

describe("401 for a caller who is locked out while the body arrives", () => {
  /** Sends the first half of a body, waits for `work`, and sends the rest. Nothing is sent before the route reads the body. */
  function slowly(
    path: string,
    headers: { [name: string]: string },
    body: string | Buffer,
    work: () => Promise<unknown>,
  ) {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    let isBegun = false;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      async pull(controller) {
        const half = bytes.length >> 1;
        controller.enqueue(bytes.subarray(...(isBegun ? [half] : [0, half])));
        if (isBegun) controller.close();
        else await work();
        isBegun = true;
      },
    };
    const stream = new ReadableStream(source, { highWaterMark: 0 });
    const init = { method: "POST", headers, body: stream, duplex: "half" } as const;
    return readResponse(api.request(new Request(`${env.baseUrl}${path}`, init)));
  }

  const json = { "content-type": "application/json" };
  const isOf = (owner: string) => eq(schedules.ownerId, owner);
  const reset = (owner: string) =>
    db
      .update(users)
      .set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(eq(users.id, owner));

  async function drafting() {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    const on = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "One" }] };
    const origin = new URL(env.appUrl).origin;
    return {
      ...{ owner, accountId: id, body: JSON.stringify({ isDraft: true, publications: [on] }) },
      session: { cookie: await sessionCookie(owner), origin },
      token: { authorization: `Bearer ${(await createPersonalToken(owner, ["api"])).access_token}` },
    };
  }

  test("by a password reset", async () => {
    const { owner, body, session } = await drafting();
    const others = await slowly("/v1/posts", { ...json, ...session }, body, async () => {});
    expect(others[0]).toBe(201);
    expect(await slowly("/v1/posts", { ...json, ...session }, body, () => reset(owner))).toEqual(UNAUTHORIZED);
    expect(await db.$count(schedules, isOf(owner))).toBe(1);
  });

  test("by the end of a token", async () => {
    const { owner, body, token } = await drafting();
    const end = async () => {
      for (const { id } of await listPersonalTokens(owner)) await revokePersonalToken(owner, id);
    };
    expect(await slowly("/v1/posts", { ...json, ...token }, body, end)).toEqual(UNAUTHORIZED);
    expect(await db.$count(schedules, isOf(owner))).toBe(0);
  });

  test("by a suspension: 403", async () => {
    const { owner, body, token } = await drafting();
    const suspend = () => setSuspended(owner, true);
    expect(await slowly("/v1/posts", { ...json, ...token }, body, suspend)).toEqual(DENIED);
    expect(await db.$count(schedules, isOf(owner))).toBe(0);
  });

  test("also for a CSV file and for an upload", async () => {
    const { owner, accountId, session } = await drafting();
    const csv = `accounts,text,draft\n${accountId},One,true\n`;
    const sent = { ...session, "content-type": "text/csv" };
    expect(await slowly("/v1/posts/import", sent, csv, () => reset(owner))).toEqual(UNAUTHORIZED);
    expect(await db.$count(schedules, isOf(owner))).toBe(0);

    const other = await drafting();
    const form = new Response(formOf({ bytes: await jpeg(), filename: "picture.jpg" }));
    const type = form.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await form.arrayBuffer());
    const headers = { ...other.session, "content-type": type };
    expect(await slowly("/v1/media/upload", headers, bytes, () => reset(other.owner))).toEqual(UNAUTHORIZED);
    expect(await db.$count(media, eq(media.ownerId, other.owner))).toBe(0);
  });
});
