import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, dedicatedConnection } from "../../db";
import { allNetworks } from "../../networks";
import { rowKeys } from "../../schedules/csv/made-before";
import { checkRows } from "../../schedules/csv/row";
import { as, type Client, connectAccount, newOwner, picture, readResponse, uploaded } from "../../testing";
import { recipeOf } from "../../testing/recipe";

const TIME = "2031-05-01T12:00:00Z";
const CSV = { "content-type": "text/csv" };

type Row = {
  row: number;
  outcome: string;
  id?: number;
  problems: { column?: string; rule: string; message: string }[];
};
type Report = { dryRun: boolean; counts: { [outcome: string]: number }; rows: Row[] };

let owner: string;
let caller: Client;
let x: number;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  x = (await connectAccount(owner, "X_TWITTER")).id;
});

const send = async (file: string, query = "", headers = {}, client = caller) =>
  (await readResponse(client.post(`/v1/posts/import${query}`, file, { ...CSV, ...headers }))) as [number, Report];
const dryRun = (file: string, client = caller) => send(file, "?dryRun=true", {}, client);
const fileOf = (...rows: string[]) => ["scheduledTime,accounts,text", ...rows].join("\r\n");
const row = (text: string, account: number | string = x) => `${TIME},${account},${text}`;
const outcomes = ({ rows }: Report) => rows.map(({ row: number, outcome }) => [number, outcome]);

async function contentsOf(ownerId: string): Promise<string[]> {
  const { rows } = await db.execute<{ content: string }>(sql`
    select content from posts join publications p on p.id = publication_id join schedules s on s.id = p.schedule_id
    where s.owner_id = ${ownerId} order by content`);
  return rows.map(({ content }) => content);
}

/** An owner that only this test uses. */
async function newCaller() {
  const ownerId = await newOwner();
  const { id } = await connectAccount(ownerId, "X_TWITTER");
  return { ownerId, client: as(ownerId), file: (...texts: string[]) => fileOf(...texts.map((text) => row(text, id))) };
}

describe("a dry run", () => {
  test("reports for each row what its creation would be rejected for, and stores nothing", async () => {
    const file = fileOf(row("right"), row("a".repeat(281)), `yesterday,${x},a`, row("a", "nobody"), `,${x},a`);
    const [status, report] = await dryRun(file);
    expect([status, report.dryRun, report.counts]).toEqual([
      200,
      true,
      { ready: 1, invalid: 4, created: 0, existing: 0 },
    ]);
    const said = report.rows.map(({ problems }) =>
      problems.map(({ column, rule, message }) => [column, rule, message]),
    );
    expect(said).toEqual([
      [],
      [["text", "text.length", "X takes at most 280 weighted characters, this text has 281"]],
      [["scheduledTime", "time.invalid", "is not a valid ISO 8601 date and time: yesterday"]],
      [["accounts", "account.unknown", "is not one of this user's accounts: nobody"]],
      [["scheduledTime", "required", "cannot be null"]],
    ]);
    expect(report.rows[3]).toMatchObject({ row: 5, text: "a", scheduledTime: TIME, socialMediaAccountIds: [] });
    expect(report.rows[1]?.problems[0]).toMatchObject({
      path: "publications[0].posts[0].content",
      measured: 281,
      limit: { max: 280 },
    });
    expect(await contentsOf(owner)).toEqual([]);
  });

  test("names the column of a thread's part, its files and the settings", async () => {
    const { id: youtube } = await connectAccount(owner, "YOUTUBE");
    const file = [
      "scheduledTime,accounts,text,text2,media2,settings,destination,isDraft",
      `${TIME},${x},one,${"a".repeat(281)},nobody/nothing.jpg,,,`,
      `${TIME},${youtube},one,,,"{""privacyStatus"":""NOBODY""}",,`,
      `,${x},one,,,,,maybe`,
    ].join("\n");
    const [, { rows }] = await dryRun(file);
    expect(rows.map(({ problems }) => problems.map(({ column, rule }) => `${column} ${rule}`).sort())).toEqual([
      ["media2 media.unknown", "text2 text.length"],
      ["media format.unsupported", "settings required", "settings settings.choice"],
      ["isDraft choice", "scheduledTime required"],
    ]);
  });

  test("names the column of a field with the wrong shape", async () => {
    const publications = JSON.stringify([{ socialMediaAccountId: x, platformSettings: { type: "TWITTER" } }]);
    const file = `scheduledTime,publications\n${TIME},"${publications.replaceAll('"', '""')}"\n${TIME},{}\n`;
    const [, { rows }] = await dryRun(file);
    expect(rows.map(({ problems }) => problems.map(({ column, rule }) => [column, rule]))).toEqual([
      [["publications", "required"]],
      [["publications", "type"]],
    ]);
  });
});

describe("an import", () => {
  test("201: creates a schedule for each row, like POST /v1/posts", async () => {
    const me = await newCaller();
    const [status, report] = await send(me.file("b", '"a\nb"'), "", {}, me.client);
    expect([status, outcomes(report)]).toEqual([
      201,
      [
        [2, "created"],
        [3, "created"],
      ],
    ]);
    const [, schedule] = await readResponse(me.client.get(`/v1/posts/${report.rows[1]?.id}`));
    expect(schedule).toMatchObject({
      overallStatus: "SCHEDULED",
      scheduledTime: TIME,
      publications: [{ platformSettings: { type: "TWITTER" }, posts: [{ content: "a\nb" }] }],
    });
    const { rows } = await db.execute(
      sql`select 1 from events where owner_id = ${me.ownerId} and type = 'post.scheduled'`,
    );
    expect(rows).toHaveLength(2);
  });

  test("imports a public URL, and accepts a draft without a time", async () => {
    const me = await newCaller();
    const account = me.file("a").split(",").at(-2);
    const file = `scheduledTime,accounts,media,isDraft\n${TIME},${account},https://example.invalid/a.jpg,\n,${account},,yes\n`;
    const [, { rows }] = await send(file, "", {}, me.client);
    const shown = await Promise.all(rows.map(({ id }) => readResponse(me.client.get(`/v1/posts/${id}`))));
    expect(shown.map(([, body]) => (body as { overallStatus: string }).overallStatus)).toEqual([
      "AWAITING_MEDIA",
      "DRAFT",
    ]);
    expect(shown[0]?.[1]).toMatchObject({ pendingImports: [{ sourceUrl: "https://example.invalid/a.jpg" }] });
  });

  test("400: one invalid row stops all of them, unless skipInvalid is set", async () => {
    const me = await newCaller();
    const file = `${me.file("right", "right too")}\r\n${row("a", "nobody")}`;
    expect(await send(file, "", {}, me.client)).toEqual([
      400,
      { error: "row 4, accounts is not one of this user's accounts: nobody" },
    ]);
    expect(await contentsOf(me.ownerId)).toEqual([]);
    const [status, report] = await send(file, "?skipInvalid=true", {}, me.client);
    expect([status, report.counts]).toEqual([201, { ready: 0, invalid: 1, created: 2, existing: 0 }]);
    expect(await contentsOf(me.ownerId)).toEqual(["right", "right too"]);
  });

  test("400: lists only the first fifty problems", async () => {
    const file = fileOf(...Array.from({ length: 60 }, () => row("a", "nobody")));
    const [status, { error }] = (await send(file)) as unknown as [number, { error: string }];
    expect([status, error.split("; ").length, error.split("; ").at(-1)]).toEqual([
      400,
      51,
      "and 10 more: use dryRun=true to get all of them",
    ]);
  });

  test("409: a file deleted meanwhile rolls back the earlier rows", async () => {
    const me = await newCaller();
    const key = await picture(me.ownerId);
    const account = me.file("a").split(",").at(-2);
    const file = `scheduledTime,accounts,text,media\n${TIME},${account},one,\n${TIME},${account},two,${key}\n`;
    const remover = await dedicatedConnection("remover");
    try {
      await remover.query("begin");
      await remover.query("select 1 from media where key = $1 for update", [key]);
      const { rows } = await remover.query<{ pid: number }>("select pg_backend_pid() as pid");
      const answer = send(file, "", {}, me.client);
      const waiting = () =>
        db.execute(sql`select 1 from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`);
      await vi.waitFor(async () => expect((await waiting()).rows).not.toEqual([]), { timeout: 45_000, interval: 20 });
      await remover.query("delete from media where key = $1", [key]);
      await remover.query("commit");
      expect(await answer).toEqual([409, { error: "A file was just deleted. Send the request again" }]);
    } finally {
      await remover.end();
    }
    expect(await contentsOf(me.ownerId)).toEqual([]);
  });

  test.each([
    ["another charset", "text/csv; charset=iso-8859-1", [415, "The charset must be utf-8, not iso-8859-1"]],
    [
      "its own charset",
      'text/csv; charset="UTF-8"; header=present',
      [400, "The first row must contain column headings"],
    ],
  ])("%s", async (_, type, [status, error]) => {
    expect(await readResponse(caller.post("/v1/posts/import", "", { "content-type": String(type) }))).toEqual([
      status,
      { error },
    ]);
  });
});

describe("no duplicates", () => {
  test("the same file again, at once or later, creates each post once and says which exist", async () => {
    const me = await newCaller();
    const file = me.file("one", "two");
    const answers = await Promise.all([1, 2, 3].map(() => send(file, "", {}, me.client)));
    expect(await contentsOf(me.ownerId)).toEqual(["one", "two"]);
    const [first] = answers.filter(([status]) => status === 201);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 200, 201]);
    const ids = first?.[1].rows.map(({ id }) => id);
    for (const [, { rows }] of answers) expect(rows.map(({ id }) => id)).toEqual(ids);
    const [, dry] = await dryRun(file, me.client);
    expect([outcomes(dry), dry.rows.map(({ id }) => id)]).toEqual([
      [
        [2, "existing"],
        [3, "existing"],
      ],
      ids,
    ]);
  });

  test("a corrected or extended file creates only the changed rows", async () => {
    const me = await newCaller();
    await send(me.file("one", "a".repeat(281)), "?skipInvalid=true", {}, me.client);
    const [status, report] = await send(me.file("three", "one", "two"), "", {}, me.client);
    expect([status, outcomes(report)]).toEqual([
      201,
      [
        [2, "created"],
        [3, "existing"],
        [4, "created"],
      ],
    ]);
    expect(await contentsOf(me.ownerId)).toEqual(["one", "three", "two"]);
  });

  test("two equal rows of a file stay two posts", async () => {
    const me = await newCaller();
    const file = fileOf(...me.file("same").split("\r\n").slice(1), ...me.file("same").split("\r\n").slice(1));
    await send(file, "", {}, me.client);
    await send(file, "", {}, me.client);
    expect(await contentsOf(me.ownerId)).toEqual(["same", "same"]);
  });

  test("an existing row is recognised although its time has passed", async () => {
    const me = await newCaller();
    const [, { rows }] = await send(me.file("then"), "", {}, me.client);
    const file = me.file("then").replace("2031", "2021");
    expect((await dryRun(file, me.client))[1].rows).toMatchObject([{ outcome: "invalid" }]);
    const [key = ""] = (await rowKeys(await checkRows(me.ownerId, Buffer.from(file)))).values();
    await db.execute(sql`update idempotency_keys set key = ${key} where owner_id = ${me.ownerId}`);
    const there = [{ outcome: "existing", id: rows[0]?.id, problems: [] }];
    expect((await dryRun(file, me.client))[1].rows).toMatchObject(there);
    expect((await send(file, "", {}, me.client))[1].rows).toMatchObject(there);
  });

  test("a deleted schedule is created again, and an old import is forgotten", async () => {
    const me = await newCaller();
    const file = me.file("again");
    const [, made] = await send(file, "", {}, me.client);
    await me.client.delete(`/v1/posts/${made.rows[0]?.id}`);
    expect(outcomes((await dryRun(file, me.client))[1])).toEqual([[2, "ready"]]);
    expect((await send(file, "", {}, me.client))[0]).toBe(201);
    await db.execute(
      sql`update idempotency_keys set created_at = now() - interval '25 hours' where owner_id = ${me.ownerId}`,
    );
    expect((await send(file, "", {}, me.client))[0]).toBe(201);
    expect(await contentsOf(me.ownerId)).toEqual(["again", "again"]);
  });

  test("an Idempotency-Key covers the whole request, and rows are not compared", async () => {
    const me = await newCaller();
    const file = me.file("by key");
    const key = (name: string) => ({ "idempotency-key": name });
    const [first, again] = [await send(file, "", key("one"), me.client), await send(file, "", key("one"), me.client)];
    expect(again).toEqual(first);
    expect((await send(me.file("other"), "", key("one"), me.client))[0]).toBe(409);
    expect((await send(file, "", key("two"), me.client))[0]).toBe(201);
    expect(await contentsOf(me.ownerId)).toEqual(["by key", "by key"]);
  });

  test("equal rows of another owner are independent", async () => {
    const [me, other] = [await newCaller(), await newCaller()];
    const file = "scheduledTime,accounts,text\n2031-05-01T12:00:00Z,x:alice,mine\n";
    await db.execute(sql`update accounts set username = 'alice' where owner_id in (${me.ownerId}, ${other.ownerId})`);
    expect([(await send(file, "", {}, me.client))[0], (await send(file, "", {}, other.client))[0]]).toEqual([201, 201]);
  });
});

/** The simplest publication of each network, each on its own account. */
async function onEveryNetwork(ownerId: string, client: Client) {
  return Promise.all(
    allNetworks().map(async (network) => {
      const { id } = await connectAccount(ownerId, network.platform);
      const { platformSettings, files } = recipeOf(network);
      const sent = (await files()).map(({ bytes, filename }) => uploaded(client, bytes, filename));
      const attachmentPaths = await Promise.all(sent);
      const [, chats] = await readResponse(client.get(`/v1/accounts/${id}/chats?platform=${network.platform}`));
      const chatId = network.destinations && (chats as { id: string }[])[0]?.id;
      return { socialMediaAccountId: id, platformSettings, posts: [{ content: "The bells", attachmentPaths, chatId }] };
    }),
  );
}

describe("an export", () => {
  test("can be imported again for every network: threads, covers, several accounts and formulas", async () => {
    const ownerId = await newOwner();
    const client = as(ownerId);
    const publications = await onEveryNetwork(ownerId, client);
    const of = (platform: string) => publications[allNetworks().findIndex((one) => one.platform === platform)];
    const [onX, onThreads] = [of("X_TWITTER"), of("THREADS")];
    const text = (content: string) => ({ content, attachmentPaths: [] });
    const thread = ['=HYPERLINK("http://evil.invalid")', "+1; two,\r\nthree", "'-quoted'"].map(text);
    const key = await picture(ownerId);
    const bodies = [
      ...publications.map((publication) => ({ publications: [publication] })),
      { publications: [{ ...onX, posts: thread }] },
      { publications: [onX, onThreads].map((one) => ({ ...one, posts: [text("@both")] })) },
      {
        publications: [
          { ...onX, posts: [text("one")] },
          { ...onThreads, posts: [text("another")] },
        ],
      },
      { publications: [{ ...onX, posts: [{ content: "", attachmentPaths: [key], thumbnailPath: null }] }] },
      {
        publications: [
          {
            ...of("PINTEREST"),
            posts: [{ ...of("PINTEREST")?.posts[0], thumbnailPath: of("PINTEREST")?.posts[0]?.attachmentPaths[0] }],
          },
        ],
      },
      { isDraft: true, publications: [{ ...onX, posts: [text(" "), text("")] }] },
    ];
    for (const body of bodies) {
      const [status, said] = await readResponse(client.post("/v1/posts", { scheduledTime: TIME, ...body }));
      expect([status, said]).toEqual([201, said]);
    }
    const answer = await client.get("/v1/posts/export");
    expect(answer.headers.get("content-type")).toContain("text/csv");
    const file = await answer.text();
    for (const cell of file.matchAll(/(?<=^|,)"((?:[^"]|"")*)"/gm)) expect(cell[1]).not.toMatch(/^[=+\-@\t\r]/);

    const [, dry] = await dryRun(file, client);
    expect(dry.rows.flatMap(({ problems }) => problems.filter((one) => !("severity" in one)))).toEqual([]);
    expect(dry.counts).toEqual({ ready: bodies.length, invalid: 0, created: 0, existing: 0 });
    const before = await allOf(client);
    expect((await send(file, "", {}, client))[0]).toBe(201);
    const after = await allOf(client);
    expect(after.slice(0, bodies.length).map(meaning).reverse()).toEqual(before.map(meaning));
  });

  test("uses plain columns where possible, with filters, page by page", async () => {
    const me = await newCaller();
    const texts = Array.from({ length: 120 }, (_, index) => `post ${index}`);
    await send(me.file(...texts), "", {}, me.client);
    await readResponse(me.client.post("/v1/posts/import", me.file("early").replace("2031", "2030"), CSV));
    const lines = (await (await me.client.get("/v1/posts/export?from=2031-01-01T00:00:00Z")).text())
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(121);
    const [{ accountUsername }] = (await readResponse(me.client.get("/v1/accounts")))[1] as [
      { accountUsername: string },
    ];
    expect(lines.slice(0, 2)).toEqual([
      "\ufeffscheduledTime,accounts,text,media,destination,settings,isDraft,publications".slice(1),
      `"${TIME}","x:${accountUsername}","post 119","","","","false",""`,
    ]);
    expect(await (await me.client.get("/v1/posts/export?platform=TIKTOK")).text()).toMatch(/^scheduledTime[^\n]*\r\n$/);
  });
});

type Schedule = {
  overallStatus: string;
  scheduledTime?: string;
  publications: { [name: string]: unknown; posts: object[] }[];
};

async function allOf(client: Client): Promise<Schedule[]> {
  return ((await readResponse(client.get("/v1/posts?limit=100")))[1] as { items: Schedule[] }).items;
}

/** A schedule without the IDs that distinguish it from an equal one. */
function meaning({ overallStatus, scheduledTime, publications }: Schedule) {
  const without = ({ id: _, ...rest }: { id?: unknown }) => rest;
  const parts = publications.map(({ posts, ...publication }) => ({
    ...without(publication),
    posts: posts.map(without),
  }));
  return { overallStatus, scheduledTime, publications: parts };
}
