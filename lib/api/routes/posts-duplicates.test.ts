import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, schedules } from "../../db";
import { read, readResponse, type Seen } from "../../testing";
import { AT, newPlanner } from "../testing/planner";

const HOUR_MS = 3_600_000;

async function somebody() {
  const planner = await newPlanner();
  const duplicates = async (query = "") => {
    const [, page] = await readResponse(planner.client.get(`/v1/posts/duplicates${query}`));
    const { items, ...rest } = page as {
      items: { schedules: Seen[]; more?: number }[];
      nextCursor: string | null;
      isComplete: boolean;
    };
    const more = items.map((group) => group.more ?? 0);
    return { groups: items.map((group) => group.schedules.map(({ id }) => id)), more, ...rest };
  };
  return { ...planner, duplicates };
}

describe("GET /v1/posts/duplicates", () => {
  test("groups equal texts, ignoring spaces and capitals, newest group first", async () => {
    const { client, x, other, on, plan, draft, duplicates } = await somebody();
    const late = await plan([on(x, "Ding  dong")], new Date(AT.getTime() + 2 * HOUR_MS));
    const soon = await plan([on(x, "only here"), on(other, "ding dong")]);
    const untimed = await draft([on(x, " DING dong\n")]);
    const [one, two] = [await plan([on(x, "Bells")]), await plan([on(x, "Bells")])];
    await plan([on(x, "nobody else says this")]);
    for (const attachmentPaths of [[], []]) await draft([on(x, " ", { attachmentPaths })]);
    expect(await duplicates()).toEqual({
      groups: [
        [one.id, two.id],
        [soon.id, late.id, untimed.id],
      ],
      more: [0, 0],
      nextCursor: null,
      isComplete: true,
    });
    const [, page] = await readResponse(client.get("/v1/posts/duplicates"));
    expect((page as { items: object[] }).items[0]).toEqual({
      schedules: [await read(client, one.id), await read(client, two.id)],
    });
  });

  test("shows fewer schedules of very long texts, so that the response does not delay other requests, and counts the others", async () => {
    const { client, x, duplicates } = await somebody();
    const long = Array.from({ length: 10 }, () => ({ content: "a".repeat(99_000) }));
    const publications = [{ socialMediaAccountId: x.id, platformSettings: { type: "TWITTER" }, posts: long }];
    const ids: number[] = [];
    for (let count = 0; count < 9; count++) {
      const [status, made] = await readResponse(client.post("/v1/posts", { isDraft: true, publications }));
      expect(status).toBe(201);
      ids.push((made as Seen).id);
    }
    expect(await duplicates()).toMatchObject({ groups: [ids.slice(0, 8)], more: [1] });
  });

  test("leaves out schedules that have started or ended", async () => {
    const { x, on, plan, duplicates } = await somebody();
    const [first, second] = [await plan([on(x, "Bells")]), await plan([on(x, "Bells")])];
    for (const status of ["IN_PROGRESS", "COMPLETED", "PARTIALLY_COMPLETED", "FAILED"]) {
      await db.execute(sql`update schedules set status = ${status} where id = ${second.id}`);
      expect((await duplicates()).groups, status).toEqual([]);
    }
    for (const status of ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED"]) {
      await db.execute(sql`update schedules set status = ${status} where id = ${second.id}`);
      expect((await duplicates()).groups, status).toEqual([[first.id, second.id]]);
    }
  });

  test("withinHours leaves out schedules further apart", async () => {
    const { x, on, plan, duplicates } = await somebody();
    const [first, second] = [
      await plan([on(x, "Bells")]),
      await plan([on(x, "Bells")], new Date(AT.getTime() + 24 * HOUR_MS)),
    ];
    expect((await duplicates("?withinHours=24")).groups).toEqual([[first.id, second.id]]);
    expect((await duplicates("?withinHours=23")).groups).toEqual([]);
    expect((await duplicates()).groups).toEqual([[first.id, second.id]]);
  });

  test("pages through each group once", async () => {
    const { x, on, plan, duplicates } = await somebody();
    for (const text of ["a", "b", "c", "c", "b", "a"]) await plan([on(x, text)]);
    const whole = (await duplicates()).groups;
    expect(whole).toHaveLength(3);
    const first = await duplicates("?limit=2");
    const second = await duplicates(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.groups, ...second.groups]).toEqual(whole);
    expect(second.nextCursor).toBeNull();
  });

  test("says when there are too many to compare, and shows at most as many as can be merged", async () => {
    const { owner, x, duplicates } = await somebody();
    await db.execute(sql`
      with made as (insert into schedules (owner_id, status, scheduled_time)
        select ${owner}, 'SCHEDULED', ${AT.toISOString()}::timestamptz + make_interval(mins => n) from generate_series(1, 2001) n
        returning id, scheduled_time),
      parts as (insert into publications (schedule_id, account_id, position, settings)
        select id, ${x.id}, 0, '{"type":"TWITTER"}' from made returning id, schedule_id)
      insert into posts (publication_id, position, content, attachment_paths) select id, 0, 'Bells', '{}' from parts`);
    const { groups, more, isComplete } = await duplicates();
    const soonest = await db
      .select({ id: schedules.id })
      .from(schedules)
      .where(eq(schedules.ownerId, owner))
      .orderBy(schedules.scheduledTime)
      .limit(50);
    expect([groups, more, isComplete]).toEqual([[soonest.map(({ id }) => id)], [1950], false]);
  });

  test.each(["0", "8785", "-1", "a day"])("400: withinHours=%s", async (withinHours) => {
    const { client } = await somebody();
    const query = new URLSearchParams({ withinHours });
    expect((await readResponse(client.get(`/v1/posts/duplicates?${query}`)))[0]).toBe(400);
  });
});
