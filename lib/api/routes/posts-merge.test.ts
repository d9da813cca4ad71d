import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, feedback } from "../../db";
import { claimPublication } from "../../schedules/publish/claim";
import { connectAccount, eventsOf, picture, read, readResponse, type Seen } from "../../testing";
import { AT, newPlanner } from "../testing/planner";

const HOUR_MS = 3_600_000;

type Report = {
  publications: { id: number; scheduleId: number; outcome: string; besideId?: number; differences?: string[] }[];
  problems: { message: string }[];
  deleted: number[];
  schedule?: Seen;
};

async function postEvents(owner: string) {
  const events = (await eventsOf(owner)) as { type: string; data: { id: number } }[];
  return events.filter(({ type }) => type.startsWith("post."));
}

async function somebody() {
  const planner = await newPlanner();
  const merge = async (keep: Seen, others: Seen[], query = "", headers: { [name: string]: string } = {}) => {
    const input = { ids: [keep, ...others].map(({ id }) => id), keep: keep.id };
    const [status, body] = await readResponse(planner.client.post(`/v1/posts/merge${query}`, input, headers));
    return [status, body] as [number, Report];
  };
  return { ...planner, merge };
}

describe("merging", () => {
  test("the remaining schedule gets what it lacks; the others are deleted with events", async () => {
    const { owner, client, x, other, on, plan, merge, all } = await somebody();
    const image = await picture(owner);
    const keep = await plan([on(x, "Ding dong")]);
    const second = await plan(
      [on(x, "ding dong", { attachmentPaths: [image] }), on(other, "Ding, long", { attachmentPaths: [image] })],
      new Date(AT.getTime() + HOUR_MS),
    );
    const third = await plan([on(other, "Ding, long")]);
    const [shownStatus, shown] = await merge(keep, [second, third], "?dryRun=true");
    const part = (scheduleId: number, account: { id: number }, outcome: string, differences?: string[]) => ({
      ...{ id: expect.any(Number), scheduleId, socialMediaAccountId: account.id, outcome },
      ...(differences ? { besideId: expect.any(Number), differences } : {}),
    });
    const publications = [
      part(keep.id, x, "kept"),
      part(second.id, x, "dropped", ["content", "attachmentPaths"]),
      part(second.id, other, "added"),
      part(third.id, other, "dropped", ["attachmentPaths"]),
    ];
    const deleted = [second.id, third.id];
    expect([shownStatus, shown]).toEqual([
      200,
      { dryRun: true, id: keep.id, publications, deleted, feedback: [], problems: [] },
    ]);
    const [kept, again, added, double] = shown.publications;
    expect([again?.besideId, double?.besideId]).toEqual([kept?.id, added?.id]);
    expect(await all()).toHaveLength(3);

    const [status, done] = await merge(keep, [second, third]);
    expect([status, done]).toEqual([
      200,
      {
        dryRun: false,
        id: keep.id,
        publications,
        deleted,
        feedback: [],
        problems: [],
        schedule: await read(client, keep.id),
      },
    ]);
    expect(await all()).toEqual([
      expect.objectContaining({
        ...{ id: keep.id, overallStatus: "SCHEDULED", scheduledTime: "2031-03-28T09:00:00Z" },
        publications: [
          expect.objectContaining(on(x, "Ding dong", { id: expect.any(Number), status: "PENDING" })),
          expect.objectContaining(
            on(other, "Ding, long", { id: expect.any(Number), attachmentPaths: [image], status: "PENDING" }),
          ),
        ],
      }),
    ]);
    const { rows } = await db.execute<{ due: string }>(
      sql`select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due from publications where schedule_id = ${keep.id}`,
    );
    expect(rows).toEqual([{ due: "2031-03-28 09:00" }, { due: "2031-03-28 09:00" }]);
    const events = (await postEvents(owner)).slice(3);
    expect(events.map(({ type, data }) => [type, data.id])).toEqual([
      ["post.scheduled", keep.id],
      ["post.deleted", second.id],
      ["post.deleted", third.id],
    ]);
  });

  test("a schedule that lacks nothing is unchanged, including IDs, even if its time has passed", async () => {
    const { owner, client, x, on, plan, merge, all } = await somebody();
    const [keep, copy] = [await plan([on(x, "Bells")]), await plan([on(x, "Bells")])];
    await db.execute(sql`update schedules set scheduled_time = now() - interval '1 hour' where id = ${keep.id}`);
    const before = await read(client, keep.id);
    expect((await merge(keep, [copy]))[0]).toBe(200);
    expect(await all()).toEqual([before]);
    expect((await postEvents(owner)).map(({ type }) => type).slice(2)).toEqual(["post.deleted"]);
  });

  test("a draft stays a draft and is not due", async () => {
    const { x, other, on, plan, draft, merge } = await somebody();
    const [keep, planned] = [await draft([on(x, "Bells")]), await plan([on(other, "Bells")])];
    const [status, { schedule: merged }] = await merge(keep, [planned]);
    expect([status, merged]).toMatchObject([200, { id: keep.id, overallStatus: "DRAFT" }]);
    expect(merged).not.toHaveProperty("scheduledTime");
    const { rows } = await db.execute(
      sql`select 1 from publications where schedule_id = ${keep.id} and due_at is not null`,
    );
    expect(rows).toEqual([]);
  });

  test("a pending import continues only for the remaining schedule", async () => {
    const { client, x, other, on, plan, merge } = await somebody();
    const url = "https://example.invalid/bells.jpg";
    const keep = await plan([on(x, "Bells")]);
    const waiting = await plan([on(other, "Bells", { attachmentPaths: [url] })]);
    const [, { schedule: merged }] = await merge(keep, [waiting]);
    expect(merged).toMatchObject({ overallStatus: "AWAITING_MEDIA", pendingImports: [{ sourceUrl: url }] });
    const importsOf = (schedule: object) => (schedule as { pendingImports: { importTaskId: number }[] }).pendingImports;
    const statuses = [waiting, merged ?? keep].flatMap(importsOf).map(async ({ importTaskId }) => {
      return (await client.get(`/v1/media/upload/import/${importTaskId}`)).status;
    });
    expect(await Promise.all(statuses)).toEqual([404, 200]);
  });

  test("another destination of an account is not a duplicate; an unchosen destination may be any", async () => {
    const { owner, client, merge, draft } = await somebody();
    const { id } = await connectAccount(owner, "TELEGRAM");
    const [, chats] = await readResponse(client.get(`/v1/accounts/${id}/chats?platform=TELEGRAM`));
    const [first, second] = chats as { id: string }[];
    const to = (chatId?: string) => ({
      socialMediaAccountId: id,
      platformSettings: { type: "TELEGRAM" },
      posts: [{ content: "Bells", chatId }],
    });
    const [keep, elsewhere, anywhere] = [
      await draft([to(first?.id)]),
      await draft([to(second?.id)]),
      await draft([to()]),
    ];
    const [, shown] = await merge(keep, [anywhere, elsewhere], "?dryRun=true");
    expect(shown.publications.map(({ outcome }) => outcome)).toEqual(["kept", "dropped", "added"]);
    const [, { publications, schedule: merged }] = await merge(keep, [elsewhere, anywhere]);
    expect(publications.map(({ outcome, differences }) => [outcome, differences])).toEqual([
      ["kept", undefined],
      ["added", undefined],
      ["dropped", ["chatId"]],
    ]);
    const posts = merged?.publications.flatMap((publication) => publication.posts) as { chatId?: string }[] | undefined;
    expect(posts?.map(({ chatId }) => chatId)).toEqual([first?.id, second?.id]);
  });

  test("posts without text are equal only with the same files", async () => {
    const { owner, x, on, plan, merge } = await somebody();
    const [one, two] = [await picture(owner), await picture(owner)];
    const ofPicture = (image: string) => plan([on(x, "", { attachmentPaths: [image] })]);
    const [keep, same, another] = [await ofPicture(one), await ofPicture(one), await ofPicture(two)];
    expect((await merge(keep, [same]))[0]).toBe(200);
    expect((await merge(keep, [another]))[0]).toBe(409);
  });

  test("runs once per Idempotency-Key, even concurrently; 409 with another body", async () => {
    const { x, other, on, plan, merge, all } = await somebody();
    const [keep, second, third] = [
      await plan([on(x, "Bells")]),
      await plan([on(other, "Bells")]),
      await plan([on(x, "Bells")]),
    ];
    const key = { "idempotency-key": "again" };
    const both = await Promise.all([merge(keep, [second], "", key), merge(keep, [second], "", key)]);
    expect(both.map(([status]) => status)).toContain(200);
    const [status, report] = await merge(keep, [second], "", key);
    expect([status, report.deleted]).toEqual([200, [second.id]]);
    expect((await merge(keep, [third], "", key))[0]).toBe(409);
    expect(await all()).toHaveLength(2);
  });

  test("against a concurrent claim: either the merge is first, or it is rejected", async () => {
    const { client, x, other, on, plan, merge } = await somebody();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const at = new Date(Date.now() + HOUR_MS);
        const [keep, copy] = [await plan([on(x, `race ${index}`)], at), await plan([on(other, `race ${index}`)], at)];
        const raced = index % 2 === 0 ? keep : copy;
        await db.execute(sql`update schedules set scheduled_time = now() where id in (${keep.id}, ${copy.id})`);
        const worker = { id: randomUUID(), assertAlive() {} };
        const [claim, [status]] = await Promise.all([
          claimPublication(raced.publications[0]?.id ?? 0, worker),
          merge(keep, [copy]),
        ]);
        const left = await Promise.all([keep, copy].map(({ id }) => client.get(`/v1/posts/${id}`)));
        return [claim !== undefined, status, left.map((answer) => answer.status)];
      }),
    );
    for (const [claimed, ...outcome] of outcomes) {
      expect(outcome).toEqual(claimed ? [409, [200, 200]] : [200, [200, 404]]);
    }
  });

  test("of two concurrent merges of the same schedules, in any order, one succeeds", async () => {
    const { x, other, on, plan, merge, all } = await somebody();
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await plan([on(x, `race ${round}`)]), await plan([on(other, `race ${round}`)])];
      const both = await Promise.all([merge(one, [two]), merge(two, [one])]);
      expect(both.map(([status]) => status).sort()).toEqual([
        200,
        expect.toSatisfy((status) => status === 404 || status === 409),
      ]);
    }
    expect(await all()).toHaveLength(4);
  });
});

describe("a rejected merge changes nothing", () => {
  test("409 once any of the schedules has started or ended", async () => {
    const { x, on, plan, merge, all } = await somebody();
    const [one, two] = [await plan([on(x, "Bells")]), await plan([on(x, "Bells")])];
    for (const [status, why] of [
      ["IN_PROGRESS", "is being published"],
      ["COMPLETED", "has already been published or attempted"],
      ["PARTIALLY_COMPLETED", "has already been published or attempted"],
      ["FAILED", "has already been published or attempted"],
    ]) {
      await db.execute(sql`update schedules set status = ${status} where id = ${two.id}`);
      const error = `Post ${two.id} ${why} and can no longer be changed`;
      for (const query of ["", "?dryRun=true"]) {
        expect(await merge(one, [two], query)).toEqual([409, { error }]);
        expect(await merge(two, [one], query)).toEqual([409, { error }]);
      }
    }
    expect(await all()).toHaveLength(2);
  });

  test("lists the deleted schedules with feedback, which is deleted with them", async () => {
    const { x, on, plan, merge } = await somebody();
    const [keep, said, silent] = [
      await plan([on(x, "Bells")]),
      await plan([on(x, "Bells")]),
      await plan([on(x, "Bells")]),
    ];
    for (const { id } of [keep, said, said]) {
      const remark = { scheduleId: id, name: "Bo", text: "Louder", contentDigest: Buffer.alloc(32) };
      await db.insert(feedback).values(remark);
    }
    expect((await merge(keep, [silent, said], "?dryRun=true"))[1]).toMatchObject({ feedback: [said.id] });
    expect((await merge(keep, [silent, said]))[1]).toMatchObject({ feedback: [said.id] });
    expect(await db.select().from(feedback).where(eq(feedback.scheduleId, said.id))).toEqual([]);
  });

  test("409 if two have different posts for one account, in any position", async () => {
    const { x, other, on, plan, merge, all } = await somebody();
    const keep = await plan([on(x, "Bells")]);
    const [one, two] = [await plan([on(other, "Bells")]), await plan([on(other, "Bells!"), on(x, "Bells")])];
    const before = await all();
    const error = `Posts ${one.id} and ${two.id} have different posts for account ${other.id}`;
    const [status, { publications }] = await merge(keep, [one, two], "?dryRun=true");
    const outcomes = publications.map(({ outcome, differences }) => [outcome, differences]);
    expect([status, outcomes]).toEqual([
      200,
      [
        ["kept", undefined],
        ["added", undefined],
        ["clashing", ["content"]],
        ["dropped", []],
      ],
    ]);
    expect(await merge(keep, [one, two])).toEqual([409, { error }]);
    expect(await all()).toEqual(before);
  });

  test("400 if a network would reject the result, for example because an account is gone", async () => {
    const { client, x, other, on, plan, draft, merge, all } = await somebody();
    const [keep, long] = [await plan([on(x, "Bells")]), await draft([on(other, "a".repeat(312))])];
    const before = await all();
    const message = "X takes at most 280 weighted characters, this text has 312";
    const [status, { problems }] = await merge(keep, [long], "?dryRun=true");
    expect([status, problems]).toEqual([200, [expect.objectContaining({ message, rule: "text.length" })]]);
    const error = `publications[1].posts[0].content: ${message}`;
    expect(await merge(keep, [long])).toEqual([400, { error }]);
    await client.delete(`/v1/accounts/${other.id}`);
    expect((await merge(keep, [long]))[0]).toBe(400);
    expect((await all()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test.each([
    { when: "one alone", input: (one: number) => ({ ids: [one], keep: one }), says: /^ids / },
    {
      when: "too many",
      input: (one: number) => ({ ids: Array.from({ length: 51 }, (_, n) => one + n), keep: one }),
      says: /^ids /,
    },
    {
      when: "one twice",
      input: (one: number, two: number) => ({ ids: [one, two, one], keep: one }),
      says: /^ids contains an id twice$/,
    },
    { when: "none to keep", input: (one: number, two: number) => ({ ids: [one, two] }), says: /^keep cannot be null$/ },
    {
      when: "a strange one to keep",
      input: (one: number, two: number) => ({ ids: [one, two], keep: 1 }),
      says: /^keep must be one of ids$/,
    },
  ])("400: $when", async ({ input, says }) => {
    const { client, x, on, plan, all } = await somebody();
    const [one, two] = [await plan([on(x, "Bells")]), await plan([on(x, "Bells")])];
    const [status, body] = await readResponse(client.post("/v1/posts/merge", input(one.id, two.id)));
    expect([status, body]).toEqual([400, { error: expect.stringMatching(says) }]);
    expect(await all()).toHaveLength(2);
  });
});
