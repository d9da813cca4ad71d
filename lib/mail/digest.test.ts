import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, digests, users } from "../db";
import { as, connectAccount, newOwner, readResponse } from "../testing";
import { getDigest, nextDigest, queueDueDigests, setDigest } from "./digest";
import { setMailPreferences, setSubscribed } from "./preferences";
import { mailsOf } from "./testing/queued";

const MORNING = { minute: 8 * 60, timeZone: "Europe/Berlin" };

test.each([
  ["later the same day", MORNING, "2030-01-10T06:59:59Z", "2030-01-10T07:00:00Z"],
  ["the next day at that very moment", MORNING, "2030-01-10T07:00:00Z", "2030-01-11T07:00:00Z"],
  ["an hour earlier in summer", MORNING, "2030-03-30T12:00:00Z", "2030-03-31T06:00:00Z"],
  ["after a time that the clock skips", { ...MORNING, minute: 150 }, "2030-03-30T12:00:00Z", "2030-03-31T01:00:00Z"],
  [
    "once, at a time that the clock shows twice",
    { ...MORNING, minute: 150 },
    "2030-10-27T00:30:00Z",
    "2030-10-28T01:30:00Z",
  ],
  ["across the date line", { minute: 0, timeZone: "Pacific/Auckland" }, "2030-01-10T12:00:00Z", "2030-01-11T11:00:00Z"],
])("the next digest is %s", (_, digest, now, next) => {
  expect(new Date(nextDigest(digest, Date.parse(now))).toISOString()).toBe(new Date(next).toISOString());
});

/** A person with a confirmed address, and a digest that has been due for a minute. */
async function person() {
  const owner = await newOwner();
  await db.update(users).set({ emailConfirmedAt: sql`now()` }).where(eq(users.id, owner));
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  await setDigest(owner, MORNING);
  const makeDue = () =>
    db.update(digests).set({ dueAt: sql`now() - interval '1 minute'` }).where(eq(digests.ownerId, owner));
  await makeDue();
  const add = (status: string, hours: number, content: string) =>
    db.execute(sql`
      with made as (
        insert into schedules (owner_id, status, scheduled_time)
        values (${owner}, ${status}, now() + make_interval(hours => ${hours})) returning id
      ), parts as (
        insert into publications (schedule_id, account_id, position, settings) select id, ${account}, 0, '{}' from made returning id
      )
      insert into posts (publication_id, position, content, attachment_paths) select id, 0, ${content}, '{}' from parts`);
  const digestsOf = async () => {
    const { rows } = await db.execute<{ facts: { [part: string]: { count: number; posts: { text: string }[] } } }>(
      sql`select facts from mails where owner_id = ${owner} and kind = 'dailyDigest' order by created_at`,
    );
    return rows.map(({ facts }) => facts);
  };
  return { owner, client: as(owner), add, makeDue, digestsOf };
}

describe("a digest that is due", () => {
  test("says what went out, what failed and what comes next, each within a day", async () => {
    const ada = await person();
    await ada.add("COMPLETED", -1, "rang");
    await ada.add("PARTIALLY_COMPLETED", -2, "rang once");
    await ada.add("FAILED", -3, "silent");
    for (let index = 0; index < 7; index++) await ada.add("SCHEDULED", 1 + index, `to come ${index}`);
    await ada.add("COMPLETED", -26, "too old");
    await ada.add("SCHEDULED", 26, "too late");
    await ada.add("DRAFT", 2, "a draft");
    await mailsOf(ada.owner, queueDueDigests); // no worker sends it, so its facts are kept
    const [facts, ...more] = await ada.digestsOf();
    expect(more).toEqual([]);
    expect(facts?.published).toMatchObject({ count: 1, posts: [{ text: "rang" }] });
    expect(facts?.failed).toMatchObject({ count: 2, posts: [{ text: "silent" }, { text: "rang once" }] });
    expect(facts?.ahead?.count).toBe(7);
    expect(facts?.ahead?.posts.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((index) => `to come ${index}`));
  });

  test("is sent once a day, however many workers look for it", async () => {
    const ada = await person();
    await ada.add("COMPLETED", -1, "rang");
    await Promise.all([1, 2, 3, 4].map(() => queueDueDigests()));
    await queueDueDigests();
    expect(await ada.digestsOf()).toHaveLength(1);
    const [row] = await db.select().from(digests).where(eq(digests.ownerId, ada.owner));
    const wait = Date.parse(`${row?.dueAt.replace(" ", "T")}:00`) - Date.now();
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(25 * 3_600_000);
  });

  test("is not sent without posts, nor to an address that is not confirmed, nor after an unsubscribe", async () => {
    const [silent, unconfirmed, gone] = [await person(), await person(), await person()];
    await unconfirmed.add("COMPLETED", -1, "rang");
    await db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, unconfirmed.owner));
    await gone.add("COMPLETED", -1, "rang");
    await setSubscribed({ userId: gone.owner, kind: "dailyDigest" }, false);
    await queueDueDigests();
    for (const { digestsOf } of [silent, unconfirmed, gone]) expect(await digestsOf()).toEqual([]);
  });
});

describe("the choice of a digest", () => {
  test("is off at first, keeps its time and zone, and null turns it off", async () => {
    const client = as(await newOwner());
    const path = "/v1/me/notifications";
    const [, before] = await readResponse(client.get(path));
    expect(before).not.toHaveProperty("digest");
    const { email } = before as { email: object };
    const digest = { time: "07:45", timeZone: "Asia/Kathmandu" };
    expect(await readResponse(client.put(path, { email, digest }))).toEqual([200, { email, digest }]);
    expect(await readResponse(client.put(path, { email }))).toEqual([200, { email, digest }]);
    expect(await readResponse(client.put(path, { email, digest: null }))).toEqual([200, { email }]);
    expect((await client.put(path, { email, digest: { time: "7:45", timeZone: "UTC" } })).status).toBe(400);
    expect((await client.put(path, { email, digest: { time: "07:45", timeZone: "Mars" } })).status).toBe(400);
  });

  test("stays off after an unsubscribe when other mails are chosen, until it is turned on", async () => {
    const { owner } = await person();
    await setSubscribed({ userId: owner, kind: "dailyDigest" }, false);
    const none = { postPublished: false, postFailed: true, accountReconnect: true, webhookDisabled: true };
    await setMailPreferences(owner, none);
    expect(await getDigest(owner)).toBeNull();
    await setSubscribed({ userId: owner, kind: "dailyDigest" }, true);
    expect(await getDigest(owner)).toEqual(MORNING);
    await setSubscribed({ userId: owner, kind: "dailyDigest" }, false);
    await setDigest(owner, { ...MORNING, minute: 60 });
    expect(await getDigest(owner)).toEqual({ ...MORNING, minute: 60 });
  });
});
