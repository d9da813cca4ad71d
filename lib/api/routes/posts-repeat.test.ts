import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, schedules } from "../../db";
import { as, connectAccount, eventsOf, newOwner, picture, readResponse, schedule } from "../../testing";

const OWN = new Date("2031-03-28T09:00:00Z");
const INPUT = { every: "DAY", time: "02:30", timeZone: "Europe/Berlin", count: 3 };

type Report = {
  counts: { ready: number; leftOut: number; created: number };
  dates: { date: string; scheduledTime: string; outcome: string; id?: number; nearDuplicates: object[] }[];
  problems: { message: string }[];
};

async function newPost(content = "Ding dong", attachmentPaths: string[] = []) {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const client = as(owner);
  const publication = {
    socialMediaAccountId: account,
    platformSettings: { type: "TWITTER" },
    posts: [{ content, attachmentPaths }, { content: "and on" }],
  };
  const { id } = await schedule(client, [publication], OWN);
  const repeat = async (input: object, query = "", headers: { [name: string]: string } = {}) => {
    const [status, body] = await readResponse(client.post(`/v1/posts/${id}/repeat${query}`, input, headers));
    return [status, body] as [number, Report];
  };
  const count = () => db.$count(schedules, eq(schedules.ownerId, owner));
  return { owner, client, account, publication, id, repeat, count };
}

describe("a dry run", () => {
  test("shows each date after the post's own time, with its offset and the effect of daylight saving time, and stores nothing", async () => {
    const { repeat, count, account } = await newPost();
    const nearDuplicate = (scheduledTime: string) => ({ socialMediaAccountId: account, scheduledTime });
    expect(await repeat(INPUT, "?dryRun=true")).toEqual([
      200,
      {
        dryRun: true,
        counts: { ready: 3, leftOut: 0, created: 0 },
        dates: [
          {
            date: "2031-03-29",
            scheduledTime: "2031-03-29T01:30:00Z",
            localTime: "2031-03-29T02:30:00+01:00",
            outcome: "ready",
            nearDuplicates: [
              { ...nearDuplicate("2031-03-28T09:00:00Z"), id: expect.any(Number) },
              nearDuplicate("2031-03-30T01:00:00Z"),
            ],
          },
          {
            date: "2031-03-30",
            scheduledTime: "2031-03-30T01:00:00Z",
            localTime: "2031-03-30T03:00:00+02:00",
            clock: "SKIPPED",
            outcome: "ready",
            nearDuplicates: [nearDuplicate("2031-03-29T01:30:00Z"), nearDuplicate("2031-03-31T00:30:00Z")],
          },
          {
            date: "2031-03-31",
            scheduledTime: "2031-03-31T00:30:00Z",
            localTime: "2031-03-31T02:30:00+02:00",
            outcome: "ready",
            nearDuplicates: [nearDuplicate("2031-03-30T01:00:00Z")],
          },
        ],
        problems: [],
      },
    ]);
    expect(await count()).toBe(1);
  });

  test("finds near-duplicates around a date, but not other texts, drafts, or dates left out", async () => {
    const { client, publication, repeat } = await newPost();
    const weekly = { every: "WEEK", weekdays: ["SUNDAY"], time: "12:00", timeZone: "UTC", until: "2031-04-13" };
    const { id } = await schedule(client, [publication], new Date("2031-04-06T18:00:00Z"));
    await schedule(client, [{ ...publication, posts: [{ content: "other" }] }], new Date("2031-04-06T18:00:00Z"));
    await client.post("/v1/posts", {
      scheduledTime: "2031-04-13T18:00:00Z",
      isDraft: true,
      publications: [publication],
    });
    const [, { dates }] = await repeat(weekly, "?dryRun=true");
    expect(dates.map(({ date, nearDuplicates }) => [date, nearDuplicates])).toEqual([
      ["2031-03-30", []],
      ["2031-04-06", [expect.objectContaining({ id })]],
      ["2031-04-13", []],
    ]);
    const [, without] = await repeat({ ...INPUT, leaveOut: ["2031-03-30"] }, "?dryRun=true");
    expect(without.dates.map(({ outcome, nearDuplicates }) => [outcome, nearDuplicates.length])).toEqual([
      ["ready", 1],
      ["left_out", 0],
      ["ready", 0],
    ]);
  });

  test("reports what a network would reject, which stops all of them", async () => {
    const owner = await newOwner();
    const { id: account } = await connectAccount(owner, "X_TWITTER");
    const client = as(owner);
    const publications = [
      { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "a".repeat(312) }] },
    ];
    const [, draft] = await readResponse(client.post("/v1/posts", { isDraft: true, publications }));
    const path = `/v1/posts/${(draft as { id: number }).id}/repeat`;
    const [status, report] = await readResponse(client.post(`${path}?dryRun=true`, INPUT));
    expect([status, (report as Report).problems]).toEqual([
      200,
      [expect.objectContaining({ message: expect.stringContaining("at most 280") })],
    ]);
    expect((await readResponse(client.post(path, INPUT)))[0]).toBe(400);
    expect(await db.$count(schedules, eq(schedules.ownerId, owner))).toBe(1);
  });
});

describe("repeating", () => {
  test("creates ordinary schedules for all dates but those left out, with events; the original does not change", async () => {
    const owner = await newOwner();
    const { id: account } = await connectAccount(owner, "X_TWITTER");
    const client = as(owner);
    const image = await picture(owner);
    const publication = {
      socialMediaAccountId: account,
      platformSettings: { type: "TWITTER" },
      posts: [{ content: "Ding", attachmentPaths: [image] }, { content: "dong" }],
    };
    const source = await schedule(client, [publication], OWN);
    const [status, report] = await readResponse(
      client.post(`/v1/posts/${source.id}/repeat`, { ...INPUT, leaveOut: ["2031-03-30"] }),
    );
    const { counts, dates } = report as Report;
    expect([status, counts]).toEqual([201, { ready: 0, leftOut: 1, created: 2 }]);
    for (const { id, scheduledTime } of dates.filter(({ outcome }) => outcome === "created")) {
      const [, made] = await readResponse(client.get(`/v1/posts/${id}`));
      expect(made).toMatchObject({
        overallStatus: "SCHEDULED",
        scheduledTime,
        publications: [{ ...publication, status: "PENDING" }],
      });
    }
    expect((await readResponse(client.get(`/v1/posts/${source.id}`)))[1]).toMatchObject({
      scheduledTime: "2031-03-28T09:00:00Z",
    });
    const events = (await eventsOf(owner)).filter(({ type }) => type === "post.scheduled");
    expect(events).toHaveLength(3);
  });

  test("runs once per Idempotency-Key, even concurrently; 409 with another body", async () => {
    const { repeat, count } = await newPost();
    const key = { "idempotency-key": "again" };
    const both = await Promise.all([repeat(INPUT, "", key), repeat(INPUT, "", key)]);
    expect(both.map(([status]) => status).sort()).toEqual(expect.arrayContaining([201]));
    const [status, report] = await repeat(INPUT, "", key);
    expect([status, report.counts.created]).toEqual([201, 3]);
    expect(await count()).toBe(4);
    expect((await repeat({ ...INPUT, count: 2 }, "", key))[0]).toBe(409);
  });

  test("400 without new schedules if one of its accounts is gone", async () => {
    const { client, account, repeat, count } = await newPost();
    await client.delete(`/v1/accounts/${account}`);
    expect((await repeat(INPUT))[0]).toBe(400);
    expect(await count()).toBe(1);
  });

  test("starts now if the post's own time has passed", async () => {
    const { id, repeat } = await newPost();
    await db.update(schedules).set({ scheduledTime: "2020-01-01Z" }).where(eq(schedules.id, id));
    const [, { dates }] = await repeat({ ...INPUT, timeZone: "UTC" }, "?dryRun=true");
    const first = Date.parse(dates[0]?.scheduledTime ?? "");
    expect(first).toBeGreaterThan(Date.now() - 60_000);
    expect(first).toBeLessThan(Date.now() + 86_400_000);
  });

  test.each([
    {
      when: "both ends",
      input: { until: "2031-05-01" },
      says: "count must be given if until is not, and cannot be combined with it",
    },
    { when: "no end", input: { count: undefined }, says: "count cannot be null" },
    { when: "no weekdays", input: { every: "WEEK" }, says: "weekdays cannot be null" },
    { when: "weekdays of a day", input: { weekdays: ["MONDAY"] }, says: "weekdays is for WEEK only" },
    { when: "no day of a month", input: { every: "MONTH" }, says: "dayOfMonth cannot be null" },
    {
      when: "an unknown time zone",
      input: { timeZone: "Mars/Base" },
      says: "timeZone must be an IANA time zone, such as Europe/Berlin",
    },
    { when: "an invalid time", input: { time: "24:00" }, says: "time must be a time of day, such as 09:30" },
    {
      when: "a date that does not exist",
      input: { count: undefined, until: "2031-02-30" },
      says: "until must be a date that exists, such as 2030-01-31",
    },
    {
      when: "too many",
      input: { count: undefined, until: "2031-07-07" },
      says: "until makes more than 100 posts: the 100th is on 2031-07-06",
    },
    {
      when: "an end before the first",
      input: { count: undefined, until: "2031-03-28" },
      says: "until is before the first date, 2031-03-29",
    },
    {
      when: "a strange date",
      input: { leaveOut: ["2031-03-28"] },
      says: "leaveOut[0] is not one of the dates: 2031-03-28",
    },
    {
      when: "nothing left",
      input: { leaveOut: ["2031-03-29", "2031-03-30", "2031-03-31"] },
      says: "leaveOut removes every date",
    },
  ])("400: $when", async ({ input, says }) => {
    const { repeat, count } = await newPost();
    expect(await repeat({ ...INPUT, ...input })).toEqual([400, { error: says }]);
    expect(await count()).toBe(1);
  });
});

test("dates beyond the last year that a time may have are refused", async () => {
  const { client, publication } = await newPost();
  const { id } = await schedule(client, [publication], new Date("9998-10-15T12:00:00Z"));
  const body = { every: "MONTH", dayOfMonth: 1, time: "12:00", timeZone: "UTC" };
  const repeat = (count: number) => readResponse(client.post(`/v1/posts/${id}/repeat`, { ...body, count }));
  const answers = [await repeat(3), await repeat(100), await repeat(2)];
  const refused = [400, { error: "The last date must be in the year 9998 at the latest" }];
  expect(answers).toEqual([refused, refused, [201, expect.objectContaining({ counts: expect.any(Object) })]]);
});
