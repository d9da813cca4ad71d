import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, schedules } from "../../db";
import { env } from "../../env";
import type { Scope } from "../../oauth";
import { createApplication } from "../../oauth/applications";
import { createGrant } from "../../oauth/grants";
import { issueAccessToken } from "../../oauth/tokens";
import { as, connect, newOwner, nobody, signedInAs, told } from "../../testing";
import { routes } from "../app";

const ORIGIN = new URL(env.appUrl).origin;
const FUTURE = "2090-01-01T00:00:00Z";

type Proposal = { application: string; proposedTime: string; digest: string; approvedTime?: string };
type Shown = { id: number; overallStatus: string; scheduledTime?: string; proposal?: Proposal };

async function owned() {
  const owner = await newOwner();
  const { id: account } = await connect(owner, "X_TWITTER");
  const publicationsOf = (content: string) => [
    { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content }] },
  ];
  const bodyOf = (content: string, more: object = {}) => ({
    ...{ publications: publicationsOf(content), scheduledTime: FUTURE, isDraft: true },
    ...more,
  });
  const agent = as(owner, ["posts.propose"]);
  const person = signedInAs(owner, ORIGIN);
  const propose = async (content: string, more?: object): Promise<Shown> => {
    const [status, shown] = await told(agent.post("/v1/posts", bodyOf(content, more)));
    expect(status).toBe(201);
    return shown as Shown;
  };
  const shownTo = async (client: typeof agent, id: number) => (await told(client.get(`/v1/posts/${id}`)))[1] as Shown;
  return { owner, account, agent, person, bodyOf, publicationsOf, propose, shownTo };
}

/** Calls as an application with these scopes. */
async function application(owner: string, name: string, scopes: Scope[]) {
  const { clientId } = await createApplication(name, ["https://agent.example/callback"]);
  const grantId = await createGrant({ kind: "authorization_code", clientId, userId: owner, scopes });
  const { access_token } = await issueAccessToken({ grantId, subject: owner, clientId, scopes });
  const headers = { authorization: `Bearer ${access_token}` };
  return {
    post: (path: string, body: unknown) => told(nobody.post(path, body, headers)),
    get: (path: string) => told(nobody.get(path, headers)),
  };
}

describe("a proposal", () => {
  test("is a draft that names the application and the time", async () => {
    const { owner, bodyOf, person, shownTo } = await owned();
    const agent = await application(owner, "Newsletter assistant", ["posts.propose"]);
    const [status, made] = await agent.post("/v1/posts", bodyOf("Proposed"));
    expect([status, made]).toMatchObject([
      201,
      { overallStatus: "DRAFT", proposal: { application: "Newsletter assistant" } },
    ]);
    // The digest of the answer is the one that is read back, so an approval can send either.
    const { id, proposal } = made as Shown;
    expect((await shownTo(person, id)).proposal).toEqual(proposal);
  });

  test("can be read by the application that made it, and by no other one with this scope alone", async () => {
    const { owner, agent, propose } = await owned();
    const { id } = await propose("Mine");
    const other = await application(owner, "Another agent", ["posts.propose"]);
    expect((await agent.get(`/v1/posts/${id}`)).status).toBe(200);
    expect((await agent.get(`/v1/posts/${id}/preview`)).status).toBe(200);
    const absent = [404, { error: `Posting schedule not found: ${id}` }];
    expect(await other.get(`/v1/posts/${id}`)).toEqual(absent);
    expect(await other.get(`/v1/posts/${id}/preview`)).toEqual(absent);
  });

  test("a draft that its owner wrote cannot be read with this scope alone", async () => {
    const { agent, person, bodyOf } = await owned();
    const [, { id }] = (await told(person.post("/v1/posts", bodyOf("Private")))) as [number, Shown];
    expect((await agent.get(`/v1/posts/${id}`)).status).toBe(404);
  });
});

describe("a token with only posts.propose", () => {
  test.each([
    ["isDraft is false", { isDraft: false }],
    ["isDraft is absent", { isDraft: undefined }],
    ["it is to go out now", { isDraft: false, scheduledTime: new Date().toISOString() }],
  ])("cannot schedule a post if %s", async (_, more) => {
    const { agent, bodyOf, owner } = await owned();
    const [status, body] = await told(agent.post("/v1/posts", bodyOf("Now", more)));
    expect([status, body]).toEqual([
      403,
      {
        error:
          "This token can only propose posts: set isDraft to true. A person then approves the draft in the dashboard",
      },
    ]);
    expect(await db.$count(schedules, eq(schedules.ownerId, owner))).toBe(0);
  });

  test("cannot schedule a flat body either", async () => {
    const { agent, account } = await owned();
    const flat = { platform: "X_TWITTER", accountId: account, content: "Flat", scheduledTime: FUTURE };
    expect((await agent.post("/v1/posts", flat)).status).toBe(403);
    expect((await agent.post("/v1/posts", { ...flat, isDraft: true })).status).toBe(201);
  });

  test("is refused by every other call that changes something", async () => {
    const { agent, propose } = await owned();
    const { id } = await propose("Stays a draft");
    const open = routes.filter(({ orProposer }) => orProposer).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      "get /v1/accounts",
      "get /v1/accounts/{id}/chats",
      "get /v1/posts/{id}",
      "get /v1/posts/{id}/preview",
      "post /v1/posts",
      "post /v1/posts/validate",
    ]);
    for (const { method, path, orProposer } of routes) {
      if (orProposer || method === "get") continue;
      const address = path.replaceAll(/\{\w+\}/g, String(id));
      const init = { method: method.toUpperCase(), headers: { "content-type": "application/json" }, body: "{}" };
      expect([path, (await agent.request(address, init)).status]).toEqual([path, 403]);
    }
  });
});

describe("approving", () => {
  test("schedules exactly the content that the digest names", async () => {
    const { person, propose, shownTo } = await owned();
    const { id, proposal } = await propose("Approve me");
    const answer = await told(person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest }));
    expect(answer).toMatchObject([200, { overallStatus: "SCHEDULED", scheduledTime: FUTURE }]);
    const after = await shownTo(person, id);
    expect(after).toEqual(answer[1]);
    expect(after.proposal).toMatchObject({ digest: proposal?.digest, approvedTime: expect.any(String) });
  });

  test("412 if the content has changed since the person saw it", async () => {
    const { owner, person, propose, bodyOf, shownTo } = await owned();
    const { id, proposal } = await propose("Harmless");
    await as(owner, ["posts.write"]).put(`/v1/posts/${id}`, bodyOf("Not what the person saw"));
    const answer = await told(person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest }));
    expect(answer[0]).toBe(412);
    expect((await shownTo(person, id)).overallStatus).toBe("DRAFT");
  });

  test("412 if the time has changed", async () => {
    const { owner, person, propose, bodyOf } = await owned();
    const { id, proposal } = await propose("Same text");
    const later = bodyOf("Same text", { scheduledTime: "2091-01-01T00:00:00Z" });
    await as(owner, ["posts.write"]).put(`/v1/posts/${id}`, later);
    expect((await person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest })).status).toBe(412);
  });

  test("needs a time if the proposal has none", async () => {
    const { person, propose } = await owned();
    const { id, proposal } = await propose("Whenever", { scheduledTime: undefined });
    const digest = proposal?.digest;
    expect(await told(person.post(`/v1/posts/${id}/approve`, { digest }))).toEqual([
      400,
      { error: "scheduledTime cannot be null" },
    ]);
    const answer = await told(person.post(`/v1/posts/${id}/approve`, { digest, scheduledTime: FUTURE }));
    expect(answer).toMatchObject([200, { overallStatus: "SCHEDULED", scheduledTime: FUTURE }]);
  });

  test("runs all checks of creation", async () => {
    const { person, propose } = await owned();
    const { id, proposal } = await propose("a".repeat(281));
    const [status, body] = await told(person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest }));
    expect([status, body]).toMatchObject([400, { error: expect.stringContaining("280") }]);
  });

  test("409 twice, and for a post that no application proposed", async () => {
    const { person, propose, bodyOf } = await owned();
    const { id, proposal } = await propose("Once");
    await person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest });
    const again = person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest });
    expect((await again).status).toBe(409);
    const [, own] = (await told(person.post("/v1/posts", bodyOf("Written by hand")))) as [number, Shown];
    expect((await person.post(`/v1/posts/${own.id}/approve`, { digest: "0".repeat(64) })).status).toBe(409);
  });

  test("409 while its media are not fetched, because nobody has seen them", async () => {
    const { person, propose } = await owned();
    const { id } = await propose("With a picture");
    await db.execute(sql`update posts set attachment_paths = '{https://pictures.example/a.jpg}' where publication_id in
      (select id from publications where schedule_id = ${id})`);
    const [, shown] = await told(person.get(`/v1/posts/${id}`));
    const answer = await told(person.post(`/v1/posts/${id}/approve`, { digest: (shown as Shown).proposal?.digest }));
    expect(answer[0]).toBe(409);
  });
});

describe("without an approval, a proposal is not scheduled", () => {
  test("409 for PUT with a token, whatever its scopes are", async () => {
    const { owner, propose, bodyOf, person, shownTo } = await owned();
    const { id } = await propose("Not yet");
    const answer = await told(as(owner).put(`/v1/posts/${id}`, bodyOf("Not yet", { isDraft: false })));
    expect(answer).toMatchObject([409, { error: expect.stringContaining("needs an approval first") }]);
    expect((await shownTo(person, id)).overallStatus).toBe("DRAFT");
  });

  test("its owner can schedule it from the composer, which approves what they see there", async () => {
    const { propose, bodyOf, person, shownTo } = await owned();
    const { id, proposal } = await propose("Almost right");
    await person.put(`/v1/posts/${id}`, bodyOf("Right", { isDraft: false }));
    const after = await shownTo(person, id);
    expect(after).toMatchObject({ overallStatus: "SCHEDULED", proposal: { approvedTime: expect.any(String) } });
    expect(after.proposal?.digest).not.toBe(proposal?.digest);
  });

  test("a change to a draft removes the approval", async () => {
    const { owner, propose, bodyOf, person, shownTo } = await owned();
    const { id, proposal } = await propose("Approved");
    await person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest });
    const token = as(owner, ["posts.write"]);
    const changed = bodyOf("Changed", { isDraft: false });
    expect((await token.put(`/v1/posts/${id}`, changed)).status).toBe(409); // an application cannot keep it scheduled
    await token.put(`/v1/posts/${id}`, bodyOf("Changed"));
    const after = await shownTo(person, id);
    expect([after.overallStatus, after.proposal?.approvedTime]).toEqual(["DRAFT", undefined]);
  });

  test("409 for merging and repeating", async () => {
    const { owner, propose, bodyOf } = await owned();
    const { id } = await propose("Proposed");
    const token = as(owner);
    const [, other] = (await told(token.post("/v1/posts", bodyOf("Other", { isDraft: false })))) as [number, Shown];
    for (const keep of [id, other.id]) {
      expect((await token.post("/v1/posts/merge", { ids: [id, other.id], keep })).status).toBe(409);
    }
    const repeat = { every: "DAY", count: 2, timeZone: "UTC", time: "09:00" };
    expect((await token.post(`/v1/posts/${id}/repeat`, repeat)).status).toBe(409);
  });

  test("the database refuses every other way", async () => {
    const { propose } = await owned();
    const { id } = await propose("By hand");
    for (const status of ["SCHEDULED", "AWAITING_MEDIA", "IN_PROGRESS"] as const) {
      await expect(db.update(schedules).set({ status }).where(eq(schedules.id, id))).rejects.toMatchObject({
        cause: { constraint: "schedules_proposals_are_approved" },
      });
    }
  });
});
