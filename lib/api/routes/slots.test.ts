import { describe, expect, test } from "vitest";
import { connectWithoutBrowser } from "../../connect";
import { as, type Client, connectAccount, newOwner, readResponse, schedule } from "../../testing";

const MONDAY = { weekday: "MONDAY", time: "09:30" };
const BERLIN = { timeZone: "Europe/Berlin", slots: [MONDAY, { weekday: "SUNDAY", time: "02:30" }] };
/** A Wednesday far in the future. */
const AFTER = "2031-01-01T00:00:00Z";

/** A person with this many accounts, and a client. */
async function person(accounts = 1) {
  const owner = await newOwner();
  const client = as(owner);
  const made: { id: number; person: string }[] = [];
  for (let index = 0; index < accounts; index++) made.push(await connectAccount(owner, "X_TWITTER"));
  const [first = { id: 0, person: "" }, second = first] = made;
  return { owner, client, first, second };
}

const setTo = (client: Client, id: number, timeZone: string, ...slots: object[]) =>
  client.put(`/v1/accounts/${id}/slots`, { timeZone, slots });

const on = (...ids: number[]) =>
  ids.map((id) => ({ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] }));

async function times(client: Client, query: string): Promise<string[]> {
  const [status, body] = await readResponse(client.get(`/v1/slots/next?${query}`));
  expect(status).toBe(200);
  return (body as { items: { time: string }[] }).items.map(({ time }) => time);
}

describe("200 with an account's slots", () => {
  test("empty at first; a PUT replaces them, and they are sorted from Monday", async () => {
    const { client, first } = await person();
    const path = `/v1/accounts/${first.id}/slots`;
    expect(await readResponse(client.get(path))).toEqual([200, { slots: [] }]);
    const mixed = { ...BERLIN, slots: [...BERLIN.slots].reverse() };
    expect(await readResponse(client.put(path, mixed))).toEqual([200, BERLIN]);
    expect(await readResponse(client.get(path))).toEqual([200, BERLIN]);
    expect(await readResponse(client.put(path, { timeZone: "UTC", slots: [] }))).toEqual([
      200,
      { timeZone: "UTC", slots: [] },
    ]);
    expect(await readResponse(client.get(path))).toEqual([200, { timeZone: "UTC", slots: [] }]);
  });

  test("are kept for an account that is disconnected and connected again", async () => {
    const { owner, client, first } = await person();
    await client.put(`/v1/accounts/${first.id}/slots`, BERLIN);
    await client.delete(`/v1/accounts/${first.id}`);
    expect((await client.get(`/v1/accounts/${first.id}/slots`)).status).toBe(404);
    expect((await client.put(`/v1/accounts/${first.id}/slots`, BERLIN)).status).toBe(404);
    expect(await connectWithoutBrowser(owner, "X_TWITTER", first.person)).toBe(first.id);
    expect(await readResponse(client.get(`/v1/accounts/${first.id}/slots`))).toEqual([200, BERLIN]);
  });

  test("accepts a hundred", async () => {
    const { client, first } = await person();
    const slots = Array.from({ length: 100 }, (_, index) => ({
      weekday: "TUESDAY",
      time: `${String(Math.floor(index / 60)).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}`,
    }));
    expect(await readResponse(setTo(client, first.id, "UTC", ...slots))).toEqual([200, { timeZone: "UTC", slots }]);
    const [status, body] = await readResponse(setTo(client, first.id, "UTC", ...slots, MONDAY));
    expect([status, body]).toEqual([400, { error: "slots must have at most 100 entries" }]);
  });
});

test("400 lists all problems with their paths, and changes nothing", async () => {
  const { client, first } = await person();
  const path = `/v1/accounts/${first.id}/slots`;
  await client.put(path, BERLIN);
  const wrong = [
    { weekday: "MONDAY", time: "9:30" },
    { weekday: "Monday", time: "24:00" },
    MONDAY,
    { ...MONDAY, zone: "UTC" },
    MONDAY,
    null,
  ];
  const [status, body] = await readResponse(client.put(path, { timeZone: "Europe/Nowhere", slots: wrong, more: 1 }));
  expect(status).toBe(400);
  expect((body as { error: string }).error.split("; ").sort()).toEqual([
    "more is not a field here",
    "slots has MONDAY 09:30 twice",
    "slots[0].time must be a time of day, such as 09:30",
    "slots[1].time must be a time of day, such as 09:30",
    "slots[1].weekday must be MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY or SUNDAY",
    "slots[3].zone is not a field here",
    "slots[5] cannot be null",
    "timeZone must be an IANA time zone, such as Europe/Berlin",
  ]);
  expect(await readResponse(client.get(path))).toEqual([200, BERLIN]);
});

test("404 with the same words for someone else's account and a missing one", async () => {
  const [{ first }, { client }] = [await person(), await person()];
  for (const id of [first.id, 999_999_999, "abc"]) {
    const said = [404, { error: `Account not found: ${id}` }];
    expect(await readResponse(client.get(`/v1/accounts/${id}/slots`))).toEqual(said);
    expect(await readResponse(client.put(`/v1/accounts/${id}/slots`, BERLIN))).toEqual(said);
  }
});

describe("GET /v1/slots/next", () => {
  test("follows local time through the start of daylight saving time, and continues after the last slot", async () => {
    const { client, first } = await person();
    await client.put(`/v1/accounts/${first.id}/slots`, BERLIN);
    const query = `accountIds=${first.id}&after=2031-03-23T01:30:00Z`;
    const spring = ["2031-03-24T08:30:00Z", "2031-03-30T01:00:00Z", "2031-03-31T07:30:00Z", "2031-04-06T00:30:00Z"];
    expect(await readResponse(client.get(`/v1/slots/next?${query}`))).toEqual([
      200,
      { accountIds: [first.id], items: [{ time: spring[0], accountIds: [first.id] }] },
    ]);
    expect(await times(client, `${query}&count=4`)).toEqual(spring);
    expect(await times(client, `accountIds=${first.id}&after=${spring[1]}&count=2`)).toEqual(spring.slice(2));
  });

  test("returns no past slots", async () => {
    const { client, first } = await person();
    await client.put(`/v1/accounts/${first.id}/slots`, BERLIN);
    const [next = ""] = await times(client, `after=2020-01-01T00:00:00Z`);
    expect(Date.parse(next)).toBeGreaterThan(Date.now());
    expect(Date.parse(next)).toBeLessThan(Date.now() + 8 * 86_400_000);
  });

  test("leaves out slots with something scheduled in the same minute, ignoring drafts", async () => {
    const { client, first, second } = await person(2);
    await setTo(client, first.id, "UTC", MONDAY, { weekday: "TUESDAY", time: "09:30" });
    const query = `accountIds=${first.id}&after=${AFTER}&count=3`;
    const free = ["2031-01-06T09:30:00Z", "2031-01-07T09:30:00Z", "2031-01-13T09:30:00Z"];
    const plan = (at: string, id = first.id) => schedule(client, on(id), new Date(at));
    await client.post("/v1/posts", { isDraft: true, scheduledTime: free[0], publications: on(first.id) });
    await plan("2031-01-06T09:29:59Z");
    await plan("2031-01-06T09:31:00Z");
    await plan("2031-01-06T09:30:00Z", second.id);
    expect(await times(client, query)).toEqual(free);
    const { id } = await plan("2031-01-06T09:30:59Z");
    expect(await times(client, query)).toEqual([...free.slice(1), "2031-01-14T09:30:00Z"]);
    await client.delete(`/v1/posts/${id}`);
    expect(await times(client, query)).toEqual(free);
  });

  test("for several accounts: slots of every queue that are free for all of them", async () => {
    const { client, first, second } = await person(2);
    await setTo(client, first.id, "Europe/Berlin", MONDAY, { weekday: "WEDNESDAY", time: "12:00" });
    await setTo(client, second.id, "UTC", { weekday: "MONDAY", time: "08:30" }, { weekday: "FRIDAY", time: "12:00" });
    const both = `accountIds=${first.id},${second.id}&after=${AFTER}&count=2`;
    expect(await times(client, both)).toEqual(["2031-01-06T08:30:00Z", "2031-01-13T08:30:00Z"]);
    await schedule(client, on(second.id), new Date("2031-01-06T08:30:00Z"));
    expect(await times(client, both)).toEqual(["2031-01-13T08:30:00Z", "2031-01-20T08:30:00Z"]);
    expect(await readResponse(client.get(`/v1/slots/next?match=any&after=${AFTER}&count=4`))).toEqual([
      200,
      {
        accountIds: [first.id, second.id],
        items: [
          { time: "2031-01-01T11:00:00Z", accountIds: [first.id] },
          { time: "2031-01-03T12:00:00Z", accountIds: [second.id] },
          { time: "2031-01-06T08:30:00Z", accountIds: [first.id] },
          { time: "2031-01-08T11:00:00Z", accountIds: [first.id] },
        ],
      },
    ]);
  });

  test("an account without slots only needs to be free; without any slots there are none", async () => {
    const { client, first, second } = await person(2);
    expect(await readResponse(client.get("/v1/slots/next"))).toEqual([200, { accountIds: [], items: [] }]);
    await setTo(client, first.id, "UTC", MONDAY);
    await schedule(client, on(second.id), new Date("2031-01-06T09:30:00Z"));
    expect(await readResponse(client.get(`/v1/slots/next?after=${AFTER}`))).toEqual([
      200,
      { accountIds: [first.id], items: [{ time: "2031-01-13T09:30:00Z", accountIds: [first.id] }] },
    ]);
  });

  test("stops after a year if the queues have no slot in common", async () => {
    const { client, first, second } = await person(2);
    await setTo(client, first.id, "UTC", MONDAY);
    await setTo(client, second.id, "Europe/Berlin", MONDAY);
    const [, body] = await readResponse(client.get("/v1/slots/next"));
    expect(body).toEqual({ accountIds: [first.id, second.id], items: [] });
    expect(await times(client, `accountIds=${first.id}&count=100`)).toHaveLength(53);
  });

  test("400 lists every invalid parameter and account", async () => {
    const [{ client, first }, other] = [await person(), await person()];
    const wrong = "accountIds=1,x&match=some&count=0&after=tomorrow";
    expect(await readResponse(client.get(`/v1/slots/next?${wrong}`))).toEqual([
      400,
      {
        error:
          "accountIds must be account IDs separated by commas; match must be all or any; count must be at least 1; after is not a valid ISO 8601 date and time",
      },
    ]);
    const ids = [other.first.id, first.id, 999_999_999];
    expect(await readResponse(client.get(`/v1/slots/next?accountIds=${ids}`))).toEqual([
      400,
      { error: `accountIds contains ids that are not accounts of this user: ${other.first.id}, 999999999` },
    ]);
  });
});

test("403 without the scope for reading, changing and finding slots", async () => {
  const { owner, first } = await person();
  const path = `/v1/accounts/${first.id}/slots`;
  expect((await as(owner, ["posts.read"]).get(path)).status).toBe(403);
  expect((await as(owner, ["accounts.read"]).put(path, BERLIN)).status).toBe(403);
  expect((await as(owner, ["accounts.read"]).get("/v1/slots/next")).status).toBe(403);
  expect((await as(owner, ["accounts.read"]).get(path)).status).toBe(200);
  expect((await as(owner, ["posts.read"]).get("/v1/slots/next")).status).toBe(200);
});
