import { eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { accounts, db } from "../../db";
import { env } from "../../env";
import {
  as,
  attemptsOf,
  callsOn,
  connect,
  dueIn,
  fault,
  forget,
  newOwner,
  picture,
  postsOn,
  read,
  schedule,
  settled,
  told,
  upload,
  withWorker,
} from "../../testing";
import { patched } from "../../testing/patch";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connect(owner, "PINTEREST");
  const client = as(owner);
  const [, boards] = await told(client.get(`/v1/accounts/${id}/chats?platform=PINTEREST`));
  const [board] = boards as { id: string; type: string }[];
  const on = (content: string, attachmentPaths: string[], more: object = {}) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "PINTEREST", title: content },
    posts: [{ content, attachmentPaths, chatId: board?.id, ...more }],
  });
  return { owner, account: id, person, client, board: board?.id ?? "", on };
}

/** Deletes a board at the network, as its owner can. */
async function deleteBoard(account: string, board: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const url = `${env.sandbox?.url}/_control/pinterest/delete-board`;
  const { status } = await fetch(url, { method: "POST", headers, body: JSON.stringify({ account, board }) });
  expect(status).toBe(204);
}

/** Sets the switches of the simulated network; those that are not given get their defaults. */
async function switches(set: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const url = `${env.sandbox?.url}/_control/pinterest/switches`;
  const { status } = await fetch(url, { method: "POST", headers, body: JSON.stringify(set) });
  expect(status).toBe(204);
}

/** The statuses of the final calls; 0: no answer. */
const asked = async (person: string) => (await callsOn("pinterest", person, "publish")).map(({ status }) => status);

describe("every format goes out once, on the chosen board", () => {
  test("an image, several images, a video and one with a cover", { timeout: 60_000 }, async () => {
    const { owner, client, person, board, on } = await owned();
    const [one, two] = [await picture(owner), await picture(owner, 500, 700)];
    const [, { path: video }] = (await told(upload(client, mp4({ seconds: 5 }), "video.mp4"))) as [
      number,
      { path: string },
    ];
    const made = await schedule(client, [
      on("an image", [one]),
      on("images", [one, two], { thumbnailPath: two }),
      on("a video", [video]),
      on("a covered video", [video], { thumbnailPath: two }),
    ]);
    const seen = await settled(client, made.id);
    expect(seen.overallStatus).toBe("COMPLETED");
    const held = await postsOn("pinterest", person);
    expect(held.map(({ text, media }) => [text, media.length]).sort()).toEqual([
      ["a covered video", 1],
      ["a video", 1],
      ["an image", 1],
      ["images", 2],
    ]);
    expect(held.find(({ text }) => text === "images")?.settings).toMatchObject({ coverIndex: 1 });
    expect(new Set(held.map(({ chatId }) => chatId))).toEqual(new Set([board]));
    for (const { posts } of seen.publications) {
      const sent = held.find(({ id }) => id === posts[0]?.networkPostId);
      expect(posts[0]).toMatchObject({ status: "PUBLISHED", permalink: sent?.permalink });
    }
    expect(await asked(person)).toEqual(Array(4).fill(201));
  });
});

describe("a carousel", () => {
  test("is previewed as it is sent, with the image that is its cover", async () => {
    const { owner, client, person, on } = await owned();
    const [one, two] = [await picture(owner), await picture(owner, 500, 700)];
    const later = new Date(Date.now() + 3_600_000);
    const { id } = await schedule(client, [on("shown", [one, two], { thumbnailPath: two })], later);
    const [, preview] = await told(client.get(`/v1/posts/${id}/preview`));
    const shown = preview as { publications: { posts: { requests: { makesPublic: boolean; body?: string }[] }[] }[] };
    const final = shown.publications[0]?.posts[0]?.requests.find(({ makesPublic }) => makesPublic);
    expect(JSON.parse(final?.body ?? "")).toMatchObject({
      media_source: {
        source_type: "multiple_image_base64",
        index: 1,
        items: [{ content_type: "image/jpeg" }, { content_type: "image/jpeg" }],
      },
    });
    expect(await postsOn("pinterest", person)).toEqual([]);
  });

  test("whose cover is not one of its images is rejected, and accepted without a cover", async () => {
    const { owner, client, on } = await owned();
    const [one, two, other] = [await picture(owner), await picture(owner, 500, 700), await picture(owner)];
    const publications = [on("covered", [one, two], { thumbnailPath: other })];
    const body = { scheduledTime: new Date(Date.now() + 3_600_000).toISOString(), publications };
    const [, verdict] = await told(client.post("/v1/posts/validate", body));
    const { problems } = verdict as { problems: { rule: string; apply: Parameters<typeof patched>[1] }[] };
    const [problem] = problems.filter(({ rule }) => rule === "cover.attached");
    expect(problem).toMatchObject({ path: "publications[0].posts[0].thumbnailPath", measured: other });
    expect((await client.post("/v1/posts", body)).status).toBe(400);
    expect((await client.post("/v1/posts", patched(body, problem?.apply ?? []))).status).toBe(201);
  });

  test("that Pinterest no longer accepts fails once, with Pinterest's message", async () => {
    const { owner, client, person, on } = await owned();
    const [one, two] = [await picture(owner), await picture(owner, 500, 700)];
    await switches({ carousels: false });
    onTestFinished(() => switches({}));
    const made = await schedule(client, [on("no more", [one, two])]);
    const says = "Carousel Pins are not supported for organic content";
    expect((await settled(client, made.id)).publications).toMatchObject([
      { status: "FAILED", posts: [{ error: expect.stringContaining(says) }] },
    ]);
    const [, receipt] = await told(client.get(`/v1/posts/${made.id}/receipt`));
    expect(receipt).toMatchObject({
      publications: [{ story: [{ outcome: "FAILED", answer: { status: 400, message: says } }] }],
    });
    expect(await asked(person)).toEqual([400]);
    expect(await postsOn("pinterest", person)).toEqual([]);
  });
});

describe("checks before publishing", () => {
  const problems = async (client: ReturnType<typeof as>, publication: object) => {
    const scheduledTime = new Date().toISOString();
    const [, body] = await told(client.post("/v1/posts/validate", { scheduledTime, publications: [publication] }));
    const { problems: found } = body as { problems: { path: string; rule: string }[] };
    return found.map(({ path, rule }) => [path.replace("publications[0].", ""), rule]);
  };

  test("reject a missing board, another user's board, a post without media and a title that is too long", async () => {
    const { owner, client, on } = await owned();
    const other = await owned();
    const image = await picture(owner);
    expect(await problems(client, on("x", [image], { chatId: undefined }))).toEqual([
      ["posts[0].chatId", "chat.required"],
    ]);
    expect(await problems(client, on("x", [image], { chatId: other.board }))).toEqual([
      ["posts[0].chatId", "chat.unknown"],
    ]);
    expect(await problems(client, on("x", []))).toEqual([["posts[0].attachmentPaths", "format.unsupported"]]);
    expect(await problems(client, on("x".repeat(101), [image]))).toEqual([["platformSettings.title", "text.length"]]);
  });

  test("reject a section that the board does not have and list its sections; a draft may name it", async () => {
    const { owner, client, on } = await owned();
    const publications = [
      { ...on("x", [await picture(owner)]), platformSettings: { type: "PINTEREST", boardSectionId: "12345" } },
    ];
    const body = { scheduledTime: "2031-05-01T12:00:00Z", publications };
    const path = "publications[0].platformSettings.boardSectionId";
    const message = "is not a section of this Pinterest board: 12345";
    const [, verdict] = await told(client.post("/v1/posts/validate", body));
    const { problems: said } = verdict as { problems: { fix: string; apply: Parameters<typeof patched>[1] }[] };
    const [problem, ...others] = said;
    expect([problem, others]).toMatchObject([{ path, rule: "chat.part", message }, []]);
    expect(await told(client.post("/v1/posts", body))).toEqual([400, { error: `${path} ${message}` }]);
    expect((await told(client.post("/v1/posts", { ...body, isDraft: true })))[0]).toBe(201);

    const [, id, title] = /(\d+) \((\w+)\)/.exec(problem?.fix ?? "") ?? [];
    expect(title).toBe("Spring");
    const platformSettings = { type: "PINTEREST", boardSectionId: id };
    expect((await told(client.post("/v1/posts", patched(body, problem?.apply ?? []))))[0]).toBe(201);
    const good = { ...body, publications: [{ ...publications[0], platformSettings }] };
    expect((await told(client.post("/v1/posts", good)))[0]).toBe(201);
  });

  test("list the sections of each board, and accept one of them", async () => {
    const { owner, account, client, board, on } = await owned();
    const other = await owned();
    const [, boards] = await told(client.get(`/v1/accounts/${account}/chats?platform=PINTEREST`));
    const sectionsOf = (id: string, by = client) => told(by.get(`/v1/accounts/${account}/chats/${id}/sections`));
    const all = await Promise.all((boards as { id: string }[]).map(({ id }) => sectionsOf(id)));
    const found = all.map(([status, sections]) => [
      status,
      (sections as { title: string }[]).map(({ title }) => title),
    ]);
    expect(found).toContainEqual([200, ["Spring", "Autumn"]]);
    expect(found).toContainEqual([200, []]);
    const [, [spring]] = (await sectionsOf(board)) as [number, [{ id: string }]];
    const platformSettings = { type: "PINTEREST", boardSectionId: spring.id };
    expect(await problems(client, { ...on("x", [await picture(owner)]), platformSettings })).toEqual([]);
    expect(await sectionsOf(other.board)).toEqual([404, { error: `Chat not found: ${other.board}` }]);
    expect(await sectionsOf(board, other.client)).toEqual([404, { error: `Account not found: ${account}` }]);
  });

  test("accept a section if the network cannot be asked", async () => {
    const { owner, client, on } = await owned();
    const image = await picture(owner);
    await fault({ network: "pinterest", operation: "destinations", fault: "http_500" });
    const settings = { type: "PINTEREST", boardSectionId: "12345" };
    expect(await problems(client, { ...on("x", [image]), platformSettings: settings })).toEqual([]);
  });
});

test("without a board, the only one is offered as a fix, and never chosen automatically", async () => {
  const { owner, account, client, person, board: kept } = await owned();
  const [, boards] = await told(client.get(`/v1/accounts/${account}/chats?platform=PINTEREST`));
  for (const { id } of boards as { id: string }[]) if (id !== kept) await deleteBoard(person, id);
  const [content, image] = ["x", await picture(owner)];
  const scheduledTime = "2031-05-01T12:00:00Z";
  const publication = { socialMediaAccountId: account, platformSettings: { type: "PINTEREST" } };
  const nested = { scheduledTime, publications: [{ ...publication, posts: [{ content, attachmentPaths: [image] }] }] };
  const flat = { scheduledTime, platform: "PINTEREST", accountId: account, content, mediaPaths: [image] };
  const pointers = [
    { body: nested, pointer: "/publications/0/posts/0/chatId" },
    { body: flat, pointer: "/chatId" },
  ];
  for (const { body, pointer } of pointers) {
    const [, checked] = await told(client.post("/v1/posts/validate", body));
    const apply = [{ op: "add" as const, path: pointer, value: kept }];
    expect(checked).toMatchObject({ valid: false, problems: [{ rule: "chat.required", apply }] });
    expect((checked as { problems: unknown[] }).problems).toHaveLength(1);
    expect((await client.post("/v1/posts", body)).status).toBe(400);
    const mended = patched(body, apply);
    expect(await told(client.post("/v1/posts/validate", mended))).toEqual([200, { valid: true, problems: [] }]);
    expect(await told(client.post("/v1/posts", mended))).toMatchObject([
      201,
      { publications: [{ posts: [{ chatId: kept }] }] },
    ]);
  }
});

test("a carousel whose answer is lost: looked up, not made again", async () => {
  const { owner, client, person, on } = await owned();
  const image = await picture(owner);
  await fault({ network: "pinterest", operation: "publish", fault: "drop_response" });
  const seen = await settled(client, (await schedule(client, [on("lost carousel", [image, image])])).id);
  const [pin, ...others] = await postsOn("pinterest", person);
  expect(others).toEqual([]);
  expect(seen).toMatchObject({ overallStatus: "COMPLETED", publications: [{ posts: [{ networkPostId: pin?.id }] }] });
  expect(await asked(person)).toEqual([0]);
});

test("a rate limit: waits for at least a minute and counts no failed attempt", async () => {
  const { owner, client, person, on } = await owned();
  const image = await picture(owner);
  await fault({ network: "pinterest", operation: "publish", fault: "rate_limit", afterSeconds: 2 });
  const made = await schedule(client, [on("slowly", [image])]);
  const publication = made.publications[0]?.id ?? 0;
  await vi.waitFor(async () => expect(await dueIn(publication)).toBeGreaterThan(50), { timeout: 45_000 });
  expect(await attemptsOf(publication)).toBe(0);
  expect((await read(client, made.id)).overallStatus).toBe("IN_PROGRESS");
  expect(await postsOn("pinterest", person)).toEqual([]);
  await forget(publication);
});

describe("the account's token", () => {
  test("expired: it is refreshed once, and the Pin is published", async () => {
    const { owner, account, client, person, on } = await owned();
    const image = await picture(owner);
    await db.update(accounts).set({ tokensExpireAt: sql`now() - interval '1 minute'` }).where(eq(accounts.id, account));
    const seen = await settled(client, (await schedule(client, [on("fresh", [image])])).id);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect(await callsOn("pinterest", person, "refresh")).toHaveLength(1);
  });
});
