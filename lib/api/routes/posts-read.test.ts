import { eq, sql } from "drizzle-orm";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { accounts, db, dedicatedConnection } from "../../db";
import { as, type Client, connectAccount, dueIn, newOwner, picture, readResponse } from "../../testing";

let caller: Client;
let account: number;

beforeAll(async () => {
  const owner = await newOwner();
  caller = as(owner);
  account = (await connectAccount(owner, "X_TWITTER")).id;
});

type Schedule = { id: number; publications: { id: number }[] };
const publication = (id: number) => ({
  socialMediaAccountId: id,
  platformSettings: { type: "TWITTER" },
  posts: [{ content: "a" }],
});

async function create(fields: object = {}): Promise<Schedule> {
  const body = { scheduledTime: "2031-05-01T12:00:00Z", publications: [publication(account)], ...fields };
  const [status, made] = await readResponse(caller.post("/v1/posts", body));
  expect(status).toBe(201);
  return made as Schedule;
}

describe("GET /v1/posts", () => {
  test("pages newest first without repeats or gaps while schedules are added", async () => {
    const owner = await newOwner();
    const mine = as(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    const make = async () => {
      const body = { scheduledTime: "2031-05-01T12:00:00Z", publications: [publication(id)] };
      return ((await readResponse(mine.post("/v1/posts", body)))[1] as Schedule).id;
    };
    const ids = [await make(), await make(), await make(), await make(), await make()].reverse();
    type Page = { items: Schedule[]; nextCursor: string | null };
    const seen: number[] = [];
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null) {
      const [, page] = await readResponse(mine.get(`/v1/posts?limit=2${cursor && `&cursor=${cursor}`}`));
      const { items, nextCursor } = page as Page;
      seen.push(...items.map((item) => item.id));
      cursor = nextCursor;
      if (++pages === 1) await make();
    }
    expect([pages, seen]).toEqual([3, ids]);
  });

  test("a page of very long texts is shorter than its limit, so that it does not delay other requests, and the next one continues", async () => {
    const owner = await newOwner();
    const mine = as(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    const posts = Array.from({ length: 10 }, () => ({ content: "a".repeat(99_000) }));
    const body = { isDraft: true, publications: [{ ...publication(id), posts }] };
    const ids: number[] = [];
    for (let count = 0; count < 9; count++) {
      const [status, made] = await readResponse(mine.post("/v1/posts", body));
      expect(status).toBe(201);
      ids.unshift((made as Schedule).id);
    }
    type Page = { items: Schedule[]; nextCursor: string | null };
    const [, first] = (await readResponse(mine.get("/v1/posts?limit=100"))) as [number, Page];
    expect(first.items.map((item) => item.id)).toEqual(ids.slice(0, 8));
    const [, second] = (await readResponse(mine.get(`/v1/posts?limit=100&cursor=${first.nextCursor}`))) as [
      number,
      Page,
    ];
    expect([second.items.map((item) => item.id), second.nextCursor]).toEqual([ids.slice(8), null]);
  });

  test("by status", async () => {
    const { id } = await create({ isDraft: true });
    const [, drafts] = await readResponse(caller.get("/v1/posts?status=DRAFT"));
    expect((drafts as { items: Schedule[] }).items.map((item) => item.id)).toContain(id);
    const [, failed] = await readResponse(caller.get("/v1/posts?status=FAILED"));
    expect(failed).toEqual({ items: [], nextCursor: null });
  });

  test("by several statuses, page by page, in either order; an unknown one is named", async () => {
    const owner = await newOwner();
    const mine = as(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    const make = async (day: number, isDraft: boolean) => {
      const body = { isDraft, scheduledTime: `2031-05-0${day}T12:00:00Z`, publications: [publication(id)] };
      return ((await readResponse(mine.post("/v1/posts", body)))[1] as Schedule).id;
    };
    const made = [await make(3, true), await make(1, false), await make(2, true), await make(4, false)];
    type Page = { items: Schedule[]; nextCursor: string | null };
    const all = async (query: string) => {
      const ids: number[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const [, page] = await readResponse(mine.get(`/v1/posts?limit=1&${query}${cursor && `&cursor=${cursor}`}`));
        ids.push(...(page as Page).items.map((item) => item.id));
        cursor = (page as Page).nextCursor;
      }
      return ids;
    };
    expect(await all("status=DRAFT,SCHEDULED,DRAFT")).toEqual(made.toReversed());
    const byTime = [made[1], made[2], made[0], made[3]];
    expect(await all("status=SCHEDULED,DRAFT,FAILED&sort=scheduledTime")).toEqual(byTime);
    expect(await all("status=SCHEDULED,FAILED&sort=-scheduledTime")).toEqual([made[3], made[1]]);
    const [status, refusal] = await readResponse(mine.get("/v1/posts?status=DRAFT,LOST"));
    expect([status, refusal]).toEqual([400, { error: expect.stringMatching(/^status must be DRAFT, /) }]);
    const csv = await (await mine.get("/v1/posts/export?status=SCHEDULED,FAILED")).text();
    expect(csv.trim().split("\r\n")).toHaveLength(3);
  });

  test("by platform, account and time, inclusive", async () => {
    const owner = await newOwner();
    const mine = as(owner);
    const [x, telegram] = [(await connectAccount(owner, "X_TWITTER")).id, (await connectAccount(owner, "TELEGRAM")).id];
    const make = async (account: number, type: string, day: string) => {
      const posts = [{ content: "a" }];
      const publications = [{ socialMediaAccountId: account, platformSettings: { type }, posts }];
      const body = { isDraft: true, scheduledTime: `${day}T12:00:00Z`, publications };
      return ((await readResponse(mine.post("/v1/posts", body)))[1] as Schedule).id;
    };
    const one = await make(x, "TWITTER", "2031-05-01");
    const two = await make(telegram, "TELEGRAM", "2031-05-02");
    const three = await make(x, "TWITTER", "2031-05-03");
    const idsOf = async (query: string) => {
      const [, page] = await readResponse(mine.get(`/v1/posts?${query}`));
      return (page as { items: Schedule[] }).items.map(({ id }) => id);
    };
    const [, accounts] = await readResponse(mine.get("/v1/accounts"));
    const networkId = (accounts as { id: number; accountId: string }[]).find(({ id }) => id === x)?.accountId;
    expect(await idsOf("platform=X_TWITTER")).toEqual([three, one]);
    expect(await idsOf(`accountId=${telegram}`)).toEqual([two]);
    expect(await idsOf(`accountId=${networkId}`)).toEqual([three, one]);
    expect(await idsOf(`accountId=${telegram}&platform=X_TWITTER`)).toEqual([]);
    expect(await idsOf(`accountId=${account}`)).toEqual([]);
    expect(await idsOf("from=2031-05-02T12:00:00Z")).toEqual([three, two]);
    expect(await idsOf("to=2031-05-02T14:00:00%2B02:00")).toEqual([two, one]);
    expect(await idsOf("from=2031-05-01T12:00:01Z&to=2031-05-03T11:59:59Z&status=DRAFT")).toEqual([two]);
  });

  test("sorted by time, the earliest or the latest first, page by page and without drafts that have no time", async () => {
    const owner = await newOwner();
    const mine = as(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    const make = async (scheduledTime?: string) => {
      const body = { isDraft: true, ...(scheduledTime ? { scheduledTime } : {}), publications: [publication(id)] };
      return ((await readResponse(mine.post("/v1/posts", body)))[1] as Schedule).id;
    };
    const third = await make("2031-05-03T12:00:00Z");
    await make();
    const first = await make("2031-05-01T12:00:00.123Z");
    const secondAndLater = [await make("2031-05-02T12:00:00Z"), await make("2031-05-02T12:00:00Z")];
    type Page = { items: Schedule[]; nextCursor: string | null };
    const all = async (query: string) => {
      const ids: number[][] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const [, page] = await readResponse(mine.get(`/v1/posts?limit=2&${query}${cursor && `&cursor=${cursor}`}`));
        ids.push((page as Page).items.map((item) => item.id));
        cursor = (page as Page).nextCursor;
      }
      return ids;
    };
    const ascending = [first, ...secondAndLater, third];
    expect(await all("sort=scheduledTime")).toEqual([ascending.slice(0, 2), ascending.slice(2)]);
    const descending = ascending.toReversed();
    expect(await all("sort=-scheduledTime")).toEqual([descending.slice(0, 2), descending.slice(2)]);
    expect(await all("sort=scheduledTime&status=DRAFT&from=2031-05-02T00:00:00Z")).toEqual([secondAndLater, [third]]);
  });

  test("the counts of each status have the same filters, and the drafts without a time can be listed", async () => {
    const owner = await newOwner();
    const mine = as(owner);
    const [on, broken] = [await connectAccount(owner, "X_TWITTER"), await connectAccount(owner, "X_TWITTER")];
    const make = async (id: number, fields: object) => {
      const body = { scheduledTime: "2031-05-01T12:00:00Z", publications: [publication(id)], ...fields };
      return ((await readResponse(mine.post("/v1/posts", body)))[1] as Schedule).id;
    };
    const undated = await make(on.id, { isDraft: true, scheduledTime: undefined });
    const dated = await make(on.id, { isDraft: true });
    const waiting = await make(broken.id, {});
    await make(on.id, { publications: [{ ...publication(on.id), posts: [{ content: "one bell" }] }] });
    await db.update(accounts).set({ state: "RECONNECT_REQUIRED" }).where(eq(accounts.id, broken.id));
    const none = { DRAFT: 0, AWAITING_MEDIA: 0, SCHEDULED: 0, MEDIA_IMPORT_FAILED: 0 };
    const zero = { ...none, IN_PROGRESS: 0, COMPLETED: 0, PARTIALLY_COMPLETED: 0, FAILED: 0 };
    const counted = (query: string) => readResponse(mine.get(`/v1/posts/counts${query}`));
    const answer = (counts: object) => [200, { limit: 10_000, counts: { ...zero, ...counts } }];
    expect(await counted("")).toEqual(answer({ DRAFT: 2, SCHEDULED: 2 }));
    expect(await counted("?status=DRAFT,FAILED")).toEqual(answer({ DRAFT: 2 }));
    expect(await counted("?text=bell")).toEqual(answer({ SCHEDULED: 1 }));
    expect(await counted("?text=peal")).toEqual(answer({}));
    expect(await counted("?hasTime=false")).toEqual(answer({ DRAFT: 1 }));
    expect(await counted("?needsReconnecting=true")).toEqual(answer({ SCHEDULED: 1 }));
    expect(await counted("?missed=true")).toEqual(answer({}));
    expect((await counted("?status=LOST"))[0]).toBe(400);
    const listed = async (query: string) =>
      ((await readResponse(mine.get(`/v1/posts?${query}`)))[1] as { items: Schedule[] }).items.map(({ id }) => id);
    expect(await listed("hasTime=false")).toEqual([undated]);
    expect(await listed("hasTime=true&status=DRAFT")).toEqual([dated]);
    expect(await listed("needsReconnecting=true")).toEqual([waiting]);
    expect(await listed("needsReconnecting=true&accountId=1")).toEqual([]);
  });

  test("a count reads an index and not the schedules, and stops at its limit", async () => {
    const owner = await newOwner();
    await db.execute(sql`insert into schedules (owner_id, status, scheduled_time)
      select ${owner}, 'COMPLETED', now() - n * interval '1 minute' from generate_series(1, 10050) n`);
    await db.execute(sql`vacuum analyze schedules`);
    const asked = vi.spyOn(pg.Client.prototype, "query");
    onTestFinished(() => asked.mockRestore());
    const [, answer] = await readResponse(as(owner).get("/v1/posts/counts"));
    expect(answer).toMatchObject({ counts: { COMPLETED: 10_000, FAILED: 0 } });
    const queries = asked.mock.calls as unknown as [{ text: string }, unknown[]][]; // the overload that drizzle calls
    const [query, values] = queries.find(([{ text }]) => text?.includes("union all")) ?? [{ text: "" }, []];
    const client = await dedicatedConnection("counts test");
    onTestFinished(() => client.end());
    await client.query("set enable_seqscan = off"); // which is as fast in a small table
    const { rows } = await client.query(`explain ${query.text}`, values);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan.match(/ Scan using \w+ on schedules/g)).toHaveLength(8);
    expect(plan.match(/Index Only Scan using/g)).toHaveLength(8);
  });

  test("a cursor is for lists with the same sort", async () => {
    const owner = await newOwner();
    const mine = as(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    for (let count = 0; count < 2; count++) {
      const body = { scheduledTime: "2031-05-01T12:00:00Z", publications: [publication(id)] };
      expect((await readResponse(mine.post("/v1/posts", body)))[0]).toBe(201);
    }
    const cursorOf = async (query: string) => {
      const [, page] = await readResponse(mine.get(`/v1/posts?limit=1${query}`));
      return (page as { nextCursor: string }).nextCursor;
    };
    const [newest, earliest] = [await cursorOf(""), await cursorOf("&sort=scheduledTime")];
    const refused = [400, { error: "cursor is from a list with another sort" }];
    expect(await readResponse(mine.get(`/v1/posts?sort=scheduledTime&cursor=${newest}`))).toEqual(refused);
    expect(await readResponse(mine.get(`/v1/posts?cursor=${earliest}`))).toEqual(refused);
    expect((await readResponse(mine.get(`/v1/posts?sort=scheduledTime&cursor=${earliest}`)))[0]).toBe(200);
  });

  test("by a file, used as an attachment or a cover, in any status", async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const mine = as(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    const [one, two, unused] = [await picture(owner), await picture(owner), await picture(owner)];
    const longest = `https://example.invalid/${"ä".repeat(2000)}.jpg`;
    const make = async (posts: object[], fields: object = {}) => {
      const publications = [{ ...publication(id), posts }];
      const body = { scheduledTime: "2031-05-01T12:00:00Z", publications, ...fields };
      const [status, made] = await readResponse(mine.post("/v1/posts", body));
      expect(status).toBe(201);
      return (made as Schedule).id;
    };
    const draft = await make([{ content: "a", attachmentPaths: [one, longest] }], { isDraft: true });
    const planned = await make([{ content: "a" }, { content: "b", attachmentPaths: [two, one] }]);
    const covered = await make([{ content: "a", attachmentPaths: [two], thumbnailPath: one }]);
    await db.execute(sql`update schedules set status = 'COMPLETED' where id = ${covered}`);
    const using = async (path: string, more = "", by = mine) => {
      const [, page] = await readResponse(by.get(`/v1/posts?attachment=${encodeURIComponent(path)}${more}`));
      return (page as { items: Schedule[] }).items.map((item) => item.id);
    };
    expect(await using(one)).toEqual([covered, planned, draft]);
    expect(await using(one, "&status=DRAFT")).toEqual([draft]);
    expect(await using(one, "&limit=1")).toEqual([covered]);
    expect(await using(two)).toEqual([covered, planned]);
    expect(await using(unused)).toEqual([]);
    expect(await using(one, "", as(stranger))).toEqual([]);
  });

  test("an owner sees only their own", async () => {
    await create();
    expect(await readResponse(as(await newOwner()).get("/v1/posts"))).toEqual([200, { items: [], nextCursor: null }]);
  });

  test.each([
    ["limit=0", "limit must be at least 1"],
    ["limit=101", "limit must be at most 100"],
    ["limit=ten", "limit must be a whole number from 1 to 100"],
    ["limit=1e1", "limit must be a whole number from 1 to 100"],
    ["limit=5&limit=6", "limit is given twice"],
    ["cursor=abc", "cursor is not a cursor from an earlier response"],
    ["cursor=-1", "cursor is not a cursor from an earlier response"],
    [`cursor=${"9".repeat(30)}`, "cursor is not a cursor from an earlier response"],
    ["cursor=5", "cursor is not a cursor from an earlier response"],
    ["cursor=", "cursor is not a cursor from an earlier response"],
    ["from=yesterday", "from is not a valid ISO 8601 date and time"],
    ["to=2031-02-30T00:00:00Z", "to is not a valid ISO 8601 date and time"],
    [
      "from=2031-01-01T00:00:00+02:00",
      "from is not a valid ISO 8601 date and time: in an address, the + of an offset must be written %2B, or the time be in UTC with Z",
    ],
    ["platform=MYSPACE", expect.stringMatching(/^platform must be /)],
    ["accountId=", "accountId must have at least 1 character"],
    ["accountId=%00", "accountId contains a character that is not valid text"],
    ["status=DONE", expect.stringMatching(/^status must be DRAFT, AWAITING_MEDIA, .* or FAILED$/)],
    ["status=", expect.stringMatching(/^status must be /)],
    ["sort=time", "sort must be scheduledTime or -scheduledTime"],
  ])("400 for ?%s", async (query, says) => {
    expect(await readResponse(caller.get(`/v1/posts?${query}`))).toEqual([400, { error: says }]);
  });
});

describe("DELETE /v1/posts/{id}", () => {
  test("removes the schedule and all of its publications", async () => {
    const { id, publications } = await create({ publications: [publication(account), publication(account)] });
    expect(publications).toHaveLength(2);
    expect(await readResponse(caller.delete(`/v1/posts/${id}`))).toEqual([204, ""]);
    for (const part of publications) expect(await dueIn(part.id)).toBeUndefined();
    const gone = [404, { error: `Posting schedule not found: ${id}` }];
    expect(await readResponse(caller.get(`/v1/posts/${id}`))).toEqual(gone);
    expect(await readResponse(caller.delete(`/v1/posts/${id}`))).toEqual(gone);
  });

  test("409 while it is being published", async () => {
    const { id } = await create();
    await db.execute(sql`update schedules set status = 'IN_PROGRESS' where id = ${id}`);
    expect(await readResponse(caller.delete(`/v1/posts/${id}`))).toEqual([
      409,
      { error: `Post ${id} is being published and can no longer be deleted` },
    ]);
  });

  test("a draft is never due and can be deleted", async () => {
    const { id, publications } = await create({ isDraft: true });
    expect(await dueIn(publications[0]?.id ?? 0)).toBeUndefined();
    expect((await readResponse(caller.delete(`/v1/posts/${id}`)))[0]).toBe(204);
  });
});

describe("404, with the same bytes for someone else's schedule and a missing one", () => {
  test("someone else's, which is not changed", async () => {
    const { id } = await create();
    const other = as(await newOwner());
    const said = [404, { error: `Posting schedule not found: ${id}` }];
    expect(await readResponse(other.get(`/v1/posts/${id}`))).toEqual(said);
    expect(await readResponse(other.delete(`/v1/posts/${id}`))).toEqual(said);
    expect((await readResponse(caller.get(`/v1/posts/${id}`)))[0]).toBe(200);
  });

  test.each([
    "999999999999999",
    "9".repeat(16),
    "9".repeat(400),
    "0",
    "-1",
    "1.5",
    "1e3",
    "abc",
    "%00",
    "%F0%9F%92%A5",
    "null",
  ])("%s", async (id) => {
    const said = [404, { error: `Posting schedule not found: ${decodeURIComponent(id)}` }];
    expect(await readResponse(caller.get(`/v1/posts/${id}`))).toEqual(said);
    expect(await readResponse(caller.delete(`/v1/posts/${id}`))).toEqual(said);
  });
});
