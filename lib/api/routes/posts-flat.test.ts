import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { accounts as accountRows, db } from "../../db";
import type { Problem } from "../../errors";
import type { Platform } from "../../platforms";
import { NewSchedule, updateSchedule } from "../../schedules";
import { narrowestOf } from "../../schedules/check/flat";
import { as, type Client, callsOn, clip, connectAccount, newOwner, picture, readResponse } from "../../testing";

const TIME = "2031-05-01T12:00:00Z";

type Created = {
  publications: { platformSettings: object; posts: { content?: string; attachmentPaths?: string[] }[] }[];
  warnings?: { path: string; message: string }[];
};

let owner: string;
let caller: Client;
let film: string;
let photo: string;
const accounts = new Map<Platform, { id: number; person: string }>();

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  [film, photo] = await Promise.all([clip(owner), picture(owner, 800, 800)]);
  for (const platform of ["YOUTUBE", "TIKTOK", "X_TWITTER", "INSTAGRAM"] as const) {
    accounts.set(platform, await connectAccount(owner, platform));
  }
});

const flat = (platform: Platform, fields: object) => ({
  ...{ platform, accountId: accounts.get(platform)?.id, scheduledTime: TIME },
  ...fields,
});
const created = async (body: object) => {
  const [status, answer] = await readResponse(caller.post("/v1/posts", body));
  expect([status, answer]).toEqual([201, expect.anything()]);
  return answer as Created;
};
const problemsOf = async (body: object) =>
  ((await readResponse(caller.post("/v1/posts/validate", body)))[1] as { problems: Problem[] }).problems;

describe("YouTube: the first line of the content is the title", () => {
  const a = "a".repeat(60);
  test.each([
    ["one line", "Ding dong", "Ding dong", undefined],
    ["more lines", "Ding dong\n\nThe bells\nare ready", "Ding dong", "The bells\nare ready"],
    ["Windows line breaks", "Ding\r\ndong", "Ding", "dong"],
    ["empty lines first", "\n\n Ding\ndong", "Ding", "dong"],
    ["a long line", `${a} ${a}\nend`, a, `${a}\nend`],
    ["a long word", "a".repeat(150), "a".repeat(100), "a".repeat(50)],
  ])("%s", async (_, content, title, description) => {
    const { publications } = await created(flat("YOUTUBE", { content, mediaPaths: [film] }));
    const [{ platformSettings, posts: [post] = [] } = { platformSettings: {} }] = publications;
    expect([platformSettings, post?.content]).toEqual([
      { type: "YOUTUBE", title, category: "PEOPLE_BLOGS", privacyStatus: "PUBLIC" },
      description,
    ]);
  });

  test.each([
    ["no text", "", [["content", "text.required", undefined]]],
    [
      "angle brackets in both parts; the only change keeps both",
      "Ding > dong\n\nThe <bells>",
      [
        ["content", "youtube.angle_brackets", "Ding > dong\n\nThe bells"],
        ["content", "youtube.angle_brackets", undefined],
      ],
    ],
  ])("a problem names content: %s", async (_, content, expected) => {
    const problems = await problemsOf(flat("YOUTUBE", { content, mediaPaths: [film] }));
    const shown = problems as (Problem & { apply?: { value: string }[] })[];
    expect(shown.pop()).toMatchObject({ path: "platform", rule: "youtube.made_for_kids", severity: "warning" });
    expect(shown.map(({ path, rule, apply }) => [path, rule, apply?.[0]?.value])).toEqual(expected);
  });
});

describe("TikTok: the body's privacyLevel, or the narrowest one that the creator may choose", () => {
  const on = (fields: object) => flat("TIKTOK", { content: "Ding", mediaPaths: [film], ...fields });
  const levelOf = ({ publications }: Created) => publications[0]?.platformSettings;

  test("privacyLevel is sent as it is", async () => {
    const privacyLevel = "MUTUAL_FOLLOW_FRIENDS";
    expect(levelOf(await created(on({ privacyLevel })))).toMatchObject({ type: "TIK_TOK", privacyLevel });
    expect(await readResponse(caller.post("/v1/posts", on({ privacyLevel: "ALL" })))).toEqual([
      400,
      { error: expect.stringMatching(/^privacyLevel must be PUBLIC_TO_EVERYONE, /) },
    ]);
  });

  test("without one, TikTok is asked", async () => {
    const options = () => callsOn("tiktok", accounts.get("TIKTOK")?.person ?? "", "profile");
    const before = (await options()).length;
    expect(levelOf(await created(on({})))).toMatchObject({ privacyLevel: "SELF_ONLY" });
    expect((await options()).length).toBeGreaterThan(before);
  });

  test("an account that cannot be asked does not prevent scheduling", async () => {
    const { id: accountId } = await connectAccount(owner, "TIKTOK");
    await db.update(accountRows).set({ tokensSealed: null }).where(eq(accountRows.id, accountId));
    expect(levelOf(await created(on({ accountId })))).toMatchObject({ privacyLevel: "SELF_ONLY" });
  });

  test("the narrowest one", () => {
    const order: [string, ...string[]] = ["SELF_ONLY", "MUTUAL_FOLLOW_FRIENDS", "PUBLIC_TO_EVERYONE"];
    expect(narrowestOf(order, ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS"])).toBe("MUTUAL_FOLLOW_FRIENDS");
    expect(narrowestOf(order, [])).toBe("SELF_ONLY");
  });

  test("the missing music consent is a warning about a field of the body", async () => {
    const { warnings } = await created(on({}));
    const message = "TikTok requires people to agree to its Music Usage Confirmation before you post for them";
    expect(warnings).toEqual([{ path: "platform", message }]);
    const [problem] = await problemsOf(on({}));
    expect(problem).toMatchObject({
      path: "platform",
      severity: "warning",
      fix: expect.stringContaining("nested body"),
    });
  });
});

test.each([
  ["TWITTER", "X_TWITTER"],
  ["TIKTOK", "TIKTOK"],
  ["TIK_TOK", "TIKTOK"],
] as const)("the platform %s is accepted", async (platform, of) => {
  const mediaPaths = of === "TIKTOK" ? [photo] : [];
  await created({ ...flat(of, { content: "Ding", mediaPaths, isDraft: true }), platform });
});

test("publicationType is ignored with a warning on a network without it, privacyLevel is refused", async () => {
  const { warnings } = await created(flat("YOUTUBE", { content: "a", mediaPaths: [film], publicationType: "REEL" }));
  expect(warnings).toEqual([
    { path: "platform", message: expect.stringContaining("whether a video is made for kids") },
    { path: "publicationType", message: "is not used: YouTube has no publication types" },
  ]);
  expect(
    await readResponse(caller.post("/v1/posts", flat("X_TWITTER", { content: "a", privacyLevel: "SELF_ONLY" }))),
  ).toEqual([400, { error: "privacyLevel is not a setting of X" }]);
});

test("a flat PUT gets the same settings", async () => {
  const { id } = (await created(flat("YOUTUBE", { content: "One", mediaPaths: [film] }))) as unknown as { id: number };
  const body = flat("YOUTUBE", { content: "Two\nlines", mediaPaths: [film] });
  expect(await readResponse(caller.put(`/v1/posts/${id}`, body))).toMatchObject([
    200,
    { publications: [{ platformSettings: { title: "Two" }, posts: [{ content: "lines" }] }] },
  ]);
});

describe("warnings in the 201 response", () => {
  const story = (content: string) => ({
    ...{ content, mediaPaths: [photo], publicationType: "STORY" },
  });

  test("the text of a story is reported, here and in validate, and the schedule is stored", async () => {
    const message = "Instagram has no text in this kind of post, so this text will not be published";
    const body = flat("INSTAGRAM", story("Ding"));
    const { warnings } = await created(body);
    expect(warnings).toEqual([{ path: "content", message }]);
    expect(await problemsOf(body)).toMatchObject([{ path: "content", rule: "text.not_sent", severity: "warning" }]);
    expect(await created(flat("INSTAGRAM", story(" ")))).not.toHaveProperty("warnings");
  });

  test("a repeated request gets them again, and both have the ETag of the schedule", async () => {
    const headers = { "idempotency-key": "story" };
    const [first, again] = [
      await caller.post("/v1/posts", flat("INSTAGRAM", story("Dong")), headers),
      await caller.post("/v1/posts", flat("INSTAGRAM", story("Dong")), headers),
    ];
    const body = (await first.json()) as Created & { id: number };
    expect(body.warnings).toHaveLength(1);
    expect(await again.json()).toEqual(body);
    const read = await caller.get(`/v1/posts/${body.id}`);
    expect(await read.json()).not.toHaveProperty("warnings");
    expect([first, again].map((answer) => answer.headers.get("etag"))).toEqual(
      [1, 2].map(() => read.headers.get("etag")),
    );
  });

  test("LinkedIn GROUP, also on more publications than a response lists problems", async () => {
    const { id: socialMediaAccountId } = await connectAccount(owner, "LINKEDIN");
    const one = {
      ...{ socialMediaAccountId, platformSettings: { type: "LINKEDIN", visibility: "GROUP" } },
      posts: [{ content: "Ding" }],
    };
    const { warnings } = await created({ scheduledTime: TIME, publications: Array.from({ length: 60 }, () => one) });
    const path = "publications[0].platformSettings.visibility";
    expect(warnings?.[0]).toEqual({
      path,
      message: "LinkedIn's API no longer posts to groups, so this post will fail",
    });
    expect(warnings).toHaveLength(51);
  });
});

describe("fields without a value are omitted", () => {
  test("an empty text, no files and an empty setting", async () => {
    const { id } = (await created(flat("TIKTOK", { mediaPaths: [photo], privacyLevel: "SELF_ONLY" }))) as Created & {
      id: number;
    };
    const [, read] = await readResponse(caller.get(`/v1/posts/${id}`));
    const [publication] = (read as Created).publications;
    expect(publication?.platformSettings).not.toHaveProperty("title");
    expect(publication?.posts).toEqual([{ id: expect.any(Number), attachmentPaths: [photo], status: "PENDING" }]);
  });

  test("a draft can be sent back with PUT as it was read", async () => {
    const on = { socialMediaAccountId: accounts.get("YOUTUBE")?.id, posts: [{}] };
    const draft = (platformSettings: object) => ({ isDraft: true, publications: [{ ...on, platformSettings }] });
    const made = (await created(draft({ type: "YOUTUBE", title: "" }))) as Created & { id: number };
    const shown = made.publications[0]?.platformSettings ?? {};
    expect(shown).toEqual({ type: "YOUTUBE", category: "PEOPLE_BLOGS", privacyStatus: "PUBLIC" });
    expect(made.publications[0]?.posts).toEqual([{ id: expect.any(Number), status: "PENDING" }]);
    const updated = await updateSchedule(owner, made.id, NewSchedule.parse(draft(shown)));
    expect(updated.publications[0]?.settings).toEqual(shown);
  });
});
