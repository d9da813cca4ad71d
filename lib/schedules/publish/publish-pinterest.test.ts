import { describe, expect, onTestFinished, test } from "vitest";
import { env } from "../../env";
import {
  as,
  callsOn,
  chatsOf,
  connectAccount,
  fault,
  newOwner,
  picture,
  postsOn,
  readResponse,
  schedule,
  settled,
  withWorker,
} from "../../testing";
import { patched } from "../../testing/patch";
import { setSwitches } from "../../testing/sandbox";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "PINTEREST");
  const client = as(owner);
  const [board] = await chatsOf(client, id, "PINTEREST");
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

/** The statuses of the final calls; 0: no answer. */
const asked = async (person: string) => (await callsOn("pinterest", person, "publish")).map(({ status }) => status);

describe("a carousel", () => {
  test("is previewed as it is sent, with the image that is its cover", async () => {
    const { owner, client, person, on } = await owned();
    const [one, two] = [await picture(owner), await picture(owner, 500, 700)];
    const later = new Date(Date.now() + 3_600_000);
    const { id } = await schedule(client, [on("shown", [one, two], { thumbnailPath: two })], later);
    const [, preview] = await readResponse(client.get(`/v1/posts/${id}/preview`));
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
    const [, verdict] = await readResponse(client.post("/v1/posts/validate", body));
    const { problems } = verdict as { problems: { rule: string; apply: Parameters<typeof patched>[1] }[] };
    const [problem] = problems.filter(({ rule }) => rule === "cover.attached");
    expect(problem).toMatchObject({ path: "publications[0].posts[0].thumbnailPath", measured: other });
    expect((await client.post("/v1/posts", body)).status).toBe(400);
    expect((await client.post("/v1/posts", patched(body, problem?.apply ?? []))).status).toBe(201);
  });

  test("that Pinterest no longer accepts fails once, with Pinterest's message", async () => {
    const { owner, client, person, on } = await owned();
    const [one, two] = [await picture(owner), await picture(owner, 500, 700)];
    await setSwitches("pinterest", { carousels: false });
    onTestFinished(() => setSwitches("pinterest", {}));
    const made = await schedule(client, [on("no more", [one, two])]);
    const says = "Carousel Pins are not supported for organic content";
    expect((await settled(client, made.id)).publications).toMatchObject([
      { status: "FAILED", posts: [{ error: expect.stringContaining(says) }] },
    ]);
    const [, receipt] = await readResponse(client.get(`/v1/posts/${made.id}/receipt`));
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
    const [, body] = await readResponse(
      client.post("/v1/posts/validate", { scheduledTime, publications: [publication] }),
    );
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
    const [, verdict] = await readResponse(client.post("/v1/posts/validate", body));
    const { problems: said } = verdict as { problems: { fix: string; apply: Parameters<typeof patched>[1] }[] };
    const [problem, ...others] = said;
    expect([problem, others]).toMatchObject([{ path, rule: "chat.part", message }, []]);
    expect(await readResponse(client.post("/v1/posts", body))).toEqual([400, { error: `${path} ${message}` }]);
    expect((await readResponse(client.post("/v1/posts", { ...body, isDraft: true })))[0]).toBe(201);

    const [, id, title] = /(\d+) \((\w+)\)/.exec(problem?.fix ?? "") ?? [];
    expect(title).toBe("Spring");
    const platformSettings = { type: "PINTEREST", boardSectionId: id };
    expect((await readResponse(client.post("/v1/posts", patched(body, problem?.apply ?? []))))[0]).toBe(201);
    const good = { ...body, publications: [{ ...publications[0], platformSettings }] };
    expect((await readResponse(client.post("/v1/posts", good)))[0]).toBe(201);
  });

  test("list the sections of each board, and accept one of them", async () => {
    const { owner, account, client, board, on } = await owned();
    const other = await owned();
    const boards = await chatsOf(client, account, "PINTEREST");
    const sectionsOf = (id: string, by = client) =>
      readResponse(by.get(`/v1/accounts/${account}/chats/${id}/sections`));
    const all = await Promise.all(boards.map(({ id }) => sectionsOf(id)));
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
    const { owner, client, person, on } = await owned();
    const image = await picture(owner);
    await fault({ network: "pinterest", operation: "destinations", account: person, fault: "http_500" });
    const settings = { type: "PINTEREST", boardSectionId: "12345" };
    expect(await problems(client, { ...on("x", [image]), platformSettings: settings })).toEqual([]);
  });
});

test("without a board, the only one is offered as a fix, and never chosen automatically", async () => {
  const { owner, account, client, person, board: kept } = await owned();
  for (const { id } of await chatsOf(client, account, "PINTEREST")) if (id !== kept) await deleteBoard(person, id);
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
    const [, checked] = await readResponse(client.post("/v1/posts/validate", body));
    const apply = [{ op: "add" as const, path: pointer, value: kept }];
    expect(checked).toMatchObject({ valid: false, problems: [{ rule: "chat.required", apply }] });
    expect((checked as { problems: unknown[] }).problems).toHaveLength(1);
    expect((await client.post("/v1/posts", body)).status).toBe(400);
    const fixed = patched(body, apply);
    expect(await readResponse(client.post("/v1/posts/validate", fixed))).toEqual([200, { valid: true, problems: [] }]);
    expect(await readResponse(client.post("/v1/posts", fixed))).toMatchObject([
      201,
      { publications: [{ posts: [{ chatId: kept }] }] },
    ]);
  }
});
