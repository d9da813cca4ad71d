import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db, publications, schedules } from "../../db";
import { env } from "../../env";
import type { Scope } from "../../oauth";
import { createApplication } from "../../oauth/applications";
import { createGrant } from "../../oauth/grants";
import { issueAccessToken } from "../../oauth/tokens";
import { as, chatsOf, connectAccount, newOwner, nobody, picture, readResponse, signedInAs } from "../../testing";
import { routes } from "../app";

const ORIGIN = new URL(env.appUrl).origin;
const FUTURE = "2090-01-01T00:00:00Z";

type Proposal = {
  application: string;
  proposedTime: string;
  digest: string;
  files?: { path: string; filename: string; altText?: string }[];
  approvedTime?: string;
};
type Shown = { id: number; overallStatus: string; scheduledTime?: string; proposal?: Proposal };

async function owned() {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
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
    const [status, shown] = await readResponse(agent.post("/v1/posts", bodyOf(content, more)));
    expect(status).toBe(201);
    return shown as Shown;
  };
  const shownTo = async (client: typeof agent, id: number) =>
    (await readResponse(client.get(`/v1/posts/${id}`)))[1] as Shown;
  return { owner, account, agent, person, bodyOf, publicationsOf, propose, shownTo };
}

/** Calls as an application with these scopes. */
async function application(owner: string, name: string, scopes: Scope[]) {
  const { clientId } = await createApplication(name, ["https://agent.example/callback"]);
  const grantId = await createGrant({ kind: "authorization_code", clientId, userId: owner, scopes });
  const { access_token } = await issueAccessToken({ grantId, subject: owner, clientId, scopes });
  const headers = { authorization: `Bearer ${access_token}` };
  return {
    post: (path: string, body: unknown) => readResponse(nobody.post(path, body, headers)),
    get: (path: string) => readResponse(nobody.get(path, headers)),
    put: (path: string, body: unknown) => readResponse(nobody.put(path, body, headers)),
    delete: (path: string) => readResponse(nobody.delete(path, headers)),
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
    const [, { id }] = (await readResponse(person.post("/v1/posts", bodyOf("Private")))) as [number, Shown];
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
    const [status, body] = await readResponse(agent.post("/v1/posts", bodyOf("Now", more)));
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
      "delete /v1/posts/{id}",
      "get /v1/accounts",
      "get /v1/accounts/{id}/chats",
      "get /v1/posts/{id}",
      "get /v1/posts/{id}/preview",
      "post /v1/posts",
      "post /v1/posts/validate",
      "put /v1/posts/{id}",
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
    const answer = await readResponse(person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest }));
    expect(answer).toMatchObject([200, { overallStatus: "SCHEDULED", scheduledTime: FUTURE }]);
    const after = await shownTo(person, id);
    expect(after).toEqual(answer[1]);
    expect(after.proposal).toMatchObject({ digest: proposal?.digest, approvedTime: expect.any(String) });
  });

  test("412 if the content has changed since the person saw it", async () => {
    const { owner, person, propose, bodyOf, shownTo } = await owned();
    const { id, proposal } = await propose("Harmless");
    await as(owner, ["posts.write"]).put(`/v1/posts/${id}`, bodyOf("Not what the person saw"));
    const answer = await readResponse(person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest }));
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
    expect(await readResponse(person.post(`/v1/posts/${id}/approve`, { digest }))).toEqual([
      400,
      { error: "scheduledTime cannot be null" },
    ]);
    const long = { digest, scheduledTime: FUTURE.padEnd(65, "0") };
    expect(await readResponse(person.post(`/v1/posts/${id}/approve`, long))).toEqual([
      400,
      { error: "scheduledTime must have at most 64 characters" },
    ]);
    const answer = await readResponse(person.post(`/v1/posts/${id}/approve`, { digest, scheduledTime: FUTURE }));
    expect(answer).toMatchObject([200, { overallStatus: "SCHEDULED", scheduledTime: FUTURE }]);
  });

  test("runs all checks of creation", async () => {
    const { person, propose } = await owned();
    const { id, proposal } = await propose("a".repeat(281));
    const [status, body] = await readResponse(person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest }));
    expect([status, body]).toMatchObject([400, { error: expect.stringContaining("280") }]);
  });

  test("409 twice, and for a post that no application proposed", async () => {
    const { person, propose, bodyOf } = await owned();
    const { id, proposal } = await propose("Once");
    await person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest });
    const again = person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest });
    expect((await again).status).toBe(409);
    const [, own] = (await readResponse(person.post("/v1/posts", bodyOf("Written by hand")))) as [number, Shown];
    expect((await person.post(`/v1/posts/${own.id}/approve`, { digest: "0".repeat(64) })).status).toBe(409);
  });

  test("409 while its media are not fetched, because the person cannot have seen them", async () => {
    const { person, propose } = await owned();
    const { id } = await propose("With a picture");
    await db.execute(sql`update posts set attachment_paths = '{https://pictures.example/a.jpg}' where publication_id in
      (select id from publications where schedule_id = ${id})`);
    const [, shown] = await readResponse(person.get(`/v1/posts/${id}`));
    const answer = await readResponse(
      person.post(`/v1/posts/${id}/approve`, { digest: (shown as Shown).proposal?.digest }),
    );
    expect(answer[0]).toBe(409);
  });
});

describe("revising and withdrawing", () => {
  test("an application changes and deletes its own proposal while it waits", async () => {
    const { agent, propose, bodyOf } = await owned();
    const { id, proposal } = await propose("First");
    const [status, body] = await readResponse(agent.put(`/v1/posts/${id}`, bodyOf("Second")));
    expect([status, body]).toMatchObject([
      200,
      { overallStatus: "DRAFT", proposal: { application: expect.any(String) } },
    ]);
    expect((body as Shown).proposal?.digest).not.toBe(proposal?.digest);
    expect((await agent.delete(`/v1/posts/${id}`)).status).toBe(204);
    expect((await agent.get(`/v1/posts/${id}`)).status).toBe(404);
  });

  test("403 for scheduling it that way", async () => {
    const { agent, propose, bodyOf, person, shownTo } = await owned();
    const { id } = await propose("Waits");
    expect((await agent.put(`/v1/posts/${id}`, bodyOf("Waits", { isDraft: false }))).status).toBe(403);
    expect((await shownTo(person, id)).overallStatus).toBe("DRAFT");
  });

  test("404 for another application's proposal and for a draft of the person", async () => {
    const { owner, agent, person, propose, bodyOf } = await owned();
    const { id } = await propose("Mine");
    const [, own] = (await readResponse(person.post("/v1/posts", bodyOf("Private")))) as [number, Shown];
    const other = await application(owner, "Another agent", ["posts.propose"]);
    const absent = [404, { error: `Posting schedule not found: ${id}` }];
    expect(await other.put(`/v1/posts/${id}`, bodyOf("Taken"))).toEqual(absent);
    expect(await other.delete(`/v1/posts/${id}`)).toEqual(absent);
    expect((await agent.put(`/v1/posts/${own.id}`, bodyOf("Taken"))).status).toBe(404);
    expect((await agent.delete(`/v1/posts/${own.id}`)).status).toBe(404);
  });

  test("404 for the proposal of another personal token of the same person", async () => {
    const { owner, propose, bodyOf } = await owned();
    const { id } = await propose("Mine");
    const other = as(owner, ["posts.propose"]);
    const absent = [404, { error: `Posting schedule not found: ${id}` }];
    expect(await readResponse(other.get(`/v1/posts/${id}`))).toEqual(absent);
    expect(await readResponse(other.put(`/v1/posts/${id}`, bodyOf("Taken")))).toEqual(absent);
    expect(await readResponse(other.delete(`/v1/posts/${id}`))).toEqual(absent);
  });

  test("412 for deleting another version than the one in If-Match", async () => {
    const { agent, person, propose, bodyOf, shownTo } = await owned();
    const { id } = await propose("First");
    const tag = (await agent.get(`/v1/posts/${id}`)).headers.get("etag") ?? "";
    await person.put(`/v1/posts/${id}`, bodyOf("By hand"));
    const withdraw = (ifMatch: string) =>
      agent.request(`/v1/posts/${id}`, { method: "DELETE", headers: { "if-match": ifMatch } });
    expect((await withdraw(tag)).status).toBe(412);
    expect((await shownTo(person, id)).overallStatus).toBe("DRAFT");
    const current = (await agent.get(`/v1/posts/${id}`)).headers.get("etag") ?? "";
    expect((await withdraw(current)).status).toBe(204);
  });

  test("409 once a person has approved it", async () => {
    const { agent, person, propose, bodyOf, shownTo } = await owned();
    const { id, proposal } = await propose("Approved");
    await person.post(`/v1/posts/${id}/approve`, { digest: proposal?.digest });
    expect((await agent.put(`/v1/posts/${id}`, bodyOf("Changed"))).status).toBe(409);
    expect((await agent.delete(`/v1/posts/${id}`)).status).toBe(409);
    expect((await shownTo(person, id)).overallStatus).toBe("SCHEDULED");
  });
});

describe("an approval is bound to everything that is sent", () => {
  type Post = { content: string; attachmentPaths?: string[]; chatId?: string; thumbnailPath?: string };
  type Part = { socialMediaAccountId: number; platformSettings: { [name: string]: unknown }; posts: Post[] };
  type Body = { isDraft: boolean; scheduledTime: string; publications: [x: Part, instagram: Part, pinterest: Part] };
  let owner: string;
  let body: () => Body;
  let others: { account: number; board: string; picture: string };

  beforeAll(async () => {
    owner = await newOwner();
    const [x, otherX, instagram, pinterest] = await Promise.all(
      (["X_TWITTER", "X_TWITTER", "INSTAGRAM", "PINTEREST"] as const).map((platform) =>
        connectAccount(owner, platform),
      ),
    );
    const [board, otherBoard] = await chatsOf(as(owner), pinterest?.id ?? 0, "PINTEREST");
    const [one = "", two = "", three = ""] = await Promise.all([1, 2, 3].map(() => picture(owner, 1080, 1080)));
    others = { account: otherX?.id ?? 0, board: otherBoard?.id ?? "", picture: three };
    const instagramSettings = () => ({
      ...{ type: "INSTAGRAM", publicationType: "FEED", firstComment: "More below" },
      userTags: [{ username: "alice", x: 0.1, y: 0.2 }],
    });
    body = () => ({
      ...{ isDraft: true, scheduledTime: FUTURE },
      publications: [
        {
          ...{ socialMediaAccountId: x?.id ?? 0, platformSettings: { type: "TWITTER", whoCanReply: "FOLLOWING" } },
          posts: [{ content: "First", attachmentPaths: [one, two] }, { content: "Second" }],
        },
        {
          ...{ socialMediaAccountId: instagram?.id ?? 0, platformSettings: instagramSettings() },
          posts: [{ content: "Seen", attachmentPaths: [one] }],
        },
        {
          ...{ socialMediaAccountId: pinterest?.id ?? 0, platformSettings: { type: "PINTEREST", title: "A bell" } },
          posts: [{ content: "Pinned", attachmentPaths: [two], chatId: board?.id }],
        },
      ],
    });
  });

  const changes: [what: string, change: (body: Body) => unknown][] = [
    ["the time", (of) => Object.assign(of, { scheduledTime: "2090-01-01T00:00:01Z" })],
    ["a text", ({ publications: [x] }) => Object.assign(x.posts[0] ?? {}, { content: "Else" })],
    ["the order of the posts of a thread", ({ publications: [x] }) => x.posts.reverse()],
    ["one post less", ({ publications: [x] }) => x.posts.pop()],
    ["the order of the files", ({ publications: [x] }) => x.posts[0]?.attachmentPaths?.reverse()],
    ["one file less", ({ publications: [x] }) => x.posts[0]?.attachmentPaths?.pop()],
    [
      "another file",
      ({ publications: [, instagram] }) =>
        Object.assign(instagram.posts[0] ?? {}, { attachmentPaths: [others.picture] }),
    ],
    [
      "the cover",
      ({ publications: [, instagram] }) => Object.assign(instagram.posts[0] ?? {}, { thumbnailPath: others.picture }),
    ],
    ["a setting", ({ publications: [x] }) => Object.assign(x.platformSettings, { whoCanReply: "MENTIONED" })],
    ["no setting", ({ publications: [x] }) => Object.assign(x.platformSettings, { whoCanReply: undefined })],
    [
      "the first comment",
      ({ publications: [, instagram] }) => Object.assign(instagram.platformSettings, { firstComment: "Click here" }),
    ],
    [
      "a tagged person",
      ({ publications: [, instagram] }) => Object.assign(instagram.platformSettings, { userTags: ["mallory"] }),
    ],
    [
      "the place of a tag",
      ({ publications: [, instagram] }) =>
        Object.assign(instagram.platformSettings, { userTags: [{ username: "alice", x: 0.2, y: 0.1 }] }),
    ],
    ["the title", ({ publications: [, , pinterest] }) => Object.assign(pinterest.platformSettings, { title: "Else" })],
    [
      "the destination",
      ({ publications: [, , pinterest] }) => Object.assign(pinterest.posts[0] ?? {}, { chatId: others.board }),
    ],
    ["the account", ({ publications: [x] }) => Object.assign(x, { socialMediaAccountId: others.account })],
    [
      "one more account",
      ({ publications }) => (publications as Part[]).push({ ...publications[0], socialMediaAccountId: others.account }),
    ],
    ["one account less", ({ publications }) => (publications as Part[]).pop()],
    ["the order of the accounts", ({ publications }) => publications.reverse()],
  ];

  const proposed = async () => (await readResponse(as(owner, ["posts.propose"]).post("/v1/posts", body())))[1] as Shown;
  const person = () => signedInAs(owner, ORIGIN);
  const approve = async ({ id, proposal }: Shown) =>
    readResponse(person().post(`/v1/posts/${id}/approve`, { digest: proposal?.digest }));
  const now = async ({ id }: Shown) => (await readResponse(person().get(`/v1/posts/${id}`)))[1] as Shown;
  const expectWaiting = async (post: Shown) => {
    expect((await approve(post))[0]).toBe(412);
    const { overallStatus, proposal } = await now(post);
    expect([overallStatus, proposal?.approvedTime]).toEqual(["DRAFT", undefined]);
    const due = await db
      .select({ dueAt: publications.dueAt })
      .from(publications)
      .where(eq(publications.scheduleId, post.id));
    for (const one of due) expect(one).toEqual({ dueAt: null });
  };

  test("without a change, all of it is approved, and the stored digest equals the one in the answer", async () => {
    const post = await proposed();
    expect((await now(post)).proposal).toEqual(post.proposal);
    const [status, answer] = await approve(post);
    expect([status, answer]).toMatchObject([200, { overallStatus: "SCHEDULED" }]);
    const { proposal } = answer as Shown;
    expect(proposal?.digest).toBe(post.proposal?.digest);
    const [row] = await db.select().from(schedules).where(eq(schedules.id, post.id));
    expect(row?.approvedDigest).toBe(proposal?.digest);
  });

  test.each(changes)("%s", async (_, change) => {
    const changed = body();
    change(changed);
    const [waiting, approved] = [await proposed(), await proposed()];
    expect((await approve(approved))[0]).toBe(200);
    for (const post of [waiting, approved]) {
      expect((await as(owner, ["posts.write"]).put(`/v1/posts/${post.id}`, changed)).status).toBe(200);
      await expectWaiting(post);
    }
  });

  const names = () => body().publications[0].posts[0]?.attachmentPaths?.map((path) => path.split("/")[1]) ?? [];

  test.each([
    ["an alt text", () => ({ altText: `A bell, ${Math.random()}` })],
    ["the name of a file", () => ({ filename: `bell-${Math.random()}.jpg` })],
  ])("%s that an application changes", async (_, change) => {
    const [waiting, approved] = [await proposed(), await proposed()];
    expect((await approve(approved))[0]).toBe(200);
    const [name] = names();
    expect((await as(owner, ["media.write"]).patch(`/v1/media/${name}`, change())).status).toBe(200);
    for (const post of [waiting, approved]) await expectWaiting(post);
  });

  test("an alt text that an application changes while the person edits the post: saving is refused", async () => {
    const waiting = await proposed();
    const tag = (await person().get(`/v1/posts/${waiting.id}`)).headers.get("etag") ?? "";
    const [name] = names();
    await as(owner, ["media.write"]).patch(`/v1/media/${name}`, { altText: `Not mine, ${Math.random()}` });
    const saved = await person().put(`/v1/posts/${waiting.id}`, { ...body(), isDraft: false }, { "if-match": tag });
    expect(saved.status).toBe(412);
    await expectWaiting(waiting);
  });

  test("the answer has the names and alt texts that its digest covers, each file once", async () => {
    const [name] = names();
    const text = `A bell, ${Math.random()}`;
    await person().patch(`/v1/media/${name}`, { altText: text, filename: "bell.jpg" });
    const { proposal } = await proposed();
    const [x] = body().publications;
    expect(proposal?.files?.map(({ path }) => path)).toEqual(x.posts[0]?.attachmentPaths);
    expect(proposal?.files?.[0]).toMatchObject({ filename: "bell.jpg", altText: text });
  });

  test("labels of a file are not sent, so they change nothing", async () => {
    const approved = await proposed();
    await approve(approved);
    const [name] = names();
    const token = as(owner, ["media.write"]);
    const [, { altText, filename }] = (await readResponse(token.get(`/v1/media/${name}`))) as [
      number,
      { [field: string]: string },
    ];
    await token.patch(`/v1/media/${name}`, { labels: ["bells"], altText: altText ?? null, filename });
    expect((await now(approved)).overallStatus).toBe("SCHEDULED");
  });

  test("a person who changes an alt text in the dashboard approves it, and can save the post they are editing", async () => {
    const [waiting, approved] = [await proposed(), await proposed()];
    await approve(approved);
    const tag = (await person().get(`/v1/posts/${waiting.id}`)).headers.get("etag") ?? "";
    const [, name] = names();
    expect((await person().patch(`/v1/media/${name}`, { altText: `Mine, ${Math.random()}` })).status).toBe(200);
    const after = await now(approved);
    expect(after.overallStatus).toBe("SCHEDULED");
    expect(after.proposal?.digest).not.toBe(approved.proposal?.digest);
    const [row] = await db.select().from(schedules).where(eq(schedules.id, approved.id));
    expect(row?.approvedDigest).toBe(after.proposal?.digest);
    expect((await approve(waiting))[0]).toBe(412); // it has changed since the page was loaded
    const saved = await person().put(`/v1/posts/${waiting.id}`, { ...body(), isDraft: false }, { "if-match": tag });
    expect([saved.status, (await now(waiting)).overallStatus]).toEqual([200, "SCHEDULED"]);
  });

  test.each(["IN_PROGRESS", "FAILED", "PARTIALLY_COMPLETED"] as const)(
    "409 for an application that changes an alt text of a post that is %s",
    async (status) => {
      const approved = await proposed();
      await approve(approved);
      await db.update(schedules).set({ status }).where(eq(schedules.id, approved.id));
      const [name] = names();
      const answer = as(owner, ["media.write"]).patch(`/v1/media/${name}`, { altText: `Else, ${Math.random()}` });
      expect((await answer).status).toBe(409);
      expect((await person().patch(`/v1/media/${name}`, { altText: `Mine, ${Math.random()}` })).status).toBe(200);
      await db.delete(schedules).where(eq(schedules.id, approved.id));
    },
  );
});

describe("without an approval, a proposal is not scheduled", () => {
  test("409 for PUT with a token, whatever its scopes are", async () => {
    const { owner, propose, bodyOf, person, shownTo } = await owned();
    const { id } = await propose("Not yet");
    const answer = await readResponse(as(owner).put(`/v1/posts/${id}`, bodyOf("Not yet", { isDraft: false })));
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

  test("its owner cannot schedule it while a file is only a web address, because they have not seen it", async () => {
    const { propose, bodyOf, account, person, shownTo } = await owned();
    const { id } = await propose("With a picture");
    const posts = [{ content: "With a picture", attachmentPaths: ["https://pictures.example/a.jpg"] }];
    const parts = [{ socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts }];
    const answer = await person.put(`/v1/posts/${id}`, bodyOf("", { isDraft: false, publications: parts }));
    expect([answer.status, (await shownTo(person, id)).overallStatus]).toEqual([409, "DRAFT"]);
  });

  test("lists and counts can be limited to proposals", async () => {
    const { propose, bodyOf, person } = await owned();
    const [{ id: first }, { id: second }] = [await propose("One"), await propose("Two", { scheduledTime: undefined })];
    const [, own] = (await readResponse(person.post("/v1/posts", bodyOf("By hand")))) as [number, Shown];
    const listed = async (query: string) =>
      ((await readResponse(person.get(`/v1/posts?${query}`)))[1] as { items: Shown[] }).items.map(({ id }) => id);
    expect(await listed("status=DRAFT&proposed=true")).toEqual([second, first]);
    expect(await listed("proposed=false")).toEqual([own.id]);
    const [, { counts }] = (await readResponse(person.get("/v1/posts/counts?proposed=true"))) as [
      number,
      { counts: object },
    ];
    expect(counts).toMatchObject({ DRAFT: 2 });
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
    const [, other] = (await readResponse(token.post("/v1/posts", bodyOf("Proposed", { isDraft: false })))) as [
      number,
      Shown,
    ];
    for (const keep of [id, other.id]) {
      expect(await readResponse(token.post("/v1/posts/merge", { ids: [id, other.id], keep }))).toMatchObject([
        409,
        { error: expect.stringContaining("cannot be merged") },
      ]);
    }
    const repeat = { every: "DAY", count: 2, timeZone: "UTC", time: "09:00" };
    expect(await readResponse(token.post(`/v1/posts/${id}/repeat`, repeat))).toMatchObject([
      409,
      { error: expect.stringContaining("needs an approval first") },
    ]);
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
