import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../db";
import { claimPublication } from "../../schedules/publish/claim";
import {
  as,
  type Client,
  connectAccount,
  newOwner,
  picture,
  read,
  readResponse,
  type Seen,
  schedule,
} from "../../testing";

const TIME = "2031-05-01T12:00:00Z";

let owner: string;
let caller: Client;
let account: number;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  account = (await connectAccount(owner, "X_TWITTER")).id;
});

const on = (content: string, fields: object = {}) => ({
  socialMediaAccountId: account,
  platformSettings: { type: "TWITTER" },
  posts: [{ content, ...fields }],
});
const body = (content: string, fields: object = {}) => ({
  scheduledTime: TIME,
  publications: [on(content)],
  ...fields,
});
const ID = expect.any(Number);

async function make(fields: object = {}): Promise<Seen> {
  const [status, made] = await readResponse(caller.post("/v1/posts", body("before", fields)));
  expect(status).toBe(201);
  return made as Seen;
}

/** The due days of its publications. Publications that are not due or deleted have none. */
async function due(schedule: Seen): Promise<string[]> {
  const { rows } = await db.execute<{ at: string }>(
    sql`select to_char(due_at, 'YYYY-MM-DD') as at from publications
      where due_at is not null and id in ${schedule.publications.map(({ id }) => id)}`,
  );
  return rows.map(({ at }) => at);
}

describe("200", () => {
  test("replaces time, publications and posts under the same ID, and their due times", async () => {
    const before = await make();
    const image = await picture(owner);
    const input = {
      scheduledTime: "2032-01-02T03:04:05+01:00",
      publications: [on("one"), on("two", { attachmentPaths: [image] })],
    };
    const [status, after] = await readResponse(caller.put(`/v1/posts/${before.id}`, input));
    const part = { id: ID, socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, status: "PENDING" };
    const post = { id: ID, status: "PENDING" };
    expect([status, after]).toEqual([
      200,
      {
        id: before.id,
        overallStatus: "SCHEDULED",
        scheduledTime: "2032-01-02T02:04:05Z",
        publications: [
          { ...part, posts: [{ ...post, content: "one" }] },
          { ...part, posts: [{ ...post, content: "two", attachmentPaths: [image] }] },
        ],
      },
    ]);
    expect(await readResponse(caller.get(`/v1/posts/${before.id}`))).toEqual([200, after]);
    expect(await due(before)).toEqual([]);
    expect(await due(after as Seen)).toEqual(["2032-01-02", "2032-01-02"]);
  });

  test("a draft becomes scheduled, and a schedule becomes a draft that is never due", async () => {
    const draft = await make({ isDraft: true, scheduledTime: undefined });
    const [, scheduled] = await readResponse(caller.put(`/v1/posts/${draft.id}`, body("now it counts")));
    expect(scheduled).toMatchObject({ id: draft.id, overallStatus: "SCHEDULED", scheduledTime: TIME });
    expect(await due(scheduled as Seen)).toEqual(["2031-05-01"]);
    const [, again] = await readResponse(
      caller.put(`/v1/posts/${draft.id}`, { publications: [on("")], isDraft: true }),
    );
    expect(again).toMatchObject({ id: draft.id, overallStatus: "DRAFT" });
    expect(again).not.toHaveProperty("scheduledTime");
    expect(await due(again as Seen)).toEqual([]);
  });

  test("accepts the flat body too", async () => {
    const { id } = await make();
    const flat = { platform: "X_TWITTER", accountId: account, content: "flat", scheduledTime: TIME };
    const [status, after] = await readResponse(caller.put(`/v1/posts/${id}`, flat));
    expect([status, after]).toMatchObject([200, { id, publications: [{ posts: [{ content: "flat" }] }] }]);
  });
});

describe("400 changes nothing", () => {
  test.each<[when: string, body: object, says: string]>([
    ["no publications", {}, "publications cannot be null"],
    ["both shapes", body("a", { content: "b" }), "publications cannot be combined with the fields of the flat body"],
    ["a time gone by", { scheduledTime: "2020-01-01T00:00:00Z" }, "scheduledTime is in the past: 2020-01-01T00"],
  ])("%s", async (when, input, says) => {
    const before = await make();
    const full = when === "a time gone by" ? body("a", input) : input;
    const [status, answer] = await readResponse(caller.put(`/v1/posts/${before.id}`, full));
    expect([status, (answer as { error: string }).error.startsWith(says)]).toEqual([400, true]);
    expect(await read(caller, before.id)).toEqual(before);
    expect(await due(before)).toEqual(["2031-05-01"]);
  });
});

describe("404, with the same bytes for someone else's schedule and a missing one", () => {
  test("whatever the body contains", async () => {
    const { id } = await make();
    const other = as(await newOwner());
    for (const input of [body("a"), {}]) {
      expect(await readResponse(other.put(`/v1/posts/${id}`, input))).toEqual([
        404,
        { error: `Posting schedule not found: ${id}` },
      ]);
      expect(await readResponse(other.put("/v1/posts/999999999", input))).toEqual([
        404,
        { error: "Posting schedule not found: 999999999" },
      ]);
    }
  });
});

describe("409 once it has started", () => {
  test.each([
    ["IN_PROGRESS", "is being published"],
    ["COMPLETED", "has already been published or attempted"],
    ["PARTIALLY_COMPLETED", "has already been published or attempted"],
    ["FAILED", "has already been published or attempted"],
  ])("%s", async (status, why) => {
    const { id } = await make();
    await db.execute(sql`update schedules set status = ${status} where id = ${id}`);
    expect(await readResponse(caller.put(`/v1/posts/${id}`, body("late")))).toEqual([
      409,
      { error: `Post ${id} ${why} and can no longer be changed` },
    ]);
  });

  test("against a concurrent claim: either the change is first, or it is rejected", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const made = await schedule(caller, [on("race")], new Date(Date.now() + 3_600_000));
        await db.execute(sql`update schedules set scheduled_time = now() where id = ${made.id}`);
        const worker = { id: randomUUID(), assertAlive() {} };
        const [claim, answer] = await Promise.all([
          claimPublication(made.publications[0]?.id ?? 0, worker),
          caller.put(`/v1/posts/${made.id}`, body("edited")),
        ]);
        return [claim !== undefined, answer.status];
      }),
    );
    for (const [claimed, status] of outcomes) expect(status).toBe(claimed ? 409 : 200);
  });
});

describe("ETag and If-Match", () => {
  const tagOf = async (answer: Promise<Response>) => (await answer).headers.get("etag") ?? "none";
  const put = (id: number, content: string, tag: string, fields = {}) =>
    caller.put(`/v1/posts/${id}`, body(content, fields), { "if-match": tag });

  test("each version has one strong tag in every answer, and a new version has a new one", async () => {
    const tiktok = (await connectAccount(owner, "TIKTOK")).id;
    const settings = { privacyLevel: "SELF_ONLY", title: "Bells", type: "TIK_TOK", aiContent: true };
    const posts = [{ content: "a", attachmentPaths: [await picture(owner)] }];
    const input = {
      scheduledTime: TIME,
      publications: [{ socialMediaAccountId: tiktok, platformSettings: settings, posts }],
    };
    const key = { "idempotency-key": randomUUID() };
    const made = await caller.post("/v1/posts", input, key);
    const { id } = (await made.json()) as Seen;
    const first = made.headers.get("etag");
    expect(first).toMatch(/^"[\w-]{22}"$/);
    expect(await tagOf(caller.get(`/v1/posts/${id}`))).toBe(first);
    expect(await tagOf(caller.post("/v1/posts", input, key))).toBe(first);
    const second = await tagOf(caller.put(`/v1/posts/${id}`, input));
    expect(second).not.toBe(first);
    expect(await tagOf(caller.get(`/v1/posts/${id}`))).toBe(second);
    await db.execute(sql`update schedules set status = 'IN_PROGRESS' where id = ${id}`);
    expect([first, second]).not.toContain(await tagOf(caller.get(`/v1/posts/${id}`)));
  });

  test("rejects a change of an outdated version and accepts one of the current version", async () => {
    const { id } = await make();
    const tag = await tagOf(caller.get(`/v1/posts/${id}`));
    const next = await tagOf(put(id, "first", tag));
    const error = `Post ${id} was changed in the meantime. Read it again before you change it`;
    expect(await readResponse(put(id, "second", tag))).toEqual([412, { error }]);
    expect(await readResponse(put(id, "second", `W/${next}`))).toEqual([412, { error }]);
    expect(await read(caller, id)).toMatchObject({ publications: [{ posts: [{ content: "first" }] }] });
    for (const named of [next, "*"]) expect((await put(id, "third", named)).status).toBe(200);
  });

  test("of parallel changes of one version, exactly one succeeds and is stored", async () => {
    const { id } = await make();
    const tag = await tagOf(caller.get(`/v1/posts/${id}`));
    const wishes = ["a", "b", "c", "d", "e", "f"];
    const answers = await Promise.all(wishes.map((content) => put(id, content, tag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const content = wishes[answers.findIndex(({ status }) => status === 200)];
    expect(await read(caller, id)).toMatchObject({ publications: [{ posts: [{ content }] }] });
  });

  test("other errors are reported as without If-Match", async () => {
    const { id } = await make();
    expect((await put(id, "late", '"another"', { scheduledTime: "2020-01-01T00:00:00Z" })).status).toBe(400);
    expect((await put(999_999_999, "late", "*")).status).toBe(404);
    await db.execute(sql`update schedules set status = 'IN_PROGRESS' where id = ${id}`);
    expect((await put(id, "late", '"another"')).status).toBe(409);
  });
});
