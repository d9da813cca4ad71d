import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { jobs } from "../../../worker";
import { db, publishSteps } from "../../db";
import { env } from "../../env";
import { createOwnApplication, createOwnToken } from "../../oauth";
import { newClient, tokensFor } from "../../oauth/testing";
import { createFeedback } from "../../reviews";
import { ClaimLost, claimPublication } from "../../schedules/publish/claim";
import { storeIntent } from "../../schedules/publish/steps";
import {
  as,
  type Client,
  callsOn,
  connectAccount,
  newOwner,
  newPartner,
  nobody,
  picture,
  postsOn,
  readResponse,
  schedule,
  shown,
  signedInAs,
  withWorker,
} from "../../testing";
import { flushRequestLog } from "../request-log";

const IN_PROGRESS = [409, { error: "User deletion is in progress" }];
const UNAUTHORIZED = [401, { error: "Unauthorized" }];
const HOUR = 3_600_000;
const worker = () => ({ id: randomUUID(), assertAlive() {} });

/** A person with one thing of each kind. `hold` delays the job until it is released. */
async function person() {
  const owner = await newOwner("Ada");
  const account = await connectAccount(owner, "X_TWITTER");
  const image = await picture(owner);
  const client = as(owner);
  const on = (content: string) => ({
    socialMediaAccountId: account.id,
    platformSettings: { type: "TWITTER" },
    posts: [{ content, attachmentPaths: [image] }],
  });
  const made = await schedule(client, [on("later")], new Date(Date.now() + HOUR));
  return { owner, account, image, client, on, made, publicationId: made.publications[0]?.id ?? 0 };
}

/** Simulates a worker in the middle of the final call of the person's publication. */
async function sending({ made, publicationId }: Awaited<ReturnType<typeof person>>) {
  await db.insert(publishSteps).values({
    postId: made.publications[0]?.posts[0]?.id ?? 0,
    name: "post",
    state: "SENDING",
    workerId: randomUUID(),
  });
  const lease = (until: string) =>
    db.execute(sql`update publications set claim_until = ${until}::timestamptz where id = ${publicationId}`);
  await lease("2999-01-01");
  return { end: () => lease("2000-01-01") };
}

async function feedbackOn({ client, made: { id } }: Awaited<ReturnType<typeof person>>): Promise<void> {
  const [, made] = await readResponse(client.post(`/v1/posts/${id}/review-links`, { days: 1 }));
  const link = new URL((made as { url: string }).url).searchParams.get("link") ?? "";
  await createFeedback(link, { name: "Grace", text: "Tuesday", digest: "0".repeat(64) });
}

const exists = async (owner: string) =>
  (await db.execute(sql`select 1 from users where id = ${owner}`)).rows.length > 0;
const gone = (owner: string) => vi.waitFor(async () => expect(await exists(owner)).toBe(false), 45_000);

withWorker();

describe("DELETE /v1/me", () => {
  test("202, then 409 until it is done, then 401 for tokens and session; no data is left", async () => {
    const ada = await person();
    const call = await sending(ada);
    await feedbackOn(ada);
    await ada.client.put(`/v1/accounts/${ada.account.id}/slots`, { timeZone: "UTC", slots: [] });
    await ada.client.post("/v1/account-groups", { name: "Shop", colour: "TEAL", accountIds: [ada.account.id] });
    const session = signedInAs(ada.owner, new URL(env.appUrl).origin);
    expect(await readResponse(session.delete("/v1/me"))).toEqual([202, ""]);
    for (const client of [ada.client, session]) {
      expect(await readResponse(client.get("/v1/me"))).toEqual(IN_PROGRESS);
      expect(await readResponse(client.post("/v1/posts", { publications: [ada.on("a")] }))).toEqual(IN_PROGRESS);
      expect(await readResponse(client.delete("/v1/me"))).toEqual(IN_PROGRESS);
    }
    expect(await exists(ada.owner)).toBe(true);
    await call.end();
    await gone(ada.owner);
    // The worker tells this process right after the commit that `gone` saw.
    await vi.waitFor(async () => expect(await readResponse(ada.client.get("/v1/me"))).toEqual(UNAUTHORIZED), 45_000);
    expect(await readResponse(session.get("/v1/me"))).toEqual(UNAUTHORIZED);
    const id = (ada.image.split("/")[1] ?? "").split(".")[0] ?? "";
    await expect(stat(join(env.dataDir, "objects", id.slice(0, 2), id))).rejects.toThrow();
    for (const table of ["accounts", "account_groups", "media", "schedules", "idempotency_keys"]) {
      const { rows } = await db.execute(sql`select 1 from ${sql.identifier(table)} where owner_id = ${ada.owner}`);
      expect([table, rows]).toEqual([table, []]);
    }
    for (const table of ["feedback", "review_links"]) {
      const { rows } = await db.execute(sql`select 1 from ${sql.identifier(table)} where schedule_id = ${ada.made.id}`);
      expect([table, rows]).toEqual([table, []]);
    }
    const queues = await db.execute(sql`select 1 from queue_slots where account_id = ${ada.account.id}`);
    expect(queues.rows).toEqual([]);
  });

  test("another person can connect the account afterwards", async () => {
    const ada = await person();
    await ada.client.delete("/v1/me");
    await gone(ada.owner);
    const heir = await newOwner();
    const { connectWithoutBrowser } = await import("../../connect");
    expect(await connectWithoutBrowser(heir, "X_TWITTER", ada.account.person)).toEqual(expect.any(Number));
  });

  test("completes after being killed, because every part can be repeated", async () => {
    const ada = await person();
    const call = await sending(ada);
    await ada.client.delete("/v1/me");
    // A worker did half of it and died.
    await db.execute(
      sql`update accounts set tokens_sealed = null, disconnected_at = now() where owner_id = ${ada.owner}`,
    );
    await db.execute(sql`delete from media where owner_id = ${ada.owner}`);
    await call.end();
    const job = jobs.find(({ name }) => name === "user.delete");
    await Promise.all([job?.run({ userId: ada.owner }, worker()), job?.run({ userId: ada.owner }, worker())]);
    await gone(ada.owner);
    await job?.run({ userId: ada.owner }, worker());
  });

  test("nothing is claimed or emitted after the request", async () => {
    const ada = await person();
    await db.execute(sql`update schedules set scheduled_time = now() where id = ${ada.made.id}`);
    const claim = await claimPublication(ada.publicationId, worker());
    const late = await person();
    const [calls, lateCalls] = [await sending(ada), await sending(late)];
    await ada.client.delete("/v1/me");
    await late.client.delete("/v1/me");
    expect(claim).toBeDefined();
    if (claim) {
      await expect(storeIntent(claim, claim.posts[0]?.id ?? 0, "post")).rejects.toThrow(ClaimLost);
    }
    await db.execute(sql`update schedules set scheduled_time = now() where id = ${late.made.id}`);
    await db.execute(sql`update publications set claim_until = null where id = ${late.publicationId}`);
    expect(await claimPublication(late.publicationId, worker())).toBeUndefined();
    await calls.end();
    await lateCalls.end();
    await Promise.all([gone(ada.owner), gone(late.owner)]);
    expect(await callsOn("x", ada.account.person, "publish")).toEqual([]);
    expect(await postsOn("x", late.account.person)).toEqual([]);
  });

  test("403 without the scope account, which api does not include and no application can get", async () => {
    const owner = await newOwner();
    const application = await tokensFor(await newClient(), { scope: "service-api/api" }, owner);
    const bearer = { authorization: `Bearer ${application.access_token}` };
    for (const ask of [
      (client: Client, headers = {}) => client.delete("/v1/me", headers),
      (client: Client, headers = {}) => client.get("/v1/me/export", headers),
    ]) {
      expect(await readResponse(ask(as(owner, ["api"])))).toEqual([403, { error: "Access denied" }]);
      expect(await readResponse(ask(nobody, bearer))).toEqual([403, { error: "Access denied" }]);
    }
    expect((await signedInAs(owner).delete("/v1/me")).status).toBe(403);
    expect(await exists(owner)).toBe(true);
    expect((await as(owner, ["account"]).get("/v1/me/export")).status).toBe(200);
  });
});

describe("GET /v1/me/export", () => {
  test("200 with all data in the API's own shapes, and no tokens", async () => {
    const ada = await person();
    const application = { name: "Planner", redirectUris: ["https://planner.example/cb"], isPublic: true };
    await createOwnApplication(ada.owner, application);
    await createOwnToken(ada.owner, { name: "Report", scopes: ["posts.read"], days: 7 });
    const queue = { timeZone: "Asia/Kathmandu", slots: [{ weekday: "FRIDAY", time: "18:15" }] };
    await ada.client.put(`/v1/accounts/${ada.account.id}/slots`, queue);
    const grouped = { name: "Shop", colour: "TEAL", accountIds: [ada.account.id] };
    const [, group] = await readResponse(ada.client.post("/v1/account-groups", grouped));
    await feedbackOn(ada);
    const [, accounts] = await readResponse(ada.client.get("/v1/accounts"));
    const [, posts] = await readResponse(ada.client.get("/v1/posts"));
    await shown(ada.owner);
    const [, log] = await readResponse(ada.client.get("/v1/events"));
    await flushRequestLog();
    const [status, body] = await readResponse(ada.client.get("/v1/me/export"));
    expect([status, body]).toEqual([
      200,
      {
        user: { id: ada.owner, name: "Ada", email: expect.any(String), createdTime: expect.any(String) },
        notifications: {
          email: { postPublished: true, postFailed: true, accountReconnect: true, webhookDisabled: true },
        },
        mails: [],
        accounts: (accounts as object[]).map((account) => ({ ...account, chats: [], queue })),
        accountGroups: [group],
        feeds: [],
        media: [expect.objectContaining({ path: ada.image })],
        imports: [],
        webhooks: [],
        events: (log as { items: object[] }).items,
        applications: [expect.objectContaining({ name: "Planner", redirectUris: ["https://planner.example/cb"] })],
        allowedApplications: [],
        grants: expect.arrayContaining([
          { name: "Report", scopes: ["posts.read"], createdTime: expect.any(String), endTime: expect.any(String) },
        ]),
        requests: expect.arrayContaining([
          { requestId: expect.any(String), time: expect.any(String), method: "GET", path: "/v1/events", status: 200 },
        ]),
        feedback: [
          {
            id: expect.any(Number),
            postingScheduleId: ada.made.id,
            ...{ name: "Grace", text: "Tuesday", createdTime: expect.any(String) },
          },
        ],
        posts: (posts as { items: object[] }).items,
      },
    ]);
    const said = JSON.stringify(body).replaceAll('"tokenExpiresTime":', ""); // the expiry time is not a token
    expect(said).not.toMatch(/token|secret|password|sealed/i);
  });
});

describe("a partner's users", () => {
  async function provisioned() {
    const partner = await newPartner();
    const externalUserId = randomUUID();
    const made = await partner.post("/v1/connect/users", { externalUserId, name: "Ada", email: "ada@example.com" });
    const { uuid } = (await made.json()) as { uuid: string };
    return { partner, uuid, externalUserId, path: `/v1/connect/users/${uuid}` };
  }

  test("GET lists them newest first, page by page, and reads one", async () => {
    const partner = await newPartner();
    for (const name of ["a", "b", "c"]) await partner.post("/v1/connect/users", { externalUserId: name, name });
    type Page = { items: { uuid: string; name: string }[]; nextCursor: string | null };
    const [, first] = (await readResponse(partner.get("/v1/connect/users?limit=2"))) as [number, Page];
    expect(first.items.map(({ name }) => name)).toEqual(["c", "b"]);
    const [, second] = (await readResponse(partner.get(`/v1/connect/users?limit=2&cursor=${first.nextCursor}`))) as [
      number,
      Page,
    ];
    expect(second).toEqual({ items: [{ uuid: expect.any(String), name: "a" }], nextCursor: null });
    const one = await provisioned();
    expect(await readResponse(one.partner.get(one.path))).toEqual([
      200,
      { uuid: one.uuid, name: "Ada", email: "ada@example.com" },
    ]);
  });

  test("DELETE: 202, 409 for every other call until it is done, then 404, then the name can be provisioned again", async () => {
    const { partner, uuid, externalUserId, path } = await provisioned();
    const account = await connectAccount(uuid, "X_TWITTER");
    const identity = { "x-connect-user-id": uuid };
    const publication = {
      socialMediaAccountId: account.id,
      platformSettings: { type: "TWITTER" },
      posts: [{ content: "a" }],
    };
    const body = { scheduledTime: "2031-05-01T12:00:00Z", publications: [publication] };
    const [, made] = await readResponse(partner.post("/v1/posts", body, identity));
    const held = made as Awaited<ReturnType<typeof person>>["made"];
    const call = await sending({ made: held, publicationId: held.publications[0]?.id ?? 0 } as Awaited<
      ReturnType<typeof person>
    >);
    expect(await readResponse(partner.delete(path))).toEqual([202, ""]);
    for (const answer of [
      partner.delete(path),
      partner.get(path),
      partner.get("/v1/accounts", identity),
      partner.get("/v1/accounts", { "x-connect-external-user-id": externalUserId }),
      partner.post("/v1/posts", body, identity),
      partner.post("/v1/connect/users", { externalUserId, name: "Ada" }),
      partner.post(
        "/v1/connect/authorize-url",
        { platform: "X_TWITTER", redirectUri: "https://a.example/" },
        { ...identity, "x-api-key": partner.clientId },
      ),
    ]) {
      expect(await readResponse(answer)).toEqual(IN_PROGRESS);
    }
    expect((await readResponse(partner.get("/v1/connect/users")))[1]).toEqual({ items: [], nextCursor: null });
    await call.end();
    await gone(uuid);
    const absent = [404, { error: `Connect user not found: ${uuid}` }];
    expect(await readResponse(partner.get(path))).toEqual(absent);
    expect(await readResponse(partner.delete(path))).toEqual(absent);
    expect(await readResponse(partner.get("/v1/accounts", identity))).toEqual(absent);
    const [, again] = await readResponse(partner.post("/v1/connect/users", { externalUserId, name: "Ada" }));
    expect((again as { uuid: string }).uuid).not.toBe(uuid);
  });

  test("404, the same for another partner's user and a missing one", async () => {
    const { uuid, path } = await provisioned();
    const other = await newPartner();
    const absent = randomUUID();
    for (const id of [uuid, absent, "x", "%00"]) {
      const says = [404, { error: `Connect user not found: ${decodeURIComponent(id)}` }];
      expect(await readResponse(other.get(`/v1/connect/users/${id}`))).toEqual(says);
      expect(await readResponse(other.delete(`/v1/connect/users/${id}`))).toEqual(says);
    }
    expect(path).toContain(uuid);
  });

  test("a connect link of a user who is being deleted is rejected", async () => {
    const { uuid } = await provisioned();
    await db.execute(sql`update users set deleting_at = now() where id = ${uuid}`);
    const { openAttempt } = await import("../../connect/open");
    const input = { jti: randomUUID(), owner: uuid, platform: "X_TWITTER" as const, redirectUri: "https://a.example/" };
    await expect(openAttempt(input)).rejects.toMatchObject({ status: 410 });
  });
});
