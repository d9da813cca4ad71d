import { eq, type SQL, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, deletedPublications, publications as publicationRows, schedules } from "../db";
import { publicationQuotaLockText } from "../db/locks";
import { env } from "../env";
import { as, type Client, connectAccount, newOwner, readResponse } from "../testing";
import { whileTurnTaken } from "../testing/held";
import { withSettings } from "../testing/settings";
import { deleteUser } from "../users";
import { eraseSchedules } from "./delete";
import { countPublicationsToday } from "./quota";

withSettings({ quotas: { ...env.quotas, publicationsPerDay: 3 } });

const DAY = "2031-05-01";
const body = (account: number, scheduledTime: string, isDraft = false) => ({
  scheduledTime,
  isDraft,
  publications: [
    {
      socialMediaAccountId: account,
      platformSettings: { type: "TWITTER" },
      posts: [{ content: `Bells at ${scheduledTime}` }],
    },
  ],
});

async function newClient(): Promise<{ client: Client; owner: string; account: number }> {
  const owner = await newOwner();
  return { owner, client: as(owner), account: (await connectAccount(owner, "X_TWITTER")).id };
}

const refusal = (day: string, used: number, wanted: number) => ({
  error: `You have ${used} of 3 publications on ${day} (UTC), so ${3 - used} more fit, and this request adds ${wanted}. Choose another day, delete or move posts of that day, or ask the operator of this service for a higher limit`,
});

const create = async (client: Client, sent: object) => readResponse(client.post("/v1/posts", sent));

describe("publications per user and day", () => {
  test("of parallel creates, exactly as many succeed as the limit allows", async () => {
    const { client, owner, account } = await newClient();
    const at = (index: number) => `${DAY}T12:00:${10 + index}Z`;
    const all = Array.from({ length: 6 }, (_, index) => () => create(client, body(account, at(index))));
    const answers = await whileTurnTaken(publicationQuotaLockText(owner), all);
    expect(answers.map(([status]) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(answers.find(([status]) => status === 409)?.[1]).toEqual(refusal(DAY, 3, 1));
  });

  test("count by the UTC day of their time; drafts, other days and other users do not count", async () => {
    const { client, account } = await newClient();
    const other = await newClient();
    expect((await create(client, body(account, `${DAY}T00:00:00Z`)))[0]).toBe(201);
    expect((await create(client, body(account, "2031-05-02T01:59:59+02:00")))[0]).toBe(201);
    expect((await create(client, body(account, `${DAY}T09:00:00Z`)))[0]).toBe(201);
    expect(await create(client, body(account, `${DAY}T10:00:00Z`))).toEqual([409, refusal(DAY, 3, 1)]);
    expect((await create(client, body(account, `${DAY}T10:00:00Z`, true)))[0]).toBe(201);
    expect((await create(client, body(account, "2031-05-02T00:00:00Z")))[0]).toBe(201);
    expect((await create(other.client, body(other.account, `${DAY}T09:00:00Z`)))[0]).toBe(201);
  });

  test("limit moving and editing: a full day takes no further post, but its own posts can change", async () => {
    const { client, account } = await newClient();
    for (const hour of ["08", "09", "10"]) await create(client, body(account, `${DAY}T${hour}:00:00Z`));
    const [, moved] = await create(client, body(account, "2031-05-02T09:00:00Z"));
    const [, draft] = await create(client, body(account, `${DAY}T11:00:00Z`, true));
    const idOf = (made: unknown) => (made as { id: number }).id;
    const put = (id: number, sent: object) => readResponse(client.put(`/v1/posts/${id}`, sent));
    expect(await put(idOf(moved), body(account, `${DAY}T12:00:00Z`))).toEqual([409, refusal(DAY, 3, 1)]);
    expect(await put(idOf(draft), body(account, `${DAY}T12:00:00Z`))).toEqual([409, refusal(DAY, 3, 1)]);
    const [, { items }] = (await readResponse(client.get("/v1/posts?status=SCHEDULED"))) as [
      number,
      { items: { id: number }[] },
    ];
    const own = items.find(({ id }) => id !== idOf(moved))?.id ?? 0;
    expect((await put(own, body(account, `${DAY}T13:00:00Z`)))[0]).toBe(200);
    expect((await client.delete(`/v1/posts/${own}`)).status).toBe(204);
    expect((await put(idOf(moved), body(account, `${DAY}T12:00:00Z`)))[0]).toBe(200);
  });

  test("count a published post that was deleted, on the day on which it was published", async () => {
    const { client, owner, account } = await newClient();
    const now = new Date().toISOString();
    const made = [];
    for (let count = 0; count < 3; count++) made.push((await create(client, body(account, now)))[1] as { id: number });
    const ids = made.map(({ id }) => id);
    const published = (where: SQL) =>
      db.execute(
        sql`update posts set status = 'PUBLISHED', published_at = now() where owner_id = ${owner} and ${where}`,
      );
    // As a worker stores it. The third one is not published yet.
    await published(sql`publication_id in (select id from publications where schedule_id in (${ids[0]}, ${ids[1]}))`);
    for (const id of ids) expect((await client.delete(`/v1/posts/${id}`)).status).toBe(204);
    expect(await countPublicationsToday(owner)).toBe(2);
    expect((await create(client, body(account, now)))[0]).toBe(201);
    expect(await create(client, body(account, now))).toEqual([409, refusal(now.slice(0, 10), 3, 1)]);
    await published(sql`true`);
    await deleteUser(owner);
    await eraseSchedules(owner);
    const [row] = await db.select().from(deletedPublications).where(eq(deletedPublications.ownerId, owner));
    expect(row?.count).toBe(2);
  });

  test("limit CSV imports, of which nothing is created then", async () => {
    const { client, account } = await newClient();
    const rows = Array.from({ length: 4 }, (_, index) => `${DAY}T1${index}:00:00Z,${account},Bells ${index}`);
    const csv = ["scheduledTime,accounts,text", ...rows].join("\n");
    const answer = await readResponse(
      client.request("/v1/posts/import", { method: "POST", headers: { "content-type": "text/csv" }, body: csv }),
    );
    expect(answer).toEqual([409, refusal(DAY, 3, 1)]);
    expect((await create(client, body(account, `${DAY}T09:00:00Z`)))[0]).toBe(201);
  });

  test("limit retries: a retried publication counts today", async () => {
    const { client, owner, account } = await newClient();
    const retry = async (accounts: number[]) => {
      const publications = accounts.flatMap((id) => body(id, `${DAY}T09:00:00Z`).publications);
      const [, made] = await create(client, { scheduledTime: `${DAY}T09:00:00Z`, isDraft: true, publications });
      const { id } = made as { id: number };
      await db.update(schedules).set({ status: "FAILED" }).where(eq(schedules.id, id));
      await db.update(publicationRows).set({ status: "FAILED" }).where(eq(publicationRows.scheduleId, id));
      return readResponse(client.post(`/v1/posts/${id}/retry`, {}));
    };
    const others = [(await connectAccount(owner, "X_TWITTER")).id, (await connectAccount(owner, "X_TWITTER")).id];
    const more = (await connectAccount(owner, "X_TWITTER")).id;
    const today = new Date().toISOString().slice(0, 10);
    expect(await retry([account, ...others, more])).toEqual([409, refusal(today, 0, 4)]);
    expect((await retry([account, ...others]))[0]).toBe(200);
    expect(await retry([account])).toEqual([409, refusal(today, 3, 1)]);
  });

  test("do not prevent merging the schedules of a full day, which adds nothing", async () => {
    const { client, owner, account } = await newClient();
    const all = [account, (await connectAccount(owner, "X_TWITTER")).id, (await connectAccount(owner, "X_TWITTER")).id];
    const ids: number[] = [];
    for (const one of all) {
      const [, made] = await create(client, body(one, `${DAY}T09:00:00Z`));
      ids.push((made as { id: number }).id);
    }
    const [status, merged] = await readResponse(client.post("/v1/posts/merge", { ids, keep: ids[0] }));
    expect([status, merged]).toMatchObject([200, { deleted: ids.slice(1) }]);
  });

  test("are part of what validation reports", async () => {
    const { client, account } = await newClient();
    for (const hour of ["08", "09", "10"]) await create(client, body(account, `${DAY}T${hour}:00:00Z`));
    const problemsOf = async (sent: object) => (await readResponse(client.post("/v1/posts/validate", sent)))[1];
    expect(await problemsOf(body(account, `${DAY}T11:00:00Z`))).toEqual({
      valid: false,
      problems: [
        expect.objectContaining({ path: "scheduledTime", rule: "quota.publications", measured: 4, limit: { max: 3 } }),
      ],
    });
    expect(await problemsOf(body(account, "2031-05-02T11:00:00Z"))).toMatchObject({ valid: true });
  });
});
