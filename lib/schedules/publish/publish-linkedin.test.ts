import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { pdf } from "../../../sandbox/testing/pdf";
import { accounts, db, publishSteps } from "../../db";
import {
  as,
  callsOn,
  connectAccount,
  control,
  inAnHour,
  letDue,
  newOwner,
  postsOn,
  readResponse,
  schedule,
  settled,
  uploaded,
  withWorker,
} from "../../testing";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "LINKEDIN");
  const on = (content: string, attachmentPaths: string[] = [], more: object = {}, visibility?: string) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "LINKEDIN", visibility },
    posts: [{ content, attachmentPaths, ...more }],
  });
  return { owner, account: id, person, client: as(owner), on };
}

const asked = async (person: string) => (await callsOn("linkedin", person, "publish")).map(({ status }) => status);
const texts = async (person: string) => (await postsOn("linkedin", person)).map(({ text }) => text);

test("GROUP is accepted with a warning, and fails with the reason", async () => {
  const { client, person, on } = await owned();
  const publications = [on("to a group", [], {}, "GROUP")];
  const [, verdict] = await readResponse(
    client.post("/v1/posts/validate", { scheduledTime: new Date().toISOString(), publications }),
  );
  expect(verdict).toMatchObject({ valid: true, problems: [{ rule: "visibility.group", severity: "warning" }] });
  const seen = await settled(client, (await schedule(client, publications)).id);
  expect(seen.publications).toMatchObject([
    { status: "FAILED", posts: [{ error: "LinkedIn's API no longer posts to groups" }] },
  ]);
  expect(await asked(person)).toEqual([]);
});

test("more than one post is rejected when it is created", async () => {
  const { client, on } = await owned();
  const publications = [{ ...on("one"), posts: [{ content: "one" }, { content: "two" }] }];
  const [status, body] = await readResponse(
    client.post("/v1/posts", { scheduledTime: new Date().toISOString(), publications }),
  );
  expect([status, body]).toMatchObject([400, { error: expect.stringContaining("LinkedIn takes one post") }]);
});

describe("company pages", () => {
  async function withPage(id: string) {
    const found = await owned();
    await control("linkedin/page", { account: found.person, id, name: "Bell foundry" });
    return { ...found, page: `urn:li:organization:${id}` };
  }

  test("are listed as destinations, and a post to one is published by the page", async () => {
    const { client, account, person, page, on } = await withPage("9001");
    expect(await readResponse(client.get(`/v1/accounts/${account}/chats?platform=LINKEDIN`))).toEqual([
      200,
      [{ id: page, title: "Bell foundry", type: "PAGE", platform: "LINKEDIN" }],
    ]);
    const seen = await settled(client, (await schedule(client, [on("from the page", [], { chatId: page })])).id);
    expect(seen.publications).toMatchObject([{ status: "PUBLISHED", posts: [{ chatId: page }] }]);
    expect(await postsOn("linkedin", person)).toMatchObject([{ text: "from the page", settings: { author: page } }]);
  });

  test("a post without a destination goes to the member, also if there is only one page", async () => {
    const { client, person, on } = await withPage("9002");
    const seen = await settled(client, (await schedule(client, [on("from the member")])).id);
    expect(seen.publications[0]?.posts[0]).not.toHaveProperty("chatId");
    const [sent] = await postsOn("linkedin", person);
    expect(sent?.settings).not.toHaveProperty("author");
  });

  test("a page that the member does not administer is refused when the post is created", async () => {
    const { client, on } = await withPage("9003");
    const publications = [on("stray", [], { chatId: "urn:li:organization:9002" })];
    const answer = await readResponse(client.post("/v1/posts/validate", { scheduledTime: inAnHour(), publications }));
    expect(answer).toMatchObject([200, { valid: false, problems: [{ rule: "chat.unknown" }] }]);
  });
});

test("an uploaded PDF is shown in the requests preview and published; its pages are counted", async () => {
  const { client, person, on } = await owned();
  const path = await uploaded(client, pdf({ pages: 12, isPacked: true }), "Scores.pdf");
  expect(await readResponse(client.get(`/v1/media/${path.split("/")[1]}`))).toMatchObject([
    200,
    { contentType: "application/pdf", pages: 12 },
  ]);
  const made = await schedule(client, [on("for bells", [path])], inAnHour());
  const [, preview] = await readResponse(client.get(`/v1/posts/${made.id}/preview`));
  expect(JSON.stringify(preview)).toContain("/rest/documents?action=initializeUpload");
  await letDue(made);
  expect((await settled(client, made.id)).publications).toMatchObject([{ status: "PUBLISHED" }]);
  expect(await postsOn("linkedin", person)).toMatchObject([
    { media: [{ type: "application/pdf" }], settings: { title: "Scores" } },
  ]);
});

describe("at most once", () => {
  test("looked up only after ten minutes: UNKNOWN, and not looked up by sending again, because that could double the post", async () => {
    const { client, person, on } = await owned();
    const made = await schedule(client, [on("long ago")], inAnHour());
    const postId = made.publications[0]?.posts[0]?.id ?? 0;
    // As if a worker had died with the answer eleven minutes ago.
    const long = sql`now() - interval '11 minutes'`;
    const step = { postId, name: "post, upload 1", state: "SENDING" as const, irreversible: true };
    await db.insert(publishSteps).values({
      ...step,
      workerId: "00000000-0000-4000-8000-000000000000",
      result: { answered: true, looks: 1 },
      startedAt: long,
      sentAt: long,
    });
    await letDue(made);
    const seen = await settled(client, made.id);
    expect(seen.publications).toMatchObject([{ status: "UNKNOWN", posts: [{ status: "UNKNOWN" }] }]);
    expect(await asked(person)).toEqual([]);
    expect(await texts(person)).toEqual([]);
  });
});

describe("the account's token", () => {
  const state = async (account: number) => (await db.select().from(accounts).where(eq(accounts.id, account)))[0]?.state;

  test("expired, without a refresh token: the account must be reconnected, and nothing is sent", async () => {
    const { account, client, person, on } = await owned();
    await db.update(accounts).set({ tokensExpireAt: sql`now() - interval '1 minute'` }).where(eq(accounts.id, account));
    const seen = await settled(client, (await schedule(client, [on("too late")])).id);
    expect(seen.publications[0]?.posts[0]?.error).toContain("which lasts 60 days");
    expect([await state(account), await asked(person)]).toEqual(["RECONNECT_REQUIRED", []]);
    const refreshes = await callsOn("linkedin", person, "refresh");
    expect(refreshes).toEqual([]);
  });
});
